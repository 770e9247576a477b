"use strict";
// A click on the head of a column sorts its table; another one turns it round.
(() => {
  const number = (text) => {
    const found = text.replace("½", ".5").match(/[-+]?(\d+\.?\d*|\.\d+)/);
    return found ? Number(found[0]) : -Infinity;
  };
  const sort = (table, head, column) => {
    const isName = head.classList.contains("name");
    const rises = isName || head.textContent === "#";
    const before = head.getAttribute("aria-sort");
    const up = before ? before === "descending" : rises;
    const text = (row) => row.cells[column].textContent;
    const order = isName ? (a, b) => text(a).localeCompare(text(b))
      : (a, b) => number(text(a)) - number(text(b)) || 0;
    const rows = [...table.tBodies[0].rows].sort((a, b) => up ? order(a, b) : order(b, a));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    table.tBodies[0].append(...rows);
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (head.classList.contains("list")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.onclick = () => sort(table, head, column);
      head.append(button);
    });
  }
})();
// Where a chart has more lines than colours, the reader chooses which are shown.
(() => {
  for (const chart of document.querySelectorAll("figure.lines")) {
    const lines = chart.querySelectorAll(".line");
    if (!chart.querySelector(".line.off")) continue;
    chart.classList.add("choosable");
    chart.querySelectorAll(".legend li").forEach((item, i) => {
      const box = document.createElement("input"), label = document.createElement("label");
      box.type = "checkbox";
      box.checked = !item.classList.contains("off");
      box.onchange = () => {
        for (const node of [item, lines[i]]) node.classList.toggle("off", !box.checked);
      };
      label.append(box, ...item.childNodes);
      item.append(label);
    });
  }
})();
(() => {
  const source = document.getElementById("games");
  if (!source) return;
  const data = JSON.parse(source.textContent);
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
  make(choose, "label", "Game").htmlFor = "game";
  const select = make(choose, "select");
  select.id = "game";
  data.games.forEach((game, i) => { make(select, "option", game.title).value = i; });
  const steps = [["|<", "start", () => 0], ["<", "back", (n) => n - 1], [">", "on", (n) => n + 1],
                 [">|", "end", () => Infinity], ["!", "next mistake", (n) => nextMistake(n)]];
  const buttons = steps.map(([text, title, to]) => {
    const button = make(choose, "button", text);
    button.type = "button";
    button.title = title;
    button.setAttribute("aria-label", title);
    button.onclick = () => show(to(at));
    return button;
  });
  const left = make(root, "div"), right = make(root, "div");
  const status = make(left, "p"), board = make(left, "div", undefined, "board"), told = make(left, "p");
  status.setAttribute("role", "status");
  told.setAttribute("role", "status");
  // Where the page is served, a game can be played on: data-play is where.
  const player = document.documentElement.dataset.play;
  const further = player === undefined ? null :
    make(make(left, "p"), "a", "Play on from here against the perfect engine");
  const list = make(right, "ol", undefined, "moves");

  let game, heapsAt, at = 0;
  // What the arena moved for a player is no mistake of its.
  const isMistake = (ply) => !game.by_arena[ply + 1] && "xyuz".includes(game.letters[ply]);
  const nextMistake = (n) => {
    for (let i = n + 1; i < game.moves.length; i++) if (isMistake(i)) return i;
    return n;
  };
  const standing = (letter, who, nimber) => {
    if (letter === "?" && /^\d+$/.test(nimber)) letter = nimber === "0" ? "P" : "N";
    if ("wWvxunN".includes(letter)) return who + " can win";
    if ("dDeyzf".includes(letter) && letter !== "") return "drawn with best play";
    return letter === "P" ? who + " has lost with best play" : "who wins is not known";
  };

  // The visitor is the player to move: "second" lets the engine have the first player.
  const address = (moves) => `${player}#p=${encodeURIComponent(game.start)}` +
    `&m=${moves.map(encodeURIComponent).join(";")}&o=perfect${moves.length % 2 ? ",second" : ""}`;

  const show = (ply) => {
    at = Math.max(0, Math.min(ply, game.moves.length));
    const over = at === game.moves.length, letter = over ? game.end : game.letters[at];
    const who = game.players[at % 2];
    const value = letter === "D" && over ? "drawn with best play" : standing(letter, who, game.sums[at]);
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
    if (further) {
      further.href = address(game.moves.slice(0, at));
      further.hidden = over && game.over;
    }
    for (const item of list.querySelectorAll("[aria-current]")) item.removeAttribute("aria-current");
    list.children[at].firstChild.setAttribute("aria-current", "step");
    const here = list.children[at];
    list.scrollTop = Math.max(0, here.offsetTop - list.offsetTop - 80);
    [at === 0, at === 0, over, over, nextMistake(at) === at].forEach((off, i) => { buttons[i].disabled = off; });
  };

  const entry = (ply, text, name) => {
    const button = make(make(list, "li"), "button", text, name);
    button.type = "button";
    button.onclick = () => show(ply);
    return button;
  };
  const open = (index) => {
    game = data.games[index];
    heapsAt = positions(game);
    list.replaceChildren();
    game.moves.forEach((move, i) => {
      const item = entry(i, `${i + 1}. ${game.players[i % 2]}: ${move}`, isMistake(i) ? "mistake" : "");
      if (isMistake(i) && game.better[i + 1]) make(item, "em", ` (right: ${game.better[i + 1]})`);
      if (game.by_arena[i + 1]) make(item, "span", ` (by the arena: ${game.by_arena[i + 1]})`, "bad");
      if (game.times[i] !== undefined) item.title = game.times[i];
    });
    entry(game.moves.length, game.result, "");
    const mistakes = [...game.moves.keys()].filter(isMistake);
    show(mistakes.find((i) => i % 2 === game.seat) ?? mistakes[0] ?? 0);
  };
  select.onchange = () => open(Number(select.value));
  // "#game-KEY" is the address of a game.
  const openAddressed = () => {
    const index = data.games.findIndex((one) => location.hash === "#game-" + one.key);
    if (index < 0) return;
    select.value = index;
    open(index);
    root.scrollIntoView();
  };
  addEventListener("hashchange", openAddressed);
  document.addEventListener("keydown", (event) => {
    if (event.target === select || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowLeft") show(at - 1);
    if (event.key === "ArrowRight") show(at + 1);
  });
  select.value = data.first;
  open(data.first);
  openAddressed();
})();
