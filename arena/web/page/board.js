// The board: all piles of a position, drawn so that a visitor moves by pressing the drawing. The
// parts of a drawing that stand for a legal move are buttons, in the pile's roving tabindex; arrow
// keys go from part to part by their place on the screen. Knows no rules: see parts.js.

import {valueNode} from "./analysis.js";
import {draw} from "./draw.js";
import {capital, make, makeSvg, plural, prefersStill, wait} from "./dom.js";
import {compareOrder, lineage, moveFor, movesIn, nounOf, partName} from "./parts.js";

// More piles than this are drawn as small boxes with their text; one opens at a time.
const kMostDrawn = 40;

const kArrows = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

const abridge = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

// The pile in words, for screen readers.
const pileLabel = (pile) => `Pile ${pile.pile}: ${pile.title} ${pile.heap}`;

// One pile on the board, with the moves that its parts stand for.
class Piece {
  constructor(pile, view) {
    this.pile = pile;
    this.moves = movesIn(pile);
    this.placed = new Map(
      this.moves.filter((move) => move.at !== null).map((move) => [move.at, move]),
    );
    this.ways = new Map();
    for (const move of this.moves)
      for (const key of move.press) this.ways.set(key, [...(this.ways.get(key) ?? []), move]);
    this.isRow = pile.drawing.kind === "row";
    this.chosen = null;
    this.node = this.build(view);
    this.node.moves = this.moves; // for tests
  }

  // The moves that are left once these parts are pressed.
  containing(keys) {
    return (this.ways.get(keys[0]) ?? []).filter((move) =>
      keys.every((key) => move.press.includes(key)),
    );
  }

  // The parts that are chosen once one more is pressed: of a row also those between; parts that no
  // move has together with the new one are dropped.
  joined(key) {
    if (this.chosen === null) return [key];
    const keys = this.isRow ? hull([...this.chosen, key]) : [...new Set([...this.chosen, key])];
    if (this.containing(keys).length > 0) return keys;
    if (this.isRow) return [key];
    const kept = this.chosen.filter((other) => this.containing([other, key]).length > 0);
    return this.containing([...kept, key]).length > 0 ? [...kept, key] : [key];
  }

  // Of some moves the one that presses no more than these parts.
  exact(all, keys) {
    return all.find((move) => move.press.length === keys.length) ?? null;
  }

  // What a press of the part takes: all that goes if one move is left or these parts are a move.
  taken(key) {
    const keys = this.joined(key),
      all = this.containing(keys);
    const move = all.length === 1 ? all[0] : this.exact(all, keys);
    const gone = move === null ? keys : [...move.gone, ...move.press];
    return {gone, ideal: all.some((one) => this.best?.has(one.result))};
  }

  // The move that pressing this part alone can make; null where another must be chosen, too.
  moveAlone(key) {
    const all = this.containing([key]);
    return all.length === 1 ? all[0] : this.exact(all, [key]);
  }

  isIdeal(key) {
    return this.best?.has(this.moveAlone(key)?.result) ?? false;
  }

  // The ideal moves of several parts, of which this part is the first.
  idealRuns(key) {
    if (this.best === undefined || this.containing([key]).length < 2) return [];
    return this.containing([key]).filter(
      (move) => move.press.length > 1 && move.press[0] === key && this.best.has(move.result),
    );
  }

  labelOf(key) {
    const all = this.containing([key]);
    const ideal = this.isIdeal(key) ? ", ideal" : "";
    if (all.length === 1) return all[0].label + ideal;
    const runs = this.idealRuns(key).map(({label}) => `; ideal: ${label}`);
    return partName(this.pile, key) + (ideal && ", ideal alone") + runs.join("");
  }

  part(key, name, svg) {
    if (!this.ways.has(key)) {
      if (name === "gap") return this.ways.has("g1") ? make("i", {class: "gap off"}) : null;
      return svg
        ? makeSvg("g", {class: name, "data-part": key})
        : make("i", {class: name, "data-part": key});
    }
    const label = this.labelOf(key);
    const attributes = {
      class: `${name} part${this.isIdeal(key) ? " ideal" : ""}${this.isTogether(key) ? " together" : ""}`,
      "data-part": key,
      "data-result": this.ways.get(key).length === 1 ? this.placed.get(key)?.raw : undefined,
      "aria-label": label,
      tabindex: -1,
    };
    if (svg) return makeSvg("g", {...attributes, role: "button"});
    const isPin = this.isRow && !isGap(key);
    const runs = (isPin ? this.idealRuns(key) : []).map((move, row) => {
      const bar = make("i", {class: "run", "data-result": move.result});
      bar.style.setProperty("--length", pinsOf(move));
      bar.style.setProperty("--row", row);
      return bar;
    });
    return make("button", {...attributes, type: "button", title: label}, ...runs);
  }

