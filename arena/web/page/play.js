// The play page: keeps the game, asks the server for legal moves and for the opponent's moves, and
// lets the other modules draw it. Each change of the game gets a new `turn`; answers that belong to
// an earlier turn are dropped.
//
// Hooks for tests (stable):
//   #status            the state in words (live region); #goal what the last move does;
//                      #rules-here the rules; #example shows a move; #first-game; #lead a good move
//                      #note a mistake that is reported at once
//   #board             data-ready "true" when drawn and nothing is awaited, data-player to move
//     .lane            data-origin: the pile of the start from which its piles came
//     .piece           data-pile (number in moves), data-heap; class "changed" where the last move was
//     .part            a button that makes or prepares a move: data-part (keys in parts.js), data-result
//                      (the result it stands for; none on parts of which several are chosen);
//                      class "ideal" where ideal moves are shown, "chosen" for what is chosen, "next" for what goes on
//     [data-pass]      makes a pass of the pile; .cold the squares of a board that lose
//     [data-take] [data-cancel]   of a choice of parts; [data-list] opens the list of a pile
//     [data-remove]    removes a pile of the start; [data-open] a box of an abridged board
//     .value           data-value: the value of a pile
//   #undo #redo #hint #give-up #again #swap #start   the buttons of the game
//   #outcome           data-result "won", "lost", "draw", "player-1", "player-2"; hidden before the end; its
//                      button shows the position before the move that gave the game away
//   #problem           data-kind "fault", "error"; its buttons have data-action "retry", "perfect", "new"
//   #opponent          select, its values the ids of the site and "two"; #eps the slider
//   #first-you #first-other #normal #misere            radio buttons
//   #show-sum #show-piles #show-ideal #show-why #show-tell #show-lead   check boxes
//   #sum-value         data-nimber, data-outcome; #ideal with [data-move]; #why; #columns; #genus; #mex
//   #strip             [data-turn] looks at a position of the game that is over; #strip-told; #play-on
//   #moves             [data-ply] looks at the position after that ply; li.mistake
//   #rulesets          radio buttons with data-ruleset; #ruleset-text #size #add #only #shuffle
//   #notation #notation-use #notation-error #add-error; [data-example]
//   #by-text           details: #move-pile #move-text #move-play #move-error #move-filter #move-results
//                      (with [data-result]) #move-more

import {idealByPile, marksByPile, pileValues, showAnalysis} from "./analysis.js";
import * as api from "./api.js";
import {Board} from "./board.js";
import {byId, capital, make, plural, wait} from "./dom.js";
import {MoveList} from "./list.js";
import {mexFold} from "./mex.js";
import {showNav} from "./nav.js";
import {splitHeaps} from "./parts.js";
import {exampleMove, showRules} from "./rules.js";
import {Setup, conventionOf, showRefusal, withConvention} from "./setup.js";
import {kShown, newState, readAddress, writeAddress} from "./state.js";
import {moverName, showMoves, tellEnd} from "./story.js";
import {Strip} from "./strip.js";
import {notationSwitch, orderOf, sentence} from "./words.js";

let site = {
  start: "nim:1,3,5,7",
  opponents: [{id: "perfect", name: "perfect play"}],
  rulesets: [],
  records: [],
  live: false,
};
let state = newState();
let game = null; // of /api/game, for the first state.at moves
let review = null; // of /api/review, for all moves
let told = []; // {move, words}: the words of state.moves that the server has told
let finished = null; // the review of a game that is over
let gaveUp = false;
let thinking = false;
let settled = false; // nothing of the game is awaited
let offered = false; // what the site offers is in the lists
let unprovenAt = null; // the ply after a move whose outcome the opponent could not prove
let turn = 0;
const evaluations = new Map(); // by place
const values = new Map(); // of piles, by ruleset and heap

// Who is who -------------------------------------------------------------------------------------

// A bot's name; what is built in is just the opponent.
const opponentName = () => {
  if (!state.opponent.startsWith("bot:")) return "The opponent";
  return site.opponents.find((known) => known.id === state.opponent)?.name ?? state.opponent;
};

const sides = () => ({
  two: state.opponent === "two",
  you: state.second ? 2 : 1,
  name: opponentName(),
});

