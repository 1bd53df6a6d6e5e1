/* The rules and the history of one Sokoban level. */
export const STEPS = {l: [0, -1], r: [0, 1], u: [-1, 0], d: [1, 0]};
/* Cells by their names, row by row. */
export const cellsOf = (names) => [...names].map((name) => name.split(",").map(Number)).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
const key = (row, col) => `${row},${col}`;

export class Sokoban {
  constructor(problem, inside = floor(problem.rows)) {
    this.start = problem;
    this.walls = new Set();
    this.goals = new Set();
    this.things = new Map();
    this.boxes = new Map();   // place → id
    this.done = [];           // [letter, id of the pushed box or null, number of the gesture]
    this.undone = [];         // [letter, number of the gesture]
    this.gesture = 0;
    this.before = null;       // what a restart threw away: saved history
    let boxes = 0;
    problem.rows.forEach((text, row) => [...text].forEach((char, col) => {
      if (char === "#") this.walls.add(key(row, col));
      if (!inside.has(key(row, col))) return;
      if (".+*".includes(char)) this.goals.add(key(row, col));
      if ("@+".includes(char)) this.things.set("p", {row, col});
      if ("$*".includes(char)) {
        this.things.set(`b${boxes}`, {row, col});
        this.boxes.set(key(row, col), `b${boxes++}`);
      }
    }));
    this.inside = inside;
  }

  get player() { return this.things.get("p"); }
  free(row, col) { return this.inside.has(key(row, col)) && !this.boxes.has(key(row, col)); }
  boxAt(row, col) { return this.boxes.get(key(row, col)) ?? null; }
  onGoal(id) { const at = this.things.get(id); return this.goals.has(key(at.row, at.col)); }
  get solved() { return [...this.goals].every((goal) => this.boxes.has(goal)); }
  get height() { return this.start.rows.length; }
  get width() { return Math.max(...this.start.rows.map((row) => row.length)); }
  get goalsFilled() { return [...this.goals].filter((goal) => this.boxes.has(goal)).length; }

  shift(id, drow, dcol) {
    const at = this.things.get(id);
    if (id !== "p") this.boxes.delete(key(at.row, at.col));
    at.row += drow;
    at.col += dcol;
    if (id !== "p") this.boxes.set(key(at.row, at.col), id);
    return [id, drow, dcol];
  }

  /* One move; returns what it displaces, null if it is not possible. */
  move(letter) {
    const [drow, dcol] = STEPS[letter.toLowerCase()];
    const row = this.player.row + drow, col = this.player.col + dcol;
    const box = this.boxAt(row, col);
    if (box ? !this.free(row + drow, col + dcol) : !this.free(row, col)) return null;
    const changes = box ? [this.shift(box, drow, dcol)] : [];
    changes.push(this.shift("p", drow, dcol));
    this.done.push([letter.toLowerCase(), box, this.gesture]);
    return changes;
  }

  /* A player's own move: what was undone is forgotten. */
  play(letter) {
    const changes = this.move(letter);
    if (changes) { this.undone = []; this.before = null; }
    return changes;
  }

  /* Back to the start; undo brings everything back. */
  restart() {
    const before = this.saved();
    while (this.undo());
    this.undone = [];
    this.before = before;
  }

  /* History as texts of moves, gestures parted by points: what is done, and what redo would do. */
  saved() {
    const text = (entries) => entries.map(([letter, gesture], at) =>
      (at && gesture !== entries[at - 1][1] ? "." : "") + letter).join("");
    const letters = this.plan();
    const done = text(this.done.map(([, , gesture], at) => [letters[at], gesture]));
    return {done, redo: text([...this.undone].reverse())};
  }

  /* Plays a saved history as far as it is possible; says whether all of it was. */
  restore({done, redo = ""}) {
    for (const part of done.split(".")) {
      this.gesture++;
      for (const letter of part) if (!/[lurd]/i.test(letter) || !this.move(letter)) return false;
    }
    const undone = redo.split(".").flatMap((part) => { this.gesture++; return [...part].map((letter) => [letter, this.gesture]); });
    this.undone = undone.reverse();
    return true;
  }

  /* The part of the history that undo takes back at once: [changes of a move, …]; null if there is nothing. */
  undoGesture() {
    if (!this.done.length) return null;
    const gesture = this.done.at(-1)[2], moves = [];
    while (this.done.at(-1)?.[2] === gesture) moves.push(this.undo());
    return moves;
  }

  redoGesture() {
    if (!this.undone.length) return null;
    const gesture = this.undone.at(-1)[1], moves = [];
    while (this.undone.at(-1)?.[1] === gesture) moves.push(this.redo());
    return moves;
  }

  undo() {
    const last = this.done.pop();
    if (!last) return null;
    this.undone.push([this.written(last), last[2]]);
    const [drow, dcol] = STEPS[last[0]];
    const changes = [this.shift("p", -drow, -dcol)];
    if (last[1]) changes.push(this.shift(last[1], -drow, -dcol));
    return changes;
  }

  redo() {
    const next = this.undone.pop();
    if (!next) return null;
    this.gesture = next[1];
    return this.move(next[0]);
  }

  /* Cells the player can walk to. */
  region() {
    const seen = new Set([key(this.player.row, this.player.col)]);
    const queue = [[this.player.row, this.player.col]];
    for (const [row, col] of queue) for (const [drow, dcol] of Object.values(STEPS)) {
      const name = key(row + drow, col + dcol);
      if (!seen.has(name) && this.free(row + drow, col + dcol)) {
        seen.add(name);
        queue.push([row + drow, col + dcol]);
      }
    }
    return seen;
  }

  counts() {
    let lines = 0, pushes = 0, last = "";
    for (const [letter, box] of this.done) {
      const now = box ? box + letter : "";
      if (box) pushes++;
      if (now && now !== last) lines++;
      last = now;
    }
    return [["lines", lines], ["pushes", pushes], ["moves", this.done.length]];
  }

  written([letter, box]) { return box ? letter.toUpperCase() : letter; }
  plan() { return this.done.map((entry) => this.written(entry)).join(""); }

  problem() {
    const rows = this.start.rows.map((text, row) => [...text].map((char, col) => {
      if (!this.inside.has(key(row, col))) return char;
      const goal = this.goals.has(key(row, col));
      if (this.boxes.has(key(row, col))) return goal ? "*" : "$";
      if (this.player.row === row && this.player.col === col) return goal ? "+" : "@";
      return goal ? "." : " ";
    }).join(""));
    return {game: "sokoban", head: "", title: this.start.title, rows};
  }
}

function floor(rows) {
  const at = (row, col) => rows[row]?.[col] ?? "#";
  const row = rows.findIndex((text) => /[@+]/.test(text)), queue = [[row, rows[row].search(/[@+]/)]];
  const seen = new Set([key(...queue[0])]);
  for (const [r, c] of queue) for (const [drow, dcol] of Object.values(STEPS)) {
    const name = key(r + drow, c + dcol);
    if (!seen.has(name) && at(r + drow, c + dcol) !== "#") {
      seen.add(name);
      queue.push([r + drow, c + dcol]);
    }
  }
  return seen;
}
