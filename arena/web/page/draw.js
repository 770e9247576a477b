// Draws a pile from the `drawing` of the server (arena/doc/web.md): stones, pins, a board, cookies,
// a graph. The pages of running games and of records use this as it is; the play page passes a
// `part` of its own, which makes buttons of clickable parts.
//
//   drawPiece(pile, …)          a pile that nobody presses, as a list item
//   draw(drawing, heap)         an element with class "drawing"
//   draw(drawing, heap, part)   part(key, name, svg) makes the element of one part: `key` as in
//                               parts.js, `name` its class, svg whether it is to be an SVG group

import {make, makeSvg} from "./dom.js";

const plainPart = (key, name, svg) =>
  svg ? makeSvg("g", {class: name, "data-part": key}) : make("i", {class: name, "data-part": key});

const pinPicture = () =>
  makeSvg(
    "svg",
    {viewBox: "0 0 20 44", class: "pin-picture", "aria-hidden": "true"},
    makeSvg("path", {
      class: "pin-body",
      d:
        "M10 1c3.2 0 5 2.4 5 5.4 0 3-1.6 4.6-1.6 8 0 4.6 4.6 8.2 4.6 15.6 " +
        "0 5.4-2 9.4-3.6 13H5.6C4 39.4 2 35.4 2 30c0-7.4 4.6-11 4.6-15.6 0-3.4-1.6-5-1.6-8C5 3.4 6.8 1 10 1z",
    }),
    makeSvg("path", {class: "pin-band", d: "M6.3 12h7.4l-.3 3H6.6z"}),
  );

const squarePicture = () =>
  makeSvg(
    "svg",
    {viewBox: "0 0 20 20", class: "pin-picture", "aria-hidden": "true"},
    makeSvg("rect", {class: "pin-body", x: 1, y: 1, width: 18, height: 18}),
  );

const cookiePicture = () =>
  makeSvg(
    "svg",
    {viewBox: "0 0 40 40", class: "cookie-picture", "aria-hidden": "true"},
    makeSvg("circle", {class: "cookie-body", cx: 20, cy: 20, r: 18.5}),
    ...[
      [9, 14],
      [16, 7],
      [28, 9],
      [32, 20],
      [8, 26],
      [28, 31],
      [17, 33],
    ].map(([cx, cy]) => makeSvg("circle", {class: "cookie-chip", cx, cy, r: 2.2})),
  );

const queenPicture = () =>
  makeSvg(
    "svg",
    {viewBox: "0 0 40 40", class: "queen-picture", "aria-hidden": "true"},
    makeSvg("path", {d: "M8 33h24v-3H8zM9 28h22l4-16-7 7-3-11-5 11-5-11-3 11-7-7z"}),
    ...[
      [5, 11],
      [15, 7],
      [20, 16],
      [25, 7],
      [35, 11],
    ].map(([cx, cy]) => makeSvg("circle", {cx, cy, r: 2.3})),
  );

const counterPicture = () =>
  makeSvg(
    "svg",
    {viewBox: "0 0 40 40", class: "queen-picture", "aria-hidden": "true"},
    makeSvg("circle", {cx: 20, cy: 20, r: 13}),
  );

const empty = () => make("span", {class: "nothing", text: "empty"});

const drawRow = (count, name, part, picture, gaps) => {
  const row = make("div", {class: "line"});
  for (let i = 0; i < count; i++) {
    const gap = i > 0 && gaps ? part(`g${i}`, "gap") : null;
    if (gap) row.append(gap);
    const item = part(`s${i}`, name);
    if (picture) item.append(picture());
    row.append(item);
  }
  if (count === 0) row.append(empty());
  return row;
};

// `groups`: [{size, odd}]: the stones as a sum of 1, 2, 4, …, of which some stand in an odd column.
const drawPile = ({count, groups = []}, part) => {
  const row = drawRow(count, "stone", part, null, false);
  let first = 0;
  for (const {size, odd} of groups) {
    row.children[first].classList.toggle("group", first > 0);
    for (let i = first; i < first + size; i++) row.children[i].classList.toggle("odd", odd);
    first += size;
  }
  return row;
};
const drawPins = (drawing, part) =>
  drawing.squares
    ? drawRow(drawing.count, "pin square-pin", part, squarePicture, drawing.cuts ?? false)
    : drawRow(drawing.count, "pin", part, pinPicture, drawing.cuts ?? false);
