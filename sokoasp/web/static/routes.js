/* Where one box can be brought, and how: fewest pushes, then fewest moves.
   Cells are numbers in a padded grid as in walk.js; a state is a box's cell and the side of it the player stands on. */
import {area, lurd} from "./walk.js";

export class Routes {
  /* `free(row, col)` says whether a cell is floor without any other box; `box` and `player` are [row, col]. */
  constructor(width, height, free, box, player) {
    this.map = area(width, height, free, player);
    this.box = this.map.number(box);
    this.map.open[this.box] = 1;
    const size = this.map.open.length;
    Object.assign(this, {came: new Int32Array(size), far: new Int32Array(size), seen: new Int32Array(size), round: 0});
    this.ways = new Map();  // state → the best way to it
    this.search({cell: this.box, stand: this.map.number(player), pushes: 0, moves: 0, before: null});
  }

  /* Notes how far the player walks from a cell, the box standing still, until all sides of the box are known. */
  flood({cell, stand}) {
    const {open, moves} = this.map, {came, far, seen} = this, round = ++this.round, queue = [stand];
    const sides = moves.map((move) => cell + move).filter((side) => open[side]);
    seen[stand] = round;
    far[stand] = 0;
    for (let at = 0; at < queue.length && sides.some((side) => seen[side] !== round); at++) for (const move of moves) {
      const after = queue[at] + move;
      if (after === cell || !open[after] || seen[after] === round) continue;
      seen[after] = round;
      far[after] = far[queue[at]] + 1;
      came[after] = queue[at];
      queue.push(after);
    }
  }

  /* One layer a push, so that a state that was reached before has fewer; within a layer the fewest moves count. */
  search(start) {
    const {open, moves} = this.map;
    for (let layer = [start]; layer.length;) {
      const next = new Map();
      for (const before of layer) {
        this.flood(before);
        moves.forEach((move, side) => {
          const from = before.cell + move, cell = before.cell - move, state = 4 * cell + side;
          if (this.seen[from] !== this.round || !open[cell] || this.ways.has(state)) return;
          const way = {cell, stand: before.cell, pushes: before.pushes + 1, moves: before.moves + this.far[from] + 1, before};
          if (!(next.get(state)?.moves <= way.moves)) next.set(state, way);
        });
      }
      for (const [state, way] of next) this.ways.set(state, way);
      layer = [...next.values()];
    }
  }

  /* Every cell the box can be brought to (its own left out). */
  cells() {
    const {stride} = this.map, cells = new Set([...this.ways.values()].map((way) => way.cell));
    cells.delete(this.box);
    return [...cells].map((cell) => [Math.floor(cell / stride) - 1, cell % stride - 1]);
  }

  /* LURD of a route with the fewest pushes and, of those, the fewest moves; null if there is none. */
  route(target) {
    const cell = this.map.number(target), ways = [0, 1, 2, 3].map((side) => this.ways.get(4 * cell + side)).filter(Boolean);
    if (!ways.length || cell === this.box) return null;
    let text = "";
    for (let way = ways.sort((a, b) => a.pushes - b.pushes || a.moves - b.moves)[0]; way.before; way = way.before) {
      const {before} = way, path = [2 * before.cell - way.cell];
      this.flood(before);
      while (path[0] !== before.stand) path.unshift(this.came[path[0]]);
      text = lurd(this.map, path) + lurd(this.map, [before.cell, way.cell]).toUpperCase() + text;
    }
    return text;
  }
}
