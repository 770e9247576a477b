// The page of puzzles: a won position is drawn by the server; the visitor looks for the move that
// wins. The address holds the puzzle: #p=POSITION&set=RULESET&level=LEVEL. The streak is all that is
// kept, in this browser.
//
// Hooks for tests (stable): #status the state in words; #reason why; #board as on the play page, with
// data-state "open", "solved", "failed" or "shown"; #next #retry #solve #play-it; #set #level;
// #streak #best-streak; [data-result] in #results, of a pile that is chosen from a list

import {idealByPile} from "./analysis.js";
import * as api from "./api.js";
import {Board} from "./board.js";
import {byId, capital, make} from "./dom.js";
import {showNav} from "./nav.js";
import {showRules} from "./rules.js";
import {fields, writeAddress, newState} from "./state.js";
import {orderOf, sentence} from "./words.js";

let puzzle = {position: "", set: "", level: 1};
let game = null;
let found = null; // of /api/evaluate
let tried = false; // a move was wrong, or shown: no more points for this one
let turn = 0;

const tell = (text) => {
  byId("status").textContent = text;
};

const reason = (text) => {
  byId("reason").textContent = text === "" ? "" : `${capital(text)}.`;
};

// The streak --------------------------------------------------------------------------------------

const kStreak = "nimarena.streak";

// Storage may be turned off: then the streak lasts as long as the page.
let streak = {now: 0, best: 0};

const readStreak = () => {
  try {
    const {now, best} = JSON.parse(localStorage.getItem(kStreak)) ?? {};
    if (Number.isInteger(now) && Number.isInteger(best)) streak = {now, best};
  } catch {
    /* as if there were none */
  }
};

const setStreak = (now) => {
  streak = {now, best: Math.max(streak.best, now)};
  try {
    localStorage.setItem(kStreak, JSON.stringify(streak));
  } catch {
    /* not kept */
  }
  showStreak();
};

const showStreak = () => {
  byId("streak").textContent = streak.now;
  byId("best-streak").textContent = streak.best;
};

// The puzzle --------------------------------------------------------------------------------------

const stateNow = () => byId("board").dataset.state;
const locked = () => (stateNow() === "open" ? null : "Press “Try again” or “Next puzzle” to go on.");

const setState = (state) => {
  byId("board").dataset.state = state;
  board.lock(state !== "open");
  byId("retry").hidden = state !== "failed";
  byId("solve").hidden = state === "solved" || state === "shown";
  byId("next").classList.toggle("primary", state !== "open");
  byId("listed").hidden = true;
};

const drawBoard = (shown, moves, best) =>
  board.show({
    game: shown,
    moves,
    values: new Map(),
    best,
    marks: new Map(),
    changed: new Set(),
    editable: false,
  });

const ask = () => {
  // A move in a pile is the same in an equal one.
  const same = ({ruleset, heap}) => `${ruleset}:${heap}`;
  const piles = new Map(game.piles.map((pile) => [same(pile), pile.result_count]));
  const moves = [...piles.values()].reduce((sum, count) => sum + count, 0);
  const best = new Set(
    found.best_moves.map((move) => {
      const [number, result] = move.split("=");
      return `${same(game.piles.find(({pile}) => pile === Number(number)))}=${result}`;
    }),
  ).size;
  const once = piles.size < game.piles.length ? " (equal piles count once)" : "";
  tell(`${best === 1 ? "Only one" : best} of ${moves} moves ${best === 1 ? "wins" : "win"}${once}. Find ${best === 1 ? "it" : "one"}.`);
  reason("");
  byId("goal").textContent = `Whoever makes the last move ${game.convention === "misere" ? "loses" : "wins"}.`;
  setState("open");
  drawBoard(game, [], new Map());
};

const remember = () => {
  const {position, set, level} = puzzle;
  const words = [`p=${encodeURIComponent(position)}`, `set=${encodeURIComponent(set)}`, `level=${level}`];
  history.replaceState(null, "", `#${words.join("&")}`);
  byId("play-it").href = `/${writeAddress({...newState(), position})}`;
};

const guarded = async (run) => {
  const mine = ++turn;
  byId("board").dataset.ready = false;
  try {
    await api.patiently(run(() => mine === turn), tell);
  } catch (error) {
    if (!(error instanceof api.ApiError)) throw error;
    if (mine === turn) tell(`${capital(error.message)}.`);
  }
  if (mine === turn) byId("board").dataset.ready = true;
};

