/* The rules and the history of one Klotski board. */
import {STEPS} from "./sokoban.js";
const key = (row, col) => `${row},${col}`;
const BACK = {l: "r", r: "l", u: "d", d: "u"};

export class Klotski {
  constructor(problem) {
    this.start = problem;
    this.things = new Map();  // letter → corner
    this.shapes = new Map();
    this.walls = new Set();
    this.done = [];           // [letter, path]
    this.undone = [];
    this.before = null;
    const cells = new Map();
    problem.rows.forEach((text, row) => [...text].forEach((char, col) => {
      if (char === "#") this.walls.add(key(row, col));
      else if (char !== ".") cells.set(char, [...(cells.get(char) ?? []), [row, col]]);
    }));
    for (const [name, places] of cells) {
      const row = Math.min(...places.map((cell) => cell[0])), col = Math.min(...places.map((cell) => cell[1]));
      this.things.set(name, {row, col});
      this.shapes.set(name, places.map(([r, c]) => [r - row, c - col]));
    }
    this.readHead(problem.head ?? "");
  }

  readHead(head) {
    const values = Object.fromEntries(head.split("\n").filter(Boolean).map((line) => line.split(/:\s*(.*)/s)));
    const parts = (text) => (text ?? "").split(";").map((part) => part.trim()).filter(Boolean);
    this.places = parts(values.goal).map((part) => part.match(/^(\S)\s+(\d+)\s*,\s*(\d+)$/)).filter(Boolean)
      .map((match) => [match[1], Number(match[2]), Number(match[3])]);
    this.mask = values.mask ? values.mask.split("/") : [];
    this.ways = new Map(parts(values.moves).map((part) => part.split(/\s+/)).map(([name, ways]) => [name, ways === "-" ? "" : ways]));
    this.same = (values.same ?? "").split(/\s+/).filter(Boolean);
  }

  cells(name, row, col) { return this.shapes.get(name).map(([r, c]) => [r + row, c + col]); }

  cover(except) {
    const taken = new Map();
    for (const [name, at] of this.things)
      if (name !== except) for (const [row, col] of this.cells(name, at.row, at.col)) taken.set(key(row, col), name);
    return taken;
  }

  /* Every corner a piece can slide to now, with its path. */
  reach(name) {
    const taken = this.cover(name), height = this.start.rows.length, width = this.start.rows[0].length;
    const fits = (row, col) => this.cells(name, row, col).every(([r, c]) =>
      r >= 0 && c >= 0 && r < height && c < width && !this.walls.has(key(r, c)) && !taken.has(key(r, c)));
    const at = this.things.get(name), paths = new Map([[key(at.row, at.col), ""]]), queue = [[at.row, at.col]];
    for (const [row, col] of queue) for (const way of this.ways.get(name) ?? "udlr") {
      const to = [row + STEPS[way][0], col + STEPS[way][1]];
      if (!paths.has(key(...to)) && fits(...to)) {
        paths.set(key(...to), paths.get(key(row, col)) + way);
        queue.push(to);
      }
    }
    return paths;
  }

  get solved() {
    const taken = this.cover(null), group = (name) => this.same.find((letters) => letters.includes(name)) ?? name;
    const placed = this.places.every(([name, row, col]) => [...group(name)].some((other) => {
      const at = this.things.get(other);
      return at.row === row && at.col === col;
    }));
    return placed && this.mask.every((text, row) => [...text].every((char, col) => {
      const here = taken.get(key(row, col));
      return "?#".includes(char) || (char === "." ? !here : here && group(char).includes(here));
    }));
  }

  shift(name, path) {
    const at = this.things.get(name);
    return [...path].map((way) => {
      const [drow, dcol] = STEPS[way];
      at.row += drow;
      at.col += dcol;
      return [name, drow, dcol];
    });
  }

  slide(name, path) {
    const at = this.things.get(name);
    const end = [...path].reduce(([row, col], way) => [row + STEPS[way][0], col + STEPS[way][1]], [at?.row, at?.col]);
    if (!at || !path || !this.reach(name).has(key(...end))) return null;
    this.done.push([name, path]);
    return this.shift(name, path);
  }

  play(name, path) {
    const changes = this.slide(name, path);
    if (changes) { this.undone = []; this.before = null; }
    return changes;
  }

  restart() {
    const before = this.saved();
    while (this.undo());
    this.undone = [];
    this.before = before;
  }

  saved() {
    const text = (entries) => entries.map(([name, path]) => name + path).join(".");
    return {done: text(this.done), redo: text([...this.undone].reverse())};
  }

  restore({done, redo = ""}) {
    const parts = (text) => text.split(".").filter(Boolean).map((part) => [part[0], part.slice(1)]);
    for (const [name, path] of parts(done)) if (!this.slide(name, path)) return false;
    this.undone = parts(redo).reverse();
    return true;
  }

  undoGesture() { return this.done.length ? this.undo().map((change) => [change]) : null; }
  redoGesture() { return this.undone.length ? this.redo()?.map((change) => [change]) ?? null : null; }

  undo() {
    const last = this.done.pop();
    if (!last) return null;
    this.undone.push(last);
    return this.shift(last[0], [...last[1]].reverse().map((way) => BACK[way]));
  }

  redo() {
    const next = this.undone.pop();
    return next ? this.slide(...next) : null;
  }

  counts() {
    let slides = 0, units = 0, last = "";
    for (const [name, path] of this.done) {
      if (name !== last) slides++;
      units += path.length;
      last = name;
    }
    return [["slides", slides], ["units", units]];
  }

  plan() { return this.done.map(([name, path]) => `${name}${path}`).join("."); }

  problem() {
    const rows = this.start.rows.map((text) => [...text].map((char) => char === "#" ? "#" : "."));
    for (const [name, at] of this.things) for (const [row, col] of this.cells(name, at.row, at.col)) rows[row][col] = name;
    return {game: "klotski", head: this.start.head, title: this.start.title, rows: rows.map((row) => row.join(""))};
  }
}

/* A play such as `br.cr` as slides: [piece, from, to, step, path] each. */
export function slidesOf(problem, plan) {
  const game = new Klotski(problem), at = (name) => { const {row, col} = game.things.get(name); return `${row},${col}`; };
  return plan.split(".").filter(Boolean).map((part) => {
    const [name, path] = [part[0], part.slice(1)], from = at(name);
    game.slide(name, path);
    return [name, from, at(name), 0, path];
  });
}

/* The sides of the board that the one piece of a goal is brought to; none when there are several pieces or it ends inside. */
export function sidesOf(game) {
  if (game.places.length !== 1 || game.mask.length) return [];
  const [name, row, col] = game.places[0], {rows} = game.start, cells = game.shapes.get(name)?.map(([r, c]) => [r + row, c + col]) ?? [];
  const at = (axis, edge) => cells.some((cell) => cell[axis] === edge);
  return [at(0, 0) && "top", at(0, rows.length - 1) && "bottom", at(1, 0) && "left", at(1, rows[0].length - 1) && "right"].filter(Boolean);
}

/* What there is to do, in one line. */
export function task(game) {
  const [[name] = []] = game.places, sides = sidesOf(game);
  if (sides.length === 1) return `Bring ${name} to the exit at the ${sides[0]}.`;
  return game.places.length === 1 && !game.mask.length ? `Bring ${name} to the dashed outline.` : "Bring the pieces to the dashed outlines.";
}
