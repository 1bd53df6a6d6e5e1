"use strict";
/* Moves the things of a picture (data-id) along a timeline: see timeline.py for its form. */
class SokoaspAnimator {
  constructor(svg, timeline, notify = () => {}) {
    this.svg = svg;
    this.timeline = timeline;
    this.notify = notify;
    this.at = 0;          // moves done
    this.speed = 8;       // moves a second
    this.playing = false;
    this.goals = new Set(timeline.goals.map(String));
    this.things = new Map();
    for (const node of svg.querySelectorAll("[data-id]")) {
      const [x, y] = node.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
      this.things.set(node.dataset.id, {node, row: y / 48, col: x / 48});
    }
    this.frame = this.frame.bind(this);
  }

  get length() { return this.timeline.moves.length; }

  place(id, row, col) {
    this.things.get(id).node.setAttribute("transform", `translate(${col * 48} ${row * 48})`);
  }

  settle(id) {
    const thing = this.things.get(id);
    this.place(id, thing.row, thing.col);
    thing.node.classList.toggle("on-goal", this.goals.has(`${thing.row},${thing.col}`));
  }

  apply(number, sign) {
    for (const [id, drow, dcol] of this.timeline.moves[number]) {
      const thing = this.things.get(id);
      thing.row += sign * drow;
      thing.col += sign * dcol;
      if (id === "p") this.look(drow, dcol);
    }
  }

  look(drow, dcol) {
    const face = this.things.get("p")?.node.querySelector(".face");
    if (face) face.setAttribute("transform", `translate(${dcol * 5} ${drow * 5})`);
  }

  /* Show the position after `to` moves. */
  seek(to) {
    to = Math.max(0, Math.min(this.length, Math.round(to)));
    const touched = new Set();
    const step = to > this.at ? 1 : -1;
    for (let at = this.at; at !== to; at += step) {
      const number = step > 0 ? at : at - 1;
      this.apply(number, step);
      for (const [id] of this.timeline.moves[number]) touched.add(id);
    }
    this.at = to;
    for (const id of touched) this.settle(id);
    this.notify(this);
  }

  /* Show a position between two moves. */
  between(fraction) {
    for (const [id, drow, dcol] of this.timeline.moves[this.at]) {
      const thing = this.things.get(id);
      if (id === "p") this.look(drow, dcol);
      this.place(id, thing.row + drow * fraction, thing.col + dcol * fraction);
    }
  }

  /* The move count at which the action under way begins or the next one ends. */
  action(direction) {
    const ends = [0, ...this.timeline.actions.map((action) => action[0])];
    if (ends[ends.length - 1] !== this.length) ends.push(this.length);
    return direction > 0 ? ends.find((end) => end > this.at) ?? this.length
      : ends.filter((end) => end < this.at).pop() ?? 0;
  }

  play() {
    if (this.playing || !this.length) return;
    if (this.at === this.length) this.seek(0);
    this.playing = true;
    this.clock = null;
    this.part = 0;
    requestAnimationFrame(this.frame);
    this.notify(this);
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    if (this.at < this.length) for (const [id] of this.timeline.moves[this.at]) this.settle(id);
    this.notify(this);
  }

  frame(now) {
    if (!this.playing) return;
    this.part += this.clock === null ? 0 : Math.min(0.25, (now - this.clock) / 1000) * this.speed;
    this.clock = now;
    if (this.part >= 1) {
      const whole = Math.floor(this.part);
      this.part -= whole;
      this.seek(this.at + whole);
    }
    if (this.at >= this.length) return this.pause();
    this.between(this.part);
    requestAnimationFrame(this.frame);
  }
}
