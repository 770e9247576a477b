// The page on which a visitor writes a bot. It plays in a worker (bot_worker.js), which is ended when
// it takes too long; the server judges its moves and answers them. The address holds it all:
// #p=POSITION&o=OPPONENT,second&t=SECONDS&code=CODE. What is typed is kept in this browser, too.
//
// Hooks for tests (stable): #code #position #opponent #second #limit #run #stop #start-over; #outcome
// with data-result "won", "lost", "draw", "fault" or "stopped"; [data-ply] in #moves; #printed; #look

import * as api from "./api.js";
import {byId, capital, make} from "./dom.js";
import {showNav} from "./nav.js";
import {fields, newState, writeAddress} from "./state.js";
import {showMoves, tellEnd} from "./story.js";
import {notationSwitch} from "./words.js";

const kStart = `// Leaves two equal piles if it can; else it takes one stone. Can you do better?
function bestMove(position, moves) {
  const piles = position.split(":")[1].split(" ")[0].split(",").map(Number);
  const standing = piles.filter((stones) => stones > 0);
  if (standing.length === 1) return \`\${piles.indexOf(standing[0]) + 1}=0\`;
  if (standing.length === 2) {
    const [few, many] = standing.sort((a, b) => a - b);
    if (few < many) return \`\${piles.indexOf(many) + 1}=\${few}\`;
  }
  if (standing.length === 3) {
    const odd = standing.find((_, i) => standing[(i + 1) % 3] === standing[(i + 2) % 3]);
    if (odd) return \`\${piles.indexOf(odd) + 1}=0\`;
  }
  return moves.at(-1);
}
`;

const kGame = {position: "nim:3,4,5", opponent: "perfect", seconds: 2};

// The visitor's bot failed: the words, and the line of its code where that is known.
class Fault extends Error {
  constructor(text, line) {
    super(text);
    this.line = line;
  }
}

// What browsers write around the message of an error.
const kAround = /^Uncaught |Failed to execute 'importScripts' on 'WorkerGlobalScope': /g;

class Stopped extends Error {}

// Of a bot for each question: a flood would delay even the timer.
const kMostMessages = 1000;

// The bot in its worker. A call fails with a Fault; the worker is of no use then.
class Bot {
  constructor(code, seconds, print) {
    this.seconds = seconds;
    this.print = print;
    this.code = code;
    this.stopped = new Promise((_, fail) => {
      this.stop = () => fail(new Stopped());
    });
    this.stopped.catch(() => {}); // told by those who wait
  }

  // What is waited for, unless the visitor stops the game first.
  orStop(answer) {
    return Promise.race([answer, this.stopped]);
  }

  // Waits for a message. `ask` is sent first, and then the time runs.
  hear(ask) {
    if (this.flooded) return Promise.reject(this.flooded);
    let messages = 0;
    const heard = new Promise((done, fail) => {
      const late = () => fail(new Fault(`no answer after ${this.seconds} s`));
      const timer = ask ? setTimeout(late, this.seconds * 1000) : undefined;
      this.worker.onmessage = ({data}) => {
        if (++messages > kMostMessages) {
          this.end();
          this.flooded = new Fault(`more than ${kMostMessages} messages without an answer`);
          return void fail(this.flooded);
        }
        if (data?.log !== undefined) return void this.print(String(data.log));
        clearTimeout(timer);
        done(data ?? {});
      };
      this.worker.onerror = (event) => {
        event.preventDefault();
        clearTimeout(timer);
        const text = (event.message ?? "the worker did not start").replace(kAround, "");
        fail(new Fault(text, event.filename?.startsWith("blob:") ? event.lineno : undefined));
      };
      if (ask) this.worker.postMessage(ask);
    });
    return this.orStop(heard);
  }

  async load() {
    this.worker = new Worker("bot_worker.js");
    await this.hear(); // at once: what it says before is lost
    const {loaded} = await this.hear({code: this.code});
    if (!loaded) throw new Fault("there is no function bestMove(position, moves)");
  }

  async move(position, moves) {
    const {move, returned} = await this.hear({position, moves});
    if (typeof move === "string") return move;
    throw new Fault(`the function bestMove returned ${returned}, expected a text such as "${moves[0]}"`);
  }

