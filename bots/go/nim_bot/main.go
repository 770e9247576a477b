// Plays Nim by a strategy of its own: yours, once you have changed chooseMove() below.
//
// Go 1.19 or later, standard library only. It reads positions of `nim:` heaps (numbers only),
// normal and misere, follows the moves itself, and reads lines while chooseMove() thinks.
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// ---------------------------------------------------------------------------------------------
// Your idea goes here.
//
// `heaps` holds numbers such as 3, 4, 5. Choose a heap and how many stones to leave in it:
// return 1, 0 to clear the 4 (heaps count from 0 here). There is at least one stone.
// The player who takes the last stone wins; under misere that player loses.
// Choose at random by `chance`, so that a game can be repeated. If you think for long, ask
// timeIsUp() now and then, and return what you have once it says true.

// Leaves two equal heaps if it can, else takes one stone from any heap.
func chooseMove(heaps []int64, misere bool, chance *rand.Rand) (heap int, left int64) {
	var standing []int
	for i, stones := range heaps {
		if stones > 0 {
			standing = append(standing, i)
		}
	}
	if len(standing) == 1 {
		only := standing[0]
		if misere && heaps[only] > 1 {
			return only, 1
		}
		return only, 0
	}
	if len(standing) == 2 {
		first, second := standing[0], standing[1]
		if heaps[first] < heaps[second] {
			return second, heaps[first]
		}
		if heaps[first] > heaps[second] {
			return first, heaps[second]
		}
	}
	if len(standing) == 3 {
		for i, oddOne := range standing {
			first, second := standing[(i+1)%3], standing[(i+2)%3]
			if heaps[first] == heaps[second] {
				return oddOne, 0
			}
		}
	}
	heap = standing[chance.Intn(len(standing))]
	return heap, heaps[heap] - 1
}

// ---------------------------------------------------------------------------------------------
// From here on: the protocol, which you need not change.

// ---- positions and moves ----

type position struct {
	heaps     []int64
	misere    bool
	movesMade int
}

func startPosition() position {
	return position{heaps: []int64{1, 3, 5, 7}}
}

func refused(why, read string) error {
	if len(read) > 60 {
		read = read[:60] // an answer must fit a line, too
	}
	return fmt.Errorf("%s, read %q", why, read)
}

func readNumber(text string) (int64, error) {
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil || strings.Trim(text, "0123456789") != "" {
		return 0, refused("expected a number", text)
	}
	return number, nil
}

// "nim:3,4+5" gives 3, 4, 5.
func readHeaps(sum string) ([]int64, error) {
	var heaps []int64
	for _, component := range strings.Split(sum, "+") {
		colon := strings.LastIndex(component, ":")
		if colon >= 0 && component[:colon] != "nim" {
			return nil, refused("I play nim only", component)
		}
		for _, text := range strings.Split(component[colon+1:], ",") {
			number, err := readNumber(text)
			if err != nil {
				return nil, err
			}
			heaps = append(heaps, number)
		}
	}
	return heaps, nil
}

// The position after moves such as "2=1": heap number 2, counted from 1, becomes 1.
func play(before position, moves []string) (position, error) {
	after := before
	after.heaps = append([]int64(nil), before.heaps...)
	for _, move := range moves {
		index, result, found := strings.Cut(move, "=")
		if !found {
			return before, refused("expected a move such as 2=1", move)
		}
		number, err := readNumber(index)
		if err != nil {
			return before, err
		}
		left, err := readNumber(result)
		if err != nil {
			return before, err
		}
		if number < 1 || number > int64(len(after.heaps)) || left >= after.heaps[number-1] {
			return before, refused("expected a legal move", move)
		}
		after.heaps[number-1] = left
		after.movesMade++
	}
	return after, nil
}

// The words before `name`, and those after it.
func cut(words []string, name string) (before, after []string) {
	for i, word := range words {
		if word == name {
			return words[:i], words[i+1:]
		}
	}
	return words, nil
}

// Reads a `position` line.
func readPosition(words []string) (position, error) {
	start, moves := cut(words[1:], "moves")
	result := startPosition()
	switch {
	case len(start) == 1 && start[0] == "startpos":
	case (len(start) == 2 || len(start) == 3) && start[0] == "fen":
		heaps, err := readHeaps(start[1])
		if err != nil {
			return result, err
		}
		result.heaps = heaps
		result.misere = len(start) == 3 && start[2] == "misere"
		if len(start) == 3 && !result.misere && start[2] != "normal" {
			return result, refused("expected misere", start[2])
		}
	default:
		return result, refused("expected position startpos or position fen nim:3,4,5 [misere]",
			strings.Join(start, " "))
	}
	return play(result, moves)
}

