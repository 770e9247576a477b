//! Plays Nim by a strategy of its own: yours, once you have changed `choose_move()` below.
//!
//! Rust 1.63 or later, standard library only. It reads positions of `nim:` heaps (numbers only),
//! normal and misere, follows the moves itself, and reads lines while `choose_move()` thinks.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

// ---------------------------------------------------------------------------------------------
// Your idea goes here.
//
// `heaps` holds numbers such as 3, 4, 5. Choose a heap and how many stones to leave in it:
// return (1, 0) to clear the 4 (heaps count from 0 here). There is at least one stone.
// The player who takes the last stone wins; under misere that player loses.
// Choose at random by `chance.below(n)`, which gives 0..n-1, so that a game can be repeated.
// If you think for long, ask `time.is_up()` now and then, and return what you have once it says
// true.

/// Leaves two equal heaps if it can, else takes one stone from any heap.
fn choose_move(heaps: &[u64], misere: bool, chance: &mut Chance, _time: &Time) -> (usize, u64) {
    let standing: Vec<usize> = (0..heaps.len()).filter(|&i| heaps[i] > 0).collect();
    if let [only] = standing[..] {
        return (only, u64::from(misere && heaps[only] > 1));
    }
    if let [first, second] = standing[..] {
        if heaps[first] < heaps[second] {
            return (second, heaps[first]);
        }
        if heaps[first] > heaps[second] {
            return (first, heaps[second]);
        }
    }
    if let [a, b, c] = standing[..] {
        for (odd_one, first, second) in [(a, b, c), (b, a, c), (c, a, b)] {
            if heaps[first] == heaps[second] {
                return (odd_one, 0);
            }
        }
    }
    let heap = standing[chance.below(standing.len())];
    (heap, heaps[heap] - 1)
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

// ---- positions and moves ----

#[derive(Clone)]
struct Position {
    heaps: Vec<u64>,
    misere: bool,
    moves_made: usize,
}

fn start_position() -> Position {
    Position { heaps: vec![1, 3, 5, 7], misere: false, moves_made: 0 }
}

fn refused(why: &str, read: &str) -> String {
    let shown: String = read.chars().take(60).collect(); // an answer must fit a line, too
    format!("{why}, read '{shown}'")
}

fn read_number(text: &str) -> Result<u64, String> {
    let number = text.parse::<i64>().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()));
    number.map(|n| n as u64).ok_or_else(|| refused("expected a number", text))
}

/// "nim:3,4+5" gives 3, 4, 5.
fn read_heaps(sum: &str) -> Result<Vec<u64>, String> {
    let mut heaps = Vec::new();
    for component in sum.split('+') {
        let (ruleset, numbers) = component.rsplit_once(':').unwrap_or(("nim", component));
        if ruleset != "nim" {
            return Err(refused("I play nim only", component));
        }
        for number in numbers.split(',') {
            heaps.push(read_number(number)?);
        }
    }
    Ok(heaps)
}

/// Plays moves such as "2=1": heap number 2, counted from 1, becomes 1.
fn play(position: &mut Position, moves: &[String]) -> Result<(), String> {
    for text in moves {
        let parts = text.split_once('=');
        let (number, left) = parts.ok_or_else(|| refused("expected a move such as 2=1", text))?;
        let (number, left) = (read_number(number)? as usize, read_number(left)?);
        if number < 1 || number > position.heaps.len() || left >= position.heaps[number - 1] {
            return Err(refused("expected a legal move", text));
        }
        position.heaps[number - 1] = left;
        position.moves_made += 1;
    }
    Ok(())
}

/// Reads a `position` line.
fn read_position(words: &[String]) -> Result<Position, String> {
    let end = words.iter().position(|word| word == "moves").unwrap_or(words.len());
    let texts: Vec<&str> = words[1..end].iter().map(String::as_str).collect();
    let mut position = start_position();
    match texts[..] {
        ["startpos"] => {}
        ["fen", sum] | ["fen", sum, "normal"] => position.heaps = read_heaps(sum)?,
        ["fen", sum, "misere"] => {
            position.heaps = read_heaps(sum)?;
            position.misere = true;
        }
        _ => {
            let why = "expected position startpos or position fen nim:3,4,5 [misere]";
            return Err(refused(why, texts.last().unwrap_or(&"")));
        }
    }
    play(&mut position, words.get(end + 1..).unwrap_or(&[]))?;
    Ok(position)
}

// ---- time ----

/// The time of one `go`.
struct Time {
    deadline: Option<Instant>, // none: `go infinite`
    stopped: AtomicBool,
}

impl Time {
    #[allow(dead_code)]
    fn is_up(&self) -> bool {
        let is_late = self.deadline.map_or(false, |deadline| Instant::now() >= deadline);
        is_late || self.stopped.load(Ordering::Relaxed)
    }
}

/// How long to think after this `go`; none: until `stop`. `player` is "p1" or "p2".
fn time_for(limits: &[String], player: &str) -> Option<Duration> {
    let limit = |name: String| -> Option<f64> {
        let index = limits.iter().position(|word| *word == name)?;
        limits.get(index + 1)?.parse::<i64>().ok().map(|n| n.clamp(0, 7 * 24 * 3_600_000) as f64)
    };
    if limits.iter().any(|word| word == "infinite") {
        return None;
    }
    let added = limit(format!("{player}inc")).unwrap_or(0.0);
    let milliseconds = match limit(format!("{player}time")) {
        Some(left) => (left / 2.0).min(left / 20.0 + added / 2.0),
        None => 0.8 * limit("movetime".to_string()).unwrap_or(1000.0),
    };
    Some(Duration::from_secs_f64(milliseconds / 1000.0))
}

