// The page of a running match, tournament or server. It keeps the state that /api/live has sent
// last and draws it; what is the same as before stays, so that it keeps the focus.

import {byId, capital, make, plural} from "./dom.js";
import {kReasons, LiveBoard, playLink} from "./live_board.js";
import {showNav} from "./nav.js";
import {notation, notationSwitch, orderOf} from "./words.js";

const kMostRows = 200;
const kTick = 200;  // ms

// As in arena/doc/web.md, and what is made of it here.
const state = {
  tournament: {name: "", format: null, state: "waiting", seed: null, players: 0, here: null},
  players: [], progress: null, columns: [], standings: [], workers: [], bracket: [], boards: [], finished: [], ages: [],
  known: new Map(),  // players by number
  arrived: 0,
  nameOf(player) { return this.known.get(player)?.name || `player ${player + 1}`; },
  take(event) {
    Object.assign(this, {workers: [], bracket: []}, event);
    this.known = new Map(this.players.map((player) => [player.player, player]));
    this.arrived = performance.now();
  },
};
const boards = new Map();  // LiveBoard by number
const rows = new Map();    // of the standings, by player
let filter = "";
let roundTold = null, stateTold = null;
let hasEnded = false;  // the arena, and with it its pages

const numberText = (number) => number.toLocaleString("en", {maximumFractionDigits: 1});
const setText = (id, text) => { if (byId(id).textContent !== text) byId(id).textContent = text; };

// Keeps what is there, and with it the focus.
const setChildren = (list, elements) => {
  const focused = document.activeElement;
  if (elements.length === list.children.length && elements.every((one, i) => one === list.children[i])) return;
  list.replaceChildren(...elements);
  if (list.contains(focused)) focused.focus({preventScroll: true});
};

const drawn = new Map();  // lists, as they are shown
const hasChanged = (id, rows) => {
  const text = JSON.stringify(rows);
  if (drawn.get(id) === text) return false;
  drawn.set(id, text);
  return true;
};

const isWanted = (...players) =>
  filter === "" || players.some((player) => state.nameOf(player).toLowerCase().includes(filter));

