"use strict";
/* Controls for an animator: buttons, scrubber, speed, counts, the list of actions; keyboard and touch. */
function mountSokoaspPlayer(host, svg, timeline) {
  const make = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };
  const icon = (path) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    node.setAttribute("viewBox", "0 0 24 24");
    node.setAttribute("class", "icon");
    node.setAttribute("aria-hidden", "true");
    line.setAttribute("d", path);
    node.append(line);
    return node;
  };
  const button = (label, path, act) => {
    const node = make("button", {type: "button", "aria-label": label, title: label}, icon(path));
    node.addEventListener("click", act);
    return node;
  };
  const animator = new SokoaspAnimator(svg, timeline, show);
  const jump = (to) => { animator.pause(); animator.seek(to); };
  const toggle = () => animator.playing ? animator.pause() : animator.play();
  const triangle = "M7 4.5L19.5 12L7 19.5Z", bars = "M6.5 4.5H10V19.5H6.5ZM14 4.5H17.5V19.5H14Z";
  const playButton = button("Play", triangle, toggle);
  playButton.classList.add("primary");
  const scrub = make("input", {type: "range", min: 0, max: animator.length, value: 0, step: 1, "aria-label": "Position in moves"});
  scrub.addEventListener("input", () => jump(Number(scrub.value)));
  const speed = make("input", {type: "range", min: 0, max: 6, step: 0.5, value: 3, "aria-label": "Speed"});
  const setSpeed = () => {
    animator.speed = 2 ** Number(speed.value);
    speed.setAttribute("aria-valuetext", `${animator.speed.toFixed(0)} moves a second`);
  };
  speed.addEventListener("input", setSpeed);
  setSpeed();
  const counts = make("p", {class: "counts", "aria-live": "off"});
  const list = make("ol", {class: "actions"});
  const items = timeline.actions.map(([end, words], number) => {
    const link = make("button", {type: "button"}, words);
    link.addEventListener("click", () => jump(end));
    const item = make("li", {}, link);
    item.dataset.begin = number ? timeline.actions[number - 1][0] : 0;
    item.dataset.end = end;
    list.append(item);
    return item;
  });
  host.append(
    make("div", {class: "buttons", role: "group", "aria-label": "Replay"},
      button("To the start", "M5 5H7.5V19H5ZM19 5V19L8.5 12Z", () => jump(0)),
      button("One action back", "M12.5 5V19L3 12ZM22 5V19L12.5 12Z", () => jump(animator.action(-1))),
      button("One move back", "M16.5 5V19L6.5 12Z", () => jump(animator.at - 1)),
      playButton,
      button("One move on", "M7.5 5V19L17.5 12Z", () => jump(animator.at + 1)),
      button("One action on", "M11.5 5V19L21 12ZM2 5V19L11.5 12Z", () => jump(animator.action(1))),
      button("To the end", "M19 5H16.5V19H19ZM5 5V19L15.5 12Z", () => jump(animator.length))),
    scrub, counts, make("label", {class: "speed"}, "Speed ", speed), list);
  let marked = null;

  function show() {
    playButton.querySelector("path").setAttribute("d", animator.playing ? bars : triangle);
    playButton.setAttribute("aria-label", animator.playing ? "Pause" : "Play");
    scrub.value = animator.at;
    counts.textContent = timeline.counts
      .map(([name, values]) => `${name}\u00a0${values[animator.at]}\u00a0/\u00a0${values[animator.length]}`).join("  ");
    const now = items.find((item) => animator.at < item.dataset.end) ?? null;
    if (now !== marked) {
      marked?.removeAttribute("aria-current");
      now?.setAttribute("aria-current", "step");
      if (now) list.scrollTop = Math.max(0, now.offsetTop - list.offsetTop - list.clientHeight / 2);
      marked = now;
    }
  }

  const keys = {
    " ": toggle, "ArrowRight": () => jump(animator.at + 1), "ArrowLeft": () => jump(animator.at - 1),
    "ArrowDown": () => jump(animator.action(1)), "ArrowUp": () => jump(animator.action(-1)),
    "Home": () => jump(0), "End": () => jump(animator.length),
    "+": () => { speed.stepUp(); setSpeed(); }, "-": () => { speed.stepDown(); setSpeed(); },
  };
  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    if (event.target.matches("textarea, select, input[type=text], input:not([type]), dialog *")) return;
    if (event.target.matches("input[type=range]") && event.key !== " ") return;
    if (event.target.matches("button") && event.key === " ") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    keys[event.key]();
  };
  document.addEventListener("keydown", onKey, true);
  let touch = null;
  const onDown = (event) => { touch = [event.clientX, event.clientY]; };
  const onUp = (event) => {
    if (!touch) return;
    const dx = event.clientX - touch[0], dy = event.clientY - touch[1];
    touch = null;
    if (Math.abs(dx) > 40 && Math.abs(dx) > Math.abs(dy)) jump(animator.action(dx > 0 ? 1 : -1));
    else if (Math.abs(dx) < 8 && Math.abs(dy) < 8) toggle();
  };
  svg.addEventListener("pointerdown", onDown);
  svg.addEventListener("pointerup", onUp);
  show();
  return {
    animator,
    remove() {
      animator.pause();
      document.removeEventListener("keydown", onKey, true);
      svg.removeEventListener("pointerdown", onDown);
      svg.removeEventListener("pointerup", onUp);
      host.replaceChildren();
    },
  };
}
