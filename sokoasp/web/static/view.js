/* What part of a picture is shown: all of it when its cells are big enough, else a part that follows the player.
   Pinch, wheel with Ctrl, or the keys + - 0 zoom; dragging the floor pans. The picture keeps its full size behind a frame and is
   shifted as a layer of its own: a view that follows the player paints nothing anew but what moves in it. */
const CELL = 48;
export const LEAST = 28.2;     // pixels a cell unless one zooms out
const MOST = 132;        // so that a small level fills its place and looks no toy

export class View {
  constructor(host, onPinch = () => {}) {
    this.host = host;
    this.frame = document.createElement("div");
    this.frame.className = "viewport";
    this.fingers = new Map();
    this.pinching = false;
    new ResizeObserver(() => this.resize()).observe(host);
    addEventListener("resize", () => this.resize());
    host.addEventListener("wheel", (event) => this.wheel(event), {passive: false});
    host.addEventListener("pointerdown", (event) => {
      this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (this.fingers.size === 2) { this.pinching = true; onPinch(); }
    }, true);
    host.addEventListener("pointermove", (event) => this.pinch(event), true);
    for (const name of ["pointerup", "pointercancel"]) host.addEventListener(name, (event) => {
      this.fingers.delete(event.pointerId);
      if (!this.fingers.size) this.pinching = false;
    });
  }

  show(svg, at) {
    const [x, y, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const same = this.world && this.world.width === width && this.world.height === height;
    this.svg = svg;
    this.frame.replaceChildren(svg);
    if (this.frame.parentNode !== this.host) this.host.replaceChildren(this.frame);
    this.world = {x, y, width, height};
    if (!same) { this.zoomed = null; this.x = this.y = null; }
    this.at = at;
    this.resize();
  }

  resize() {
    if (!this.svg) return;
    const {clientWidth: width, clientHeight: height} = this.host, {world} = this;
    if (!width || !height) return;
    const fit = Math.min(width / world.width, height / world.height);
    this.fit = fit;
    this.scale = this.zoomed ?? Math.min(MOST / CELL, Math.max(fit, LEAST / CELL));
    this.wide = Math.min(width, this.scale * world.width);
    this.high = Math.min(height, this.scale * world.height);
    this.pannable = this.wide < this.scale * world.width - 1 || this.high < this.scale * world.height - 1;
    Object.assign(this.frame.style, {width: `${this.wide}px`, height: `${this.high}px`});
    Object.assign(this.svg.style, {width: `${this.scale * world.width}px`, height: `${this.scale * world.height}px`,
      willChange: this.pannable ? "transform" : "auto"});
    if (this.x === null) this.centre(this.at); else this.look();
  }

  centre(at) {
    const {world} = this;
    this.x = (at ? (at.col + .5) * CELL : world.x + world.width / 2) - this.wide / this.scale / 2;
    this.y = (at ? (at.row + .5) * CELL : world.y + world.height / 2) - this.high / this.scale / 2;
    this.look();
  }

  look() {
    const {world} = this, w = this.wide / this.scale, h = this.high / this.scale;
    this.x = Math.max(world.x, Math.min(world.x + world.width - w, this.x));
    this.y = Math.max(world.y, Math.min(world.y + world.height - h, this.y));
    const px = Math.round((world.x - this.x) * this.scale), py = Math.round((world.y - this.y) * this.scale);
    this.svg.style.transform = px || py ? `translate(${px}px, ${py}px)` : "none";
  }

  /* Keeps a thing in sight, two cells from the edge. */
  follow(at) {
    if (!at || !this.pannable || !this.svg?.isConnected) return;
    this.at = at;
    const w = this.wide / this.scale, h = this.high / this.scale, edge = 2 * CELL;
    const x = (at.col + .5) * CELL, y = (at.row + .5) * CELL;
    const nx = Math.min(x - Math.min(edge, w / 2), Math.max(x + Math.min(edge, w / 2) - w, this.x));
    const ny = Math.min(y - Math.min(edge, h / 2), Math.max(y + Math.min(edge, h / 2) - h, this.y));
    if (nx === this.x && ny === this.y) return;
    [this.x, this.y] = [nx, ny];
    this.look();
  }

  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.look();
  }

  /* Zooms by a factor about a point of the window (the middle if none is given). */
  zoom(factor, clientX = null, clientY = null) {
    const place = this.frame.getBoundingClientRect();
    const px = (clientX ?? place.left + place.width / 2) - place.left, py = (clientY ?? place.top + place.height / 2) - place.top;
    const x = this.x + px / this.scale, y = this.y + py / this.scale;
    this.zoomed = Math.max(Math.min(this.fit, LEAST / CELL), Math.min(3, this.scale * factor));
    this.resize();
    this.x = x - px / this.scale;
    this.y = y - py / this.scale;
    this.look();
  }

  reset() {
    this.zoomed = null;
    this.x = this.y = null;
    this.resize();
  }

  wheel(event) {
    if (!event.ctrlKey && !this.pannable) return;
    event.preventDefault();
    if (event.ctrlKey) this.zoom(Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
    else this.pan(-event.deltaX, -event.deltaY);
  }

  pinch(event) {
    if (!this.fingers.has(event.pointerId)) return;
    const before = [...this.fingers.values()];
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.fingers.size !== 2) return;
    const after = [...this.fingers.values()];
    const middle = ([a, b]) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], apart = ([a, b]) => Math.hypot(a[0] - b[0], a[1] - b[1]) || 1;
    const [was, is] = [middle(before), middle(after)];
    this.pan(is[0] - was[0], is[1] - was[1]);
    this.zoom(apart(after) / apart(before), ...is);
  }
}