const durationText = (seconds) => {
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h ${Math.round(seconds % 3600 / 60)} min`;
};

// ---- the head ----

// The players of rank 1, once there are points.
const leaders = () => state.standings.filter((row) => row.rank === 1).map((row) => state.nameOf(row.player));

const outcomeText = () => {
  const first = leaders(), points = state.standings[0]?.points ?? 0;
  if (first.length === 0) return "No game has been counted.";
  const names = first.slice(0, 5).join(" and ") + (first.length > 5 ? " and others" : "");
  const share = plural(points, "point").replace(String(points), numberText(points));
  return first.length === 1 ? `${names} has won with ${share}.` : `${names} share the first place with ${share}.`;
};

const showTournament = () => {
  const {name, format, state: stage, seed, players} = state.tournament;
  const title = name || {match: "Match", null: "Watch"}[format] || "Tournament";
  setText("title", title);
  document.title = `${title} – Nimarena`;
  const round = state.progress?.round ?? null;
  const words = [];
  if (stage === "waiting") words.push("Waiting for players");
  if (format !== null && format !== "match") words.push(format.replace("-", " "));
  if (round !== null) words.push(`round ${round}`);
  if (players > 0) words.push(plural(players, "player"));
  if (seed !== null) words.push(`seed ${seed}`);
  setText("about", words.join(" · "));
  setText("boards-heading", stage === "over" ? "The last boards" : "Games now");
  const outcome = byId("outcome");
  outcome.hidden = stage !== "over";
  const told = stage === "over" ? outcomeText() : "";
  if (outcome.textContent !== told) outcome.textContent = told;
};

const showProgress = () => {
  const progress = state.progress;
  byId("progress-row").hidden = progress === null;
  if (progress === null) return;
  const {games, total, rate, faults, seconds_left: left} = progress;
  const words = [total === null ? plural(games, "game") : `${numberText(games)} of ${numberText(total)} games`];
  if (rate > 0 && state.tournament.state !== "over") words.push(`${numberText(rate)} a second`);
  if (faults > 0) words.push(plural(faults, "fault"));
  if (left !== null && state.tournament.state !== "over") words.push(`${durationText(left)} left`);
  setText("progress-text", words.join(", "));
  const bar = byId("progress");
  bar.hidden = total === null;
  bar.max = total || 1;
  bar.value = Math.min(games, bar.max);
};

// Announces to screen readers that a round begins, and that all is over.
const announce = () => {
  const round = state.progress?.round ?? null, stage = state.tournament.state;
  const texts = [];
  if (roundTold !== null && round !== null && round > roundTold) texts.push(`Round ${round} begins.`);
  if (stage === "over" && stateTold !== null && stateTold !== "over") texts.push(`Over. ${outcomeText()}`);
  if (texts.length > 0) byId("news").textContent = texts.join(" ");
  roundTold = round;
  stateTold = stage;
};

// ---- standings ----

const headOf = ({key, head, meaning, unit}) => {
  const text = capital(head) + (unit === "" ? "" : ` [${unit}]`);
  if (key === "player") return make("th", {scope: "col", class: "name", text});
  const title = key === "rank" ? "rank" : meaning;
  return make("th", {scope: "col"}, title === "" ? text : make("abbr", {title, text}));
};

const rowOf = (player) => {
  const name = make("button", {type: "button", class: "link",
    onclick: () => setFilter(state.nameOf(player))});
  const note = make("span", {class: "soft note"});
  const cells = state.columns.map(({key}) => key === "player"
    ? make("th", {scope: "row", class: "name"}, name, note) : make("td"));
  return {element: make("tr", {}, ...cells), cells, name, note};
};

const fillRow = (row, told) => {
  state.columns.forEach(({key}, i) => {
    if (key === "player") return;
    const text = told[key]?.toLocaleString("en") ?? "–";
    if (row.cells[i].textContent !== text) row.cells[i].textContent = text;
    if (key === "faults") row.cells[i].className = told.faults > 0 ? "bad" : "";
  });
  const about = state.known.get(told.player);
  const name = state.nameOf(told.player);
  if (row.name.textContent !== name) row.name.textContent = name;
  const note = about?.out ? " out" : about?.here === false ? " away" : "";
  if (row.note.textContent !== note) row.note.textContent = note;
};

const showHeads = () => {
  if (!hasChanged("columns", state.columns)) return;
  rows.clear();
  byId("heads").replaceChildren(...state.columns.map(headOf));
};

const showStandings = () => {
  const wanted = state.standings.filter((row) => isWanted(row.player));
  const shown = wanted.slice(0, kMostRows);
  for (const told of shown) {
    if (!rows.has(told.player)) rows.set(told.player, rowOf(told.player));
    fillRow(rows.get(told.player), told);
  }
  setChildren(byId("rows"), shown.map((told) => rows.get(told.player).element));
  byId("standings").hidden = shown.length === 0;
  const more = wanted.length - shown.length;
  setText("more-rows", more > 0 ? `and ${more} more` : shown.length > 0 ? ""
    : filter === "" ? "No points yet." : "No such player.");
};

// ---- the bracket of a knockout ----

const kMostMeetings = 200;

const meetingText = ({players, names, points, winner, decided}) => make("p", {},
  ...[0, 1].map((side) => make("span", {},
    make(winner !== null && winner === players[side] ? "b" : "span", {text: names[side] ?? "a bye"}),
    points === null ? null : make("span", {text: numberText(points[side])}))),
  decided ? make("small", {class: "soft", text: decided}) : null);

// A column a round.
const showBracket = () => {
  const shown = state.bracket.slice(-kMostMeetings).map((meeting) => ({...meeting,
    names: meeting.players.map((player) => player === null ? null : state.nameOf(player))}));
  byId("knockout").hidden = shown.length === 0;
  if (!hasChanged("bracket", shown)) return;
  const rounds = new Map(shown.map(({round}) => [round, []]));
  for (const meeting of shown) rounds.get(meeting.round).push(meetingText(meeting));
  byId("bracket").replaceChildren(...[...rounds].map(([round, meetings]) =>
    make("div", {}, make("h3", {text: round}), ...meetings)));
};

// ---- the processes that play ----

const kMostWorkers = 200;

const workerRow = ({worker, machine, cores, load, games, rate, pairs, live}) => make("tr", {},
  make("td", {text: String(worker)}),
  make("th", {scope: "row", class: "name", text: live ? machine : `${machine} (gone)`}),
  ...[cores, load, games, rate, pairs].map((value) => make("td", {text: numberText(value)})));

// Those at work first.
const showWorkers = () => {
  const order = [...state.workers].sort((a, b) => b.live - a.live || a.worker - b.worker);
  byId("machines").hidden = order.length === 0;
  const shown = order.slice(0, kMostWorkers);
  if (hasChanged("workers", shown)) byId("workers").replaceChildren(...shown.map(workerRow));
  const live = order.filter((worker) => worker.live).length;
  setText("workers-count", order.length === 0 ? "" : `${plural(live, "worker")} at work`);
};

// ---- games ----

const showBoards = () => {
  const place = byId("boards");
  const shown = state.boards.map((told, i) => {
    if (!boards.has(told.board)) boards.set(told.board, new LiveBoard(state));
    const board = boards.get(told.board);
    board.show(told, state.arrived - state.ages[i]);
    board.element.hidden = !isWanted(...told.players);
    return board;
  });
  for (const [number, board] of boards) {
    if (shown.includes(board)) continue;
    board.element.remove();
    boards.delete(number);
  }
  shown.forEach((board, i) => {
    if (place.children[i] !== board.element) place.insertBefore(board.element, place.children[i] ?? null);
  });
  byId("no-boards").hidden = shown.some((board) => !board.element.hidden);
};

const mistakeOf = (game, thrown) => {
  const who = state.nameOf(game.players[thrown.seat]);
  const right = thrown.right === null ? [] :
    [`; right was: ${orderOf(thrown.right, thrown.right_words)}`, notation(thrown.right)];
  return make("li", {}, make("span", {class: "wrong", text: `${who} threw it`}),
    ` at move ${thrown.ply}: ${orderOf(thrown.move, thrown.words)}`, notation(thrown.move), ...right, " ",
    game.moves === null ? null : make("a", {href: playLink(game.position, game.moves, thrown.ply - 1),
      text: "Play on from here", "aria-label": `Play on from here: game ${game.game} before move ${thrown.ply}`}));
};

const finishedItem = (game) => {
  const [first, second] = game.players.map((player, seat) =>
    make(game.winner === seat ? "b" : "span", {text: state.nameOf(player)}));
  const isFault = !["no-moves", "repetition", "ply-limit", "adjudicated"].includes(game.reason);
  const verb = game.winner === null ? " drew with " : game.winner === 0 ? " beat " : " lost to ";
  const item = make("li", {},
    make("p", {class: "result"}, first, verb, second,
      make("span", {class: isFault ? "bad" : "soft", text: ` ${kReasons[game.reason] ?? game.reason}`}),
      make("span", {class: "soft", text: `, ${plural(game.plies, "move")} · game ${game.game}`})));
  if (isFault) item.append(make("p", {class: "detail", text: game.detail}));
  const mistakes = (game.thrown ?? []).map((thrown) => mistakeOf(game, thrown));
  if (mistakes.length > 0) item.append(make("ul", {class: "mistakes"}, ...mistakes));
  else if (game.position !== null) {
    const none = game.thrown === null ? "" : "Nobody threw it. ";
    item.append(make("p", {class: "soft"}, none, make("a", {href: playLink(game.position, game.moves ?? [], 0),
      text: "Play it from the start", "aria-label": `Play it from the start: game ${game.game}`})));
  }
  return item;
};

let items = new Map();  // of finished games: elements by what they show

const showFinished = () => {
  const before = items;
  items = new Map(state.finished.map((game) => {
    const told = JSON.stringify([game, game.players.map((player) => state.nameOf(player))]);
    return [told, {game, element: before.get(told)?.element ?? finishedItem(game)}];
  }));
  const wanted = [...items.values()].reverse().filter(({game}) => isWanted(...game.players));
  setChildren(byId("finished"), wanted.map(({element}) => element));
  byId("no-finished").hidden = wanted.length > 0;
};

// ---- the lobby ----

const showLobby = () => {
  const {players, here} = state.tournament;
  byId("lobby").hidden = here === null;
  if (here === null) return;
  setText("lobby-count", `${here} of ${plural(players, "player")} connected`);
  const names = state.players.filter((player) => player.here && isWanted(player.player))
    .slice(0, kMostRows).map((player) => player.name);
  if (hasChanged("lobby", names)) byId("lobby-players").replaceChildren(...names.map((text) => make("li", {text})));
};

// ---- all of it ----

// Where the arena has ended, what has been shown stays, but links would lead nowhere.
const endLinks = () => {
  if (hasEnded) for (const link of document.querySelectorAll("a[href^='/']")) link.removeAttribute("href");
};

const showPlayers = () => {
  showHeads();
  showStandings();
  showBoards();
  showFinished();
  showLobby();
};

const setFilter = (text) => {
  byId("filter").value = text;
  filter = text.trim().toLowerCase();
  byId("filter-clear").hidden = filter === "";
  const count = state.players.filter(({player}) => isWanted(player)).length;
  setText("filter-count", filter === "" ? "" : `${plural(count, "player")} found`);
  showPlayers();
  endLinks();
};

const setConnection = (kind, text) => {
  byId("connection").dataset.state = kind;
  setText("connection", text);
};

const endWithArena = () => {
  hasEnded = true;
  setConnection("over", "Over: the arena has ended");
  document.body.classList.add("ended");
  byId("ended").hidden = false;
  endLinks();
};

const connect = () => {
  const source = new EventSource("/api/live");
  source.onmessage = (event) => {
    state.take(JSON.parse(event.data));
    showPlayers();
    showBracket();
    showWorkers();
    showTournament();
    showProgress();
    announce();
    const isOver = state.tournament.state === "over";
    setConnection(isOver ? "over" : "open", isOver ? "Over" : "Live");
  };
  source.onerror = () => {
    if (state.tournament.state === "over") {
      source.close();
      endWithArena();
    } else if (source.readyState === EventSource.CLOSED) {
      setConnection("lost", "Nothing is played here now; trying again");
      setTimeout(connect, 5000);
    } else {
      setConnection("lost", "Connection lost; trying again");
    }
  };
};

byId("filter").addEventListener("input", () => setFilter(byId("filter").value));
byId("filter-clear").addEventListener("click", () => { setFilter(""); byId("filter").focus(); });
byId("filter-count").after(notationSwitch());
setInterval(() => { for (const board of boards.values()) board.tick(); }, kTick);
showNav({live: true});
connect();
