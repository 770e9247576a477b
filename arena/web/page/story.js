// The moves of a game as a list, and how it ended: who won, and which move gave it away.

import {capital, make} from "./dom.js";
import {notation, orderOf, sentence} from "./words.js";

// The name of the player of each ply. `sides.two`: two people play; else `sides.you` is the visitor,
// 1 or 2, and `sides.visitor` another name than "You".
export const moverName = (ply, sides) => {
  const player = (ply % 2) + 1;
  if (sides.two) return `Player ${player}`;
  return player === sides.you ? (sides.visitor ?? "You") : sides.name;
};

// `told`: the words of each move.
export const showMoves = (list, moves, told, at, review, sides, open) => {
  list.replaceChildren(
    ...moves.map((move, ply) => {
      const judged = review?.plies?.[ply];
      const wrong = judged?.mistake === true;
      const button = make(
        "button",
        {
          type: "button",
          "data-ply": ply + 1,
          onclick: () => open(ply + 1),
          "aria-current": ply + 1 === at ? "step" : false,
        },
        sentence(moverName(ply, sides), move, told[ply]),
        notation(move),
        wrong ? make("span", {class: "wrong", text: ": mistake"}) : null,
        wrong && judged.better
          ? make(
              "span",
              {class: "better", text: `; right: ${orderOf(judged.better, judged.better_words)}`},
              notation(judged.better),
            )
          : null,
      );
      return make("li", {class: wrong ? "mistake" : ""}, button);
    }),
  );
  const here = list.querySelector("[aria-current]");
  if (here) list.scrollTop = here.offsetTop - list.offsetTop - 60;
};

// The last mistake of a player that gave away what was won.
const decisive = (review, player) => {
  for (let ply = review.plies.length - 1; ply >= 0; ply--) {
    if ((ply % 2) + 1 === player && review.plies[ply].mistake === true) return ply;
  }
  return null;
};

const unknown = (review, player) =>
  review.plies.some((judged, ply) => (ply % 2) + 1 === player && judged.mistake === null);

const blame = (ply, moves, told, review) => {
  const {better, better_words: words} = review.plies[ply];
  const right = better ? `; right was: ${orderOf(better, words)}` : "";
  return `move ${ply + 1} (${orderOf(moves[ply], told[ply])}) gave it away${right}`;
};

const whyLost = (loser, moves, told, review, name) => {
  if (!review) return "";
  const ply = decisive(review, loser);
  if (ply !== null) return blame(ply, moves, told, review);
  if (unknown(review, loser)) return "which move decided is not known";
  return `no move of ${name} was a mistake: the start was lost`;
};

// After giving up: what the loser could still have reached.
const missed = (moves, review, loser) => {
  const mover = (moves.length % 2) + 1;
  if (review?.end === "D") return "A draw could still be held.";
  if (review?.end === (mover === loser ? "N" : "P")) return "The game could still be won.";
  return "";
};

const kDraw = {repetition: "The same position came for the third time."};

// The words for a visitor who lost or gave up.
const tellLoser = (result, moves, review, blamed, reason) => {
  const title = result.gaveUp ? "You gave up" : "You lost";
  const left = result.gaveUp ? missed(moves, review, 3 - result.winner) : "";
  const why = blamed ? `because ${reason}.` : reason && `${capital(reason)}.`;
  return {title, tone: "bad", text: left || why, continues: blamed && !left};
};

// {title, text, tone, ply, continues, faultless} for a game that is over. `ply`: the visitor's move that
// gave it away, null if there is none. `continues`: the text goes on with the sentence of the title.
// `faultless`: no move of the visitor was a mistake, and the text says so. `result`: {winner, end, gaveUp}.
export const tellEnd = (result, moves, told, review, sides) => {
  const {winner} = result;
  if (winner === null) return {title: "A draw", tone: "even", text: kDraw[result.end] ?? ""};
  const loser = 3 - winner;
  const name = moverName(loser - 1, sides);
  const reason = whyLost(loser, moves, told, review, name === "You" ? "yours" : name);
  const wrong = review === null ? null : decisive(review, loser),
    blamed = wrong !== null;
  const isRight = ({mistake}, ply) => (ply % 2) + 1 !== sides.you || mistake === false;
  const faultless = Boolean(review) && !blamed && review.plies.every(isRight);
  if (!sides.two && loser === sides.you)
    return {...tellLoser(result, moves, review, blamed, reason), ply: wrong, faultless};
  if (result.gaveUp)
    return {
      title: `Player ${winner} won`,
      tone: "good",
      text: `Player ${loser} gave up. ${missed(moves, review, loser)}`.trim(),
    };
  const clean = faultless ? "No move of yours was a mistake." : "";
  const other = sides.two ? reason && `${capital(reason)}.` : clean;
  return {
    ply: sides.two ? wrong : null,
    title: sides.two ? `Player ${winner} won` : "You won",
    tone: "good",
    text: blamed ? `${name}’s ${reason}.` : other,
    faultless,
  };
};