  end() {
    this.worker?.terminate();
  }
}

// The game -----------------------------------------------------------------------------------------

let bot = null; // the one that plays now
let made = {position: kGame.position, moves: [], words: []};

const chosen = () => ({
  position: byId("position").value.trim(),
  opponent: byId("opponent").value || kGame.opponent,
  second: byId("second").checked,
  seconds: Math.min(Math.max(Number(byId("limit").value) || kGame.seconds, 0.1), 60),
});

const sidesOf = (second) => ({two: false, you: second ? 2 : 1, name: opponentName()});
const opponentName = () => byId("opponent").selectedOptions[0]?.textContent ?? "Perfect play";

const tell = (result, tone, title, text) => {
  const root = byId("outcome");
  root.className = `outcome ${tone}`;
  root.dataset.result = result;
  root.hidden = false;
  root.replaceChildren(make("h2", {text: title}), make("p", {text}));
};

const kLines = 100;
const kLength = 500;

const print = (text) => {
  const lines = byId("printed");
  byId("printed-part").hidden = false;
  if (lines.childNodes.length < kLines) lines.append(`${text.slice(0, kLength)}\n`);
};

const look = (ply) =>
  `/${writeAddress({...newState(), ...made, at: ply, opponent: "two", shown: new Set(["sum", "ideal", "why"])})}`;

const list = (review, second) => {
  const {moves, words} = made;
  const sides = {...sidesOf(second), visitor: "Your bot"};
  showMoves(byId("moves"), moves, words, moves.length, review, sides, (ply) =>
    location.assign(look(ply)),
  );
  byId("look").hidden = moves.length === 0;
  byId("look").href = look(moves.length);
};

const kTooMany = "this position has more moves than the bot can be given";

// The server lists only so many piles and results of a pile.
const legalMoves = ({piles, pile_count: count}) => {
  const isListed = ({results, result_count: all}) => results.length === all;
  if (piles.length !== count || !piles.every(isListed)) throw new api.ApiError(0, kTooMany);
  return piles.flatMap(({pile, results}) => results.map((result) => `${pile}=${result}`));
};

// The position after a move of the bot, judged by the server. An error without a ply is no fault of
// a move: the game is too long to be checked.
const judge = async (position, moves, move) => {
  try {
    return await bot.orStop(api.game(position, [...moves, move]));
  } catch (error) {
    if (error.ply === undefined) throw error;
    throw new Fault(`it played “${move.slice(0, 60)}”: ${error.message}`);
  }
};

const playOn = async (game, {position, opponent, second}) => {
  while (!game.over) {
    const {moves} = game;
    if ((moves.length % 2 === 1) === second) {
      game = await judge(position, moves, await bot.move(game.position, legalMoves(game)));
    } else {
      const {game: after, fault} = await bot.orStop(api.reply(position, moves, opponent));
      if (fault) throw new api.ApiError(0, `the bot ${fault.player} failed: ${fault.detail}`);
      game = after;
    }
    made = {position, moves: game.moves, words: game.words};
    list(null, second);
  }
  return game;
};

// Which moves of the bot were mistakes.
const tellErrors = (review, second) => {
  const isOwn = (ply) => (ply % 2 === 1) === second;
  const own = review?.plies.flatMap(({mistake}, ply) => (isOwn(ply) ? [{mistake, ply}] : [])) ?? [];
  const wrong = own.filter(({mistake}) => mistake === true).map(({ply}) => ply + 1);
  if (wrong.length > 0) return `Your mistakes: move ${wrong.join(", ")}.`;
  if (review && own.every(({mistake}) => mistake === false)) return "No move of yours was a mistake.";
  return "Whether a move of yours was a mistake is not known.";
};

const finish = async (game, {position, second}) => {
  const review = await bot.orStop(api.review(position, game.moves)).catch(() => null);
  list(review, second);
  const {title, tone, text, faultless} = tellEnd(game, game.moves, game.words, review, sidesOf(second));
  const result = game.winner === null ? "draw" : game.winner === (second ? 2 : 1) ? "won" : "lost";
  const errors = faultless ? "" : tellErrors(review, second);
  tell(result, tone, title.replace(/^You/, "Your bot"), `${text} ${errors}`.trim());
};

