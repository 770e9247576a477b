// The setup of a sum: piles are added, removed and drawn again, or the whole is written as text.
// Every change begins a new game.

import * as api from "./api.js";
import {byId, make} from "./dom.js";
import {drawSmall} from "./draw.js";

const kExamples = [
  ["nim:1,3,5,7", "Nim"],
  ["nim:1,3,5,7 misere", "the same, misère"],
  ["kayles:12+wythoff:(5,8)+grundy:11", "three games at once"],
  ["take{1,3,4}:21", "take 1, 3 or 4 of 21"],
  ["rules{n->n-k:k>=1&2*k<=n}:15+cookie:(1,4,2,6)", "own rules and cookies"],
  ["graph{a->b,c;b->c,d;c->d,e;d->e;e}:a", "a token on a graph"],
];

const splitConvention = (position) => {
  const match = /^(.*?)\s+(normal|misere)\s*$/s.exec(position);
  return match ? [match[1].trim(), match[2]] : [position.trim(), "normal"];
};

export const conventionOf = (position) => splitConvention(position)[1];

export const withConvention = (position, convention) => {
  const [sum] = splitConvention(position);
  return convention === "misere" ? `${sum} misere` : sum;
};

const plus = (position, component) => {
  const [sum, convention] = splitConvention(position);
  return withConvention(sum === "" ? component : `${sum}+${component}`, convention);
};

// The sum of the piles of /api/game; neighbours of one ruleset become one component.
const joined = (piles, convention) => {
  const components = [];
  for (const {ruleset, heap} of piles) {
    const last = components[components.length - 1];
    if (last && last.ruleset === ruleset) last.heaps.push(heap);
    else components.push({ruleset, heaps: [heap]});
  }
  return withConvention(
    components.map(({ruleset, heaps}) => `${ruleset}:${heaps.join(",")}`).join("+"),
    convention,
  );
};

// The index in `text` of a column, which counts bytes of UTF-8 from 1.
const placeOfColumn = (text, column) => {
  const encoder = new TextEncoder();
  let bytes = 0,
    at = 0;
  for (const letter of text) {
    if (bytes >= column - 1) break;
    bytes += encoder.encode(letter).length;
    at += letter.length;
  }
  return at;
};

// Shows an error below its text, with the column marked.
export const showRefusal = (root, error, text, shift = 0) => {
  root.replaceChildren(make("p", {class: "bad", text: error.text ?? error.message}));
  if (!error.column) return;
  const at = Math.max(0, placeOfColumn(text, error.column) - shift),
    own = text.slice(shift);
  const from = Math.max(0, at - 60),
    letter = own.slice(at, at + 1) || " ";
  root.append(
    make(
      "pre",
      {class: "marked"},
      `${from > 0 ? "…" : ""}${own.slice(from, at)}`,
      make("mark", {text: letter}),
      `${own.slice(at + 1, at + 60)}\n`,
      make("span", {
        class: "caret",
        "aria-hidden": "true",
        text: `${" ".repeat(at - from + (from > 0 ? 1 : 0))}^ column ${at + 1}`,
      }),
    ),
  );
};

