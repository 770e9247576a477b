#!/usr/bin/env node
// Plays Nim by a strategy of its own: yours, once you have changed chooseMove() below.
//
// Node.js 16 or later, nothing else. It reads positions of `nim:` heaps (numbers only), normal
// and misere, follows the moves itself, and reads lines while chooseMove() thinks.
'use strict';
const {Worker, isMainThread, parentPort, workerData} = require('node:worker_threads');

// -------------------------------------------------------------------------------------------
// Your idea goes here.
//
// `heaps` is an array such as [3n, 4n, 5n]: BigInt, because they may be large, and because ^ is
// right for these alone. Choose a heap and how many stones to leave in it: return [1, 0n] to
// clear the 4 (heaps count from 0 here). There is at least one stone. The player who takes the
// last stone wins; under misere that player loses. Choose at random by chance(n), which gives
// 0..n-1, so that a game can be repeated. If you think for long, ask timeIsUp() now and
// then, and return what you have once it says true.

/** Leaves two equal heaps if it can, else takes one stone from any heap. */
function chooseMove(heaps, misere, chance) {
  const standing = [...heaps.keys()].filter((i) => heaps[i] > 0n);
  if (standing.length === 1) {
    const [only] = standing;
    return [only, misere && heaps[only] > 1n ? 1n : 0n];
  }
  if (standing.length === 2) {
    const [first, second] = standing;
    if (heaps[first] < heaps[second]) return [second, heaps[first]];
    if (heaps[first] > heaps[second]) return [first, heaps[second]];
  }
  if (standing.length === 3) {
    for (const oddOne of standing) {
      const [first, second] = standing.filter((i) => i !== oddOne);
      if (heaps[first] === heaps[second]) return [oddOne, 0n];
    }
  }
  const heap = standing[chance(standing.length)];
  return [heap, heaps[heap] - 1n];
}

// -------------------------------------------------------------------------------------------
// From here on: the protocol, which you need not change. The main thread reads lines; another
// one runs chooseMove().

// ---- positions and moves ----

const START = {heaps: [1n, 3n, 5n, 7n], misere: false, movesMade: 0};

/** What is not played, or cannot be read. */
class Refused extends Error {
  constructor(why, read = '') {
    super(`${why}, read '${read.slice(0, 60)}'`);  // an answer must fit a line, too
  }
}

function readNumber(text) {
  const number = /^0*[0-9]{1,19}$/.test(text) ? BigInt(text) : 1n << 63n;
  if (number >= 1n << 63n) throw new Refused('expected a number', text);
  return number;
}

/** 'nim:3,4+5' gives [3n, 4n, 5n]. */
function readHeaps(sum) {
  return sum.split('+').flatMap((component) => {
    const colon = component.lastIndexOf(':');
    if (colon >= 0 && component.slice(0, colon) !== 'nim') {
      throw new Refused('I play nim only', component);
    }
    return component.slice(colon + 1).split(',').map(readNumber);
  });
}

/** The position after `moves` such as '2=1': heap number 2, counted from 1, becomes 1. */
function play(before, moves) {
  const heaps = [...before.heaps];
  for (const move of moves) {
    const equals = move.indexOf('=');
    if (equals < 0) throw new Refused('expected a move such as 2=1', move);
    const heap = Number(readNumber(move.slice(0, equals))) - 1;
    const left = readNumber(move.slice(equals + 1));
    if (heap < 0 || heap >= heaps.length || left >= heaps[heap]) {
      throw new Refused('expected a legal move', move);
    }
    heaps[heap] = left;
  }
  return {heaps, misere: before.misere, movesMade: before.movesMade + moves.length};
}

/** Reads a `position` line. */
function readPosition(words) {
  const moves = words.includes('moves') ? words.indexOf('moves') : words.length;
  const [, kind, sum, convention = 'normal', tooMuch] = words.slice(0, moves);
  let position = START;
  if (kind === 'fen' && sum !== undefined && tooMuch === undefined) {
    if (!['normal', 'misere'].includes(convention)) {
      throw new Refused('expected misere', convention);
    }
    position = {heaps: readHeaps(sum), misere: convention === 'misere', movesMade: 0};
  } else if (kind !== 'startpos' || sum !== undefined) {
    throw new Refused('expected position startpos or position fen nim:3,4,5 [misere]', sum);
  }
  return play(position, words.slice(moves + 1));
}

// ---- the thread that thinks ----

const STOPPED = 0;  // of `flags`, which both threads see
const flags = isMainThread ? new Int32Array(new SharedArrayBuffer(4)) : workerData;
let deadline = 0;