const played = () => state.moves.slice(0, state.at);
const playerAt = (ply) => (ply % 2) + 1;
const isMine = (ply) => state.opponent === "two" || playerAt(ply) === sides().you;
const isOver = () => gaveUp || game?.over === true;

// Why no move can be made on the board now; null if one can.
const locked = () => {
  if (game === null) return "No game is loaded.";
  if (isOver()) return "The game is over.";
  if (thinking) return `${sides().name} is to move: wait a moment.`;
  if (!isMine(state.at)) return `${sides().name} is to move here.`;
  return null;
};

// Words ------------------------------------------------------------------------------------------

// Takes the words of the first moves from an answer.
const learn = ({words}) => {
  const known = words.map((order, ply) => ({move: state.moves[ply], order}));
  told = [...known, ...told.slice(words.length)];
};

// The words of all moves, as far as they are told.
const orders = () =>
  state.moves.map((move, ply) => (told[ply]?.move === move ? told[ply].order : null));

const tell = (text) => {
  const status = byId("status");
  if (status.textContent !== text) status.textContent = text;
};

const lastMoveWords = () => {
  if (state.at === 0) return "";
  const who = moverName(state.at - 1, sides());
  if (who === "You") return "";
  const doubt = state.at === unprovenAt ? "It cannot tell who wins here: it may err. " : "";
  return `${sentence(who, state.moves[state.at - 1], orders()[state.at - 1])}. ${doubt}`;
};

const statusWords = () => {
  const back =
    state.at === state.moves.length
      ? ""
      : state.at === 0
        ? "Back at the start. "
        : `After move ${state.at} of ${state.moves.length}. `;
  if (isOver()) return back + endWords();
  if (thinking) return `${sides().name} is thinking…`;
  if (sides().two) return `${back || lastMoveWords()}Player ${game.player} to move.`;
  if (!isMine(state.at)) return `${back}${sides().name} is to move.`;
  return `${back || lastMoveWords()}Your move.`;
};

const result = () =>
  gaveUp ? {winner: 3 - (sides().two ? game.player : sides().you), end: "gave up", gaveUp} : game;

const endWords = () => {
  const {title, text, continues} = tellEnd(result(), played(), orders(), review, sides());
  return continues ? `${title}, ${text}` : `${title}. ${text}`.trim();
};

const goalWords = () =>
  `Whoever makes the last move ${game.convention === "misere" ? "loses" : "wins"}.`;

// Drawing ----------------------------------------------------------------------------------------

const place = () => ({position: state.position, moves: played()});
const placeKey = () => JSON.stringify(place());

const changedPiles = () => {
  if (state.at === 0) return new Set();
  const move = state.moves[state.at - 1],
    equals = move.indexOf("=");
  const first = Number(move.slice(0, equals)),
    count = splitHeaps(move.slice(equals + 1)).length;
  return new Set(Array.from({length: count}, (_, i) => first + i));
};

const shownValues = () => {
  if (!state.shown.has("piles")) return new Map();
  return new Map(
    game.piles.flatMap((pile) => {
      const value = values.get(`${pile.ruleset}|${pile.heap}|${game.convention}`);
      return value === undefined ? [] : [[pile.pile, value]];
    }),
  );
};

const drawBoard = () => {
  const found = evaluations.get(placeKey());
  const best =
    state.shown.has("ideal") && found && locked() === null ? idealByPile(found) : new Map();
  board.lock(locked() !== null);
  board.show({
    game,
    moves: played(),
    values: shownValues(),
    best,
    marks: state.shown.has("why") && found ? marksByPile(found) : new Map(),
    changed: changedPiles(),
    editable: state.at === 0,
  });
  byId("board").dataset.player = game.player;
};

const drawAnalysis = () => {
  const root = byId("analysis"),
    found = evaluations.get(placeKey());
  const wanted = ["sum", "ideal", "why"].some((name) => state.shown.has(name));
  if (!wanted || isOver()) return root.replaceChildren();
  if (!found) return undefined;
  const mover = moverName(state.at, sides()),
    other = moverName(state.at + 1, sides());
  const words = (name) => (name === "You" ? "you" : name);
  return showAnalysis(
    root,
    found,
    state.shown,
    {mover: words(mover), other: words(other)},
    {
      play: (move) => playText(move),
      aim: (move) => aimAt(move),
      unaim: () => board.clearAim(),
      explain: () => mexFold(game, found, (error) => showFailure(error, inform)),
    },
  );
};

