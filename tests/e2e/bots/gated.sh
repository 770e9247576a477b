# Waits before each move, after the first MOVES (0) of a process, until the FIFO `gate` of FOLDER is opened
# for writing, and held so: sh gated.sh FOLDER MOVES. A contest with it lasts until the test does that. The
# file `asked-PID` there says that it waits. In a shell, which starts in a tenth of the time of Python.
folder=$1 free=${2:-0}
while read -r word rest; do
    case $word in
        ugi) printf '%s\n' 'id name Gated' 'option name LegalMoves type check default false' ugiok ;;
        isready) echo readyok ;;
        go)
            if [ "$free" -gt 0 ]; then
                free=$((free - 1))
            else
                : >"$folder/asked-$$"
                : <"$folder/gate"
            fi
            rest=${rest#*searchmoves }
            echo "bestmove ${rest%% *}"
            ;;
        quit) exit ;;
    esac
done