  // Whether an ideal move needs this part and others; of pins a bar shows it.
  isTogether(key) {
    if ((this.isRow && !isGap(key)) || this.best === undefined) return false;
    const all = this.containing([key]);
    return all.length > 1 && all.some((move) => move.press.length > 1 && this.best.has(move.result));
  }

  // Moves that no part of the drawing stands for.
  get unplaced() {
    const shown = new Set(this.moves.map((move) => move.result));
    const hidden = this.pile.results.filter((result) => !shown.has(result)).length;
    const unlisted =
      this.pile.result_count === null || this.pile.result_count > this.pile.results.length;
    return hidden > 0 || unlisted;
  }

  caption(view) {
    const {pile} = this;
    const value = view.values.get(pile.pile);
    const count = (pile.result_count ?? Infinity) < 10000 ? ` (${pile.result_count})` : "";
    const list = this.unplaced
      ? make("button", {
          type: "button",
          class: "link list-open",
          "data-list": "",
          text: `list${count}`,
          "aria-label": `list${count} of what pile ${pile.pile} can become`,
        })
      : null;
    const pass = pile.pass
      ? make("button", {type: "button", class: "small", "data-pass": "", text: "Pass"})
      : null;
    const {kind} = pile.drawing;
    // Of a board, and of what is left of a graph, the text is notation that the drawing says better.
    const heapClass = kind === "cells" || kind === "links" ? "heap notation-of" : "heap";
    return make(
      "div",
      {class: "caption"},
      make("span", {class: "piece-title", text: pile.title, title: pile.ruleset}),
      make("span", {class: "pile-number", text: `pile ${pile.pile}`}),
      kind === "text" ? null : make("b", {class: heapClass, text: pile.heap}),
      value === undefined
        ? null
        : valueNode(
            "span",
            {class: "value", "data-value": value, title: value},
            abridge(value, 24),
          ),
      pass,
      list,
    );
  }

  build(view) {
    const {pile} = this;
    this.best = view.best.get(pile.pile);
    const {groups = [], cold} = view.marks.get(pile.pile) ?? {};
    const isSum = groups.reduce((sum, {size}) => sum + size, 0) === pile.drawing.count;
    const drawing = {
      ...pile.drawing,
      cuts: this.isRow && [...this.ways.keys()].some(isGap),
      groups: isSum ? groups : [],
      cold,
    };
    const targets = [...this.ways.keys()].filter((key) => key.startsWith("c"));
    const picture = draw(drawing, pile.heap, (...given) => this.part(...given), targets);
    this.size(picture);
    const node = make(
      "div",
      {
        class: "piece",
        role: "group",
        "aria-label": pileLabel(pile),
        "data-pile": pile.pile,
        "data-heap": pile.heap,
      },
      picture,
      this.caption(view),
      make("div", {class: "ask"}),
    );
    const first = node.querySelector(".part");
    if (first) first.setAttribute("tabindex", 0);
    return node;
  }

  size(picture) {
    const count = this.pile.drawing.count ?? 0;
    picture.classList.toggle("many", count > 24);
    picture.classList.toggle("gaps", this.ways.has("g1"));
    const stones = [...this.ways.keys()].some((key) => key.startsWith("s"));
    picture.classList.toggle("only-gaps", this.ways.has("g1") && !stones);
  }

  nodeOf(key) {
    return this.node.querySelector(`[data-part="${key}"]`);
  }

  mark(name, keys) {
    for (const node of this.node.querySelectorAll(`.${name}`)) node.classList.remove(name);
    for (const key of keys) this.nodeOf(key)?.classList.add(name);
  }
}

const isGap = (key) => key.startsWith("g");

const pinsOf = (move) => move.gone.filter((key) => !isGap(key)).length;

// The pins from the first to the last, and the gaps.
const hull = (keys) => {
  const at = keys.filter((key) => !isGap(key)).map((key) => Number(key.slice(1)));
  const low = Math.min(...at),
    high = Math.max(...at);
  const pins = at.length === 0 ? [] : Array.from({length: high - low + 1}, (_, i) => `s${low + i}`);
  return [...pins, ...new Set(keys.filter(isGap))];
};

