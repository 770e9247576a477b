// Plays any game: it picks one of the legal moves that the arena lists after `searchmoves`.
//
// Go 1.19 or later, standard library only. As it is, it picks at random: change chooseMove(). It
// must choose at once; nim_bot shows how to read lines while thinking.
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
)

// ---------------------------------------------------------------------------------------------
// Your idea goes here.
//
// `position` is a text such as "kayles:3,4+nim:5 moves 1=2": where the game began, and the moves
// since. `moves` are the legal ones: "1=2" makes heap 1 a heap of 2, "1=1,1" splits it into two.
// Return one of them; there is at least one.

func chooseMove(position string, moves []string, chance *rand.Rand) string {
	return moves[chance.Intn(len(moves))]
}

// ---------------------------------------------------------------------------------------------
// From here on: the protocol, which you need not change.

type bot struct {
	chance   *rand.Rand
	position string
	pending  string // the answer to `go infinite`, which is not due before `stop`
}

func say(line string) {
	fmt.Println(line) // Go does not buffer this: unflushed lines never leave
}

func (b *bot) carryOut(words []string) {
	switch words[0] {
	case "ugi":
		say("id name random_bot\nid author the Nimarena authors")
		say("option name Seed type spin default 0 min 0 max 9223372036854775807")
		// A bot that prints this option gets the legal moves with every `go`.
		say("option name LegalMoves type check default true\nugiok")
	case "isready":
		say("readyok")
	case "setoption":
		if len(words) == 5 && words[2] == "Seed" {
			seed, _ := strconv.ParseInt(words[4], 10, 64)
			b.chance.Seed(seed)
		}
	case "position":
		b.position = strings.Join(words[1:], " ")
		b.position = strings.TrimPrefix(b.position, "fen ")
		b.position = strings.Replace(b.position, "startpos", "nim:1,3,5,7", 1)
	case "go":
		b.choose(words)
	case "stop":
		b.answerPending()
	case "quit":
		os.Exit(0)
	}
}

func (b *bot) choose(words []string) {
	var moves []string
	infinite := false
	for i, word := range words {
		infinite = infinite || word == "infinite"
		if word == "searchmoves" {
			moves = words[i+1:]
			break
		}
	}
	b.pending = "0000"
	if len(moves) > 0 {
		b.pending = chooseMove(b.position, moves, b.chance)
	}
	if !infinite {
		b.answerPending()
	}
}

func (b *bot) answerPending() {
	if b.pending != "" {
		say("bestmove " + b.pending)
		b.pending = ""
	}
}

func main() {
	b := &bot{chance: rand.New(rand.NewSource(0)), position: "nim:1,3,5,7"}
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadString('\n')
		if words := strings.Fields(line); len(words) > 0 {
			b.carryOut(words)
		}
		if err != nil { // the end of input
			break
		}
	}
	b.answerPending()
}
