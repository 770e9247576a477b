// A click on the head of a column sorts its table; another one turns it round. Cells are in the
// order of their names, or of the first number in them, or of the one in `data-sort`.
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
    const text = (row) => row.cells[column].dataset.sort ?? row.cells[column].textContent;
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