const drawOutcome = () => {
  const box = byId("outcome");
  box.hidden = !isOver();
  byId("telling").classList.toggle("hidden", isOver());
  byId("again").classList.toggle("primary", isOver());
  if (!isOver()) return box.replaceChildren();
  const {winner} = result();
  const {title, text, tone, ply = null, continues} = tellEnd(result(), played(), orders(), review, sides());
  box.dataset.result =
    winner === null
      ? "draw"
      : sides().two
        ? `player-${winner}`
        : winner === sides().you
          ? "won"
          : "lost";
  box.className = `outcome ${tone}`;
  const why = make("button", {type: "button", text: "Why was it wrong?", onclick: () => showWrong(ply)});
  const easier = make("button", {type: "button", text: "Play a first game you can win", onclick: firstGame});
  const next = ply !== null ? [why] : box.dataset.result === "lost" ? [easier] : [];
  return box.replaceChildren(
    make("h2", {text: continues ? `${title},` : title}),
    make("p", {text}),
    ...next,
  );
};

const drawActions = () => {
  byId("undo").disabled = undoTarget() === null;
  byId("redo").disabled = redoTarget() === null;
  byId("hint").disabled = locked() !== null;
  byId("give-up").disabled = game === null || isOver() || thinking || !isMine(state.at);
  byId("again").disabled = state.moves.length === 0 && !gaveUp;
  byId("swap").disabled = sides().two;
  const waits = game !== null && !isOver() && !thinking && !isMine(state.at) && byId("problem").hidden;
  byId("ask-start").hidden = !waits;
  byId("start").textContent = `Let the opponent ${state.at === 0 ? "begin" : "move from here"}`;
};

const drawOptions = () => {
  const [kind, chance] = state.opponent.split(":");
  const named = site.opponents.some(({id}) => id === state.opponent);
  byId("opponent").value = kind === "eps" && !named ? "eps" : state.opponent;
  byId("eps-row").hidden = kind !== "eps";
  if (kind === "eps") {
    byId("eps").value = Math.round(Number(chance ?? 0.25) * 100);
    byId("eps-value").textContent = `${byId("eps").value} %`;
  }
  byId("first-you").checked = !state.second;
  byId("first-other").checked = state.second;
  byId("first-other").closest("fieldset").hidden = sides().two;
  byId("normal").checked = conventionOf(state.position) === "normal";
  byId("misere").checked = conventionOf(state.position) === "misere";
  for (const name of kShown) byId(`show-${name}`).checked = state.shown.has(name);
};

const drawMoves = () => {
  byId("no-moves").hidden = state.moves.length > 0;
  for (const id of ["how", "first-game"]) byId(id).hidden = state.moves.length > 0;
  const words = orders(),
    ended = review !== null && review === finished ? review : null;
  showMoves(byId("moves"), state.moves, words, state.at, review, sides(), lookAt);
  strip.show(state.moves, words, state.at, ended, sides(), !gaveUp);
};

const draw = () => {
  drawBoard();
  drawAnalysis();
  drawOutcome();
  drawActions();
  drawOptions();
  drawMoves();
  setup.show(state.position);
  list.show(game);
  byId("goal").textContent = goalWords();
  showRules(byId("rules-here"), game.rules);
  if (leading !== turn) byId("lead").textContent = "";
  byId("note").textContent = mistakeWords();
  tell(statusWords());
  keepFocus();
};

const setReady = (ready) => {
  settled = ready;
  byId("board").dataset.ready = settled && offered;
  if (ready) keepFocus();
};

// If the button with the focus is gone or disabled, the focus goes to its replacement, else to the
// status.
let focused = null;

const keepFocus = () => {
  const active = document.activeElement;
  if (active !== document.body && !active?.disabled) return;
  if (focused === null || (focused.offsetParent && !focused.disabled)) return;
  const {ply} = focused.dataset;
  const same = ply && byId("moves").querySelector(`[data-ply="${ply}"]`);
  const words = byId(isOver() ? "outcome" : "status");
  (same || words).focus({preventScroll: true});
};

