/* What all parts of the page share: its state, its elements, its messages, and who wants to know of what. */
import {plain} from "./plain.js";
import {Store} from "./store.js";

export const $ = (id) => document.getElementById(id);
export const state = JSON.parse($("state").textContent);
export const page = {opened: state.opened, at: 0, game: null, picked: null, hint: null, replay: null, running: null,
  won: false, verdict: null, editing: false};

const heard = new Map();
/* Parts notify each other by events: begin, changed, rest, letgo, replay, settings, solved. */
export const on = (name, act) => { heard.set(name, [...(heard.get(name) ?? []), act]); };
export const notify = (name, ...news) => { for (const act of heard.get(name) ?? []) act(...news); };

export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  node.append(...children);
  return node;
}

export function button(label, act, attributes = {}) {
  const node = make("button", {type: "button", ...attributes}, label);
  node.addEventListener("click", act);
  return node;
}

export function say(text, kind = "", ...buttons) {
  $("message").dataset.kind = kind;
  $("message").replaceChildren(text, ...buttons);
}

/* The same for what a reader or the service says: the sentence first. */
export function tell(message, kind = "") {
  const [words, ...more] = plain(message);
  say(words, kind, ...more);
}

/* For screen readers only: what has just happened on the board. */
export function announce(text) { $("live").textContent = text; }

export const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1) + ".";

export const store = new Store(() => localStorage, (words) => { $("memory-note").textContent = words; $("memory-note").hidden = false; });

const DEFAULTS = {theme: null, speed: "normal", walk: "touch", sound: false, truth: true, optimum: false, timer: false};
export const settings = {...DEFAULTS, ...store.get("settings", {})};
export function choose(name, value) {
  settings[name] = value;
  store.set("settings", settings);
  notify("settings", name);
}

/* Runs what may fail, and says why it did. */
export async function attempt(act) {
  try { return await act(); } catch (error) { if (!error.away) tell(error.message, "bad"); return undefined; }
}

/* Gives the browser a file to keep. */
export function download(content, name, type = "application/octet-stream") {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], {type}));
  page.saved = name;
  Object.assign(document.createElement("a"), {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

export const typing = (target) => target.closest?.("input, select, textarea, dialog") ?? false;