// ---- the conversation ----

fn say(line: &str) {
    let mut output = io::stdout().lock();
    let written = writeln!(output, "{line}").and_then(|()| output.flush());
    if written.is_err() {
        std::process::exit(1); // the arena is gone
    }
}

type Words = Vec<String>;

struct State {
    position: Position,
    chance: Chance,
    thinking: Option<Arc<Time>>, // of the thread that will print `bestmove`
    waiting: VecDeque<Words>,    // lines that came while it thinks
    input_ended: bool,
}

struct Bot {
    state: Mutex<State>, // locked while a line is carried out
    changed: Condvar,
}

impl Bot {
    fn hear(self: &Arc<Self>, words: Words) {
        let mut state = self.state.lock().unwrap();
        match words.first().map_or("", String::as_str) {
            "quit" => std::process::exit(0), // whatever the other thread does
            "isready" => say("readyok"),
            "stop" => {
                if let Some(time) = &state.thinking {
                    time.stopped.store(true, Ordering::Relaxed);
                }
                self.changed.notify_all();
            }
            _ if state.thinking.is_some() => state.waiting.push_back(words),
            _ => self.carry_out(&mut state, &words),
        }
    }

    fn carry_out(self: &Arc<Self>, state: &mut State, words: &[String]) {
        if let Err(error) = self.try_to_carry_out(state, words) {
            say(&format!("info string error {error}"));
        }
    }

    fn try_to_carry_out(self: &Arc<Self>, state: &mut State, words: &[String]) -> Result<(), String> {
        match words.first().map_or("", String::as_str) {
            "ugi" => {
                say("id name nim_bot\nid author the Nimarena authors");
                say("option name Seed type spin default 0 min 0 max 9223372036854775807\nugiok");
            }
            "setoption" => {
                if let [_, _, name, _, value] = words {
                    if name == "Seed" {
                        state.chance = Chance(read_number(value)?);
                    }
                }
            }
            "position" => state.position = read_position(words)?,
            "moves" => {
                let mut after = state.position.clone();
                play(&mut after, &words[1..])?;
                state.position = after;
            }
            "go" => self.start_thinking(state, words),
            _ => {}
        }
        Ok(())
    }

    fn start_thinking(self: &Arc<Self>, state: &mut State, words: &[String]) {
        let end = words.iter().position(|word| word == "searchmoves").unwrap_or(words.len());
        let player = if state.position.moves_made % 2 == 0 { "p1" } else { "p2" };
        let deadline = time_for(&words[..end], player).map(|time| Instant::now() + time);
        let is_stopped = deadline.is_none() && state.input_ended;
        let time = Arc::new(Time { deadline, stopped: AtomicBool::new(is_stopped) });
        state.thinking = Some(time.clone());
        let allowed: Words = words.get(end + 1..).unwrap_or(&[]).to_vec();
        let (position, mut chance) = (state.position.clone(), Chance(state.chance.0));
        let bot = Arc::clone(self);
        thread::spawn(move || {
            let text = best_move(&position, &mut chance, &time, &allowed);
            let mut state = bot.state.lock().unwrap();
            state.chance = chance;
            bot.answer(state, &time, &text);
        });
    }

    fn answer(self: &Arc<Self>, mut state: MutexGuard<State>, time: &Time, text: &str) {
        while time.deadline.is_none() && !time.is_up() {
            state = self.changed.wait(state).unwrap();
        }
        say(&format!("bestmove {text}"));
        state.thinking = None;
        while state.thinking.is_none() {
            match state.waiting.pop_front() {
                Some(words) => self.carry_out(&mut state, &words),
                None => break,
            }
        }
        self.changed.notify_all();
    }

    fn end_input(&self) {
        let mut state = self.state.lock().unwrap();
        state.input_ended = true;
        if let Some(time) = state.thinking.as_ref().filter(|time| time.deadline.is_none()) {
            time.stopped.store(true, Ordering::Relaxed);
        }
        self.changed.notify_all();
        while state.thinking.is_some() {
            state = self.changed.wait(state).unwrap();
        }
    }
}

/// The chosen move, or one that `searchmoves` lists if it does not list this one.
fn best_move(position: &Position, chance: &mut Chance, time: &Time, allowed: &[String]) -> String {
    if position.heaps.iter().all(|&stones| stones == 0) {
        return "0000".to_string();
    }
    let (heap, left) = choose_move(&position.heaps, position.misere, chance, time);
    let text = format!("{}={left}", heap + 1);
    match allowed.first() {
        Some(first) if !allowed.contains(&text) => first.clone(),
        _ => text,
    }
}

fn main() {
    let state = State {
        position: start_position(),
        chance: Chance(0),
        thinking: None,
        waiting: VecDeque::new(),
        input_ended: false,
    };
    let bot = Arc::new(Bot { state: Mutex::new(state), changed: Condvar::new() });
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line).unwrap_or(0) > 0 {
        let text = String::from_utf8_lossy(&line);
        bot.hear(text.split_ascii_whitespace().map(str::to_string).collect());
        line.clear();
    }
    bot.end_input();
}
