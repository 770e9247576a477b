// The page of pictures: values of a range of heaps, drawn by the server. The address holds what is
// shown: #rules=RULESET&range=RANGE&value=VALUE&picture=PICTURE&wrap=COLUMNS.
//
// Hooks for tests (stable): #caption what is shown; #picture with data-ready and data-address, and
// .heap in it; #told what the pointer is at; #game #ruleset #range #value #drawn #wrap; #refusal;
// #save-svg #save-csv; #values the table

import * as api from "./api.js";
import {byId, make} from "./dom.js";
import {showNav} from "./nav.js";
import {fields, newState, writeAddress} from "./state.js";

const kFirst = "#rules=kayles&range=0-199";
const kInputs = {rules: "ruleset", range: "range", value: "value", picture: "drawn", wrap: "wrap"};
const kUsual = {value: "nimbers", picture: "strip"};

let turn = 0;
let kept = []; // addresses of the files to save

const addressOfForm = () =>
  `#${Object.entries(kInputs)
    .map(([key, id]) => [key, byId(id).value.trim()])
    .filter(([key, text]) => text !== "" && text !== kUsual[key])
    .map(([key, text]) => `${key}=${encodeURIComponent(text)}`)
    .join("&")}`;

const fillForm = (hash) => {
  const found = fields(hash);
  for (const [key, id] of Object.entries(kInputs)) {
    byId(id).value = found.get(key) ?? kUsual[key] ?? "";
  }
  showGame();
};

// The choice of the game follows the text of the ruleset.
const showGame = () => {
  const text = byId("ruleset").value.trim();
  const known = [...byId("game").options].some(({value}) => value === text);
  byId("game").value = known ? text : "";
};

const wanted = () => {
  const [ruleset, range, value, picture, wrap] = Object.values(kInputs).map((id) =>
    byId(id).value.trim(),
  );
  const asked = {ruleset, value, picture};
  if (range !== "") asked.range = range;
  if (wrap !== "") asked.wrap = Number(wrap);
  return asked;
};

// The picture -------------------------------------------------------------------------------------

const heaps = () => [...byId("picture").querySelectorAll(".heap")];

const linkTo = (heap) => {
  const {before, after} = heap.ownerSVGElement.dataset;
  return `/${writeAddress({...newState(), position: before + heap.dataset.heap + after})}`;
};

const captionOf = ({title, columns, period}) => {
  const row = columns > 0 ? `, ${columns} in a row` : "";
  const late = heaps().some(({dataset}) => dataset.value === "?") ? "; “?” was not found in time" : "";
  return `${title}${row}${period > 0 ? `; the nimbers have period ${period}` : ""}${late}`;
};

const keep = (id, text, type, name) => {
  const address = URL.createObjectURL(new Blob([text], {type}));
  kept.push(address);
  byId(id).href = address;
  byId(id).download = name;
};

const show = (answer) => {
  const svg = new DOMParser().parseFromString(answer.svg, "image/svg+xml").documentElement;
  // It grows with the text of the page, and shrinks a little before it has to be scrolled.
  const width = Number(svg.getAttribute("width")) / 16;
  svg.setAttribute("width", `${width}rem`);
  svg.removeAttribute("height");
  svg.style.minWidth = `${0.75 * width}rem`;
  byId("picture").replaceChildren(svg);
  byId("picture").setAttribute("aria-label", answer.title);
  byId("caption").textContent = captionOf(answer);
  byId("range").value = answer.range;
  const name = answer.title.replace(/[^\w-]+/g, "-").toLowerCase();
  kept.forEach((address) => URL.revokeObjectURL(address));
  kept = [];
  keep("save-svg", answer.svg, "image/svg+xml", `${name}.svg`);
  keep("save-csv", answer.csv, "text/csv", `${name}.csv`);
  tellHeap(null);
  fillTable();
};

const tellHeap = (heap) => {
  byId("told").textContent = heap?.querySelector("title").textContent ?? "";
};

const fillTable = () => {
  const rows = byId("values").open ? heaps() : [];
  const cell = (text) => make("td", {text});
  byId("values-table").replaceChildren(
    make(
      "table",
      {class: "columns"},
      make("thead", {}, make("tr", {}, ...["Heap", "Value", "Winning moves leave"].map((text) => make("th", {scope: "col", text})))),
      make(
        "tbody",
        {},
        ...rows.map((heap) =>
          make(
            "tr",
            {},
            make("th", {scope: "row"}, make("a", {href: linkTo(heap), text: heap.dataset.heap})),
            cell(heap.dataset.value),
            cell(heap.dataset.moves),
          ),
        ),
      ),
    ),
  );
};

// The flow: form -> address -> picture ------------------------------------------------------------

const load = async () => {
  const mine = ++turn;
  const isReady = (ready) => {
    byId("picture").dataset.ready = ready;
  };
  isReady(false);
  byId("picture").dataset.address = location.hash;
  fillForm(location.hash === "" ? kFirst : location.hash);
  let answer = null;
  let refusal = "";
  try {
    answer = await api.patiently(api.explore(wanted()), (text) => {
      byId("caption").textContent = text;
    });
  } catch (error) {
    if (!(error instanceof api.ApiError)) throw error;
    refusal = error.message;
  }
  if (mine !== turn) return;
  byId("refusal").textContent = refusal;
  if (answer !== null) show(answer);
  else byId("caption").textContent = "No picture";
  isReady(true);
};

const draw = () => {
  const address = addressOfForm();
  if (address === location.hash) return void load();
  location.hash = address;
};

// Without the server's list, a ruleset can still be typed.
const offerGames = async () => {
  showNav();
  const site = await api.site().catch(() => ({rulesets: []}));
  showNav(site);
  byId("game").append(
    ...site.rulesets.map(({ruleset, title}) => make("option", {value: ruleset, text: title})),
  );
  showGame();
};

const wire = () => {
  byId("wanted").addEventListener("submit", (event) => {
    event.preventDefault();
    draw();
  });
  byId("game").addEventListener("change", () => {
    if (byId("game").value === "") return byId("ruleset").focus();
    byId("ruleset").value = byId("game").value;
    byId("range").value = byId("wrap").value = "";
    byId("drawn").value = kUsual.picture;
    return draw();
  });
  byId("ruleset").addEventListener("change", showGame);
  for (const id of ["value", "drawn", "wrap"]) byId(id).addEventListener("change", draw);
  const heapAt = (event) => event.target.closest(".heap");
  byId("picture").addEventListener("pointerover", (event) => tellHeap(heapAt(event)));
  byId("picture").addEventListener("click", (event) => {
    const heap = heapAt(event);
    if (heap !== null) location.href = linkTo(heap);
  });
  byId("values").addEventListener("toggle", fillTable);
  addEventListener("hashchange", load);
};

wire();
offerGames();
load();
