// Which part of a drawing stands for which result. The server says what is legal; here a result
// such as "3,4" is only matched with a place in the picture, or the server says what it touches. Each
// move has `press`, the parts that are pressed to make it, in any order, and `gone`, those that it
// takes. The keys of parts:
//   sN   stone, pin or cookie N of a row      gN   the gap before stone N
//   cX,Y a square or a cell of a board                 vN eN   a vertex, an edge of a graph
//   pN   place N of a strip
//   eN.M stone M of entry N
// Indices count from 0. What matches no part is played from the list.

// Splits at commas outside brackets: "1,(2,3)" is "1" and "(2,3)".
export const splitHeaps = (text) => {
  const found = [];
  let depth = 0,
    start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "(") depth++;
    else if (text[i] === ")") depth--;
    else if (text[i] === "," && depth === 0) {
      found.push(text.slice(start, i));
      start = i + 1;
    }
  }
  found.push(text.slice(start));
  return found;
};

// "(3,4)" and "3,4" as [3, 4]; null if there is anything but numbers.
const numbers = (text) => {
  const inner = text.startsWith("(") ? text.slice(1, -1) : text;
  const all = inner.split(",");
  return all.every((word) => /^\d{1,9}$/.test(word)) ? all.map(Number) : null;
};

const words = (list) =>
  list.length < 2 ? list.join("") : `${list.slice(0, -1).join(", ")} and ${list[list.length - 1]}`;

// A move as a place in a picture: the parts that go, the text to send (its heaps in their order on
// the screen) and a label.
const moveOf = (result, raw, gone, label, at) => ({
  result,
  raw,
  gone,
  label,
  at,
  press: at === null ? gone : [at],
});

const stonesFrom = (from, to) => {
  const keys = [];
  for (let i = from; i < to; i++) keys.push(`s${i}`);
  return keys;
};

const takeLast = (count, result, left) =>
  moveOf(
    result,
    result,
    stonesFrom(left, count),
    `take ${count - left}, leaves ${left}`,
    `s${left}`,
  );

const pileMoves = (drawing, results) =>
  results.flatMap((result) => {
    const left = /^\d{1,9}$/.test(result) ? Number(result) : NaN;
    return left < drawing.count ? [takeLast(drawing.count, result, left)] : [];
  });

const cut = (count, result, before) =>
  moveOf(
    result,
    `${before},${count - before}`,
    [`g${before}`],
    `split into ${before} and ${count - before}`,
    `g${before}`,
  );

const splitMoves = (drawing, results) =>
  results.flatMap((result) => {
    const sizes = numbers(result);
    if (sizes === null || result.startsWith("(")) return [];
    if (sizes.length === 1) return sizes[0] < drawing.count ? pileMoves(drawing, [result]) : [];
    if (sizes.length !== 2 || sizes[0] + sizes[1] !== drawing.count) return [];
    const places = sizes[0] === sizes[1] ? [sizes[0]] : sizes;
    return places.map((place) => cut(drawing.count, result, place));
  });

// What stands in a row.
export const nounOf = ({squares}) => (squares ? "square" : "pin");

// Takes the neighbours from `from` to before `to`.
const interval = (drawing, result, from, to) => {
  const {count} = drawing;
  if (from === to) return cut(count, result, from);
  const left = [from, count - to].filter((size) => size > 0);
  const noun = nounOf(drawing);
  const what = to - from === 1 ? `take ${noun} ${from + 1}` : `take ${noun}s ${from + 1} to ${to}`;
  return moveOf(
    result,
    left.length === 0 ? "0" : left.join(","),
    stonesFrom(from, to),
    `${what}, leaves ${left.length === 0 ? "none" : words(left)}`,
    null,
  );
};

// The orders in which three parts can stand.
const ordersOf = ([a, b, c]) => {
  const all = [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]];
  return [...new Map(all.map((order) => [order.join(), order])).values()];
};

// Leaves three parts: neighbours are taken, or a cut is made, between two of them, and a cut is made
// between the others.
const threeParts = (count, result, sizes) => {
  const taken = count - sizes.reduce((sum, size) => sum + size);
  if (taken < 0) return [];
  return ordersOf(sizes).flatMap((order) => {
    const [x, y] = order;
    const places = taken === 0 ? [[x, x + y]] : [[x, x + taken + y], [x + y, x]];
    return places.map(([from, cutAt]) => {
      const first = taken === 0 ? [`g${from}`] : stonesFrom(from, from + taken);
      const what = taken === 0 ? "cut" : taken === 1 ? `take pin ${from + 1}` : `take pins ${from + 1} to ${from + taken}`;
      const label = `${what} and cut before pin ${cutAt + 1}, leaves ${words(order)}`;
      return moveOf(result, order.join(","), [...first, `g${cutAt}`], label, null);
    });
  });
};