function timeIsUp() {
  return Atomics.load(flags, STOPPED) === 1 || Date.now() >= deadline;
}

/** Numbers of SplitMix64. */
function makeChance(seed) {
  const mask = (1n << 64n) - 1n;
  let state = seed;
  return (n) => {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let mixed = ((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & mask;
    return Number((mixed ^ (mixed >> 31n)) % BigInt(n));
  };
}

function runThinker() {
  let chance = makeChance(0n);
  parentPort.on('message', ({seed, position, time}) => {
    if (seed !== undefined) {
      chance = makeChance(seed);
    } else {
      deadline = Date.now() + time;
      const [heap, left] = chooseMove(position.heaps, position.misere, chance);
      parentPort.postMessage(`${heap + 1}=${left}`);
    }
  });
}

// ---- the thread that talks ----

/** How long to think after this `go`, in milliseconds; `player` is 'p1' or 'p2'. */
function timeFor(words, player) {
  if (words.includes('infinite')) return Infinity;
  const limit = (name, otherwise) => {
    const number = words.includes(name) ? Number(words[words.indexOf(name) + 1]) : NaN;
    return Number.isNaN(number) ? otherwise : number;
  };
  const left = limit(`${player}time`, -1);
  if (left < 0) return 0.8 * limit('movetime', 1000);
  return Math.min(left / 2, left / 20 + limit(`${player}inc`, 0) / 2);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

class Bot {
  constructor() {
    this.position = START;
    this.waiting = [];  // lines that came while the other thread thinks
    this.question = null;  // what it was asked
    this.inputEnded = false;
    this.thinker = new Worker(__filename, {workerData: flags});
    this.thinker.on('message', (move) => this.answer(move));
  }

  run() {
    let unread = '';
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (piece) => {
      const lines = (unread + piece).split('\n');
      unread = lines.pop();
      for (const line of lines) this.hear(line.split(/\s+/).filter(Boolean));
    });
    process.stdin.on('end', () => {
      this.hear(unread.split(/\s+/).filter(Boolean));
      this.inputEnded = true;
      if (this.question?.infinite) Atomics.store(flags, STOPPED, 1);
      this.finish();
    });
  }

  hear(words) {
    if (words[0] === 'quit') {
      process.exit(0);  // whatever the other thread does
    } else if (words[0] === 'isready') {
      say('readyok');
    } else if (words[0] === 'stop') {
      Atomics.store(flags, STOPPED, 1);
      this.finish();
    } else if (this.question) {
      this.waiting.push(words);
    } else {
      this.carryOut(words);
    }
  }

  carryOut(words) {
    try {
      if (words[0] === 'ugi') {
        say('id name nim_bot.js\nid author the Nimarena authors');
        say('option name Seed type spin default 0 min 0 max 9223372036854775807\nugiok');
      } else if (words[0] === 'setoption') {
        if (words[2] === 'Seed') this.thinker.postMessage({seed: readNumber(words[4] ?? '')});
      } else if (words[0] === 'position') {
        this.position = readPosition(words);
      } else if (words[0] === 'moves') {
        this.position = play(this.position, words.slice(1));
      } else if (words[0] === 'go') {
        this.startThinking(words);
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      say(`info string error ${error.message}`);
    }
  }

  startThinking(words) {
    const moves = words.includes('searchmoves') ? words.indexOf('searchmoves') : words.length;
    const time = timeFor(words.slice(0, moves), this.position.movesMade % 2 === 0 ? 'p1' : 'p2');
    this.question = {allowed: words.slice(moves + 1), infinite: time === Infinity, move: null};
    Atomics.store(flags, STOPPED, this.inputEnded && time === Infinity ? 1 : 0);
    if (this.position.heaps.every((stones) => stones === 0n)) {
      this.question.move = '0000';
      this.finish();
    } else {
      this.thinker.postMessage({position: this.position, time});
    }
  }

  /** `move` is played if `searchmoves` lists it, or lists none. */
  answer(move) {
    const {allowed} = this.question;
    this.question.move = allowed.length === 0 || allowed.includes(move) ? move : allowed[0];
    this.finish();
  }

  /** Writes the answer that is due, and carries out what waited for it. */
  finish() {
    const isStopped = Atomics.load(flags, STOPPED) === 1;
    if (this.question?.move && (isStopped || !this.question.infinite)) {
      say(`bestmove ${this.question.move}`);
      this.question = null;
      while (!this.question && this.waiting.length > 0) this.carryOut(this.waiting.shift());
    }
    if (this.inputEnded && !this.question) process.exit(0);
  }
}

if (isMainThread) {
  new Bot().run();
} else {
  runThinker();
}
