// What is known about a position, in words and tables: the values, the ideal moves, and why.

import {make, plural} from "./dom.js";
import {notation, orderOf} from "./words.js";

export const valueText = (nimber) =>
  nimber === null || nimber === undefined ? null : `*${nimber}`;

// A genus such as 4^{146} with its exponent raised; any other value as it is.
export const valueNode = (tag, attributes, text) => {
  const genus = /^(.*)\^\{(.*)\}$/.exec(text);
  return genus
    ? make(tag, attributes, genus[1], make("sup", {text: genus[2]}))
    : make(tag, {...attributes, text});
};

const standing = (outcome, who) =>
  ({
    N: `${who.mover} can win`,
    P: `${who.other} can win, whatever ${who.mover} does`.replace("you does", "you do"),
    D: "a draw with best play",
  })[outcome] ?? "who wins is not known in the time given";

const sumLine = (found, who) => {
  const value = found.convention === "normal" ? valueText(found.nimber) : null;
  const words = standing(found.outcome, who);
  return make(
    "p",
    {
      class: "sum",
      id: "sum-value",
      "data-nimber": found.nimber ?? "",
      "data-outcome": found.outcome,
    },
    make("b", {text: value ?? (found.convention === "misere" ? found.outcome : "?")}),
    make("span", {text: words}),
  );
};

// The events of a button that points at its move on the board.
export const pointing = (aim, unaim) => ({
  onpointerenter: aim,
  onfocus: aim,
  onpointerleave: unaim,
  onblur: unaim,
});

const kFirstMoves = 24;

const idealMoves = (found, events) => {
  const best = found.best_moves;
  if (best === null || best === undefined)
    return make("p", {id: "ideal", text: "Not all ideal moves are known."});
  if (best.length === 0)
    return make("p", {id: "ideal", text: "There is no ideal move: every move loses."});
  const buttons = best.map((move, i) =>
    make(
      "li",
      {},
      make(
        "button",
        {
          type: "button",
          class: "move-chip",
          "data-move": move,
          onclick: () => events.play(move),
          ...pointing(() => events.aim(move), events.unaim),
        },
        orderOf(move, found.best_words[i]),
        notation(move),
      ),
    ),
  );
  const list = make("ul", {class: "chips-list"}, ...buttons.slice(0, kFirstMoves));
  const more = make("button", {
    type: "button",
    class: "link",
    text: `all ${best.length}`,
    onclick: () => {
      list.append(...buttons.slice(kFirstMoves));
      more.remove();
    },
  });
  return make(
    "div",
    {id: "ideal"},
    make("p", {
      class: "soft",
      text: `${plural(best.length, "ideal move")}. On the board, a dot marks what to press, a bar or dashes what to take together.`,
    }),
    list,
    best.length > kFirstMoves ? more : null,
  );
};

const kMostRows = 60;

const table = (id, name, heads, rows, foot) =>
  make(
    "div",
    {class: "scroll-x", tabindex: 0, role: "region", "aria-label": name},
    make(
      "table",
      {class: "columns", id},
      make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", {scope: "col", text})))),
      make("tbody", {}, ...rows),
      foot,
    ),
  );

// The nimbers in binary, one under the other, with the XOR of each column.
const columnTable = (columns) => {
  const cells = (digits) =>
    digits.map((digit, i) =>
      make("td", {
        class: `${digit === "0" ? "zero" : "one"}${columns.total[i] === "0" ? "" : " odd"}`,
        text: digit,
      }),
    );
  const rows = columns.rows
    .slice(0, kMostRows)
    .map((row) =>
      make("tr", {}, make("th", {scope: "row", text: `pile ${row.pile}`}), ...cells(row.digits)),
    );
  const more = columns.rows.length - rows.length;
  if (more > 0)
    rows.push(
      make(
        "tr",
        {},
        make("th", {scope: "row", text: `and ${more} more`}),
        ...columns.heads.map(() => make("td", {text: "…"})),
      ),
    );
  const total = make("tr", {}, make("th", {scope: "row", text: "XOR"}), ...cells(columns.total));
  return table(
    "columns",
    "XOR in columns",
    ["value", ...columns.heads],
    rows,
    make("tfoot", {}, total),
  );
};

