/* The editor: levels drawn by mouse, touch or keyboard, checked while one draws. */
import {ask, follow} from "./api.js";
import {element} from "./board.js";
import {sketch} from "./draw.js";
import {Drawing, room} from "./drawing.js";
import {constant} from "./facts.js";
import {begin, choose, openCollection} from "./game.js";
import {$, announce, attempt, button, on, page, say, notify} from "./page.js";
import {Sokoban} from "./sokoban.js";
import {count} from "./solve.js";

const CELL = 48;
const TOOLS = [["#", "Wall"], [" ", "Floor"], ["$", "Box"], [".", "Goal"], ["@", "Player"]];
const NAMES = {"#": "wall", " ": "floor", "$": "box", "*": "box on a goal", ".": "goal", "@": "player", "+": "player on a goal"};
let drawing = null, tool = "#", stroke = null, cursor = [0, 0], asking = null, timer = 0;

export function edit(problem = page.problem) {
  notify("leave");
  drawing = problem.game === "sokoban" ? new Drawing(problem.rows, problem.title ?? "") : new Drawing(room(8, 10));
  show();
}

function show() {
  page.editing = true;
  document.body.dataset.edit = "yes";
  document.body.dataset.drawer = "shut";
  $("editor").hidden = false;
  $("edit").setAttribute("aria-pressed", "true");
  $("edit-title").value = drawing.title;
  tools();
  refresh();
  $("grid").focus();
}

function hide() {
  clearTimeout(timer);
  asking?.abort();
  page.editing = false;
  document.body.dataset.edit = "no";
  $("editor").hidden = true;
  $("edit").setAttribute("aria-pressed", "false");
}

function tools() {
  $("tools").replaceChildren(...TOOLS.map(([name, words]) => {
    const node = button(words, () => { tool = name; tools(); }, {"aria-pressed": String(name === tool), class: "tool"});
    node.dataset.tool = name;
    return node;
  }));
}

function refresh() {
  const {height, width} = drawing, svg = drawn();
  svg.append(element("rect", {class: "m-note", x: cursor[1] * CELL + 2, y: cursor[0] * CELL + 2, width: 44, height: 44, rx: 6}));
  $("grid").replaceChildren(svg);
  $("edit-height").value = height;
  $("edit-width").value = width;
  $("edit-undo").disabled = !drawing.past.length;
  $("edit-redo").disabled = !drawing.future.length;
  check();
}

/* The drawing as it is played, with the lines of its cells. */
function drawn() {
  const {rows, height, width} = drawing, open = rows.flatMap((text, row) => [...text].flatMap((char, col) => char === "#" ? [] : [`${row},${col}`]));
  const svg = sketch(new Sokoban({rows}, new Set(open)), true);
  const lines = Array.from({length: height - 1}, (_, row) => `M0 ${(row + 1) * CELL}h${width * CELL}`)
    .concat(Array.from({length: width - 1}, (_, col) => `M${(col + 1) * CELL} 0v${height * CELL}`));
  svg.querySelector(".wall-line").after(element("path", {class: "lines", d: lines.join("")}));
  return svg;
}

/* What is wrong is said at once; then deadlocks are looked for, a solution and the optimum. */
function check() {
  clearTimeout(timer);
  asking?.abort();
  const faults = drawing.faults(), problem = drawing.problem(), control = asking = new AbortController();
  $("edit-check").textContent = faults.join(" ") || "Complete. Looking whether it can be solved …";
  $("edit-check").dataset.state = faults.length ? "bad" : "busy";
  for (const id of ["edit-play", "edit-save"]) $(id).disabled = faults.length > 0;
  if (faults.length) return;
  timer = setTimeout(async () => {
    const judge = (words, state) => { if (!control.signal.aborted) { $("edit-check").textContent = words; $("edit-check").dataset.state = state; } };
    try {
      const found = await ask("why", {problem}, control.signal);
      if (found.verdict === "dead") return judge(`No solution: ${found.reason}`, "bad");
      const known = [];
      await follow("truth", {problem}, control.signal, (event) => {
        if (event.event === "error") return judge(event.sentence, "bad");
        if (event.event !== "truth") return;
        if (event.status === "unsolvable") return judge("No solution exists (proved).", "bad");
        known.push(event.status === "optimal" ? count(event.value, event.objective) : `${event.objective} not decided, at least ${event.lower_bound}`);
        judge(`Solvable, optimum: ${known.join(", ")}.`, "good");
      });
    } catch (error) { judge(error.message, "bad"); }
  }, 500);
}

