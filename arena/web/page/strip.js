// The game that is over, as a strip: a cell for each move, high where player 1 could win after it,
// low where player 2 could. Turning points are marked. The arrow keys step through the game.

import {valueText} from "./analysis.js";
import {byId, make} from "./dom.js";
import {moverName} from "./story.js";
import {orderOf, sentence} from "./words.js";

// Who could win after `ply` moves: 1, 2, 0 for a draw, null if unknown.
const winnerAfter = (review, ply) => {
  const outcome = review.plies[ply]?.before ?? review.end;
  const mover = (ply % 2) + 1;
  return {N: mover, P: 3 - mover, D: 0}[outcome] ?? null;
};

const nimberAfter = (review, ply) =>
  ply < review.plies.length ? review.plies[ply].nimber : review.end_nimber;

const standing = (winner, sides) => {
  if (winner === null) return "who could win is not known";
  if (winner === 0) return "a draw with best play";
  const name = moverName(winner - 1, sides);
  return `${name === "You" ? "you" : name} could win`;
};

// What the strip says of the position after `ply` moves.
const words = ({moves, told, review, sides, played}, ply) => {
  const value = valueText(nimberAfter(review, ply));
  const then = `${standing(winnerAfter(review, ply), sides)}${value ? `; the value was ${value}` : ""}`;
  if (ply === 0) return `At the start ${then}.`;
  const judged = review.plies[ply - 1];
  const turn = judged.mistake ? " A turning point!" : "";
  const better = judged.mistake && judged.better ? ` Right was: ${orderOf(judged.better, judged.better_words)}.` : "";
  const made = sentence(moverName(ply - 1, sides), moves[ply - 1], told[ply - 1]);
  const after = played && ply === moves.length ? "the game is over" : then;
  return `Move ${ply}: ${made}.${turn} Then ${after}.${better}`;
};

const kKinds = {1: "one", 2: "two", 0: "even"};

export class Strip {
  // `events`: open(ply) shows a position of the game, playOn() goes on from the one that is shown.
  constructor(events) {
    this.events = events;
    this.root = byId("strip-moves");
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    byId("play-on").addEventListener("click", () => events.playOn());
  }

  // `told` are the words of the moves; `review` of /api/review, null hides the strip; `played`:
  // whether the game was played to its end.
  show(moves, told, at, review, sides, played) {
    byId("strip").hidden = review === null;
    if (review === null) return;
    const hadFocus = this.root.contains(document.activeElement);
    Object.assign(this, {moves, told, at, review, sides, played});
    const cells = [];
    for (let ply = 0; ply <= moves.length; ply++) cells.push(make("li", {}, this.cell(ply)));
    this.root.replaceChildren(...cells);
    byId("play-on").disabled = at === moves.length;
    this.tell(at);
    const here = this.root.querySelector("[aria-current]");
    if (hadFocus) here.focus({preventScroll: true});
    const left = here.offsetLeft - this.root.offsetLeft;
    this.root.scrollLeft = left - this.root.clientWidth / 2;
  }

  cell(ply) {
    const turn = ply > 0 && this.review.plies[ply - 1].mistake === true;
    const kind = kKinds[winnerAfter(this.review, ply)] ?? "unknown";
    const about = () => this.tell(ply);
    const back = () => this.tell(this.at);
    return make(
      "button",
      {
        type: "button",
        class: `turn ${kind}${turn ? " turning" : ""}`,
        "data-turn": ply,
        tabindex: ply === this.at ? 0 : -1,
        "aria-current": ply === this.at ? "step" : false,
        "aria-label": (ply === 0 ? "0: " : "") + words(this, ply),
        onclick: () => this.events.open(ply),
        onpointerenter: about,
        onpointerleave: back,
        onfocus: about,
      },
      make("span", {class: "bar", "aria-hidden": "true"}),
      make("span", {"aria-hidden": "true", text: turn ? `${ply}!` : ply}),
    );
  }

  tell(ply) {
    byId("strip-told").textContent = words(this, ply);
  }

  onKey(event) {
    const last = this.moves.length;
    const to = {ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: last}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to >= 0 && to <= last && to !== this.at) this.events.open(to);
  }
}