// Selects a line of the code, and brings it into view.
const point = (line) => {
  const code = byId("code");
  const starts = code.value.split("\n");
  if (!(line >= 1 && line <= starts.length)) return;
  const from = starts.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  code.focus();
  code.setSelectionRange(from, from + starts[line - 1].length);
  code.scrollTop = ((line - 4) * code.scrollHeight) / (starts.length + 1);
};

const failed = (error) => {
  if (error instanceof Stopped) return tell("stopped", "even", "Stopped", "");
  if (!(error instanceof Fault)) {
    tell("fault", "bad", "No game", `${capital(error.message)}.`);
    if (error instanceof api.ApiError) return;
    throw error;
  }
  const where = error.line ? `Line ${error.line}: ` : "";
  tell("fault", "bad", "Your bot failed", `${where}${where ? error.message : capital(error.message)}.`);
  point(error.line);
};

// A disabled button loses the focus: it goes on before.
const begin = () => {
  byId("stop").disabled = false;
  byId("stop").focus();
  byId("run").disabled = true;
};

const end = () => {
  byId("run").disabled = false;
  if (document.activeElement === byId("stop")) byId("outcome").focus();
  byId("stop").disabled = true;
};

const run = async () => {
  const game = chosen();
  remember(game);
  begin();
  byId("outcome").hidden = true;
  byId("printed-part").hidden = true;
  byId("printed").replaceChildren();
  made = {position: game.position, moves: [], words: []};
  list(null, game.second);
  bot = new Bot(byId("code").value, game.seconds, print);
  try {
    const begun = await bot.orStop(api.game(game.position, []));
    await bot.load();
    await finish(await playOn(begun, game), game);
  } catch (error) {
    failed(error);
  } finally {
    bot.end();
    end();
  }
};

// What is kept ---------------------------------------------------------------------------------------

// What was typed last, and the visitor's code from before another was changed.
const kCode = "nimarena.bot";
const kBefore = "nimarena.bot.before";

const stored = (key) => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

const store = (code, before) => {
  try {
    localStorage.setItem(kCode, code);
    if (before === null) localStorage.removeItem(kBefore);
    else localStorage.setItem(kBefore, before);
  } catch {
    /* not kept: the address has it */
  }
};

const remember = ({position, opponent, second, seconds}) => {
  const code = byId("code").value;
  const words = {p: position, o: second ? `${opponent},second` : opponent, t: seconds, code};
  const parts = Object.entries(words).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  history.replaceState(null, "", `#${parts.join("&")}`);
};

// Shows a code; `kept` is the visitor's own to which the button goes back, null if this is it.
let mine = null;
const show = (code, kept) => {
  byId("code").value = code;
  mine = kept === code ? null : kept;
  byId("start-over").textContent = mine === null ? "Show the first bot" : "Back to my code";
};

const restore = (site) => {
  showNav(site);
  const told = fields(location.hash);
  const [opponent, second] = (told.get("o") ?? kGame.opponent).split(",");
  byId("opponent").replaceChildren(
    ...site.opponents
      .filter(({id}) => id !== "eps")
      .map(({id, name}) => make("option", {value: id, text: name})),
  );
  if (site.opponents.some(({id}) => id === opponent)) byId("opponent").value = opponent;
  byId("second").checked = second === "second";
  byId("position").value = told.get("p") ?? kGame.position;
  byId("limit").value = told.get("t") ?? kGame.seconds;
  const own = stored(kCode);
  show(told.get("code") ?? own ?? kStart, stored(kBefore) ?? own);
};

const boot = async () => {
  showNav();
  try {
    restore(await api.site());
    byId("switch").replaceChildren(notationSwitch());
  } catch (error) {
    failed(error);
  }
};

byId("run").addEventListener("click", run);
byId("stop").addEventListener("click", () => bot.stop());
byId("start-over").addEventListener("click", () => {
  if (mine === null) return show(kStart, byId("code").value);
  store(mine, null);
  show(mine, null);
});
byId("code").addEventListener("input", () => store(byId("code").value, mine));
addEventListener("popstate", () => byId("run").disabled || boot());
boot();
