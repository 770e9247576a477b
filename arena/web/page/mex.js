// Where the value of a small pile comes from: the values of its moves, and the smallest number
// that is not among them. The server finds the values; here they are only put in order.

import * as api from "./api.js";
import {make} from "./dom.js";

const kMostMoves = 40;
const kMostValue = 15;

// The smallest pile whose value is a small number and whose moves are few: {pile, value}.
const choose = (game, found) => {
  const known = new Map((found.heaps ?? []).map(({heap, nimber}) => [heap, nimber]));
  const small = game.piles
    .map((pile) => ({pile, value: known.get(pile.pile)}))
    .filter(
      ({pile, value}) =>
        Number.isInteger(value) &&
        value <= kMostValue &&
        pile.result_count > 0 &&
        pile.result_count <= kMostMoves,
    );
  small.sort((a, b) => a.pile.result_count - b.pile.result_count);
  return small.find(({value}) => value > 0) ?? small[0] ?? null;
};

const kMostExamples = 4;

const rowsOf = (moves, value) => {
  const by = new Map();
  for (const {result, nimber} of moves) {
    if (nimber === null) return null;
    by.set(nimber, [...(by.get(nimber) ?? []), result === "" ? "nothing" : result]);
  }
  const numbers = [...new Set([...by.keys(), value])].sort((a, b) => a - b);
  return numbers.map((number) => {
    const to = by.get(number);
    const words = to
      ? `${to.slice(0, kMostExamples).join(" or ")}${to.length > kMostExamples ? ", …" : ""}`
      : "no move: so this is its value";
    return make(
      "tr",
      {class: number === value ? "mex" : ""},
      make("th", {scope: "row", text: `*${number}`}),
      make("td", {text: words}),
    );
  });
};

const explain = async (root, {pile, value}) => {
  const {moves} = await api.movesOf(`${pile.ruleset}:${pile.heap}`, [], 1, 0, kMostMoves);
  const rows = rowsOf(moves, value);
  if (rows === null) return root.replaceChildren(make("p", {text: "Not all values are known."}));
  return root.replaceChildren(
    make("p", {
      class: "soft",
      text: `The value of a pile is the smallest number that is not the value of one of its moves (its “mex”). ${pile.title} ${pile.heap}:`,
    }),
    make(
      "table",
      {class: "columns mex-table"},
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make("th", {scope: "col", text: "value"}),
          make("th", {scope: "col", text: "the pile becomes"}),
        ),
      ),
      make("tbody", {}, ...rows),
    ),
  );
};

// A fold that explains the value of one pile once it is opened; null if no pile is small enough.
// `failed` is told of an error of the server.
export const mexFold = (game, found, failed) => {
  if (found.convention !== "normal") return null;
  const chosen = choose(game, found);
  if (chosen === null) return null;
  const body = make("div");
  const fold = make(
    "details",
    {
      id: "mex",
      ontoggle: () => {
        if (fold.open && body.childElementCount === 0) explain(body, chosen).catch(failed);
      },
    },
    make("summary", {text: `Where does the *${chosen.value} of pile ${chosen.pile.pile} come from?`}),
    body,
  );
  return fold;
};
