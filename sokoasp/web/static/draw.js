/* Draws levels and boards as sokoasp.render does. */
import {sidesOf} from "./klotski.js";
export const CELL = 48;
const MARGIN = 8, CUT = 34;
const key = (row, col) => `${row},${col}`;
const escape = (text) => text.replace(/[&<>"]/g, (char) => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[char]);
const centre = ([row, col]) => [col * CELL + 24, row * CELL + 24];

/* Path data around a set of [row, col] cells, `inset` units inside their border, corners rounded. */
export function outline(cells, inset = 0, radius = 0) {
  const members = new Set(cells.map(String)), leaving = new Map();
  const sorted = [...cells].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  for (const [row, col] of sorted) for (const [drow, dcol, begin, end] of [
    [-1, 0, [col, row], [col + 1, row]], [0, 1, [col + 1, row], [col + 1, row + 1]],
    [1, 0, [col + 1, row + 1], [col, row + 1]], [0, -1, [col, row + 1], [col, row]]]) {
    if (members.has(key(row + drow, col + dcol))) continue;
    const name = String(begin);
    if (leaving.has(name)) leaving.get(name).push(end); else leaving.set(name, [end]);
  }
  let data = "";
  while (leaving.size) data += rounded(corners(trace(leaving)), inset, radius);
  return data;
}

function trace(leaving) {
  const start = leaving.keys().next().value, loop = [start.split(",").map(Number)];
  let heading = [0, 0];
  do {
    const here = loop.at(-1), ends = leaving.get(String(here));
    const right = String([here[0] - heading[1], here[1] + heading[0]]);
    const at = ends.findIndex((end) => String(end) === right);
    const [after] = ends.splice(at < 0 ? ends.length - 1 : at, 1);
    if (!ends.length) leaving.delete(String(here));
    heading = [after[0] - here[0], after[1] - here[1]];
    loop.push(after);
  } while (String(loop.at(-1)) !== start);
  return loop.slice(0, -1);
}

function corners(loop) {
  return loop.filter((here, at) => {
    const before = loop.at(at - 1), after = loop[(at + 1) % loop.length];
    return before[0] + after[0] !== 2 * here[0] || before[1] + after[1] !== 2 * here[1];
  });
}

function rounded(loop, inset, radius) {
  const unit = (from, to) => [Math.sign(to[0] - from[0]), Math.sign(to[1] - from[1])];
  let data = "";
  loop.forEach(([x, y], at) => {
    const into = unit(loop.at(at - 1), [x, y]), out = unit([x, y], loop[(at + 1) % loop.length]);
    const px = x * CELL - (into[1] + out[1]) * inset, py = y * CELL + (into[0] + out[0]) * inset;
    data += `${data ? "L" : "M"}${px - into[0] * radius} ${py - into[1] * radius}`;
    if (radius) data += `Q${px} ${py} ${px + out[0] * radius} ${py + out[1] * radius}`;
  });
  return data + "Z";
}

/* The names of columns and rows as facts have them, c3 and r2, on the rim; shown where cells are named. */
function rim(top, left, bottom, right) {
  const text = (row, col, down, words) => `<text x="${col * CELL + (col === left ? 37 : 24)}" y="${row * CELL + down}">${words}</text>`, range = (low, high) => Array.from({length: high - low + 1}, (_, n) => low + n);
  return `<g class="rim" display="none">${range(left + 1, right - 1).map((col) => text(top, col, 39, `c${col + 1}`)).join("")}${range(top + 1, bottom - 1).map((row) => text(row, left, 29, `r${row + 1}`)).join("")}</g>`;
}

const HATCH = '<defs><pattern id="sk-hatch" width="10" height="10" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
  + '<path class="hatch" d="M5 0V10"/></pattern></defs>';

function frame(top, left, height, width, edge, title, description, body) {
  const x = left * CELL - edge, y = top * CELL - edge, w = width * CELL + 2 * edge, h = height * CELL + 2 * edge;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="sokoasp" role="img" viewBox="${x} ${y} ${w} ${h}" width="${w}" height="${h}">`
    + `<title>${escape(title)}</title><desc>${escape(description)}</desc>${HATCH}`
    + `<rect class="paper" x="${x}" y="${y}" width="${w}" height="${h}"/>${body}</svg>`;
}

const BOX = '<rect class="body" x="5" y="5" width="38" height="38" rx="6"/>'
  + '<path class="plank" d="M11 11H37V37H11ZM11 37L37 11"/>'
  + '<path class="tick" d="M14 25L21 32L34 17"/>';
const PLAYER = '<circle class="ring" cx="24" cy="24" r="21"/><circle class="body" cx="24" cy="24" r="17"/>'
  + '<g class="face"><circle class="eye" cx="18" cy="21" r="5"/><circle class="eye" cx="30" cy="21" r="5"/>'
  + '<circle class="pupil" cx="18" cy="21.5" r="2.2"/><circle class="pupil" cx="30" cy="21.5" r="2.2"/></g>';

export const shift = (row, col) => `translate(${col * CELL} ${row * CELL})`;

/* A level, its things with data-id b0, b1, … and p. Takes a Sokoban game at any position; `whole` leaves no wall out. */
export function level(game, whole = false) {
  const rows = game.start.rows, walls = [], floor = [], goals = [], idle = [];
  rows.forEach((text, row) => [...text].forEach((char, col) => {
    if (char === "#") walls.push([row, col]);
    else if (game.inside.has(key(row, col))) floor.push([row, col]);
    else if ("$*".includes(char)) idle.push([row, col]);
  }));
  for (const place of game.goals) goals.push(place.split(",").map(Number));
  const seen = [...walls, ...floor, ...idle], of = (axis) => seen.map((cell) => cell[axis]);
  const range = (values) => [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const [top, bottom] = range(of(0)), [left, right] = range(of(1));
  const tiles = floor.filter(([row, col]) => (row + col) % 2).map(([row, col]) => `M${col * CELL} ${row * CELL}h48v48h-48Z`).join("");
  const marks = goals.map(centre).map(([x, y]) =>
    `<circle class="goal" cx="${x}" cy="${y}" r="12"/><circle class="goal-dot" cx="${x}" cy="${y}" r="4"/>`).join("");
  const wall = outline(walls, 0, 9);
  const thing = (kind, id, {row, col}, drawn) => `<g class="${kind}${game.goals.has(key(row, col)) ? " on-goal" : ""}" data-id="${id}" transform="${shift(row, col)}">${drawn}</g>`;
  const things = [...game.things].filter(([id]) => id !== "p").map(([id, at]) => thing("box", id, at, BOX));
  const player = game.player ? thing("player", "p", game.player, PLAYER) : "";
  const body = `<path class="floor" d="${outline(floor)}"/><path class="tile" d="${tiles}"/>${marks}`
    + `<path class="wall-side" transform="translate(0 9)" d="${wall}"/><path class="wall" d="${wall}"/><path class="wall-line" d="${outline(walls, 5, 5)}"/>`
    + idle.map(([row, col]) => `<g class="box" transform="${shift(row, col)}">${BOX}</g>`).join("")
    + things.join("") + player + rim(top, left, bottom, right);
  const done = [...game.goals].filter((goal) => game.boxes.has(goal)).length;
  const edge = idle.length || whole ? MARGIN : MARGIN - CUT;  // of the walls around it a rim is enough
  return frame(top, left, bottom - top + 1, right - left + 1, edge, game.start.title || "Sokoban level",
    `${bottom - top + 1} rows, ${right - left + 1} columns, ${things.length} boxes, ${done} of ${goals.length} goals filled`, body);
}

/* A Klotski board, its pieces with their letters as data-id. */
export function pieces(game) {
  const rows = game.start.rows, height = rows.length, width = Math.max(...rows.map((row) => row.length)), floor = [];
  rows.forEach((text, row) => [...text].forEach((char, col) => { if (char !== "#") floor.push([row, col]); }));
  const wanted = game.places.map(([name, row, col]) => game.shapes.get(name)?.map(([r, c]) => [r + row, c + col]) ?? []);
  const covers = game.mask.flatMap((text, row) => [...text].flatMap((char, col) => "?#.".includes(char) ? [] : [[row, col]]));
  if (covers.length) wanted.push(covers);
  const named = new Set([...game.places.map(([name]) => name), ...game.mask.join("").replace(/[?#.]/g, "")]
    .flatMap((name) => [...(game.same.find((letters) => letters.includes(name)) ?? name)]));
  const body = `<rect class="frame" x="-24" y="-24" width="${(width + 1) * CELL}" height="${(height + 1) * CELL}" rx="14"/>`
    + `<path class="floor" d="${outline(floor, 0, 4)}"/>`
    + exit(sidesOf(game), wanted[0], height, width)
    + [...game.things].map(([name, at]) => piece(name, game.shapes.get(name), at, named.has(name))).join("")
    + wanted.map((cells) => `<path class="target" d="${outline(cells, 6, 8)}"/>`).join("");
  return frame(-1, -1, height + 2, width + 2, MARGIN - 20, game.start.title || "Klotski board",
    `${height} rows, ${width} columns, ${game.things.size} pieces: ${rows.join(" / ")}`, body);
}

/* A gap in the frame where the piece of the goal is brought to. */
function exit([side, ...others], cells, height, width) {
  if (!side || others.length) return "";
  const axis = side === "left" || side === "right" ? 0 : 1, at = cells.map((cell) => cell[axis]), low = Math.min(...at) * CELL, long = (Math.max(...at) + 1) * CELL - low;
  const far = {top: -24, left: -24, bottom: height * CELL, right: width * CELL}[side];
  return `<rect class="floor" ${axis ? `x="${low}" y="${far}" width="${long}" height="24"` : `x="${far}" y="${low}" width="24" height="${long}"`}/>`;
}

function piece(name, shape, at, goal) {
  const height = 1 + Math.max(...shape.map((cell) => cell[0])), width = 1 + Math.max(...shape.map((cell) => cell[1]));
  let row = height / 2, col = width / 2;
  const there = (r, c) => shape.some((cell) => cell[0] === Math.floor(r) && cell[1] === Math.floor(c));
  if (![row, row - .01].every((r) => [col, col - .01].every((c) => there(r, c)))) [row, col] = [shape[0][0] + .5, shape[0][1] + .5];
  const kind = goal ? "goal" : shape.length === 1 ? "unit" : shape.length !== height * width || height === width ? "other"
    : width > height ? "wide" : "tall";
  return `<g class="piece p-${kind}" data-id="${escape(name)}" transform="${shift(at.row, at.col)}"><path class="body" d="${outline(shape, 2, 7)}"/>`
    + `<path class="shine" d="${outline(shape, 5, 5)}"/><text x="${col * CELL}" y="${row * CELL + 7}">${escape(name)}</text></g>`;
}

export const picture = (game) => game.start.game === "klotski" ? pieces(game) : level(game);

/* The picture of a game as nodes. */
export function nodes(game, text = picture(game)) {
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}

/* The same without what stands once in a page, as large as there is room: for the editor and the list of levels. */
export function sketch(game, whole = false) {
  const svg = nodes(game, whole && !game.shapes ? level(game, true) : picture(game));
  svg.querySelectorAll("defs, title, desc, .rim").forEach((node) => node.remove());
  for (const name of ["width", "height", "role"]) svg.removeAttribute(name);
  svg.setAttribute("aria-hidden", "true");
  return svg;
}
