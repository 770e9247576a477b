//! Plays any game: it picks one of the legal moves that the arena lists after `searchmoves`.
//!
//! Rust 1.63 or later, standard library only. As it is, it picks at random: change
//! `choose_move()`. It must choose at once; `nim_bot.rs` shows how to read lines while thinking.

use std::io::{self, BufRead, Write};

// ---------------------------------------------------------------------------------------------
// Your idea goes here.
//
// `position` is a text such as "kayles:3,4+nim:5 moves 1=2": where the game began, and the moves
// since. `moves` are the legal ones: "1=2" makes heap 1 a heap of 2, "1=1,1" splits it into two.
// Return one of them; there is at least one. `chance.below(n)` gives a number 0..n-1.

fn choose_move<'a>(_position: &str, moves: &[&'a str], chance: &mut Chance) -> &'a str {
    moves[chance.below(moves.len())]
}

// ---------------------------------------------------------------------------------------------
// From here on: the protocol, which you need not change.

/// Numbers of SplitMix64.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % n as u64) as usize
    }
}

fn say(line: &str) {
    let mut output = io::stdout().lock();
    let written = writeln!(output, "{line}").and_then(|()| output.flush());
    if written.is_err() {
        std::process::exit(1); // the arena is gone
    }
}

struct Bot {
    chance: Chance,
    position: String,
    pending: Option<String>, // the answer to `go infinite`, which is not due before `stop`
}

impl Bot {
    /// False: to end.
    fn carry_out(&mut self, words: &[&str]) -> bool {
        match words {
            ["quit", ..] => return false,
            ["ugi", ..] => {
                say("id name random_bot\nid author the Nimarena authors");
                say("option name Seed type spin default 0 min 0 max 9223372036854775807");
                // A bot that prints this option gets the legal moves with every `go`.
                say("option name LegalMoves type check default true\nugiok");
            }
            ["isready", ..] => say("readyok"),
            ["setoption", "name", "Seed", "value", seed] => {
                self.chance = Chance(seed.parse().unwrap_or(0));
            }
            ["position", "fen", fen @ ..] => self.position = fen.join(" "),
            ["position", "startpos", moves @ ..] => {
                self.position = format!("nim:1,3,5,7 {}", moves.join(" "));
            }
            ["go", words @ ..] => self.go(words),
            ["stop", ..] => self.answer_pending(),
            _ => {}
        }
        true
    }

    fn go(&mut self, words: &[&str]) {
        let index = words.iter().position(|&word| word == "searchmoves");
        let moves = index.map_or(&[][..], |index| &words[index + 1..]);
        let answer = match moves {
            [] => "0000",
            _ => choose_move(&self.position, moves, &mut self.chance),
        };
        self.pending = Some(answer.to_string());
        if !words.contains(&"infinite") {
            self.answer_pending();
        }
    }

    fn answer_pending(&mut self) {
        if let Some(answer) = self.pending.take() {
            say(&format!("bestmove {answer}"));
        }
    }
}

fn main() {
    let mut bot = Bot { chance: Chance(0), position: "nim:1,3,5,7".to_string(), pending: None };
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line).unwrap_or(0) > 0 {
        let text = String::from_utf8_lossy(&line);
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        if !bot.carry_out(&words) {
            return;
        }
        line.clear();
    }
    bot.answer_pending();
}