// Problems ---------------------------------------------------------------------------------------

const clearProblem = () => {
  byId("problem").hidden = true;
  byId("problem").replaceChildren();
};

const showProblem = (kind, parts, actions) => {
  const box = byId("problem");
  box.hidden = false;
  box.dataset.kind = kind;
  const buttons = actions.map(([action, text, run]) =>
    make("button", {
      type: "button",
      "data-action": action,
      text,
      onclick: () => {
        clearProblem();
        run();
      },
    }),
  );
  box.replaceChildren(...parts, make("div", {class: "row"}, ...buttons));
};

const failureWords = (error) => {
  const later = error.retryAfter ? ` It asks to wait ${error.retryAfter} s.` : "";
  return `${capital(error.message)}.${later}`.replace("..", ".");
};

// Shows an error; `retry` repeats what failed.
const showFailure = (error, retry) => {
  if (!(error instanceof api.ApiError)) throw error;
  thinking = false;
  const parts = [make("p", {text: failureWords(error)})];
  const text = error.field === "position" ? state.position : null;
  if (text !== null && error.column) {
    const marked = make("div");
    showRefusal(marked, {text: "", column: error.column}, text);
    parts.push(marked);
  }
  const anew = error.field === "moves" ? state.position : site.start;
  const restart = () => begin(anew).catch((again) => showFailure(again, retry));
  const words = error.field === "moves" ? "Begin this game anew" : "Begin with another position";
  const actions = error.temporary ? [["retry", "Try again", retry]] : [["new", words, restart]];
  showProblem("error", parts, actions);
  tell(failureWords(error));
  if (game === null) {
    if (!error.temporary) byId("board").replaceChildren();
    drawOptions();
    drawMoves();
    setup.show(state.position);
  }
  drawActions();
  setReady(true);
};

const showFault = (fault) => {
  thinking = false;
  const rows = [
    ["detail", fault.detail],
    ["expected", fault.expected],
    ["received", fault.received],
  ]
    .filter(([, text]) => text)
    .flatMap(([name, text]) => [make("dt", {text: name}), make("dd", {text})]);
  const parts = [
    make("h2", {text: `${fault.player} failed: ${fault.reason}`}),
    make("dl", {}, ...rows),
  ];
  if (fault.stderr)
    parts.push(
      make("p", {class: "soft", text: "Its standard error:"}),
      make("pre", {tabindex: 0, text: fault.stderr}),
    );
  showProblem("fault", parts, [
    ["retry", "Ask again", () => opponentMoves()],
    [
      "perfect",
      "Go on against perfect play",
      () => {
        state.opponent = "perfect";
        remember(true);
        opponentMoves();
      },
    ],
  ]);
  draw();
  tell(`${fault.player} makes no move.`);
  setReady(true);
};

// The game ---------------------------------------------------------------------------------------

const remember = (replace) => {
  const hash = writeAddress(state);
  if (replace) history.replaceState(null, "", hash);
  else if (hash !== location.hash) history.pushState(null, "", hash);
};

// Fetches what is shown beside the board, once the board is drawn; drops it if the game has moved on.
const inform = async () => {
  const mine = turn;
  try {
    await Promise.all([evaluateHere(mine), reviewGame(mine), leadOn(mine)]);
  } catch (error) {
    if (mine === turn) showFailure(error, inform);
  }
  if (mine === turn) setReady(true);
};

const evaluateHere = async (mine) => {
  const wanted = ["sum", "piles", "ideal", "why"].some((name) => state.shown.has(name));
  if (!wanted || isOver()) return;
  const key = placeKey();
  if (!evaluations.has(key)) {
    const found = await api.evaluate(state.position, played());
    if (evaluations.size > 300) evaluations.clear();
    evaluations.set(key, found);
  }
  if (mine !== turn) return;
  const found = evaluations.get(key),
    all = pileValues(found);
  if (values.size > 20000) values.clear();
  for (const pile of game.piles) {
    if (all.has(pile.pile))
      values.set(`${pile.ruleset}|${pile.heap}|${game.convention}`, all.get(pile.pile));
  }
  drawBoard();
  drawAnalysis();
};