const touched = (move) => (move.at === null ? move.gone : [...move.gone, move.at]);

export class Board {
  // `events`: move(pile, result), say(text), list(pile), remove(pile of the start), lost() if the
  // focus has no place left on the board, and locked(), which returns why no move can be made now,
  // or null.
  constructor(root, events) {
    this.root = root;
    this.events = events;
    this.pieces = new Map();
    this.opened = null;
    root.addEventListener("click", (event) => this.onClick(event));
    root.addEventListener("keydown", (event) => this.onKey(event));
    root.addEventListener("focusin", (event) => this.onPoint(event, true));
    root.addEventListener("focusout", () => this.clearAim());
    root.addEventListener("pointerover", (event) => this.onPoint(event, false));
    root.addEventListener("pointerleave", () => this.clearAim());
  }

  // `view`: {game, moves, values: Map of pile to text, best: Map of pile to a set of results,
  // marks: Map of pile to what its drawing shows of the reason, changed: set of piles, editable}
  show(view) {
    const focus = this.focusPlace();
    this.view = view;
    const old = this.pieces;
    this.pieces = new Map();
    this.abridged = view.game.piles.length > kMostDrawn;
    this.root.classList.toggle("abridged", this.abridged);
    this.root.classList.toggle("crowded", view.game.piles.length > 8);
    this.root.classList.toggle(
      "middle",
      view.game.piles.some((pile) => (pile.drawing.count ?? 0) > 13),
    );
    if (this.abridged) this.showChips(view);
    else this.showLanes(view, old);
    this.restoreFocus(focus);
  }

  signature(pile, view) {
    const best = [...(view.best.get(pile.pile) ?? [])].join(" ");
    return [
      pile.pile,
      pile.ruleset,
      pile.heap,
      pile.result_count,
      pile.results.length,
      view.values.get(pile.pile) ?? "",
      JSON.stringify(view.marks.get(pile.pile)),
      best,
    ].join("|");
  }

  pieceFor(pile, view, old) {
    const signature = this.signature(pile, view);
    const kept = old.get(pile.pile);
    const piece =
      kept && kept.signature === signature && kept.chosen === null ? kept : new Piece(pile, view);
    piece.signature = signature;
    piece.pile = pile;
    for (const name of ["going", "hinted", "aimed"]) piece.mark(name, []);
    piece.node.classList.toggle("changed", view.changed.has(pile.pile));
    this.pieces.set(pile.pile, piece);
    return piece;
  }

  showLanes(view, old) {
    const {game} = view;
    const origins = lineage(game.pile_count, view.moves);
    const lanes = new Map();
    for (const pile of game.piles) {
      const {origin, order} = origins[pile.pile - 1] ?? {origin: pile.pile - 1, order: [0]};
      if (!lanes.has(origin)) lanes.set(origin, []);
      lanes.get(origin).push({pile, order});
    }
    const nodes = [...lanes]
      .sort((a, b) => a[0] - b[0])
      .map(([origin, members]) => this.lane(origin, members, view, old));
    this.root.replaceChildren(...nodes, ...this.unlisted(game));
    // Keep the queen or token in view on a drawing that is wider than the screen.
    for (const at of this.root.querySelectorAll(".queen, .token")) {
      const box = at.closest(".scroll-x");
      const left = at.getBoundingClientRect().left - box.getBoundingClientRect().left;
      box.scrollLeft += left - box.clientWidth / 2;
    }
  }

  lane(origin, members, view, old) {
    members.sort((a, b) => compareOrder(a.order, b.order));
    const pieces = members.map(({pile}) => this.pieceFor(pile, view, old).node);
    const first = members[0].pile;
    // Empty parts of a broken pile are hidden, except where the last move was.
    members.forEach(({pile}, i) => {
      const kept = pile.heap !== "0" || members.length === 1 || view.changed.has(pile.pile);
      pieces[i].classList.toggle("gone", !kept);
    });
    const remove = view.editable
      ? make("button", {
          type: "button",
          class: "remove",
          "data-remove": origin + 1,
          title: "remove this pile",
          "aria-label": `remove pile ${origin + 1}, ${first.title} ${first.heap}`,
          text: "×",
        })
      : null;
    return make(
      "div",
      {class: pieces.length === 1 ? "lane single" : "lane", "data-origin": origin + 1},
      make(
        "div",
        {class: "lane-head"},
        make("span", {class: "lane-title", text: first.title, title: first.ruleset}),
      ),
      make("div", {class: "pieces"}, ...pieces),
      remove,
    );
  }

