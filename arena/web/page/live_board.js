// A running game. Its elements stay during the game, so that they keep the focus; the piles are
// drawn again where something has changed.

import {make} from "./dom.js";
import {drawPiece} from "./draw.js";
import {splitHeaps} from "./parts.js";
import {newState, writeAddress} from "./state.js";
import {notation, sentence} from "./words.js";

export const kReasons = {
  "no-moves": "no moves left", "repetition": "repetition", "ply-limit": "too many moves",
  "adjudicated": "adjudicated", "illegal-move": "illegal move", "timeout": "out of time",
  "disconnected": "disconnected", "protocol": "broke the protocol", "startup": "did not start",
  "off-turn": "computed off turn", "void": "void",
};

// A link to play on; the visitor takes the side to move.
export const playLink = (position, moves, at) =>
  `/${writeAddress({...newState(), position, moves, at, second: at % 2 === 1})}`;

const clockText = (ms) => {
  if (ms === null) return "";
  if (ms < 10000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

const isEmpty = ({drawing, heap}) => heap === "0" || (drawing.entries ?? [1]).every((entry) => entry === 0)
  || (drawing.kind === "board" && drawing.x + drawing.y === 0);

// The piles that the last move left: [first number, number after the last].
const changedPiles = (board) => {
  const found = /^(\d+)=(.*)$/.exec(board.last ?? "");
  return found === null ? [0, 0] : [Number(found[1]), Number(found[1]) + splitHeaps(found[2]).length];
};

const pileOf = (pile, isChanged) => {
  const piece = drawPiece(pile, isChanged ? make("span", {class: "hidden", text: "just changed"}) : null);
  piece.classList.toggle("changed", isChanged);
  return piece;
};

export class LiveBoard {
  constructor(state) {
    this.state = state;
    this.names = [0, 1].map(() => make("span", {class: "name"}));
    this.clocks = [0, 1].map(() => make("span", {class: "clock"}));
    this.marks = [0, 1].map(() => make("span", {class: "mark"}));
    const sides = [0, 1].map((seat) => make("div", {class: "side-of"},
      this.marks[seat], this.names[seat], this.clocks[seat]));
    this.heading = make("h3", {class: "hidden"});
    this.piles = make("ul", {class: "pieces still", "aria-label": "Piles"});
    this.about = make("span", {class: "soft"});
    this.link = make("a", {text: "Play on from here"});
    this.sides = sides;
    this.element = make("article", {class: "live-board"}, this.heading, ...sides, this.piles,
      make("p", {class: "board-foot"}, this.about, this.link));
  }

  // `since`: the clock of the side to move runs from then on.
  show(board, since) {
    this.since = since;
    const players = board.players.map((player) => this.state.nameOf(player));
    const told = JSON.stringify([board, players]);
    if (told === this.told) return;
    this.told = told;
    this.board = board;
    this.players = players;
    this.heading.textContent = `Game ${board.game}: ${this.players.join(" against ")}`;
    for (const seat of [0, 1]) this.showSide(board, seat);
    this.showPiles(board);
    const mover = this.players[(board.ply + 1) % 2];
    const last = board.last === null ? ["no move yet"]
      : [`move ${board.ply}: ${sentence(mover, board.last, board.last_words)}`, notation(board.last)];
    const end = board.over === null ? "" : ` · ${kReasons[board.over.reason] ?? board.over.reason}`;
    const goal = board.position?.endsWith(" misere") ? "misère · " : "";
    this.about.replaceChildren(goal, ...last, end);
    this.link.hidden = board.over !== null || board.position === null || board.position.endsWith("…");
    if (!this.link.hidden) this.link.href = playLink(board.position, [], 0);
    this.link.setAttribute("aria-label", `Play on from here: game ${board.game}`);
    this.element.classList.toggle("over", board.over !== null);
    this.tick();
  }

  showSide(board, seat) {
    const winner = board.over?.winner ?? null;
    const word = winner === seat ? "won" : board.over !== null ? (winner === null ? "draw" : "lost")
      : board.to_move === seat ? "to move" : "";
    this.names[seat].textContent = this.players[seat];
    this.marks[seat].textContent = word;
    this.sides[seat].className = `side-of ${word.replace(" ", "-")}`;
  }

  showPiles(board) {
    const [from, to] = changedPiles(board);
    const isChanged = (pile) => pile.pile >= from && pile.pile < to;
    const shown = board.piles.filter((pile) => !isEmpty(pile) || isChanged(pile));
    const items = shown.map((pile) => pileOf(pile, isChanged(pile)));
    const hidden = board.pile_count - board.piles.length;
    if (board.pile_count === null) items.push(make("li", {class: "soft", text: "too large to be shown"}));
    else if (hidden > 0) items.push(make("li", {class: "soft", text: `and ${hidden} more piles`}));
    else if (items.length === 0) items.push(make("li", {class: "soft", text: "all piles are empty"}));
    this.piles.replaceChildren(...items);
  }

  // Only the clock of the side to move runs.
  tick() {
    const {clocks, to_move: mover} = this.board, spent = performance.now() - this.since;
    for (const seat of [0, 1]) {
      const left = clocks[seat];
      const text = clockText(left !== null && mover === seat ? Math.max(0, left - spent) : left);
      if (this.clocks[seat].textContent !== text) this.clocks[seat].textContent = text;
    }
  }
}
