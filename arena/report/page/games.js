// The games of a player's page, move by move. Reads what the page holds in <script id="games">.
// arena/CMakeLists.txt joins this with dom.js, draw.js, words.js and tables.js to one
// script.

const start = (source) => {
  const data = JSON.parse(source.textContent);
  const root = byId("viewer");
  if (!data.games.length) return;

  // The piles before each move, and at the end.
  const positions = (game) => {
    const all = [game.piles];
    for (const [at, left] of game.moved) {
      const piles = all[all.length - 1].slice();
      piles.splice(at, 1, ...left);
      all.push(piles);
    }
    return all;
  };

  const select = make("select", {id: "game"},
    ...data.games.map((game, i) => make("option", {value: i, text: game.title})));
  const steps = [["|<", "start", () => 0], ["<", "back", (n) => n - 1], [">", "on", (n) => n + 1],
                 [">|", "end", () => Infinity], ["!", "next mistake", (n) => nextMistake(n)]];
  const buttons = steps.map(([text, title, to]) =>
    make("button", {type: "button", text, title, "aria-label": title, onclick: () => show(to(at))}));
  const status = make("p", {role: "status"}), told = make("p", {role: "status"});
  const board = make("ul", {class: "pieces still", "aria-label": "Piles"});
  // Where the page is served, a game can be played on: data-play is where.
  const player = document.documentElement.dataset.play;
  const further = player === undefined ? null :
    make("a", {text: "Play on from here against the perfect engine"});
  const list = make("ol", {class: "moves"});
  const order = (ply) => orderOf(game.moves[ply], game.words[ply]);
  const right = (ply) => orderOf(game.better[ply + 1], game.better_words[ply + 1]);
  root.append(
    make("div", {class: "choose"}, make("label", {for: "game", text: "Game"}), select, ...buttons, notationSwitch()),
    make("div", {}, status, board, told, further && make("p", {}, further)),
    make("div", {}, list));

  let game, pilesAt, at = 0;
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
    const move = over ? "" : game.moves[at], moved = over ? -1 : game.moved[at][0];
    board.replaceChildren(...pilesAt[at].map((number, index) => {
      const pile = data.piles[number];
      const known = pile.nimber && !game.misere;
      const piece = drawPiece(pile, known ? make("span", {class: "value", text: "*" + pile.nimber}) : null);
      if (index === moved) piece.classList.add(...(isMistake(at) ? ["moved", "mistake"] : ["moved"]));
      return piece;
    }));
    told.replaceChildren();
    if (over) {
      told.textContent = game.result;
    } else {
      const fault = game.by_arena[at + 1];
      told.append(fault ? `The arena moves for ${who}: ${order(at)}` : sentence(who, move, game.words[at]),
        notation(move), fault ? ": " : "");
      if (fault) told.append(make("span", {class: "bad", text: fault}));
      if (isMistake(at)) {
        const better = game.better[at + 1];
        told.append(make("span", {class: "bad", text: ": a mistake. "}),
          make("span", {class: "good", text: better ? `Right was: ${right(at)}.` : "A right move was not found in time."}));
      }
    }
    if (further) {
      further.href = address(game.moves.slice(0, at));
      further.hidden = over && game.over;
    }
    for (const item of list.querySelectorAll("[aria-current]")) item.removeAttribute("aria-current");
    const here = list.children[at];
    here.firstChild.setAttribute("aria-current", "step");
    list.scrollTop = Math.max(0, here.offsetTop - list.offsetTop - 80);
    [at === 0, at === 0, over, over, nextMistake(at) === at].forEach((off, i) => { buttons[i].disabled = off; });
  };

  const entry = (ply, attributes, ...parts) =>
    make("li", {}, make("button", {type: "button", onclick: () => show(ply), ...attributes}, ...parts));
  const moveEntry = (move, i) => entry(i, {class: isMistake(i) ? "mistake" : "", title: game.times[i]},
    `${i + 1}. ${sentence(game.players[i % 2], move, game.words[i])}`, notation(move),
    isMistake(i) && game.better[i + 1]
      ? make("em", {text: ` (right: ${right(i)}`}, notation(game.better[i + 1]), ")") : null,
    game.by_arena[i + 1] ? make("span", {class: "bad", text: ` (by the arena: ${game.by_arena[i + 1]})`}) : null);
  const open = (index) => {
    game = data.games[index];
    pilesAt = positions(game);
    list.replaceChildren(...game.moves.map(moveEntry), entry(game.moves.length, {}, game.result));
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
};

const source = byId("games");
if (source) start(source);