const rowMoves = (drawing, results) =>
  results.flatMap((result) => {
    const sizes = numbers(result);
    if (sizes === null || result.startsWith("(") || sizes.length > 3) return [];
    if (sizes.length === 3) return threeParts(drawing.count, result, sizes);
    const [low, high] = sizes.length === 1 ? [0, sizes[0]] : sizes;
    if (low + high > drawing.count || high >= drawing.count) return [];
    const places = low === high ? [low] : [low, high];
    return places.map((from) =>
      interval(drawing, result, from, drawing.count - (low + high - from)),
    );
  });

const boardMoves = (drawing, results) =>
  results.flatMap((result) => {
    const place = numbers(result);
    if (place === null || place.length !== 2 || !result.startsWith("(")) return [];
    if (Math.max(...place) >= (drawing.size ?? Infinity)) return [];
    return [
      moveOf(
        result,
        result,
        ["queen"],
        `${drawing.size ? "" : "queen "}to ${place[0]}, ${place[1]}`,
        `c${place[0]},${place[1]}`,
      ),
    ];
  });

const cookieMoves = (drawing, results) =>
  drawing.entries.flatMap((entry, eaten) => {
    const left = drawing.entries
      .map((size, i) => (i === eaten ? 0 : Math.max(0, size - 1)))
      .join(",");
    const result = results.find((text) => numbers(text)?.join(",") === left);
    if (entry === 0 || result === undefined) return [];
    return [
      moveOf(
        result,
        result,
        [`s${eaten}`],
        `eat cookie ${eaten + 1} of ${entry}, leaves ${result}`,
        `s${eaten}`,
      ),
    ];
  });

const graphMoves = (drawing, results) =>
  results.flatMap((result) => {
    const vertex = drawing.vertices.indexOf(result);
    return vertex < 0 ? [] : [moveOf(result, result, ["token"], `move to ${result}`, `v${vertex}`)];
  });

// The entries of a result that stands for as many as are drawn; null if it does not.
const entriesAfter = (drawing, result) => {
  const after = numbers(result);
  if (after === null || after.length !== drawing.entries.length) return null;
  return after.length > 1 && !result.startsWith("(") ? null : after;
};

// Results in which no entry is larger: one stone is pressed in each row that becomes smaller.
const entryMoves = (drawing, results) =>
  results.flatMap((result) => {
    const after = entriesAfter(drawing, result);
    if (after === null || after.some((size, i) => size > drawing.entries[i])) return [];
    const gone = [],
      press = [];
    after.forEach((size, row) => {
      for (let i = size; i < drawing.entries[row]; i++) gone.push(`e${row}.${i}`);
      if (size < drawing.entries[row]) press.push(`e${row}.${size}`);
    });
    if (press.length === 0) return [];
    const taken = drawing.entries.map((size, row) => size - after[row]).filter((size) => size > 0);
    const label = `take ${words(taken)}, leaves ${result}`;
    return [
      press.length === 1
        ? moveOf(result, result, gone, label, press[0])
        : {...moveOf(result, result, gone, label, null), press},
    ];
  });

// The first piece that goes is bitten; with it go all that are right of it and below.
const barMoves = (drawing, results) =>
  results.flatMap((result) => {
    const after = entriesAfter(drawing, result);
    if (after === null || after.some((size, i) => size > drawing.entries[i])) return [];
    const rows = drawing.entries.length,
      first = after.findIndex((size, i) => size < drawing.entries[i]);
    if (first < 0) return [];
    const gone = [];
    after.forEach((size, row) => {
      for (let i = size; i < drawing.entries[row]; i++) gone.push(`c${i},${rows - 1 - row}`);
    });
    const label = `bite at row ${first + 1}, column ${after[first] + 1}: takes ${gone.length}, leaves ${result}`;
    return [moveOf(result, result, gone, label, `c${after[first]},${rows - 1 - first}`)];
  });

// A coin is pressed, and the place that it goes to.
const stripMoves = (drawing, results) =>
  results.flatMap((result) => {
    const after = entriesAfter(drawing, result);
    if (after === null) return [];
    const left = drawing.entries.filter((place) => !after.includes(place));
    const come = after.filter((place) => !drawing.entries.includes(place));
    if (left.length !== 1 || come.length !== 1) return [];
    const keys = [`p${left[0]}`, `p${come[0]}`];
    return [moveOf(result, result, keys, `coin from ${left[0]} to ${come[0]}`, null)];
  });

const listed = (keys, kind) => keys.filter((key) => key.startsWith(kind));

const edgeName = ({vertices, edges}, key) => {
  const [from, to] = edges[Number(key.slice(1))];
  return `${vertices[from]}–${vertices[to]}`;
};

