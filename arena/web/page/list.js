// The moves of a pile as text: a field for any result, and a list of results, which is fetched page
// by page. Huge piles, ordinals and user-defined rules can be played here: besides the chosen pile the
// list has a group for each pile that is not drawn.

import {pointing} from "./analysis.js";
import * as api from "./api.js";
import {byId, make} from "./dom.js";

const kPage = 200;
const kMostGroups = 8;

const numberOf = (count) =>
  count === null ? "more than can be counted" : count.toLocaleString("en");

const hasMore = ({results, count}) => results.length < (count ?? Infinity);

export class MoveList {
  // `events`: place() is the {position, moves} of the game, play(pile, result) makes a move and
  // rejects if the server refuses it, aim(pile, result) and unaim() point at it on the board,
  // shows(name) is whether an option is on.
  constructor(events) {
    this.events = events;
    this.texts = []; // numbers of piles that are not drawn
    this.groups = []; // {pile, results, count}; the count is undefined before the first page
    this.turn = 0;
    byId("move-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.playText();
    });
    byId("move-pile").addEventListener("change", () => this.load());
    byId("move-filter").addEventListener("input", () => this.draw());
    byId("move-filter").addEventListener("keydown", (event) => this.onKey(event));
    byId("move-results").addEventListener("keydown", (event) => this.onKey(event));
    byId("move-more").addEventListener("click", () => this.fetchPages(++this.turn));
    byId("by-text").addEventListener("toggle", () => this.load());
  }

  get pile() {
    return Number(byId("move-pile").value);
  }

  // The piles of a new position.
  show(game) {
    const select = byId("move-pile"),
      before = select.value;
    const options = game.piles
      .filter((pile) => pile.result_count !== 0)
      .map((pile) =>
        make("option", {value: pile.pile, text: `${pile.pile}: ${pile.heap.slice(0, 40)}`}),
      );
    for (let i = game.piles.length + 1; i <= Math.min(game.pile_count, 5000); i++) {
      options.push(make("option", {value: i, text: String(i)}));
    }
    select.replaceChildren(...options);
    if (options.some((option) => option.value === before)) select.value = before;
    byId("move-text").value = "";
    byId("move-error").textContent = "";
    byId("move-play").disabled = options.length === 0;
    this.texts = game.piles
      .filter((pile) => pile.drawing.kind === "text" && pile.result_count !== 0)
      .map((pile) => pile.pile);
    return this.load();
  }

  // Opens the list at a pile.
  open(pile) {
    byId("by-text").open = true;
    byId("move-pile").value = String(pile);
    byId("by-text").scrollIntoView({block: "nearest"});
    byId("move-text").focus();
    return this.load();
  }

  async load() {
    if (!byId("by-text").open) return;
    const turn = ++this.turn;
    this.groups = [];
    if (byId("move-pile").value === "") return void this.draw();
    const others = this.texts.filter((pile) => pile !== this.pile).slice(0, kMostGroups - 1);
    this.groups = [this.pile, ...others].sort((a, b) => a - b).map((pile) => ({pile, results: []}));
    await this.fetchPages(turn);
  }

  // The next page of each group that has one.
  async fetchPages(turn) {
    const {position, moves} = this.events.place();
    try {
      for (const group of this.groups.filter(hasMore)) {
        const {pile, results} = group;
        const page = await api.movesOf(position, moves, pile, results.length, kPage);
        if (turn !== this.turn) return;
        results.push(...page.moves);
        group.count = page.count;
        this.draw();
      }
    } catch (error) {
      if (turn === this.turn) byId("move-error").textContent = error.message;
    }
  }

  draw() {
    const filter = byId("move-filter").value.trim();
    const found = this.groups.map(({pile, results}) => ({
      pile,
      moves: results.filter((move) => move.result.includes(filter)),
    }));
    const list = byId("move-results");
    list.replaceChildren(...found.flatMap((group) => this.groupNodes(group)));
    list.querySelector("[data-result]")?.setAttribute("tabindex", 0);
    const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
    const loaded = sum(this.groups.map(({results}) => results.length));
    const counts = this.groups.map(({count}) => count ?? null);
    const all = counts.includes(null) ? null : sum(counts);
    const shown = sum(found.map(({moves}) => moves.length));
    byId("move-count").textContent =
      loaded === 0
        ? "no moves"
        : shown === all
          ? numberOf(all)
          : `${numberOf(shown)} of ${numberOf(all)}`;
    byId("move-more").hidden = !this.groups.some(hasMore);
  }

  groupNodes({pile, moves}) {
    if (moves.length === 0) return [];
    const items = moves.slice(0, 1000).map((move) => this.item(pile, move));
    const list = make("ul", {class: "results", "aria-label": `What pile ${pile} can become`}, ...items);
    if (this.groups.length === 1) return [list];
    const name = byId("move-pile").querySelector(`[value="${pile}"]`)?.textContent ?? pile;
    return [make("p", {class: "soft", text: `Pile ${name}`}), list];
  }

  // Arrow keys lead from the filter to the moves and through them; Enter in the filter makes the
  // only move that is left.
  onKey(event) {
    const all = [...byId("move-results").querySelectorAll("[data-result]")];
    const inFilter = event.target.id === "move-filter";
    if (inFilter && event.key === "Enter" && all.length === 1) return all[0].click();
    const at = all.indexOf(event.target);
    const keys = inFilter
      ? {ArrowDown: 0}
      : {ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1};
    const to = keys[event.key];
    if (to === undefined || all.length === 0) return undefined;
    event.preventDefault();
    if (to < 0) return byId("move-filter").focus();
    for (const node of all) node.tabIndex = -1;
    const next = all[Math.min(to, all.length - 1)];
    next.tabIndex = 0;
    return next.focus();
  }

  item(pile, move) {
    const text = move.result.length > 80 ? `${move.result.slice(0, 77)}…` : move.result;
    const ideal = this.events.shows("ideal") && move.outcome === "P";
    const value =
      !this.events.shows("sum") || move.outcome === "unknown"
        ? null
        : move.nimber === null
          ? move.outcome
          : `*${move.nimber}`;
    return make(
      "li",
      {},
      make(
        "button",
        {
          type: "button",
          class: `move-chip${ideal ? " ideal" : ""}`,
          "data-result": move.result,
          tabindex: -1,
          "aria-label": `${text}${value ? ` ${value}` : ""}: pile ${pile} becomes ${text}${ideal ? ", ideal" : ""}${value ? `, leaves ${value}` : ""}`,
          onclick: () => this.play(move.result, pile),
          ...pointing(() => this.events.aim(pile, move.result), this.events.unaim),
        },
        make("span", {text}),
        value ? make("small", {class: "soft", text: ` ${value}`}) : null,
      ),
    );
  }

  playText() {
    const text = byId("move-text")
      .value.trim()
      .replace(/^\d+\s*=\s*/, "")
      .replace(/\s+/g, "");
    if (text !== "") return this.play(text);
    byId("move-error").textContent = "write what the pile becomes, such as 3 or 2,4";
    return undefined;
  }

  async play(result, pile = this.pile) {
    byId("move-error").textContent = "";
    try {
      await this.events.play(pile, result);
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error;
      byId("move-error").textContent = error.message;
    }
  }
}
