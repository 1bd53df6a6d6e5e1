/* A level being drawn: a grid of characters, its history, and what is wrong with it. No page in here. */
const at = (rows, row, col) => rows[row]?.[col] ?? " ";
const GOALS = {" ": ".", ".": " ", "$": "*", "*": "$", "@": "+", "+": "@", "#": "."};
const BOXES = {" ": "$", "$": " ", ".": "*", "*": ".", "@": "$", "+": "*", "#": "$"};
export const MOST = 50;

export class Drawing {
  constructor(rows, title = "") {
    Object.assign(this, {title, past: [], future: []});
    this.rows = square(rows);
  }

  get height() { return this.rows.length; }
  get width() { return this.rows[0].length; }

  /* Puts new rows in place of the old ones; they can be taken back. */
  become(rows) {
    if (String(rows) === String(this.rows)) return false;
    this.past.push(this.rows);
    this.future = [];
    this.rows = square(rows);
    return true;
  }

  undo() { if (this.past.length) { this.future.push(this.rows); this.rows = this.past.pop(); } }
  redo() { if (this.future.length) { this.past.push(this.rows); this.rows = this.future.pop(); } }

  /* What a tool makes of a cell; `first` is what the stroke made of its first cell, so that a stroke does one thing. */
  stroke(row, col, tool, first = null) {
    const now = at(this.rows, row, col);
    if (first !== null) return first;
    if (tool === "$") return BOXES[now];
    if (tool === ".") return GOALS[now];
    if (tool === "@") return ".*+".includes(now) ? "+" : "@";
    return tool;
  }

  paint(row, col, char) {
    if (row < 0 || col < 0 || row >= this.height || col >= this.width) return false;
    const rows = this.rows.map((text) => "@+".includes(char) ? text.replace("@", " ").replace("+", ".") : text);
    rows[row] = rows[row].slice(0, col) + char + rows[row].slice(col + 1);
    return this.become(rows);
  }

  resize(height, width) {
    const size = (value) => Math.max(3, Math.min(MOST, Math.round(value) || 3));
    [height, width] = [size(height), size(width)];
    return this.become(Array.from({length: height}, (_, row) => Array.from({length: width}, (__, col) =>
      at(this.rows, row, col)).join("")));
  }

  problem() { return {game: "sokoban", head: "", title: this.title, rows: trim(this.rows)}; }

  count(chars) { return this.rows.join("").split("").filter((char) => chars.includes(char)).length; }

  /* Sentences on what a level still lacks; none when it can be played. */
  faults() {
    const found = [], players = this.count("@+"), boxes = this.count("$*"), goals = this.count(".+*");
    if (players !== 1) found.push(players ? `There are ${players} players.` : "There is no player.");
    if (!boxes) found.push("There is no box.");
    if (boxes !== goals) found.push(`${boxes} ${boxes === 1 ? "box" : "boxes"}, ${goals} ${goals === 1 ? "goal" : "goals"}.`);
    if (players === 1) {
      const inside = this.inside();
      if (!inside) found.push("The walls are not closed.");
      else if (this.rows.some((text, row) => [...text].some((char, col) => "$*.+".includes(char) && !inside.has(`${row},${col}`))))
        found.push("A box or goal lies where the player's floor does not reach.");
    }
    return found;
  }

  /* The floor around the player, boxes left aside; null if it runs off the grid. */
  inside() {
    const row = this.rows.findIndex((text) => /[@+]/.test(text)), queue = [[row, this.rows[row].search(/[@+]/)]];
    const seen = new Set([String(queue[0])]);
    for (const [r, c] of queue) for (const [dr, dc] of [[0, 1], [0, -1], [1, 0], [-1, 0]]) {
      const [nr, nc] = [r + dr, c + dc];
      if (nr < 0 || nc < 0 || nr >= this.height || nc >= this.width) return null;
      if (this.rows[nr][nc] === "#" || seen.has(`${nr},${nc}`)) continue;
      seen.add(`${nr},${nc}`);
      queue.push([nr, nc]);
    }
    return seen;
  }
}

function square(rows) {
  const width = Math.max(3, ...rows.map((row) => row.length)), filled = rows.map((row) => row.padEnd(width));
  while (filled.length < 3) filled.push(" ".repeat(width));
  return filled;
}

/* Rows without the empty ones around. */
function trim(rows) {
  const full = rows.map((row) => row.trimEnd());
  const first = full.findIndex(Boolean), last = full.findLastIndex(Boolean);
  return first < 0 ? [""] : full.slice(first, last + 1);
}

export function room(height, width) {
  return Array.from({length: height}, (_, row) => row === 0 || row === height - 1 ? "#".repeat(width) : `#${" ".repeat(width - 2)}#`);
}
