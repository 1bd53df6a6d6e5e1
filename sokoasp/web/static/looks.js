/* Looks and sounds: theme, speed, sound, walking; the drawer of a small screen. */
import {board, useSpeed} from "./game.js";
import {$, choose, on, page, say, settings, store, notify} from "./page.js";

const FIELDS = {"set-theme": "theme", "set-speed": "speed", "set-walk": "walk", "set-timer": "timer", "set-truth": "truth", "set-optimum": "optimum"};
const system = matchMedia("(prefers-color-scheme: dark)");

function apply() {
  const root = document.documentElement.dataset;
  root.theme = settings.theme ?? (system.matches ? "dark" : "light");
  $("sound").setAttribute("aria-pressed", String(settings.sound));
  $("dark").setAttribute("aria-pressed", String(root.theme !== "light"));
  for (const [id, name] of Object.entries(FIELDS)) {
    if ($(id).type === "checkbox") $(id).checked = settings[name]; else $(id).value = settings[name] ?? "";
  }
}

for (const [id, name] of Object.entries(FIELDS)) $(id).addEventListener("change", () => {
  const value = $(id).type === "checkbox" ? $(id).checked : $(id).value || null;
  if (name === "speed") useSpeed(value); else choose(name, value);
});
$("sound").addEventListener("click", () => choose("sound", !settings.sound));
$("dark").addEventListener("click", () => choose("theme", document.documentElement.dataset.theme === "light" ? "dark" : "light"));
on("settings", apply);
system.addEventListener("change", apply);

/* Short tones, made on the spot. */
let audio = null;
const TONES = {step: [220, .04, .02], push: [130, .09, .06], goal: [523, .14, .07], solved: [659, .4, .09]};
function sound(name) {
  if (!settings.sound) return;
  audio ??= new AudioContext();
  const [pitch, length, loud] = TONES[name], tone = audio.createOscillator(), gain = audio.createGain(), now = audio.currentTime;
  tone.type = name === "push" ? "square" : "sine";
  tone.frequency.setValueAtTime(pitch, now);
  if (name === "solved") tone.frequency.exponentialRampToValueAtTime(1047, now + length);
  gain.gain.setValueAtTime(loud, now);
  gain.gain.exponentialRampToValueAtTime(.0001, now + length);
  tone.connect(gain).connect(audio.destination);
  tone.start(now);
  tone.stop(now + length);
  page.sounded = name;
}
on("changed", (moves) => {
  if (!moves || page.editing) return;
  const pushed = moves.flat().filter(([id]) => id !== "p").at(-1);
  sound(page.game.solved ? "solved" : !pushed ? "step" : page.game.onGoal?.(pushed[0]) ? "goal" : "push");
});

/* The drawer: on a small screen the panels come up over the board. */
function drawer(open) {
  document.body.dataset.drawer = open ? "open" : "shut";
  $("panels").setAttribute("aria-expanded", String(open));
  if (open) $("aside-title").focus();
}
$("panels").addEventListener("click", () => drawer(document.body.dataset.drawer !== "open"));
$("drawer-close").addEventListener("click", () => { drawer(false); $("panels").focus(); });
on("replay", () => drawer(false));
on("open-panel", () => { if ($("panels").offsetParent) drawer(true); });
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && document.body.dataset.drawer === "open") { drawer(false); $("panels").focus(); } });

$("settings").addEventListener("click", () => $("settings-box").showModal());
$("settings-close").addEventListener("click", () => $("settings-box").close());
$("forget").addEventListener("click", () => {
  for (const name of store.names()) store.remove(name);
  say("Everything remembered is gone. Reload to begin afresh.");
  $("settings-box").close();
});
$("show-keys").addEventListener("click", () => $("keys").showModal());
$("zoom-in").addEventListener("click", () => board.view.zoom(1.25));
$("zoom-out").addEventListener("click", () => board.view.zoom(.8));
on("drawn", () => { $("zoomers").hidden = !board.view.pannable; });
addEventListener("resize", () => { $("zoomers").hidden = !board.view.pannable; });
apply();
notify("settings", "speed");