  unlisted(game) {
    const more = game.pile_count - game.piles.length;
    if (more <= 0) return [];
    return [
      make("p", {
        class: "soft",
        text: `and ${plural(more, "more pile")}, which can be played as text below`,
      }),
    ];
  }

  // Hundreds of piles are boxes with their text; one of them is open.
  showChips(view) {
    const {game} = view;
    const open =
      game.piles.find((pile) => pile.pile === this.opened && pile.result_count !== 0) ??
      game.piles.find((pile) => pile.results.length > 0) ??
      null;
    this.opened = open?.pile ?? null;
    const chips = game.piles.map((pile) =>
      make(
        "button",
        {
          type: "button",
          class: "chip",
          "data-open": pile.pile,
          tabindex: pile === (open ?? game.piles[0]) ? 0 : -1,
          "aria-pressed": pile === open ? "true" : "false",
          title: pileLabel(pile),
          "aria-label": `${this.chipText(pile, view).textContent}, pile ${pile.pile}, ${pile.title}`,
        },
        this.chipText(pile, view),
      ),
    );
    const lane = open
      ? this.lane(open.pile - 1, [{pile: open, order: [0]}], {...view, editable: false}, new Map())
      : null;
    this.root.replaceChildren(
      ...(lane ? [lane] : []),
      make("div", {class: "chips"}, ...chips),
      ...this.unlisted(game),
    );
    for (const chip of this.root.querySelectorAll(".chip")) {
      chip.classList.toggle("changed", view.changed.has(Number(chip.dataset.open)));
      chip.classList.toggle("ideal", view.best.has(Number(chip.dataset.open)));
    }
  }

  chipText(pile, view) {
    const value = view.values.get(pile.pile);
    return make(
      "span",
      {},
      make("b", {text: abridge(pile.heap, 12)}),
      value === undefined ? null : make("small", {text: ` ${abridge(value, 13)}`}),
    );
  }

  openPile(number) {
    this.opened = number;
    this.show(this.view);
    this.root.querySelector(".lane .part, .lane .list-open")?.focus();
  }

  pieceOf(node) {
    const piece = node.closest?.(".piece");
    return piece ? this.pieces.get(Number(piece.dataset.pile)) : undefined;
  }

  onClick(event) {
    const chip = event.target.closest("[data-open]");
    if (chip) return this.openPile(Number(chip.dataset.open));
    const remove = event.target.closest("[data-remove]");
    if (remove) return this.events.remove(Number(remove.dataset.remove));
    const piece = this.pieceOf(event.target);
    if (!piece) return undefined;
    if (event.target.closest("[data-list]")) return this.events.list(piece.pile.pile);
    if (event.target.closest("[data-pass]")) return this.makeMove(piece, {raw: piece.pile.pass});
    if (event.target.closest("[data-take]")) return this.makeMove(piece, piece.ready);
    if (event.target.closest("[data-cancel]")) return this.choose(piece, null);
    const part = event.target.closest(".part");
    if (part) return this.press(piece, part.dataset.part);
    const still = event.target.closest("[data-part]");
    if (!still || event.target.closest(".queen, .token")) return undefined;
    return this.events.say(this.events.locked() ?? "No move of this pile can be made here.");
  }

  press(piece, key) {
    const locked = this.events.locked();
    if (locked !== null) return this.events.say(locked);
    // Parts are chosen one after the other, until only one move is left.
    const again = piece.chosen !== null && piece.chosen.includes(key);
    const keys = piece.joined(key),
      all = piece.containing(keys),
      exact = piece.exact(all, keys);
    if (all.length === 1) return this.makeMove(piece, all[0]);
    if (again) return exact ? this.makeMove(piece, exact) : this.choose(piece, null);
    return this.choose(piece, keys, exact);
  }

