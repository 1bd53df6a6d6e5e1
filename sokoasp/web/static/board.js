/* The picture on the page: moves its things, and reports where it was touched. */
import {View} from "./view.js";

const NS = "http://www.w3.org/2000/svg";
const CELL = 48;

export function element(tag, attributes, ...children) {
  const node = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export class Board {
  constructor(host, on) {
    this.host = host;
    this.on = on;             // tap(row, col, id), swipe(letter), grab(id), drag(id, drow, dcol), drop()
    this.queue = [];
    this.step = this.step.bind(this);
    this.speed = 14;          // moves a second
    this.view = new View(host, () => this.cancel());
    host.addEventListener("pointerdown", (event) => this.down(event));
    host.addEventListener("pointermove", (event) => this.moved(event));
    host.addEventListener("pointerup", (event) => this.up(event));
    host.addEventListener("pointercancel", () => this.cancel());
  }

  /* A second finger turns a tap or a drag into a pinch. */
  cancel() {
    if (this.touch) { this.touch = null; this.on.drop(); }
  }

  /* Put a picture in place of the old one. */
  show(svg) {
    this.svg = svg;
    this.queue = [];
    this.running = false;
    this.nodes = new Map([...svg.querySelectorAll("[data-id]")].map((node) => [node.dataset.id, node]));
    this.seen = new Map([...this.nodes].map(([id, node]) => {
      const [x, y] = node.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
      return [id, {row: y / CELL, col: x / CELL}];
    }));
    this.view.show(svg, this.seen.get("p") ?? null);
  }

  place(id, row, col) { this.nodes.get(id).setAttribute("transform", `translate(${col * CELL} ${row * CELL})`); }

  settle(id) {
    const at = this.seen.get(id);
    this.place(id, at.row, at.col);
    this.nodes.get(id).classList.toggle("on-goal", this.goals.has(`${at.row},${at.col}`));
  }

  /* Show a list of moves, each a list of [id, drow, dcol]. */
  animate(moves) {
    this.queue.push(...moves);
    if (this.speed === Infinity || matchMedia("(prefers-reduced-motion: reduce)").matches) this.finish();
    else if (!this.running) {
      this.running = true;
      this.clock = null;
      this.part = 0;
      requestAnimationFrame(this.step);
    }
  }

  finish() {
    for (const move of this.queue.splice(0)) this.commit(move);
    this.running = false;
    this.view.follow(this.seen.get("p"));
    this.on.rest();
  }

  commit(move) {
    for (const [id, drow, dcol] of move) {
      const at = this.seen.get(id);
      at.row += drow;
      at.col += dcol;
      this.settle(id);
      if (id === "p") this.look(drow, dcol);
    }
  }

  look(drow, dcol) { this.nodes.get("p")?.querySelector(".face")?.setAttribute("transform", `translate(${dcol * 5} ${drow * 5})`); }

  step(now) {
    if (!this.running) return;
    if (!this.queue.length) { this.running = false; this.on.rest(); return; }
    const speed = Math.max(this.speed, this.queue.length / 0.35);  // moves a second: never more than a moment behind
    this.part += this.clock === null ? 0 : Math.min(0.1, (now - this.clock) / 1000) * speed;
    this.clock = now;
    while (this.part >= 1 && this.queue.length) { this.part--; this.commit(this.queue.shift()); }
    if (this.queue.length) for (const [id, drow, dcol] of this.queue[0]) {
      const at = this.seen.get(id);
      if (id === "p") this.look(drow, dcol);
      this.place(id, at.row + drow * this.part, at.col + dcol * this.part);
      if (id === "p") this.view.follow({row: at.row + drow * this.part, col: at.col + dcol * this.part});
    }
    requestAnimationFrame(this.step);
  }

  /* Overlays: lists of cells by kind, drawn over the floor or over everything. */
  mark({dead = [], stuck = [], path = [], arrow = null, note = []} = {}) {
    this.svg.querySelectorAll(".overlay").forEach((node) => node.remove());
    const under = element("g", {class: "overlay"}), over = element("g", {class: "overlay m-hint"});
    for (const [row, col] of dead)
      under.append(element("rect", {class: "m-dead", x: col * CELL + 3, y: row * CELL + 3, width: 42, height: 42, rx: 8}));
    if (path.length) under.append(element("path", {class: "m-path", "data-cells": path.length,
      d: path.map(([row, col]) => `M${col * CELL + 19} ${row * CELL + 24}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0`).join("")}));
    for (const [row, col] of stuck) {
      const x = col * CELL + 24, y = row * CELL + 24;
      const cross = `M${x - 14} ${y - 14}L${x + 14} ${y + 14}M${x + 14} ${y - 14}L${x - 14} ${y + 14}`;
      for (const name of ["m-stuck-halo", "m-stuck"])
        over.append(element("circle", {class: name, cx: x, cy: y, r: 20}), element("path", {class: name, d: cross}));
    }
    for (const [row, col] of note)
      over.append(element("rect", {class: "m-note", x: col * CELL + 3, y: row * CELL + 3, width: 42, height: 42, rx: 8}));
    if (arrow) for (const name of ["m-arrow-halo", "m-arrow"]) over.append(element("path", {class: name, d: arrowPath(...arrow)}));
    const first = this.svg.querySelector("[data-id]");
    first.parentNode.insertBefore(under, first);
    this.svg.append(over);
  }

  /* The cell a dragged box would go to. */
  aim(cell) {
    this.target?.remove();
    this.target = cell && element("rect", {class: "m-aim", x: cell[1] * CELL + 2, y: cell[0] * CELL + 2, width: 44, height: 44, rx: 8});
    if (cell) this.svg.querySelector("[data-id]").before(this.target);
  }

  pick(id) {
    for (const [name, node] of this.nodes) node.classList.toggle("picked", name === id);
  }

  point(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return {x: at.x / CELL, y: at.y / CELL};
  }

  down(event) {
    if (this.frozen || event.button > 0 || this.view.pinching) return;
    const at = this.point(event);
    const id = event.target.closest?.("[data-id]")?.dataset.id ?? null;
    this.touch = {at, id, dragging: id !== null && this.on.grab(id), far: false, pointer: event.pointerId, last: [event.clientX, event.clientY]};
    this.host.setPointerCapture(event.pointerId);
  }

  moved(event) {
    if (!this.touch || event.pointerId !== this.touch.pointer) return;
    const at = this.point(event), dx = at.x - this.touch.at.x, dy = at.y - this.touch.at.y;
    if (Math.hypot(dx, dy) > 0.35) this.touch.far = true;
    if (!this.touch.dragging && this.touch.far && this.view.pannable) {
      this.view.pan(event.clientX - this.touch.last[0], event.clientY - this.touch.last[1]);
      this.touch.last = [event.clientX, event.clientY];
      this.touch.panned = true;
      return;
    }
    if (this.touch.dragging && this.touch.far) this.on.drag(this.touch.id, dy, dx);
  }

  up(event) {
    const touch = this.touch;
    this.touch = null;
    if (!touch) return;
    const at = this.point(event), dx = at.x - touch.at.x, dy = at.y - touch.at.y;
    if (touch.dragging) this.on.drop();
    if (touch.panned) return;
    if (!touch.far) this.on.tap(Math.floor(at.y), Math.floor(at.x), touch.id);
    else if (!touch.dragging) this.on.swipe(Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? "r" : "l") : (dy > 0 ? "d" : "u"));
  }
}

/* From a thing to beside the middle of where it goes, so that a goal there is seen. */
function arrowPath(row, col, toRow, toCol) {
  const [x, y, farX, farY] = [col, row, toCol, toRow].map((value) => (value + 0.5) * CELL);
  const length = Math.hypot(farX - x, farY - y) || 1, ux = (farX - x) / length, uy = (farY - y) / length;
  const [toX, toY, side] = [farX - 20 * ux, farY - 20 * uy, 11];
  return `M${x} ${y}L${toX} ${toY}M${toX - side * (ux + uy)} ${toY - side * (uy - ux)}L${toX} ${toY}L${toX - side * (ux - uy)} ${toY - side * (uy + ux)}`;
}