const reviewGame = async (mine) => {
  const wanted = isOver() || (state.shown.has("tell") && state.moves.length > 0);
  if (!wanted || review !== null) return;
  const found = await api.review(state.position, state.moves);
  if (mine !== turn) return;
  review = found;
  if (isOver()) finished = found;
  drawMoves();
  drawOutcome();
  tell(statusWords());
  byId("note").textContent = mistakeWords();
};

// Words for the visitor's last move, if it was a mistake and mistakes are reported at once.
const mistakeWords = () => {
  if (isOver() || sides().two || !state.shown.has("tell")) return "";
  const ply = state.at - 2;
  const judged = review?.plies?.[ply];
  if (!judged?.mistake || !isMine(ply)) return "";
  const right = judged.better ? `; right was: ${orderOf(judged.better, judged.better_words)}` : "";
  return `Your move ${ply + 1} was a mistake${right}.`;
};

const nextTurn = () => {
  turn++;
  thinking = false;
  setReady(false);
  clearProblem();
  board.clearAim();
  return turn;
};

const patiently = (answer) => api.patiently(answer, tell);

// Begins a new game at a position; if the server refuses it, rejects and changes nothing. Resolves to
// whether nothing has happened in that game meanwhile.
const begin = async (position) => {
  const fresh = await patiently(api.game(position, []));
  const mine = nextTurn();
  state = {...state, position: fresh.position, moves: [], at: 0};
  game = fresh;
  told = [];
  review = null;
  gaveUp = false;
  remember(false);
  draw();
  await inform();
  return mine === turn;
};

// A link may name a bot that this server does not have.
const noteMissingOpponent = () => {
  const {opponent} = state;
  const known = opponent === "two" || opponent.startsWith("eps:");
  if (known || isOver() || site.opponents.some(({id}) => id === opponent)) return false;
  const text = `The opponent of this link, ${opponent}, is not offered here.`;
  const goOn = () => {
    state.opponent = "perfect";
    remember(true);
    load();
  };
  showProblem("error", [make("p", {text})], [["perfect", "Go on against perfect play", goOn]]);
  tell(text);
  return true;
};

// Shows the position of `state`, as after Back or a click on a move.
const load = async () => {
  const mine = nextTurn();
  try {
    const found = await patiently(api.game(state.position, played()));
    if (mine !== turn) return;
    game = found;
    learn(found);
    draw();
    await inform();
  } catch (error) {
    if (mine !== turn) return;
    game = null;
    showFailure(error, load);
  }
};

const commit = (moves, next, replace) => {
  state = {...state, moves, at: moves.length};
  game = next;
  learn(next);
  review = null;
  remember(replace);
};

// Makes the visitor's move; rejects if the server refuses it.
const play = async (pile, raw) => {
  if (locked() !== null) return tell(locked());
  const mine = nextTurn();
  const moves = [...played(), `${pile}=${raw}`];
  let next;
  // Before the server is asked, so that the move outlives a reload of the page.
  history.pushState(null, "", writeAddress({...state, moves, at: moves.length}));
  try {
    next = await patiently(api.game(state.position, moves));
  } catch (error) {
    remember(true);
    tell(statusWords());
    setReady(true);
    throw error;
  }
  if (mine !== turn) return undefined;
  await board.animate(pile, raw, false);
  if (mine !== turn) return undefined;
  commit(moves, next, true);
  if (game.over || isMine(state.at)) {
    draw();
    return inform();
  }
  return opponentMoves();
};

const tryPlay = async (pile, raw) => {
  try {
    await play(pile, raw);
  } catch (error) {
    showFailure(error, () => tryPlay(pile, raw));
  }
};

const splitMove = (move) => {
  const equals = move.indexOf("=");
  return [Number(move.slice(0, equals)), move.slice(equals + 1)];
};

const playText = (move) => tryPlay(...splitMove(move));
const aimAt = (move) => board.aim(...splitMove(move));

const kPause = 350; // before the opponent's move is shown, in milliseconds

