// The rules of the piles in play, in the words of the server, and an example of a move.

import {make} from "./dom.js";
import {drawCode} from "./draw.js";
import {moveFor} from "./parts.js";

const kShown = 2; // rulesets; more are in a fold

const toldRule = ({ruleset, title, rules, code}) => [
  make("p", {class: "rule"}, make("b", {text: title}), `: ${rules}`),
  ...(code ? [drawCode(code, ruleset)] : []),
];

let told = "";

// Fills `root` with the rules of /api/game.
export const showRules = (root, rules) => {
  const text = JSON.stringify(rules);
  if (text === told) return;
  told = text;
  const rest = rules.slice(kShown);
  const more =
    rest.length === 0
      ? null
      : make(
          "details",
          {},
          make("summary", {text: `the other ${rest.length === 1 ? "game" : "games"}`}),
          ...rest.flatMap(toldRule),
        );
  root.replaceChildren(...rules.slice(0, kShown).flatMap(toldRule), ...(more ? [more] : []));
};

// A move in the middle of those of the first pile that has one: {pile, result, words}; null if
// there is none.
export const exampleMove = (game) => {
  const pile = game.piles.find(({results}) => results.length > 0);
  if (!pile) return null;
  const result = pile.results[Math.floor(pile.results.length / 2)];
  const label = moveFor(pile, result)?.label ?? `becomes ${result}`;
  return {pile: pile.pile, result, words: `For example, in pile ${pile.pile}: ${label}.`};
};
