#!/usr/bin/env node
// Plays any game: it picks one of the legal moves that the arena lists after `searchmoves`.
//
// Node.js 16 or later, nothing else. As it is, it picks at random: change chooseMove(). It must
// choose at once; nim_bot.js shows how to read lines while thinking.
'use strict';

// -------------------------------------------------------------------------------------------
// Your idea goes here.
//
// `position` is a text such as 'kayles:3,4+nim:5 moves 1=2': where the game began, and the moves
// since. `moves` are the legal ones: '1=2' makes heap 1 a heap of 2, '1=1,1' splits it into two.
// Return one of them; there is at least one. chance(n) gives a number 0..n-1.

function chooseMove(position, moves, chance) {
  return moves[chance(moves.length)];
}

// -------------------------------------------------------------------------------------------
// From here on: the protocol, which you need not change.

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

let chance = makeChance(0n);
let position = 'nim:1,3,5,7';
let pending = '';  // the answer to `go infinite`, which is not due before `stop`

function say(line) {
  process.stdout.write(`${line}\n`);
}

function carryOut(words) {
  if (words[0] === 'ugi') {
    say('id name random_bot.js\nid author the Nimarena authors');
    say('option name Seed type spin default 0 min 0 max 9223372036854775807');
    // A bot that prints this option gets the legal moves with every `go`.
    say('option name LegalMoves type check default true\nugiok');
  } else if (words[0] === 'isready') {
    say('readyok');
  } else if (words[0] === 'setoption' && words[2] === 'Seed') {
    if (/^[0-9]{1,19}$/.test(words[4])) chance = makeChance(BigInt(words[4]));
  } else if (words[0] === 'position') {
    const start = words[1] === 'fen' ? [] : ['nim:1,3,5,7'];
    position = [...start, ...words.slice(2)].join(' ');
  } else if (words[0] === 'go') {
    const index = words.indexOf('searchmoves');
    const moves = index < 0 ? [] : words.slice(index + 1);
    const answer = moves.length > 0 ? chooseMove(position, moves, chance) : '0000';
    if (words.includes('infinite')) pending = answer;
    else say(`bestmove ${answer}`);
  } else if (words[0] === 'stop') {
    answerPending();
  } else if (words[0] === 'quit') {
    process.exit(0);
  }
}

function answerPending() {
  if (pending) say(`bestmove ${pending}`);
  pending = '';
}

let unread = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (piece) => {
  const lines = (unread + piece).split('\n');
  unread = lines.pop();
  for (const line of lines) carryOut(line.split(/\s+/).filter(Boolean));
});
process.stdin.on('end', () => {
  carryOut(unread.split(/\s+/).filter(Boolean));
  answerPending();
});