/* ---- drawing ---- */

function cellOf(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform($("grid").firstChild.getScreenCTM().inverse());
  return [Math.floor(at.y / CELL), Math.floor(at.x / CELL)];
}

function paint([row, col], first = null) {
  const char = drawing.stroke(row, col, tool, first);
  if (drawing.paint(row, col, char)) refresh();
  return char;
}

$("grid").addEventListener("pointerdown", (event) => {
  if (event.button > 0) return;
  event.preventDefault();
  $("grid").focus();
  cursor = cellOf(event);
  stroke = {char: paint(cursor), last: String(cursor)};
  $("grid").setPointerCapture(event.pointerId);
});
$("grid").addEventListener("pointermove", (event) => {
  if (!stroke || tool === "@") return;
  const at = cellOf(event);
  if (String(at) === stroke.last) return;
  stroke.last = String(at);
  paint(at, stroke.char);
});
for (const name of ["pointerup", "pointercancel"]) $("grid").addEventListener(name, () => { stroke = null; });

const WAYS = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
$("grid").addEventListener("keydown", (event) => {
  const way = WAYS[event.key];
  if (way) {
    event.preventDefault();
    cursor = [Math.max(0, Math.min(drawing.height - 1, cursor[0] + way[0])), Math.max(0, Math.min(drawing.width - 1, cursor[1] + way[1]))];
    refresh();
    const char = drawing.rows[cursor[0]][cursor[1]];
    return announce(`${constant(cursor)}: ${NAMES[char] ?? char}.`);
  }
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") { event.preventDefault(); return back(event.shiftKey); }
  if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) { if (event.key === "Enter") paint(cursor); return undefined; }
  if (!/[# $.@]/.test(event.key)) return undefined;
  event.preventDefault();
  tool = event.key;
  tools();
  return paint(cursor);
});

function back(forth = false) {
  if (forth) drawing.redo(); else drawing.undo();
  refresh();
}

/* ---- what can be done with it ---- */

/* An empty drawing, with nothing of the one before. */
function blank() {
  drawing = new Drawing(room(8, 10));
  cursor = [0, 0];
  show();
}

function titled() {
  drawing.title = $("edit-title").value.trim();
  return drawing.problem();
}

function save() {
  const mine = page.opened.name === "My levels" ? page.opened : {name: "My levels", problems: page.mine ?? [], more: 0};
  const problem = titled(), same = mine.problems.findIndex((entry) => problem.title && entry.title === problem.title);
  const at = same < 0 ? mine.problems.length : same;
  mine.problems[at] = {...problem, number: at + 1, warnings: []};
  hide();
  openCollection(mine, at);
  say(`Saved as level ${at + 1} of My levels.`);
}

const ACTS = {
  "edit-undo": () => back(), "edit-redo": () => back(true),
  "edit-new": blank,
  "edit-play": () => { const problem = titled(); hide(); begin(problem, {fresh: true}); say("Testing. Edit goes back to the drawing.", "", button("Back to the drawing", show)); },
  "edit-save": save,
  "edit-leave": () => { hide(); choose(page.at); },
};
for (const [id, act] of Object.entries(ACTS)) $(id).addEventListener("click", () => attempt(act));
for (const id of ["edit-height", "edit-width"]) $(id).addEventListener("change", () => { drawing.resize(Number($("edit-height").value), Number($("edit-width").value)); refresh(); });
$("edit").addEventListener("click", () => page.editing ? ACTS["edit-leave"]() : edit());
on("opened", () => { if (page.opened.name === "My levels") page.mine = page.opened.problems; });