const drawSplit = (drawing, part) => drawRow(drawing.count, "stone", part, null, true);

const drawCookies = (drawing, part) => {
  const row = make("div", {class: "line"});
  drawing.entries.forEach((entry, i) => {
    const item = part(`s${i}`, entry === 0 ? "cookie eaten" : "cookie");
    item.append(cookiePicture(), make("b", {text: entry}));
    row.append(item);
  });
  return row;
};

const drawEntries = (drawing, part) => {
  const rows = make("div");
  rows.style.setProperty("--longest", Math.max(1, ...drawing.entries));
  drawing.entries.forEach((entry, row) => {
    const line = make("div", {class: "line"});
    for (let i = 0; i < entry; i++) line.append(part(`e${row}.${i}`, "stone"));
    if (entry === 0) line.append(empty());
    rows.append(line);
  });
  return rows;
};

const placeOn = (item, x, y, rows) => {
  item.style.gridColumn = x + 1;
  item.style.gridRow = rows - y;
  return item;
};

const emptyBoard = (columns, rows) => {
  const board = make("div", {class: "squares"});
  board.style.setProperty("--columns", columns);
  board.style.setProperty("--rows", rows);
  return board;
};

// Columns from the left, rows from below: the corner, where the queen can go no further, is at the
// lower left; `size`: two numbers of other rules, which may grow. `cold`: squares from which the player to move loses.
const drawBoard = (drawing, part, targets) => {
  const rows = drawing.size ?? drawing.y + 1;
  const board = emptyBoard(drawing.size ?? drawing.x + 1, rows);
  const place = (key, item) => {
    const [x, y] = key.slice(1).split(",").map(Number);
    board.append(placeOn(item, x, y, rows));
  };
  if (!drawing.size) place("c0,0", make("i", {class: "goal", title: "the goal"}));
  for (const key of drawing.cold ?? []) place(key, make("i", {class: "cold"}));
  for (const key of targets) place(key, part(key, "square"));
  const queen = make("i", {class: "queen", "data-part": "queen"}, drawing.size ? counterPicture() : queenPicture());
  board.append(placeOn(queen, drawing.x, drawing.y, rows));
  return make("div", {class: "scroll-x"}, board);
};

// The length of the longest path from each vertex to an end, so that edges lead to the right; null
// with cycles.
const levels = (count, edges) => {
  const level = Array(count).fill(0);
  for (let round = 0; round <= count; round++) {
    let changed = false;
    for (const [from, to] of edges) {
      if (level[from] <= level[to]) {
        level[from] = level[to] + 1;
        changed = true;
      }
    }
    if (!changed) return level;
  }
  return null;
};

const kStep = 84;