// Shows the puzzle of `puzzle.position`.
const open = (isCurrent) => {
  const {position} = puzzle;
  return Promise.all([api.game(position, []), api.evaluate(position, [])]).then(([begun, known]) => {
    if (!isCurrent()) return;
    game = begun;
    found = known;
    tried = false;
    showRules(byId("rules-here"), game.rules);
    remember();
    if (found.outcome === "N" && (found.best_moves ?? []).length > 0) return void ask();
    tell("No move is known to win here: this is no puzzle.");
    setState("shown");
    drawBoard(game, [], new Map());
  });
};

const next = () =>
  guarded(async (isCurrent) => {
    const set = byId("set").value,
      level = Number(byId("level").value);
    const drawn = await api.puzzle(set, level, puzzle.position);
    if (!isCurrent()) return;
    puzzle = {position: drawn.position, set, level};
    await open(isCurrent);
  });

const solved = (order, after) => {
  const first = !tried;
  tried = true;
  setState("solved");
  if (first) setStreak(streak.now + 1);
  tell(`Right: ${order}.`);
  reason(after.reason);
};

const failed = (move, order, after) => {
  if (!tried) setStreak(0);
  tried = true;
  setState("failed");
  const answer = after.best_moves?.[0];
  tell(
    answer
      ? `No: ${sentence("You", move, order)}; ${sentence("the opponent", answer, after.best_words[0])}, and wins.`
      : `No: ${sentence("You", move, order)}, which does not win.`,
  );
  reason(after.reason);
};

const answer = (pile, result) =>
  guarded(async (isCurrent) => {
    const {position} = puzzle;
    const played = [`${pile}=${result}`];
    const [made, after] = await Promise.all([
      api.game(position, played),
      api.evaluate(position, played),
    ]);
    if (!isCurrent()) return;
    const [move] = made.moves;
    await board.animate(pile, result, false);
    if (!isCurrent()) return;
    const order = orderOf(move, made.words[0]);
    if (found.best_moves.includes(move)) solved(order, after);
    else failed(move, order, after);
    drawBoard(made, made.moves, new Map());
    byId("status").focus({preventScroll: true});
  });

const retry = () => guarded(async () => ask());

// Shows the winning moves.
const solve = () =>
  guarded(async (isCurrent) => {
    const [move] = found.best_moves;
    const after = await api.evaluate(puzzle.position, [move]);
    if (!isCurrent()) return;
    if (!tried) setStreak(0);
    tried = true;
    setState("shown");
    drawBoard(game, [], idealByPile(found));
    board.hint(Number(move.slice(0, move.indexOf("="))), move.slice(move.indexOf("=") + 1));
    tell(`The winning move: ${orderOf(move, found.best_words[0])}.`);
    reason(after.reason);
  });

// A pile whose moves the drawing cannot show: they are chosen from a list.
const listMoves = (number) => {
  const pile = game.piles.find((known) => known.pile === number);
  byId("listed").hidden = false;
  byId("results").replaceChildren(
    ...pile.results.map((result) =>
      make(
        "li",
        {},
        make("button", {
          type: "button",
          class: "move-chip",
          "data-result": result,
          text: result,
          onclick: () => answer(number, result),
        }),
      ),
    ),
  );
  byId("results").querySelector("button")?.focus();
};

const board = new Board(byId("board"), {
  move: answer,
  say: tell,
  locked,
  lost: () => queueMicrotask(() => byId("status").focus()),
  list: listMoves,
  remove: () => {},
});

const readPuzzle = () => {
  const told = fields(location.hash);
  const level = Number(told.get("level") ?? 1);
  puzzle = {
    position: told.get("p") ?? "",
    set: told.get("set") ?? "",
    level: [1, 2, 3].includes(level) ? level : 1,
  };
};

const offer = (site) => {
  showNav(site);
  const known = site.rulesets.map(({ruleset, title}) => make("option", {value: ruleset, text: title}));
  byId("set").replaceChildren(make("option", {value: "", text: "All games, mixed"}), ...known);
  if (site.rulesets.some(({ruleset}) => ruleset === puzzle.set)) byId("set").value = puzzle.set;
  byId("level").value = puzzle.level;
};

const show = () => (puzzle.position === "" ? next() : guarded(open));

const boot = async () => {
  showNav();
  readStreak();
  showStreak();
  readPuzzle();
  try {
    offer(await api.site());
  } catch (error) {
    if (!(error instanceof api.ApiError)) throw error;
    return tell(`${capital(error.message)}.`);
  }
  return show();
};

byId("next").addEventListener("click", next);
byId("retry").addEventListener("click", retry);
byId("solve").addEventListener("click", solve);
for (const id of ["set", "level"]) byId(id).addEventListener("change", next);
addEventListener("popstate", () => {
  readPuzzle();
  show();
});
boot();
