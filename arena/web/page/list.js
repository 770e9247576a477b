// The moves of a pile as text: a field for any result, and a list of results, which is fetched page
// by page. Huge piles, ordinals and user-defined rules can be played here.

import {pointing} from "./analysis.js";
import * as api from "./api.js";
import {byId, make} from "./dom.js";

const kPage = 200;

const numberOf = (count) =>
  count === null ? "more than can be counted" : count.toLocaleString("en");

export class MoveList {
  // `events`: place() is the {position, moves} of the game, play(pile, result) makes a move and
  // rejects if the server refuses it, aim(pile, result) and unaim() point at it on the board,
  // shows(name) is whether an option is on.
  constructor(events) {
    this.events = events;
    this.results = [];
    this.count = 0;
    this.turn = 0;
    byId("move-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.playText();
    });
    byId("move-pile").addEventListener("change", () => this.load());
    byId("move-filter").addEventListener("input", () => this.draw());
    byId("move-more").addEventListener("click", () => this.more());
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
    this.results = [];
    this.count = 0;
    if (byId("move-pile").value === "") return void this.draw();
    await this.fetchPage(turn);
  }

  more() {
    return this.fetchPage(this.turn);
  }

  async fetchPage(turn) {
    const {position, moves} = this.events.place();
    try {
      const page = await api.movesOf(position, moves, this.pile, this.results.length, kPage);
      if (turn !== this.turn) return;
      this.results.push(...page.moves);
      this.count = page.count;
      this.draw();
    } catch (error) {
      if (turn === this.turn) byId("move-error").textContent = error.message;
    }
  }

  draw() {
    const filter = byId("move-filter").value.trim();
    const found = this.results.filter((move) => move.result.includes(filter));
    const pile = this.pile;
    byId("move-results").replaceChildren(
      ...found.slice(0, 1000).map((move) => this.item(pile, move)),
    );
    const all = this.count === this.results.length && filter === "";
    byId("move-count").textContent =
      this.results.length === 0
        ? "no moves"
        : all
          ? numberOf(this.count)
          : `${numberOf(found.length)} of ${numberOf(this.count)}`;
    byId("move-more").hidden = this.count !== null && this.results.length >= this.count;
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
          "aria-label": `${text}${value ? ` ${value}` : ""}: pile ${pile} becomes ${text}${ideal ? ", ideal" : ""}${value ? `, leaves ${value}` : ""}`,
          onclick: () => this.play(move.result),
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

  async play(result) {
    byId("move-error").textContent = "";
    try {
      await this.events.play(this.pile, result);
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error;
      byId("move-error").textContent = error.message;
    }
  }
}