const kAlone = {N: "wins", P: "loses", D: "draws"};

const genusTable = (heaps) => {
  const known = heaps.filter((heap) => heap.genus !== null && heap.genus !== undefined);
  if (known.length === 0) return null;
  const rows = known
    .slice(0, kMostRows)
    .map((heap) =>
      make(
        "tr",
        {},
        make("th", {scope: "row", text: `pile ${heap.heap}`}),
        valueNode("td", {}, heap.genus),
        make("td", {class: "words", text: kAlone[heap.outcome] ?? ""}),
      ),
    );
  return table("genus", "Genus of each pile", ["pile", "genus", "alone, the player to move"], rows);
};

const kWhyColumns =
  "Write each value as a sum of 1, 2, 4, …, as the stones of nim stand on the board: a column with an " +
  "odd number of ones, marked here and there, has XOR 1. Who leaves all columns even wins.";

const kWhyCold =
  "From the shaded squares of the board the player to move loses, if it is played alone: move there.";

const kWhyGenus =
  "A genus is the value in normal play and, raised, values where the last move loses: of the pile " +
  "alone, then with one, two, … piles of two stones beside it. A raised 0 in front: alone it is lost.";

const why = (found, more) => {
  const sentence = found.reason
    ? found.reason[0].toUpperCase() + found.reason.slice(1) + "."
    : "No reason is known.";
  const columns = found.columns ? columnTable(found.columns) : null;
  const genera = found.convention === "misere" ? genusTable(found.heaps ?? []) : null;
  return make(
    "div",
    {id: "why"},
    make("p", {text: sentence.replace("..", ".")}),
    columns && found.convention === "normal" ? make("p", {class: "soft", text: kWhyColumns}) : null,
    columns,
    (found.cold ?? []).length > 0 ? make("p", {class: "soft", text: kWhyCold}) : null,
    genera ? make("p", {class: "soft", text: kWhyGenus}) : null,
    genera,
    more,
  );
};

// Fills `root` with the wanted parts of `found`, the answer of /api/evaluate. `events.explain()` makes
// what stands below the reason, or null.
export const showAnalysis = (root, found, shown, who, events) => {
  const parts = [];
  if (shown.has("sum")) parts.push(sumLine(found, who));
  if (shown.has("ideal")) parts.push(idealMoves(found, events));
  if (shown.has("why")) parts.push(why(found, events.explain()));
  root.replaceChildren(...parts);
};

// The values of the piles, by number of the pile.
export const pileValues = (found) =>
  new Map(
    (found.heaps ?? []).map((heap) => [heap.heap, valueText(heap.nimber) ?? heap.genus ?? "?"]),
  );

// What the drawings of piles show of the reason, by number of the pile: of stones the columns that
// their numbers have ones in, of a queen's board the cold squares.
export const marksByPile = (found) => {
  const marks = new Map((found.cold ?? []).map(({pile, squares}) => [pile, {cold: squares}]));
  for (const {pile, digits} of found.columns?.rows ?? []) {
    const ones = digits.flatMap((digit, i) =>
      digit === "1" ? [{size: Number(found.columns.heads[i]), odd: found.columns.total[i] === "1"}] : [],
    );
    marks.set(pile, {...marks.get(pile), groups: ones});
  }
  return marks;
};

// The ideal moves, by number of the pile.
export const idealByPile = (found) => {
  const all = new Map();
  for (const move of found.best_moves ?? []) {
    const equals = move.indexOf("="),
      pile = Number(move.slice(0, equals));
    if (!all.has(pile)) all.set(pile, new Set());
    all.get(pile).add(move.slice(equals + 1));
  }
  return all;
};
