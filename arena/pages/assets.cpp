#include "arena/pages/assets.hpp"

namespace arena::pages {

const std::string_view kStyle = R"css(
:root {
  --ground: #fbfaf7; --card: #ffffff; --ink: #1f2328; --soft: #656d76; --line: #dedbd2;
  --accent: #1f6f8b; --good: #2c7a3f; --bad: #b3261e; --bad-ground: #fbe9e7; --heap: #2f6f9f;
  --zebra: #f5f3ee;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #15181c; --card: #1d2126; --ink: #e4e6e8; --soft: #9aa3ad; --line: #343a41;
    --accent: #6cb8d6; --good: #6cc283; --bad: #ff8a80; --bad-ground: #3b1f1e; --heap: #7db7e0;
    --zebra: #22272d;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 80rem; background: var(--ground);
  color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif;
}
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p { margin: .4rem 0; max-width: 46rem; }
a { color: var(--accent); text-decoration: none; }
a:hover, a:focus { text-decoration: underline; }
.soft, figcaption, dd { color: var(--soft); }
.bad { color: var(--bad); } .good { color: var(--good); }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .6rem; text-align: right; white-space: nowrap; }
th { font-weight: 600; color: var(--soft); border-bottom: 1px solid var(--line); font-size: .85rem; white-space: normal; vertical-align: bottom; }
tbody tr:nth-child(even) { background: var(--zebra); }
td.name, th.name { text-align: left; max-width: 18rem; overflow: hidden; text-overflow: ellipsis; }
td.self { background: var(--line); }
.cross td, .cross th { padding: .3rem .45rem; }
.standings { font-size: 14px; } .standings td, .standings th { padding: .35rem .35rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .6rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .6rem .8rem; }
.card b { display: block; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.card span { color: var(--soft); font-size: .85rem; }
figure { margin: 0; max-width: 52rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .7rem; }
figure + figure { margin-top: .8rem; }
figcaption { font-size: .85rem; margin-bottom: .3rem; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--soft); font: 11px system-ui, "DejaVu Sans", sans-serif; }
svg .grid { stroke: var(--line); stroke-width: 1; }
svg .bar { fill: var(--heap); } svg .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.s0 { stroke: #3987c9; color: #3987c9; } .s1 { stroke: #d9822b; color: #d9822b; }
.s2 { stroke: #3fa45b; color: #3fa45b; } .s3 { stroke: #cc4b5a; color: #cc4b5a; }
.s4 { stroke: #8e6bc9; color: #8e6bc9; } .s5 { stroke: #9a7457; color: #9a7457; }
.s6 { stroke: #d46aae; color: #d46aae; } .s7 { stroke: #7f8a94; color: #7f8a94; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; font-size: .85rem; margin: .4rem 0 0; padding: 0; list-style: none; }
.legend i { display: inline-block; width: .8rem; height: .25rem; border-radius: 2px; background: currentColor; vertical-align: middle; margin-right: .35rem; }
.legend span { color: var(--ink); overflow-wrap: anywhere; }
details { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .5rem .8rem; margin: .5rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
pre { background: var(--zebra); padding: .5rem .7rem; border-radius: 6px; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; margin: .3rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem .9rem; margin: .4rem 0; }
dt { font-weight: 600; } dd { margin: 0; }
.viewer { display: grid; grid-template-columns: minmax(0, 1fr) 19rem; gap: .8rem; align-items: start; }
.viewer > * { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .8rem; min-width: 0; }
.viewer .choose { grid-column: 1 / -1; display: flex; gap: .6rem; flex-wrap: wrap; align-items: center; }
.viewer select { max-width: 100%; min-width: 0; flex: 1; font: inherit; padding: .3rem; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; }
.viewer button { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: .25rem .75rem; cursor: pointer; }
.viewer button:disabled { opacity: .4; cursor: default; }
.board { display: flex; flex-wrap: wrap; gap: .9rem; align-items: flex-end; min-height: 12rem; padding: .4rem 0; }
.component { display: flex; flex-wrap: wrap; gap: .5rem; align-items: flex-end; border-bottom: 2px solid var(--line); padding: 0 .3rem .3rem; max-width: 100%; }
.component > small { width: 100%; color: var(--soft); overflow-wrap: anywhere; order: 9; }
.heap { text-align: center; padding: .3rem; border-radius: 6px; border: 2px solid transparent; max-width: 100%; }
.heap.moved { border-color: var(--accent); } .heap.moved.mistake { border-color: var(--bad); }
.stones { display: grid; gap: 3px; justify-content: center; grid-auto-flow: column; grid-template-rows: repeat(10, 12px); direction: ltr; }
.stones i { width: 12px; height: 12px; border-radius: 50%; background: var(--heap); }
.rows { display: grid; gap: 3px; text-align: left; }
.rows div { display: flex; flex-wrap: wrap; gap: 3px; min-height: 12px; max-width: 16rem; }
.rows i { width: 10px; height: 10px; border-radius: 3px; background: var(--heap); }
.block { display: inline-block; min-width: 3rem; padding: .8rem .6rem; border-radius: 6px; background: var(--heap); color: var(--card); font-weight: 600; overflow-wrap: anywhere; }
.heap b { display: block; font-size: .9rem; overflow-wrap: anywhere; } .heap small { color: var(--soft); }
.moves { list-style: none; margin: 0; padding: 0; max-height: 28rem; overflow-y: auto; }
.moves li { padding: .15rem .4rem; border-radius: 4px; cursor: pointer; overflow-wrap: anywhere; }
.moves li.here { outline: 2px solid var(--accent); outline-offset: -2px; }
.moves li.mistake { background: var(--bad-ground); color: var(--bad); }
.moves li em { font-style: normal; color: var(--good); }
.note { border-left: 3px solid var(--accent); padding-left: .8rem; }
footer { margin-top: 3rem; color: var(--soft); font-size: .85rem; }
@media (max-width: 48rem) {
  .viewer { grid-template-columns: minmax(0, 1fr); } .viewer select { flex-basis: 100%; }
  body { padding: 1rem .6rem 3rem; } th, td { padding: .3rem .4rem; }
}
)css";

const std::string_view kViewer = R"js(
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("games").textContent);
  const root = document.getElementById("viewer");
  if (!data.games.length) return;

  const make = (parent, tag, text, name) => {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    if (name) node.className = name;
    parent.append(node);
    return node;
  };
  // At commas outside brackets.
  const split = (text) => {
    const parts = [];
    let depth = 0, part = "";
    for (const c of text) {
      if (c === "(") depth++;
      if (c === ")") depth--;
      if (c === "," && depth === 0) { parts.push(part); part = ""; } else part += c;
    }
    parts.push(part);
    return parts;
  };
  // The heaps before each move, and at the end: [{component, text}].
  const positions = (game) => {
    const all = [game.components.flatMap((c, i) => c.heaps.map((text) => ({component: i, text})))];
    for (const move of game.moves) {
      const heaps = all[all.length - 1].slice();
      const at = Number(move.slice(0, move.indexOf("="))) - 1;
      const component = heaps[at].component;
      const result = split(move.slice(move.indexOf("=") + 1));
      heaps.splice(at, 1, ...result.map((text) => ({component, text})));
      all.push(heaps);
    }
    return all;
  };

  const dots = (parent, count, name) => {
    const stones = make(parent, "div", undefined, name);
    for (let i = 0; i < count; i++) make(stones, "i");
    return stones;
  };
  const drawHeap = (parent, text) => {
    if (/^\d+$/.test(text) && text.length < 3 && Number(text) <= 60) {
      const stones = dots(parent, Number(text), "stones");
      stones.style.gridTemplateRows = `repeat(${Math.min(10, Number(text))}, 12px)`;
    } else if (/^\(\d+(,\d+)+\)$/.test(text) && split(text.slice(1, -1)).every((n) => n.length < 3)) {
      const rows = make(parent, "div", undefined, "rows");
      for (const entry of split(text.slice(1, -1))) dots(rows, Number(entry), "");
    } else {
      make(parent, "div", text, "block");
    }
  };

  const choose = make(root, "div", undefined, "choose");
  const select = make(choose, "select");
  select.setAttribute("aria-label", "game");
  data.games.forEach((game, i) => { make(select, "option", game.title).value = i; });
  const steps = [["|<", "start", () => 0], ["<", "back", (n) => n - 1], [">", "on", (n) => n + 1],
                 [">|", "end", () => Infinity], ["!", "next mistake", (n) => nextMistake(n)]];
  const buttons = steps.map(([text, title, to]) => {
    const button = make(choose, "button", text);
    button.title = title;
    button.setAttribute("aria-label", title);
    button.onclick = () => show(to(at));
    return button;
  });
  const left = make(root, "div"), right = make(root, "div");
  const status = make(left, "p"), board = make(left, "div", undefined, "board"), told = make(left, "p");
  const list = make(right, "ol", undefined, "moves");

  let game, heapsAt, at = 0;
  // What the arena moved for a player is no mistake of its.
  const isMistake = (ply) => !game.by_arena[ply + 1] && "xyuz".includes(game.letters[ply]);
  const nextMistake = (n) => {
    for (let i = n + 1; i < game.moves.length; i++) if (isMistake(i)) return i;
    return n;
  };
  const standing = (letter, who) => {
    if ("wWvxunN".includes(letter)) return who + " can win";
    if ("dDeyzf".includes(letter) && letter !== "") return "drawn with best play";
    return letter === "P" ? who + " has lost with best play" : "who wins is not known";
  };

  const show = (ply) => {
    at = Math.max(0, Math.min(ply, game.moves.length));
    const over = at === game.moves.length, letter = over ? game.end : game.letters[at];
    const who = game.players[at % 2];
    const value = letter === "D" && over ? "drawn with best play" : standing(letter, who);
    status.textContent = `Ply ${at} of ${game.moves.length}. ${who} to move: ${value}.` +
      (game.sums[at] === "" ? "" : ` Nimber of the sum: ${game.sums[at]}.`);
    const move = over ? "" : game.moves[at], moved = move === "" ? -1 : Number(move.split("=")[0]) - 1;
    board.replaceChildren();
    game.components.forEach((component, i) => {
      const box = make(board, "div", undefined, "component");
      make(box, "small", component.ruleset);
      heapsAt[at].forEach((heap, index) => {
        if (heap.component !== i) return;
        const name = "heap" + (index === moved ? " moved" + (isMistake(at) ? " mistake" : "") : "");
        const cell = make(box, "div", undefined, name);
        drawHeap(cell, heap.text);
        make(cell, "b", heap.text);
        const nimber = game.nimbers[i + ":" + heap.text];
        make(cell, "small", nimber === undefined ? "" : "*" + nimber);
      });
    });
    told.replaceChildren();
    if (over) {
      told.textContent = game.result;
    } else {
      const fault = game.by_arena[at + 1];
      make(told, "span", fault ? `The arena plays ${move} for ${who}: ` : `${who} plays ${move}`);
      if (fault) make(told, "span", fault, "bad");
      if (isMistake(at)) {
        make(told, "span", ": a mistake. ", "bad");
        const better = game.better[at + 1];
        make(told, "span", better ? `${better} was right.` : "A right move was not found in time.", "good");
      }
    }
    [...list.children].forEach((item, i) => item.classList.toggle("here", i === at));
    const here = list.children[at];
    if (here) list.scrollTop = Math.max(0, here.offsetTop - list.offsetTop - 80);
    [at === 0, at === 0, over, over, nextMistake(at) === at].forEach((off, i) => { buttons[i].disabled = off; });
  };

  const open = (index) => {
    game = data.games[index];
    heapsAt = positions(game);
    list.replaceChildren();
    game.moves.forEach((move, i) => {
      const item = make(list, "li", `${i + 1}. ${game.players[i % 2]}: ${move}`, isMistake(i) ? "mistake" : "");
      if (isMistake(i) && game.better[i + 1]) make(item, "em", ` (right: ${game.better[i + 1]})`);
      if (game.by_arena[i + 1]) make(item, "span", ` (by the arena: ${game.by_arena[i + 1]})`, "bad");
      if (game.times[i] !== undefined) item.title = game.times[i];
      item.onclick = () => show(i);
    });
    make(list, "li", game.result).onclick = () => show(game.moves.length);
    const first = game.moves.findIndex((_, i) => isMistake(i));
    show(first < 0 ? 0 : first);
  };
  select.onchange = () => open(Number(select.value));
  document.addEventListener("keydown", (event) => {
    if (event.target === select) return;
    if (event.key === "ArrowLeft") show(at - 1);
    if (event.key === "ArrowRight") show(at + 1);
  });
  open(0);
})();
)js";

}  // namespace arena::pages