// ---- time ----

var stopped atomic.Bool
var deadline time.Time // none: `go infinite`

func timeIsUp() bool {
	return stopped.Load() || !deadline.IsZero() && time.Now().After(deadline)
}

// How long to think after this `go` if it is not infinite; `player` is "p1" or "p2".
func timeFor(limits []string, player string) time.Duration {
	limit := func(name string, otherwise int64) int64 {
		_, after := cut(limits, name)
		if len(after) > 0 {
			number, err := strconv.ParseInt(after[0], 10, 32) // up to three weeks
			if err == nil {
				return number
			}
		}
		return otherwise
	}
	milliseconds := limit("movetime", 1000) * 4 / 5
	if left := limit(player+"time", -1); left >= 0 {
		milliseconds = left/20 + limit(player+"inc", 0)/2
		if milliseconds > left/2 {
			milliseconds = left / 2
		}
	}
	return time.Duration(milliseconds) * time.Millisecond
}

// ---- the conversation ----

func say(line string) {
	fmt.Println(line) // Go does not buffer this: unflushed lines never leave
}

type bot struct {
	mutex      sync.Mutex // held while a line is carried out
	changed    *sync.Cond
	position   position
	chance     *rand.Rand
	thinking   bool       // whether the other goroutine will print `bestmove`
	waiting    [][]string // lines that came meanwhile
	inputEnded bool
}

func (b *bot) hear(words []string) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	switch {
	case words[0] == "quit":
		os.Exit(0) // whatever the other goroutine does
	case words[0] == "isready":
		say("readyok")
	case words[0] == "stop":
		stopped.Store(true)
		b.changed.Broadcast()
	case b.thinking:
		b.waiting = append(b.waiting, words)
	default:
		b.carryOut(words)
	}
}

func (b *bot) carryOut(words []string) {
	var err error
	switch words[0] {
	case "ugi":
		say("id name nim_bot\nid author the Nimarena authors")
		say("option name Seed type spin default 0 min 0 max 9223372036854775807\nugiok")
	case "setoption":
		if len(words) == 5 && words[2] == "Seed" {
			var seed int64
			if seed, err = readNumber(words[4]); err == nil {
				b.chance.Seed(seed)
			}
		}
	case "position":
		var read position
		if read, err = readPosition(words); err == nil {
			b.position = read
		}
	case "moves":
		b.position, err = play(b.position, words[1:])
	case "go":
		b.startThinking(words)
	}
	if err != nil {
		say("info string error " + err.Error())
	}
}

func (b *bot) startThinking(words []string) {
	limits, allowed := cut(words, "searchmoves")
	player := "p1"
	if b.position.movesMade%2 == 1 {
		player = "p2"
	}
	deadline = time.Now().Add(timeFor(limits, player))
	for _, word := range limits {
		if word == "infinite" {
			deadline = time.Time{}
		}
	}
	stopped.Store(b.inputEnded && deadline.IsZero())
	b.thinking = true
	go func() {
		b.answer(b.bestMove(allowed))
	}()
}

// The chosen move, or one that `searchmoves` lists if it does not list this one.
func (b *bot) bestMove(allowed []string) string {
	sum := int64(0)
	for _, stones := range b.position.heaps {
		sum |= stones
	}
	if sum == 0 {
		return "0000"
	}
	heaps := append([]int64(nil), b.position.heaps...)
	heap, left := chooseMove(heaps, b.position.misere, b.chance)
	chosen := fmt.Sprintf("%d=%d", heap+1, left)
	for _, move := range allowed {
		if move == chosen {
			return chosen
		}
	}
	if len(allowed) > 0 {
		return allowed[0]
	}
	return chosen
}

func (b *bot) answer(move string) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for deadline.IsZero() && !timeIsUp() {
		b.changed.Wait()
	}
	say("bestmove " + move)
	b.thinking = false
	for !b.thinking && len(b.waiting) > 0 {
		words := b.waiting[0]
		b.waiting = b.waiting[1:]
		b.carryOut(words)
	}
	b.changed.Broadcast()
}

func (b *bot) endInput() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.inputEnded = true
	if deadline.IsZero() {
		stopped.Store(true)
	}
	b.changed.Broadcast()
	for b.thinking {
		b.changed.Wait()
	}
}

func main() {
	b := &bot{position: startPosition(), chance: rand.New(rand.NewSource(0))}
	b.changed = sync.NewCond(&b.mutex)
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadString('\n')
		if words := strings.Fields(line); len(words) > 0 {
			b.hear(words)
		}
		if err != nil { // the end of input
			break
		}
	}
	b.endInput()
}