export class Setup {
  // `events`: start() is the current start position, use(position) begins a new game there and
  // rejects if the server refuses it.
  constructor(events) {
    this.events = events;
    this.chosen = null;
    this.unknown = false;
    byId("add-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.add();
    });
    byId("notation-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.useText();
    });
    byId("shuffle").addEventListener("click", () => this.shuffle());
    byId("only").addEventListener("click", () => this.add(true));
    for (const tiles of ["rulesets", "literature"]) {
      byId(tiles).addEventListener("change", (event) => this.choose(Number(event.target.value)));
    }
    byId("examples").replaceChildren(
      ...kExamples.map(([text, words]) =>
        make(
          "li",
          {},
          make("button", {
            type: "button",
            class: "link code",
            "data-example": text,
            text,
            onclick: () => this.use(text, byId("notation-error")),
          }),
          make("span", {class: "soft", text: ` ${words}`}),
        ),
      ),
    );
  }

  offer(rulesets) {
    this.rulesets = rulesets;
    const tiles = rulesets.map((ruleset, i) =>
      make(
        "label",
        {class: "tile"},
        make("input", {
          type: "radio",
          name: "ruleset",
          value: i,
          "data-ruleset": ruleset.ruleset,
          checked: i === 0,
        }),
        make("span", {class: "tile-picture", "aria-hidden": "true"}, drawSmall(ruleset.drawing)),
        make("span", {class: "tile-title", text: ruleset.title}),
      ),
    );
    byId("rulesets").replaceChildren(...tiles.filter((tile, i) => !rulesets[i].literature));
    byId("literature").replaceChildren(...tiles.filter((tile, i) => rulesets[i].literature));
    if (rulesets.length > 0) this.choose(0);
  }

  choose(index) {
    this.chosen = this.rulesets[index];
    byId("rules").textContent = this.chosen.rules;
    byId("ruleset-row").hidden = !this.chosen.parameters;
    byId("ruleset-text").value = this.chosen.ruleset;
    byId("add-error").replaceChildren();
  }

  // Fills the text field.
  show(position) {
    byId("notation").value = position;
  }

  async use(position, where) {
    byId("add-error").replaceChildren();
    byId("notation-error").replaceChildren();
    try {
      await this.events.use(position);
    } catch (error) {
      this.refuse(error, where, position);
    }
  }

  refuse(error, where, text, shift = 0) {
    if (!(error instanceof api.ApiError)) throw error;
    showRefusal(where, {text: error.message, column: error.column}, text, shift);
  }

  useText() {
    return this.use(byId("notation").value.trim(), byId("notation-error"));
  }

  // A new pile as a component; says so if its value was not found in time.
  async draw(ruleset, size) {
    const {heap, known} = await api.newPile(ruleset, size, conventionOf(this.events.start()));
    if (!known) this.unknown = true;
    return `${ruleset}:${heap}`;
  }

  // After a new game has begun.
  sayUnknown() {
    if (this.unknown)
      byId("add-error").replaceChildren(
        make("p", {class: "soft", text: "The engine could not solve a pile this large in time."}),
      );
    this.unknown = false;
  }

  // Adds a pile; with `alone` it replaces all others.
  async add(alone = false) {
    const where = byId("add-error"),
      size = byId("size").value.trim();
    where.replaceChildren();
    const ruleset = this.chosen.parameters
      ? byId("ruleset-text").value.trim()
      : this.chosen.ruleset;
    if (size !== "" && !/^\d+$/.test(size)) {
      return showRefusal(
        where,
        {text: `read '${size}', expected a number, or nothing for a size at random`},
        size,
      );
    }
    try {
      const component = await this.draw(ruleset, size === "" ? null : Number(size));
      const start = this.events.start();
      await this.events.use(
        alone ? withConvention(component, conventionOf(start)) : plus(start, component),
      );
      this.sayUnknown();
    } catch (error) {
      this.refuse(error, where, ruleset);
    }
    return undefined;
  }

  async remove(number) {
    try {
      const {piles, convention} = await this.startPiles();
      const rest = piles.filter((pile) => pile.pile !== number);
      if (rest.length > 0) return await this.events.use(joined(rest, convention));
      const text = "One pile must stay: add another one first.";
      showRefusal(byId("add-error"), {text}, "");
      this.events.say(text);
    } catch (error) {
      this.refuse(error, byId("add-error"), this.events.start());
    }
    return undefined;
  }

  startPiles() {
    return api.game(this.events.start(), []);
  }

  // Draws all piles again, each of its ruleset.
  async shuffle() {
    try {
      const {piles, convention, pile_count: count} = await this.startPiles();
      if (count > 60)
        return showRefusal(byId("add-error"), {text: "Too many piles to draw them all anew."}, "");
      const drawn = [];
      for (const {ruleset} of piles) {
        const text = await this.draw(ruleset, null);
        drawn.push({ruleset, heap: text.slice(ruleset.length + 1)});
      }
      await this.events.use(joined(drawn, convention));
      return this.sayUnknown();
    } catch (error) {
      return this.refuse(error, byId("add-error"), this.events.start());
    }
  }
}