// What a part of a drawing is called.
export const partName = (pile, key) => {
  const {drawing} = pile;
  const index = Number(key.slice(1));
  if (key.startsWith("g")) return `cut before ${nounOf(drawing)} ${index + 1}`;
  if (drawing.kind === "row") return `${nounOf(drawing)} ${index + 1} of ${drawing.count}`;
  if (key.startsWith("e") && drawing.kind === "links") return `edge ${edgeName(drawing, key)}`;
  if (key.startsWith("v")) return drawing.vertices[index];
  if (key.startsWith("p"))
    return `${drawing.entries.includes(index) ? "coin" : "place"} ${index}`;
  if (key.startsWith("c")) {
    const [x, y] = key.slice(1).split(",").map(Number);
    return `row ${pile.heap.split("_").length - y}, column ${x + 1}`;
  }
  if (key.startsWith("e")) {
    const [row, stone] = key.slice(1).split(".").map(Number);
    return `row ${row + 1}, take ${drawing.entries[row] - stone}`;
  }
  return key;
};

const touchLabel = (pile, {press, gone}) => {
  if (pile.drawing.kind === "cells")
    return `domino on ${press.map((key) => partName(pile, key)).join(" and ")}`;
  const {vertices} = pile.drawing;
  const taken = listed(gone, "v").map((key) => vertices[Number(key.slice(1))]);
  if (taken.length > 0) return `take ${words(taken)}`;
  const fallen = gone.filter((key) => key !== press[0]).map((key) => edgeName(pile.drawing, key));
  const cut = `cut ${edgeName(pile.drawing, press[0])}`;
  return fallen.length === 0 ? cut : `${cut}, ${words(fallen)} ${fallen.length === 1 ? "falls" : "fall"}`;
};

// Moves of which the server says what they touch.
const touchedMoves = (pile, results) =>
  pile.touched.flatMap(({move, press, gone}) => {
    const result = pile.results[move];
    if (!results.includes(result)) return [];
    const at = press.length === 1 ? press[0] : null;
    return [moveOf(result, result, gone, touchLabel(pile, {press, gone}), at)];
  });

// Results in which exactly one free cell is taken.
const cellMoves = (drawing, results, heap) =>
  results.flatMap((result) => {
    if (result.length !== heap.length) return [];
    const changed = [...heap].flatMap((cell, i) => (cell === result[i] ? [] : [i]));
    if (changed.length !== 1 || heap[changed[0]] !== "o") return [];
    const rows = heap.split("_");
    const column = changed[0] % (rows[0].length + 1),
      row = Math.floor(changed[0] / (rows[0].length + 1));
    const label = `write x in row ${row + 1}, column ${column + 1}`;
    return [moveOf(result, result, [], label, `c${column},${rows.length - 1 - row}`)];
  });

const kMakers = {
  pile: pileMoves,
  split: splitMoves,
  row: rowMoves,
  board: boardMoves,
  cookies: cookieMoves,
  graph: graphMoves,
  entries: entryMoves,
  cells: cellMoves,
  bar: barMoves,
  strip: stripMoves,
};

// The moves of a pile that its drawing can show.
export const movesIn = (pile, results = pile.results) =>
  pile.touched
    ? touchedMoves(pile, results)
    : (kMakers[pile.drawing.kind] ?? (() => []))(pile.drawing, results, pile.heap);

// The move for a result. Results from the server are sorted; `raw` has the order that the visitor
// chose, if known.
export const moveFor = (pile, raw) => {
  const asNumbers = numbers(raw);
  const sorted =
    asNumbers === null || raw.startsWith("(")
      ? raw
      : [...asNumbers].sort((a, b) => a - b).join(",");
  const all = movesIn(pile, [sorted]);
  return all.find((move) => move.raw === raw) ?? all[0] ?? null;
};

// The origin of each pile of a position: [{origin, order}] with the index of a pile of the start,
// and the place among the parts of that pile, from left to right.
export const lineage = (pileCount, moves) => {
  let count = pileCount;
  const steps = moves.map((text) => {
    const equals = text.indexOf("=");
    const heaps = splitHeaps(text.slice(equals + 1));
    count -= heaps.length - 1;
    return {pile: Number(text.slice(0, equals)) - 1, heaps};
  });
  const all = Array.from({length: count}, (_, origin) => ({origin, order: [0]}));
  for (const {pile, heaps} of steps) {
    const parent = all[pile];
    if (parent === undefined) continue;
    const plain = heaps.every((heap) => /^\d{1,9}$/.test(heap));
    const ranks = heaps.map((heap, seen) => ({heap, seen}));
    if (plain) ranks.sort((a, b) => Number(a.heap) - Number(b.heap));
    const children = ranks.map(({seen}) => ({
      origin: parent.origin,
      order: heaps.length === 1 ? parent.order : [...parent.order, seen],
    }));
    all.splice(pile, 1, ...children);
  }
  return all;
};

export const compareOrder = (a, b) => {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    if ((a[i] ?? -1) !== (b[i] ?? -1)) return (a[i] ?? -1) - (b[i] ?? -1);
  }
  return 0;
};
