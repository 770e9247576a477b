// The state of the page, and its text in the address: #p=POSITION&m=MOVES&n=PLY&o=OPTIONS. A link
// holds a whole game; p and m are enough, as in links from other pages.
//   m  moves, separated by semicolons or blanks: 2=1;1=0
//   n  the ply that is shown, if it is not the last
//   o  words, separated by commas: an opponent's id (perfect, eps:0.25, bot:0) or "two",
//      "second" (the opponent begins), and the shown parts: sum, piles, ideal, why, tell, lead

export const kShown = ["sum", "piles", "ideal", "why", "tell", "lead"];

export const newState = () => ({
  position: "",
  moves: [],
  at: 0,
  opponent: "perfect",
  second: false,
  shown: new Set(),
});

const decode = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

// Characters that are harmless in a fragment stay legible.
const encode = (text) =>
  encodeURIComponent(text).replace(/%(3A|2C|3D|2B|7B|7D)/g, decodeURIComponent);

export const fields = (hash) => {
  const found = new Map();
  for (const part of hash.replace(/^#/, "").split("&")) {
    const equals = part.indexOf("=");
    if (equals > 0) found.set(part.slice(0, equals), decode(part.slice(equals + 1)));
  }
  return found;
};

const readOptions = (state, text) => {
  for (const coded of text.split(",")) {
    const word = decode(coded);
    if (word === "second") state.second = true;
    else if (kShown.includes(word)) state.shown.add(word);
    else if (word !== "") state.opponent = word;
  }
};

// The state in an address; its position is empty if the address has none.
export const readAddress = (hash) => {
  const state = newState();
  const found = fields(hash);
  state.position = found.get("p") ?? "";
  state.moves = (found.get("m") ?? "").split(/[;\s]+/).filter((move) => move !== "");
  const ply = Number(found.get("n") ?? NaN);
  state.at =
    Number.isInteger(ply) && ply >= 0 ? Math.min(ply, state.moves.length) : state.moves.length;
  readOptions(state, found.get("o") ?? "");
  return state;
};

export const writeAddress = (state) => {
  const words = [state.opponent];
  if (state.second) words.push("second");
  words.push(...kShown.filter((name) => state.shown.has(name)));
  let hash = `#p=${encode(state.position)}`;
  if (state.moves.length > 0) hash += `&m=${state.moves.map(encode).join(";")}`;
  if (state.at < state.moves.length) hash += `&n=${state.at}`;
  return `${hash}&o=${words.map(encode).join(",")}`;
};
