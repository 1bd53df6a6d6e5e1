function cell(row, column) { return row.cells[column].textContent.trim(); }
function number(text) { const found = /^-?[\d.]+/.exec(text.replace(/,/g, "")); return found ? parseFloat(found[0]) : null; }
function compare(a, b) {
  const x = number(a), y = number(b);
  if (x !== null && y !== null && x !== y) return x - y;
  if ((x === null) !== (y === null)) return x === null ? 1 : -1;
  return a.localeCompare(b, undefined, { numeric: true });
}
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.textContent = head.textContent; head.replaceChildren(button);
    button.addEventListener("click", () => {
      const way = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", way === 1 ? "ascending" : "descending");
      body.append(...[...body.rows].sort((a, b) => way * compare(cell(a, column), cell(b, column))));
    });
  });
  body.addEventListener("click", ({target}) => {
    const log = target.closest("details, a") ? null : target.closest("tr").querySelector("details");
    if (log && !getSelection().toString()) log.open = !log.open;
  });
  const filter = table.parentElement.querySelector("input");
  if (filter) filter.addEventListener("input", () => {
    const word = filter.value.toLowerCase();
    for (const row of body.rows) row.hidden = !row.textContent.toLowerCase().includes(word);
  });
}
