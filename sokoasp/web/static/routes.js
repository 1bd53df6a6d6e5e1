/* Where one box can be brought, and how: fewest pushes, then fewest moves.
   Cells are numbers in a padded grid as in walk.js; a state is a box's cell and the side of it the player stands on. */
const LETTERS = "urdl";

export class Routes {
  /* `free(row, col)` says whether a cell is floor without any other box; `box` and `player` are [row, col]. */
  constructor(width, height, free, box, player) {
    this.stride = width + 2;
    this.moves = [-this.stride, 1, this.stride, -1];
    this.open = new Uint8Array(this.stride * (height + 2));
    for (let row = 0; row < height; row++)
      for (let col = 0; col < width; col++)
        if (free(row, col)) this.open[(row + 1) * this.stride + col + 1] = 1;
    this.box = this.number(box);
    this.player = this.number(player);
    this.open[this.box] = this.open[this.player] = 1;
    this.parts = new Map();
    this.mark = new Int32Array(this.open.length);
    this.round = 0;
    this.search();
  }

  number([row, col]) { return (row + 1) * this.stride + col + 1; }
  cell(number) { return [Math.floor(number / this.stride) - 1, number % this.stride - 1]; }

  /* For a box on a cell: which sides the player can go between, as a letter for each side (-1: blocked). */
  sides(cell, from = null) {
    if (from === null && this.parts.has(cell)) return this.parts.get(cell);
    const {open, moves, mark} = this, found = [-1, -1, -1, -1];
    let parts = 0;
    const flood = (begin) => {
      const part = parts++, round = ++this.round, stack = [begin];
      mark[begin] = mark[cell] = round;
      while (stack.length) {
        const here = stack.pop();
        for (const move of moves) {
          const after = here + move;
          if (open[after] && mark[after] !== round) { mark[after] = round; stack.push(after); }
        }
      }
      for (let side = 0; side < 4; side++)
        if (found[side] < 0 && open[cell + moves[side]] && mark[cell + moves[side]] === round) found[side] = part;
    };
    if (from !== null) {
      flood(from);
      return found;
    }
    for (let side = 0; side < 4; side++) if (found[side] < 0 && open[cell + moves[side]]) {
      if (!this.nearby(cell, side, found, parts)) flood(cell + moves[side]); else parts++;
    }
    this.parts.set(cell, found);
    return found;
  }

  /* When all open sides hang together around the box, no flood is needed. */
  nearby(cell, side, found, part) {
    const {open, moves} = this, joined = [side];
    for (const here of joined) for (const turn of [1, 3]) {
      const next = (here + turn) % 4;
      if (!joined.includes(next) && open[cell + moves[next]] && open[cell + moves[here] + moves[next]]) joined.push(next);
    }
    if (joined.length !== moves.filter((move) => open[cell + move]).length) return false;
    for (const one of joined) found[one] = part;
    return true;
  }

  /* The cell a push from a side takes the box to, 0 if it cannot. */
  after(cell, side) {
    const {open, moves} = this, to = cell - moves[side];
    return open[cell + moves[side]] && open[to] ? to : 0;
  }

  before(cell, side) { return cell + this.moves[side]; }

  /* Fewest pushes to every state, by breadth first. */
  search() {
    this.far = new Int32Array(this.open.length * 4).fill(-1);
    this.first = this.sides(this.box, this.player);
    let layer = [];
    const reached = (cell, side, far) => {
      const to = this.after(cell, side);
      if (!to || this.far[to * 4 + side] >= 0) return;
      this.far[to * 4 + side] = far;
      layer.push(to * 4 + side);
    };
    for (let side = 0; side < 4; side++) if (this.first[side] >= 0) reached(this.box, side, 1);
    for (let far = 2; layer.length; far++) {
      const states = layer;
      layer = [];
      for (const state of states) {
        const cell = state >> 2, sides = this.sides(cell);
        for (let side = 0; side < 4; side++)
          if (sides[side] >= 0 && sides[side] === sides[state & 3]) reached(cell, side, far);
      }
    }
  }

  pushes(cell) {
    let best = -1;
    for (let side = 0; side < 4; side++) {
      const far = this.far[cell * 4 + side];
      if (far >= 0 && (best < 0 || far < best)) best = far;
    }
    return best;
  }

  /* Every cell the box can be brought to (its own left out). */
  cells() {
    const found = [];
    for (let cell = 0; cell < this.open.length; cell++) if (cell !== this.box && this.pushes(cell) > 0) found.push(this.cell(cell));
    return found;
  }

  /* LURD of a route with the fewest pushes and, of those, the fewest moves; null if there is none. */
  route(target) {
    const goal = this.number(target), least = this.pushes(goal);
    if (least < 0 || goal === this.box) return null;
    const layers = this.layersTo(goal, least);
    let known = new Map([[-1, {text: "", at: this.player, cell: this.box}]]);
    for (const layer of layers) {
      const next = new Map();
      const far = new Map([...known].map(([state, way]) => [state, this.distances(way.cell, way.at)]));
      for (const state of layer) {
        const side = state & 3, cell = this.before(state >> 2, side), stand = cell + this.moves[side];
        let best = null;
        for (const [from, way] of known) {
          const length = way.cell === cell ? far.get(from)[stand] : -1;
          if (length >= 0 && (!best || way.text.length + length < best.length)) best = {from, length: way.text.length + length};
        }
        if (!best) continue;
        const way = known.get(best.from), step = LETTERS[(side + 2) % 4];
        next.set(state, {text: way.text + this.back(far.get(best.from), way.at, stand) + step.toUpperCase(),
          cell: state >> 2, at: (state >> 2) + this.moves[side]});
      }
      known = next;
    }
    return [...known.values()].reduce((best, way) => best === null || way.text.length < best.length ? way.text : best, null);
  }

  /* The states on routes with the fewest pushes, one set a push. */
  layersTo(goal, least) {
    const layers = [new Set([0, 1, 2, 3].map((side) => goal * 4 + side).filter((state) => this.far[state] === least))];
    for (let far = least - 1; far > 0; far--) {
      const earlier = new Set();
      for (const state of layers[0]) {
        const cell = this.before(state >> 2, state & 3), sides = this.sides(cell);
        for (let side = 0; side < 4; side++)
          if (this.far[cell * 4 + side] === far && sides[side] === sides[state & 3]) earlier.add(cell * 4 + side);
      }
      layers.unshift(earlier);
    }
    return layers;
  }

  /* Moves from a cell to every cell with the box where it is, -1 where the player cannot go. */
  distances(box, begin) {
    const far = new Int32Array(this.open.length).fill(-1), queue = [begin];
    far[begin] = 0;
    for (let at = 0; at < queue.length; at++) for (const move of this.moves) {
      const after = queue[at] + move;
      if (after !== box && this.open[after] && far[after] < 0) { far[after] = far[queue[at]] + 1; queue.push(after); }
    }
    return far;
  }

  back(far, begin, end) {
    let text = "";
    for (let here = end; here !== begin;) {
      const side = this.moves.findIndex((move) => far[here - move] === far[here] - 1);
      text = LETTERS[side] + text;
      here -= this.moves[side];
    }
    return text;
  }
}