const opponentMoves = async () => {
  const mine = nextTurn();
  if (state.at < state.moves.length) {
    state.moves = played();
    review = null;
  }
  thinking = true;
  draw();
  try {
    const [answer] = await Promise.all([
      api.reply(state.position, played(), state.opponent),
      wait(kPause),
    ]);
    if (mine !== turn) return undefined;
    if (answer.fault) return showFault(answer.fault);
    await board.animate(...splitMove(answer.move), true);
    if (mine !== turn) return undefined;
    thinking = false;
    commit([...played(), answer.move], answer.game, true);
    unprovenAt = answer.proven === false ? state.at : null;
    draw();
    return inform();
  } catch (error) {
    if (mine === turn) showFailure(error, opponentMoves);
    return undefined;
  }
};

// Undo, redo, looking back -----------------------------------------------------------------------

const undoTarget = () => {
  for (let ply = state.at - 1; ply >= 0; ply--) if (isMine(ply)) return ply;
  return null;
};

const redoTarget = () => {
  for (let ply = state.at + 1; ply <= state.moves.length; ply++) {
    if (isMine(ply) || ply === state.moves.length) return ply;
  }
  return null;
};

const lookAt = (ply, replace = false) => {
  if (ply === null) return undefined;
  state = {...state, at: ply};
  gaveUp = false;
  remember(replace);
  return load();
};

const again = async () => {
  try {
    const isUntouched = await begin(state.position);
    if (isUntouched && !isMine(0) && !game.over) await opponentMoves();
  } catch (error) {
    showFailure(error, again);
  }
};

// In the middle of a game it continues from here, else from the start.
const changeSides = () => {
  state = {...state, second: !state.second};
  if (isOver() || state.at === 0) return again();
  if (!isMine(state.at)) return opponentMoves();
  remember(false);
  return load();
};

// Points at a good move, and resolves to words for it, with the reason; null if the game went on.
const advise = async (mine) => {
  const moves = played(),
    key = placeKey();
  if (!evaluations.has(key)) evaluations.set(key, await api.evaluate(state.position, moves));
  if (mine !== turn) return null;
  const found = evaluations.get(key),
    move = found.best_moves?.[0] ?? found.best_move;
  if (found.outcome === "P")
    return "No hint: every move loses against perfect play. Any move will do.";
  if (!move) return "No ideal move is known.";
  board.hint(...splitMove(move));
  const after = await api.evaluate(state.position, [...moves, move]);
  if (mine !== turn) return null;
  const draws = found.outcome === "D" ? ", which holds the draw" : "";
  return `Hint: ${orderOf(move, found.best_words[0])}${draws}. Then ${after.reason}.`;
};

const hint = async () => {
  const mine = turn;
  try {
    const words = await patiently(advise(mine));
    if (words !== null) tell(words);
  } catch (error) {
    if (mine === turn) showFailure(error, hint);
  }
};

let leading = -1; // the turn that #lead is about

const lead = async (mine) => {
  const words = await advise(mine);
  if (words === null) return;
  leading = mine;
  byId("lead").textContent = words;
};

// Leads the visitor, if that is wanted.
const leadOn = async (mine) => {
  if (state.shown.has("lead") && locked() === null) await lead(mine);
};

const showExample = () => {
  const example = game && exampleMove(game);
  if (!example) return tell("There is no move here.");
  board.hint(example.pile, example.result);
  return tell(example.words);
};

// A game that is won by following the hints, and often without them.
const kFirstGame = {position: "nim:1,2,4", opponent: "eps:0.6", shown: ["tell", "lead", "why"]};

const firstGame = async () => {
  const {position, opponent, shown} = kFirstGame;
  state = {...state, opponent, second: false, shown: new Set(shown)};
  try {
    await begin(position);
  } catch (error) {
    showFailure(error, firstGame);
  }
};

// Shows the position before a wrong move, with a right one and the reason.
const showWrong = async (ply) => {
  state.shown.add("why");
  await lookAt(ply);
  try {
    await lead(turn);
  } catch (error) {
    showFailure(error, () => showWrong(ply));
  }
};

// Goes on from a position of the game that is over.
const playOn = () => {
  state = {...state, moves: played()};
  gaveUp = false;
  review = null;
  remember(false);
  return isMine(state.at) ? load() : opponentMoves();
};

