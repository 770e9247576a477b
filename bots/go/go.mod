module nimbot

go 1.19