const onCircle = (count) => {
  const radius = Math.max(70, count * 14);
  return Array.from({length: count}, (_, i) => {
    const angle = (2 * Math.PI * i) / count - Math.PI / 2;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
};

const inLevels = (level) => {
  const places = [],
    height = new Map(),
    top = Math.max(...level);
  for (const of of level) height.set(of, (height.get(of) ?? 0) + 1);
  const used = new Map();
  level.forEach((of, i) => {
    const n = used.get(of) ?? 0;
    used.set(of, n + 1);
    // Levels are shifted in turn, so that edges across several do not meet the vertices between.
    const shift = height.get(of) % 2 === 1 && of % 2 === 1 ? 0.55 : 0;
    places[i] = [(top - of) * kStep * 1.25, (n - (height.get(of) - 1) / 2 + shift) * kStep * 0.8];
  });
  return places;
};

const kRadius = 20;

const edgePath = (a, b, bend) => {
  const dx = b[0] - a[0],
    dy = b[1] - a[1],
    length = Math.hypot(dx, dy) || 1;
  const mid = [(a[0] + b[0]) / 2 - (dy / length) * bend, (a[1] + b[1]) / 2 + (dx / length) * bend];
  const from = Math.hypot(mid[0] - a[0], mid[1] - a[1]),
    to = Math.hypot(mid[0] - b[0], mid[1] - b[1]);
  const start = a.map((v, i) => v + ((mid[i] - v) / from) * kRadius);
  const end = b.map((v, i) => v + ((mid[i] - v) / to) * (kRadius + 7));
  const number = (v) => v.toFixed(1);
  return `M${start.map(number)}Q${mid.map(number)} ${end.map(number)}`;
};

const loopPath = ([x, y]) =>
  `M${x - 10} ${y - 18}C${x - 30} ${y - 58} ${x + 30} ${y - 58} ${x + 12} ${y - 24}`;

const short = (name) => (name.length > 5 ? `${name.slice(0, 4)}…` : name);

let graphCount = 0;

const drawEdges = (drawing, places, level) => {
  const arrow = `arrow-${++graphCount}`;
  const marker = makeSvg(
    "marker",
    {
      id: arrow,
      viewBox: "0 0 8 8",
      refX: 1,
      refY: 4,
      markerWidth: 8,
      markerHeight: 8,
      markerUnits: "userSpaceOnUse",
      orient: "auto",
    },
    makeSvg("path", {d: "M0 0L8 4L0 8z"}),
  );
  const all = new Set(drawing.edges.map(([from, to]) => `${from}>${to}`));
  const paths = drawing.edges.map(([from, to]) => {
    const span = level === null ? 1 : level[from] - level[to];
    const away = level !== null && level[from] % 2 === 0 ? -18 : 18;
    const bend = all.has(`${to}>${from}`) ? 14 : span > 1 ? away * span : 0;
    return makeSvg("path", {
      class: from === drawing.at ? "edge here" : "edge",
      "marker-end": `url(#${arrow})`,
      d: from === to ? loopPath(places[from]) : edgePath(places[from], places[to], bend),
    });
  });
  return makeSvg("g", {"aria-hidden": "true"}, makeSvg("defs", {}, marker), ...paths);
};

// A drawing grows with the letters of the page, and is shrunk a little; narrower screens scroll.
const framed = (svg, left, top, width, height) => {
  const size = `${width / 16}rem`;
  svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
  svg.setAttribute("width", size);
  svg.setAttribute("height", `${height / 16}rem`);
  svg.style.setProperty("--width", size);
  return svg;
};

const drawGraph = (drawing, part) => {
  const count = drawing.vertices.length;
  const level = levels(count, drawing.edges);
  const places = level === null || Math.max(...level) === 0 ? onCircle(count) : inLevels(level);
  const xs = places.map((p) => p[0]),
    ys = places.map((p) => p[1]);
  const pad = drawing.edges.some(([from, to]) => from === to) ? 62 : 34;
  const left = Math.min(...xs) - pad,
    top = Math.min(...ys) - pad;
  const width = Math.max(...xs) - left + pad,
    height = Math.max(...ys) - top + pad;
  const svg = framed(makeSvg("svg", {class: "graph"}), left, top, width, height);
  svg.append(drawEdges(drawing, places, level));
  drawing.vertices.forEach((name, i) => {
    const node = part(`v${i}`, i === drawing.at ? "vertex at" : "vertex", true);
    const [cx, cy] = places[i];
    node.append(
      makeSvg("title", {text: name}),
      makeSvg("circle", {cx, cy, r: kRadius}),
      makeSvg("text", {x: cx, y: cy, dy: "0.35em", text: short(name)}),
    );
    svg.append(node);
  });
  const [cx, cy] = places[drawing.at];
  svg.append(makeSvg("circle", {class: "token", "data-part": "token", cx, cy, r: kRadius + 5}));
  return make("div", {class: "scroll-x"}, svg);
};

const shorten = (text) => (text.length > 120 ? `${text.slice(0, 100)}…${text.slice(-15)}` : text);
const drawText = (heap) => make("span", {class: "block", text: shorten(heap)});

// A heap "ooo_oxo": the cells of its rows, o (free) and x (taken). All are drawn as cells, and on
// those that are parts the part.
const drawCells = (heap, part, targets) => {
  const rows = heap.split("_");
  const board = emptyBoard(rows[0].length, rows.length);
  rows.forEach((row, fromTop) => {
    const y = rows.length - 1 - fromTop;
    [...row].forEach((cell, x) => {
      const name = cell === "x" ? "cell taken" : "cell";
      board.append(placeOn(make("i", {class: name}), x, y, rows.length));
      const key = `c${x},${y}`;
      if (targets.includes(key)) board.append(placeOn(part(key, "square"), x, y, rows.length));
    });
  });
  return make("div", {class: "scroll-x"}, board);
};

// A bar of chocolate; its first piece is poisoned.
const drawBar = (drawing, part, targets) => {
  const rows = drawing.entries.length;
  const board = emptyBoard(Math.max(1, ...drawing.entries), rows);
  drawing.entries.forEach((length, row) => {
    for (let x = 0; x < length; x++) {
      const key = `c${x},${rows - 1 - row}`;
      const name = x === 0 && row === 0 ? "piece-of-bar poison" : "piece-of-bar";
      const item = targets.includes(key) ? part(key, name) : plainPart(key, name);
      board.append(placeOn(item, x, rows - 1 - row, rows));
    }
  });
  return make("div", {class: "scroll-x"}, board);
};

// Coins on places 0, 1, 2, …
const drawStrip = (drawing, part) => {
  const strip = make("div", {class: "coin-strip"});
  for (let place = 0; place <= Math.max(...drawing.entries); place++) {
    const item = part(`p${place}`, drawing.entries.includes(place) ? "place coin" : "place");
    item.append(make("small", {text: place}));
    strip.append(item);
  }
  return make("div", {class: "scroll-x"}, strip);
};

// The way from a vertex to all others along edges of any direction, level by level.
const levelsFrom = (start, count, edges) => {
  const level = Array(count).fill(Infinity),
    parent = Array(count).fill(null);
  level[start] = 0;
  const queue = [start];
  for (const vertex of queue) {
    for (const [a, b] of edges) {
      const other = a === vertex ? b : b === vertex ? a : null;
      if (other === null || level[other] !== Infinity) continue;
      level[other] = level[vertex] + 1;
      parent[other] = vertex;
      queue.push(other);
    }
  }
  return {level, parent, queue};
};

// A picture that stands on the ground: leaves side by side, what carries them in their middle.
const onGround = (ground, count, edges) => {
  const {level, parent, queue} = levelsFrom(ground, count, edges);
  const children = Array.from({length: count}, () => []);
  for (const vertex of queue) if (parent[vertex] !== null) children[parent[vertex]].push(vertex);
  const x = Array(count).fill(0);
  let next = 0;
  const settle = (vertex) => {
    if (children[vertex].length === 0) return (x[vertex] = next++);
    const all = children[vertex].map(settle);
    return (x[vertex] = (Math.min(...all) + Math.max(...all)) / 2);
  };
  settle(ground);
  return x.map((at, v) => [at * 62, level[v] === Infinity ? 0 : -level[v] * 70]);
};

// Distances on the drawing like those along the edges: each vertex moves to where the others want
// it, again and again. The same graph is always drawn alike.
const byDistance = (count, edges) => {
  const far = Math.ceil(Math.sqrt(count)) + 1;
  const wanted = Array.from({length: count}, (_, v) =>
    levelsFrom(v, count, edges).level.map((d) => (d === Infinity ? far : d)),
  );
  const gap = (places, v, w) =>
    Math.hypot(places[v][0] - places[w][0], places[v][1] - places[w][1]);
  const settle = (start) => {
    let places = start;
    for (let round = 0; round < 100; round++) places = places.map((_, v) => pulled(places, v));
    let stress = 0;
    for (let v = 0; v < count; v++)
      for (let w = 0; w < v; w++) stress += (gap(places, v, w) / wanted[v][w] - 1) ** 2;
    return {places, stress};
  };
  const pulled = (places, v) => {
    const here = places[v];
    let sum = [0, 0],
      weights = 0;
    for (let w = 0; w < count; w++) {
      if (w === v) continue;
      const dx = here[0] - places[w][0],
        dy = here[1] - places[w][1],
        length = Math.hypot(dx, dy) || 1e-6,
        weight = wanted[v][w] ** -2;
      sum = [
        sum[0] + weight * (places[w][0] + (wanted[v][w] * dx) / length),
        sum[1] + weight * (places[w][1] + (wanted[v][w] * dy) / length),
      ];
      weights += weight;
    }
    return weights === 0 ? here : [sum[0] / weights, sum[1] / weights];
  };
  // From several circles, because a bad start leaves knots.
  const circle = onCircle(count).map(([x, y]) => [x / 40, y / 40]);
  const steps = [1, 2, 3, 5, 7].filter(
    (step) => step === 1 || (count < 25 && count % step !== 0),
  );
  const settled = steps.map((step) => settle(circle.map((_, v) => circle[(v * step) % count])));
  const best = settled.reduce((a, b) => (b.stress < a.stress - 1e-6 ? b : a));
  return best.places.map(([x, y]) => [x * 78, y * 78]);
};

const layouts = new Map(); // by vertices and edges

const layoutOf = ({vertices, edges, ground}) => {
  const key = JSON.stringify([vertices.length, edges, ground]);
  if (!layouts.has(key)) {
    if (layouts.size > 100) layouts.clear();
    const count = vertices.length;
    layouts.set(key, ground === null ? byDistance(count, edges) : onGround(ground, count, edges));
  }
  return layouts.get(key);
};

const loopSize = (nth) => 34 + 44 * nth;

// An edge without direction, `nth` of several between the same vertices: what is seen of it, and
// the area around it that can be pressed, the middle of whose box lies in it.
const linkPaths = (a, b, nth) => {
  if (a === b) {
    const [x, y] = a,
      size = loopSize(nth);
    const d = `M${x} ${y}C${x - size} ${y - size * 1.3} ${x + size} ${y - size * 1.3} ${x} ${y}`;
    return {seen: d, reach: d};
  }
  const dx = b[0] - a[0],
    dy = b[1] - a[1],
    length = Math.hypot(dx, dy) || 1;
  const aside = ([x, y], by) =>
    [x - (dy / length) * by, y + (dx / length) * by].map((v) => v.toFixed(1));
  const middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const round = Math.ceil(nth / 2),
    side = nth % 2 === 0 ? -1 : 1,
    bend = 56 * round * side;
  const seen = `M${aside(a, 0)}Q${aside(middle, bend)} ${aside(b, 0)}`;
  if (nth === 0)
    return {seen, reach: `M${aside(a, 12)}L${aside(b, 12)} ${aside(b, -12)} ${aside(a, -12)}z`};
  const inner = aside(middle, bend - side * 16 * (round + 1)),
    outer = aside(middle, bend + side * 24);
  return {seen, reach: `M${aside(a, 0)}Q${inner} ${aside(b, 0)}Q${outer} ${aside(a, 0)}z`};
};

// A graph without direction of which some is left.
const drawLinks = (drawing, part) => {
  const {vertices, edges, ground} = drawing;
  const all = layoutOf(drawing);
  if (drawing.vertices_left.length === 0) return empty();
  const svg = makeSvg("svg", {class: "graph links"});
  const footOf = (other) => (other === ground ? all[ground] : [all[other][0], all[ground][1]]);
  const placeOf = (vertex, other) => (vertex === ground ? footOf(other) : all[vertex]);
  const counts = new Map(); // of edges between the same vertices
  const points = drawing.vertices_left.map((v) => all[v]);
  for (const index of drawing.edges_left) {
    const [from, to] = edges[index];
    const pair = `${Math.min(from, to)}-${Math.max(from, to)}`,
      nth = counts.get(pair) ?? 0;
    counts.set(pair, nth + 1);
    const loop = from === to;
    const a = placeOf(from, to),
      b = loop ? a : placeOf(to, from);
    points.push(a, b);
    const size = loopSize(nth);
    if (loop) points.push([a[0] - size / 3, a[1] - size], [a[0] + size / 3, a[1]]);
    const {seen: line, reach} = linkPaths(a, b, nth);
    const node = part(`e${index}`, "link-edge", true);
    node.append(
      makeSvg("title", {text: `${vertices[from]}–${vertices[to]}`}),
      makeSvg("path", {class: "reach", d: reach}),
      makeSvg("path", {class: "seen", d: line}),
    );
    if (loop) svg.prepend(node); // around those before it
    else svg.append(node);
  }
  const r = ground === null ? kRadius : 7;
  for (const v of drawing.vertices_left) {
    if (v === ground) continue;
    const node = part(`v${v}`, "vertex", true);
    const [cx, cy] = all[v];
    node.append(makeSvg("title", {text: vertices[v]}), makeSvg("circle", {cx, cy, r}));
    if (ground === null)
      node.append(makeSvg("text", {x: cx, y: cy, dy: "0.35em", text: short(vertices[v])}));
    svg.append(node);
  }
  const xs = points.map((p) => p[0]),
    ys = points.map((p) => p[1]);
  const pad = ground === null ? 30 : 34;
  const left = Math.min(...xs) - pad,
    top = Math.min(...ys) - pad;
  const width = Math.max(...xs) - left + pad,
    height = Math.max(...ys) - top + (ground === null ? pad : 8);
  if (ground !== null) {
    const y = all[ground][1];
    svg.append(makeSvg("path", {class: "ground", d: `M${left + 4} ${y}H${left + width - 4}`}));
  }
  return make("div", {class: "scroll-x"}, framed(svg, left, top, width, height));
};

// `targets`: the squares or cells of a board that are parts.
export const draw = (drawing, heap, part = plainPart, targets = []) => {
  const kinds = {
    pile: () => drawPile(drawing, part),
    row: () => drawPins(drawing, part),
    split: () => drawSplit(drawing, part),
    board: () => drawBoard(drawing, part, targets),
    cookies: () => drawCookies(drawing, part),
    entries: () => drawEntries(drawing, part),
    cells: () => drawCells(heap, part, targets),
    graph: () => drawGraph(drawing, part),
    bar: () => drawBar(drawing, part, targets),
    strip: () => drawStrip(drawing, part),
    links: () => drawLinks(drawing, part),
  };
  const picture = (kinds[drawing.kind] ?? (() => drawText(heap)))();
  picture.classList.add("drawing", `kind-${drawing.kind}`);
  picture.classList.toggle("plain", part === plainPart);
  return picture;
};

// A pile with its ruleset and its heap; `more` stands beside them.
export const drawPiece = ({drawing, ruleset, heap}, ...more) =>
  make(
    "li",
    {class: "piece"},
    draw(drawing, heap),
    make(
      "span",
      {class: "caption"},
      make("span", {class: "pile-number", text: ruleset}),
      make("b", {class: "heap", text: heap}),
      ...more,
    ),
  );

const kSmall = {
  pile: {kind: "pile", count: 3},
  row: {kind: "row", count: 4},
  squares: {kind: "row", count: 4, squares: true},
  split: {kind: "split", count: 4},
  board: {kind: "board", x: 2, y: 2},
  cookies: {kind: "cookies", entries: [1, 2]},
  graph: {
    kind: "graph",
    vertices: ["a", "b", "c"],
    edges: [
      [0, 1],
      [0, 2],
      [1, 2],
    ],
    at: 0,
  },
  entries: {kind: "entries", entries: [2, 3]},
  cells: {kind: "cells"},
  bar: {kind: "bar", entries: [4, 4, 2]},
  strip: {kind: "strip", entries: [1, 3]},
  links: {
    kind: "links",
    vertices: ["a", "b", "c", "d"],
    edges: [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 1],
    ],
    vertices_left: [0, 1, 2, 3],
    edges_left: [0, 1, 2, 3],
    ground: null,
  },
};

const heaps = (count) =>
  makeSvg(
    "svg",
    {class: "heaps-picture", viewBox: `0 0 ${count * 18} 12`, "aria-hidden": "true"},
    ...Array.from({length: count}, (_, i) =>
      makeSvg("path", {d: `M${i * 18 + 1} 11q8-20 16 0z`}),
    ),
  );
const stones = (count) => make("span", {class: "taken"}, ...Array.from({length: count}, () => make("i", {class: "stone"})));

// The `code` of an octal or hexadecimal ruleset (/api/game): a column for each number taken,
// a row for each number of heaps that may be left.
export const drawCode = ({takes, goes_on}, ruleset) => {
  const cell = (isHead, ...content) =>
    make(isHead ? "th" : "td", isHead ? {scope: "col"} : {}, ...content);
  const more = (isHead) => (goes_on ? [cell(isHead, isHead ? "…" : "")] : []);
  const rows = [0, 1, 2, 3]
    .filter((left) => takes.some(({leaves}) => leaves.includes(left)))
    .map((left) =>
      make(
        "tr",
        {},
        make("th", {scope: "row"}, ["leave nothing", "one heap", "two heaps", "three heaps"][left], left > 0 ? heaps(left) : null),
        ...takes.map(({leaves}) => cell(false, leaves.includes(left) ? "●" : "")),
        ...more(false),
      ),
    );
  const heads = takes.map(({take}) => cell(true, String(take), stones(take)));
  return make(
    "div",
    {class: "scroll-x", tabindex: 0, role: "region", "aria-label": `${ruleset} as a picture`},
    make(
      "table",
      {class: "columns code-picture"},
      make("thead", {}, make("tr", {}, make("th", {scope: "row", text: "take"}), ...heads, ...more(true))),
      make("tbody", {}, ...rows),
    ),
  );
};

// A small picture of a kind of drawing, for lists.
export const drawSmall = (kind) => {
  const picture = draw(kSmall[kind] ?? {kind: "text"}, kind === "cells" ? "oo_oo" : "n");
  picture.classList.add("small");
  picture.setAttribute("aria-hidden", "true");
  return picture;
};