const giveUp = () => {
  nextTurn();
  gaveUp = true;
  state = {...state, moves: played()};
  review = null;
  remember(true);
  draw();
  inform();
};

// The parts of the page --------------------------------------------------------------------------

const board = new Board(byId("board"), {
  move: tryPlay,
  say: tell,
  locked,
  lost: () => queueMicrotask(() => byId(isOver() ? "outcome" : "status").focus()),
  list: (pile) => list.open(pile),
  remove: (pile) => setup.remove(pile),
});

const useStart = async (position) => {
  await begin(position);
  tell(`${plural(game.pile_count, "pile")}. ${statusWords()}`);
};

const setup = new Setup({start: () => state.position, use: useStart, say: tell});

const strip = new Strip({open: (ply) => lookAt(ply, true), playOn});

const list = new MoveList({
  place,
  play,
  shows: (name) => state.shown.has(name),
  aim: (pile, raw) => board.aim(pile, raw),
  unaim: () => board.clearAim(),
});

const onOption = () => {
  remember(true);
  if (game === null) return load();
  draw();
  setReady(false);
  return inform();
};

const onOpponent = (event) => {
  const id = byId("opponent").value;
  if (event.target.id === "eps") state.opponent = `eps:${byId("eps").value / 100}`;
  else state.opponent = id === "eps" ? "eps:0.25" : id;
  remember(true);
  load();
};

const onFirst = () => {
  state.second = byId("first-other").checked;
  begin(state.position).catch((error) => showFailure(error, onFirst));
};

const onConvention = () => {
  const position = withConvention(state.position, byId("misere").checked ? "misere" : "normal");
  begin(position).catch((error) => showFailure(error, onConvention));
};

const wire = () => {
  const on = (id, event, run) => byId(id).addEventListener(event, run);
  on("undo", "click", () => lookAt(undoTarget()));
  on("redo", "click", () => lookAt(redoTarget()));
  on("hint", "click", hint);
  on("example", "click", showExample);
  on("first-game", "click", firstGame);
  on("give-up", "click", giveUp);
  on("again", "click", again);
  on("swap", "click", changeSides);
  on("start", "click", opponentMoves);
  on("opponent", "change", onOpponent);
  on("eps", "change", onOpponent);
  on("eps", "input", () => {
    byId("eps-value").textContent = `${byId("eps").value} %`;
  });
  for (const id of ["first-you", "first-other"]) on(id, "change", onFirst);
  for (const id of ["normal", "misere"]) on(id, "change", onConvention);
  for (const name of kShown) {
    on(`show-${name}`, "change", (event) => {
      if (event.target.checked) state.shown.add(name);
      else state.shown.delete(name);
      onOption();
    });
  }
  byId("analysis").before(notationSwitch());
  document.querySelector("[data-skip]").addEventListener("click", (event) => {
    event.preventDefault();
    byId("status").focus();
  });
  addEventListener("popstate", onAddress);
  addEventListener("focusin", (event) => {
    focused = event.target;
  });
};

// The address has changed: by Back, by Forward, or by hand.
const onAddress = () => {
  const told = readAddress(location.hash);
  if (told.position === "") told.position = site.start;
  gaveUp = false;
  review = null;
  state = told;
  load();
};

const offerSite = () => {
  const two = {id: "two", name: "Two people at this screen"};
  byId("opponent").replaceChildren(
    ...[...site.opponents, two].map(({id, name}) => make("option", {value: id, text: name})),
  );
  setup.offer(site.rulesets);
  showNav(site);
};

const boot = async () => {
  showNav();
  state = readAddress(location.hash);
  try {
    const known = api.site();
    if (state.position === "") state.position = (await known).start;
    const [found] = await Promise.all([known, load()]);
    site = found;
    offerSite();
    offered = true;
    if (game === null) return setReady(settled);
    draw();
    if (noteMissingOpponent()) return setReady(settled);
    const waits = !thinking && !isMine(state.at) && !game.over;
    if (waits && state.at > 0 && state.at === state.moves.length) return opponentMoves();
    setReady(settled);
  } catch (error) {
    offered = true; // nothing more comes
    showFailure(error, boot);
  }
  return undefined;
};

wire();
boot();