  choose(piece, keys, exact = null) {
    for (const other of this.pieces.values()) {
      if (other === piece || other.chosen === null) continue;
      other.chosen = null;
      this.drawChosen(other, null);
    }
    piece.chosen = keys;
    piece.ready = exact;
    this.drawChosen(piece, exact);
    const noun = nounOf(piece.pile.drawing);
    if (keys === null)
      return void this.events.say(piece.isRow ? `No ${noun} is chosen.` : "Nothing is chosen.");
    const arePins = piece.isRow && !keys.some(isGap);
    const cuts = piece.containing(keys).some(({press}) => press.some(isGap));
    const neighbour = cuts ? "a neighbour or a cut" : "a neighbour";
    const [one, another] = arePins ? [noun, neighbour] : ["part", "another part"];
    const name = arePins
      ? `${capital(noun)} ${Number(keys[0].slice(1)) + 1}`
      : capital(partName(piece.pile, keys[0]));
    const names = keys.length === 1 ? name : plural(keys.length, one);
    const next = exact ? `choose it again, or ${another} too` : `choose ${another} too`;
    this.events.say(`${names} chosen: ${next}.`);
  }

  drawChosen(piece, exact) {
    const keys = piece.chosen ?? [];
    piece.mark("chosen", piece.isRow ? keys : [...keys, ...(exact?.gone ?? [])]);
    const next = keys.length === 0 || piece.isRow ? [] : piece.containing(keys);
    piece.mark("next", next.flatMap((move) => move.press.filter((key) => !keys.includes(key))));
    const ask = piece.node.querySelector(".ask");
    if (ask.contains(document.activeElement)) piece.node.querySelector(".part[tabindex='0']").focus();
    if (piece.chosen === null) return ask.replaceChildren();
    const take = exact
      ? make("button", {
          type: "button",
          "data-take": "",
          class: "small primary",
          text: `${pinsOf(exact) > 0 ? `Take ${pinsOf(exact)}` : "Cut"}${piece.best?.has(exact.result) ? ", ideal" : ""}`,
        })
      : null;
    return ask.replaceChildren(
      ...[take].filter(Boolean),
      make("button", {type: "button", "data-cancel": "", class: "small", text: "Cancel"}),
    );
  }

  makeMove(piece, move) {
    const locked = this.events.locked();
    if (locked !== null) return this.events.say(locked);
    piece.chosen = null;
    this.drawChosen(piece, null);
    return this.events.move(piece.pile.pile, move.raw);
  }

  onPoint(event, focused) {
    const part = event.target.closest?.(".part");
    const piece = part ? this.pieceOf(part) : undefined;
    if (focused && piece) this.rove(piece, part);
    // Only a pointer that hovers, and the keys, look before they press: what a finger has touched
    // must not look as if it were taken.
    if (focused && part && !part.matches(":focus-visible")) return;
    this.clearAim();
    if (!piece || event.pointerType === "touch") return;
    if (this.events.locked() !== null) return;
    const {gone, ideal} = piece.taken(part.dataset.part);
    piece.mark("aimed", gone);
    piece.node.classList.toggle("aims-ideal", ideal);
  }

  clearAim() {
    this.root.querySelector(".aims-ideal")?.classList.remove("aims-ideal");
    for (const node of this.root.querySelectorAll(".aimed")) node.classList.remove("aimed");
  }

  // Shows what a move would take; for the list and the hint, outside of the board.
  aim(number, raw) {
    this.clearAim();
    const piece = this.pieces.get(number);
    const move = piece ? moveFor(piece.pile, raw) : null;
    if (move) piece.mark("aimed", touched(move));
    else piece?.node.classList.add("aimed");
  }

  // Points at a move until the next one is made.
  hint(number, raw) {
    if (this.abridged && this.opened !== number) this.openPile(number);
    const piece = this.pieces.get(number);
    const move = piece ? moveFor(piece.pile, raw) : null;
    piece?.mark("hinted", move ? (move.at === null ? move.gone : [move.at]) : []);
  }

  rove(piece, part) {
    for (const other of piece.node.querySelectorAll(".part[tabindex='0']"))
      other.setAttribute("tabindex", -1);
    part.setAttribute("tabindex", 0);
  }

  onKey(event) {
    const part = event.target.closest?.(".part");
    if (!part) return this.onChipKey(event);
    const piece = this.pieceOf(part);
    if (event.key === "Escape" && piece.chosen !== null) return this.choose(piece, null);
    if ((event.key === "Enter" || event.key === " ") && part.tagName !== "BUTTON") {
      event.preventDefault();
      return this.press(piece, part.dataset.part);
    }
    const to = this.neighbour(piece, part, event.key);
    if (!to) return undefined;
    event.preventDefault();
    to.focus();
    return undefined;
  }

  onChipKey(event) {
    const chip = event.target.closest?.(".chip");
    const to = chip ? this.toward(chip, [...this.root.querySelectorAll(".chip")], event.key) : null;
    if (!to) return;
    event.preventDefault();
    to.focus();
  }

  neighbour(piece, part, key) {
    const parts = [...piece.node.querySelectorAll(".part")];
    const found = this.toward(part, parts, key);
    if (found || !kArrows[key]) return found;
    const [dx, dy] = kArrows[key];
    if (dx !== 0) return parts[parts.indexOf(part) + dx] ?? this.firstOfOther(piece, dx);
    return this.firstOfOther(piece, dy);
  }

  // Which of `parts` a key leads to.
  toward(part, parts, key) {
    if (key === "Home") return parts[0];
    if (key === "End") return parts[parts.length - 1];
    return kArrows[key] ? this.nearest(part, parts, ...kArrows[key]) : null;
  }

  // The nearest part in a direction.
  nearest(part, parts, dx, dy) {
    const middle = (node) => {
      const box = node.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const [x, y] = middle(part);
    let found = null,
      least = Infinity;
    for (const other of parts) {
      const [ox, oy] = middle(other);
      const along = (ox - x) * dx + (oy - y) * dy,
        aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      if (along <= 2 || aside > along * 1.5) continue;
      const cost = along + 2 * aside;
      if (cost < least) {
        least = cost;
        found = other;
      }
    }
    return found;
  }

  firstOfOther(piece, step) {
    const all = [...this.root.querySelectorAll(".piece")].filter((node) =>
      node.querySelector(".part"),
    );
    const next = all[all.indexOf(piece.node) + step];
    return next?.querySelector(".part[tabindex='0']") ?? null;
  }

  // Where the focus is, so that it can go back there after the piles are drawn again.
  focusPlace() {
    const active = document.activeElement;
    if (!active || !this.root.contains(active) || active === this.root) return null;
    const all = [...this.root.querySelectorAll(".lane")];
    return {lane: all.indexOf(active.closest(".lane")), node: active, open: active.dataset.open};
  }

  restoreFocus(place) {
    if (place === null) return;
    if (this.root.contains(place.node)) return void place.node.focus();
    if (place.open) return void this.root.querySelector(`[data-open="${place.open}"]`)?.focus();
    const lanes = [...this.root.querySelectorAll(".lane")];
    const ordered = [
      ...lanes.slice(Math.max(0, place.lane)),
      ...lanes.slice(0, Math.max(0, place.lane)).reverse(),
    ];
    for (const lane of ordered) {
      const part = lane.querySelector(".part[tabindex='0']") ?? lane.querySelector(".list-open");
      if (part) return void part.focus();
    }
    this.events.lost();
  }

  lock(locked) {
    this.root.classList.toggle("locked", locked);
  }

  // Animates a move on the piles before it. With `slowly` it first marks what goes.
  async animate(number, raw, slowly) {
    const piece = this.pieces.get(number);
    if (!piece) return;
    const move = moveFor(piece.pile, raw);
    piece.node.classList.add("mover");
    if (slowly) {
      piece.mark("aimed", move ? touched(move) : []);
      await wait(prefersStill() ? 250 : 420);
    }
    if (!prefersStill() && move) {
      if (!this.slide(piece, move)) piece.mark("going", move.gone);
      await wait(240);
    }
    piece.node.classList.remove("mover");
  }

  // Slides the queen or the token to its new place.
  slide(piece, move) {
    if (move.gone[0] !== "queen" && move.gone[0] !== "token") return false;
    const from = piece.nodeOf(move.gone[0]),
      to = piece.nodeOf(move.at);
    if (!from || !to) return false;
    const a = from.getBoundingClientRect(),
      b = (to.querySelector("circle") ?? to).getBoundingClientRect();
    const scale = from.ownerSVGElement ? from.ownerSVGElement.getScreenCTM().a : 1;
    const x = (b.left + b.width / 2 - a.left - a.width / 2) / scale,
      y = (b.top + b.height / 2 - a.top - a.height / 2) / scale;
    from.animate([{transform: "none"}, {transform: `translate(${x}px, ${y}px)`}], {
      duration: 230,
      easing: "ease-in-out",
      fill: "forwards",
    });
    return true;
  }
}
