/* The page's words in the player's language. The key of a message is its English text, with {0}, {1} … for what is put in; a file
   of each other language (messages.de.json …) gives the text for each key. Chosen in the settings, else as the browser says. */
export const LANGUAGES = ["en", "de"];

function chosen() {
  if (typeof document === "undefined") return "en";
  let own = "";
  try { own = JSON.parse(localStorage.getItem("sokoasp.settings") ?? "{}").language; } catch { /* no store: as the browser says */ }
  return [own, ...navigator.languages.map((name) => name.slice(0, 2))].find((name) => LANGUAGES.includes(name)) ?? "en";
}

export const language = chosen();
let table = {};
if (language !== "en") {
  try { table = await (await fetch(new URL(`messages.${language}.json`, import.meta.url))).json(); } catch { /* offline and never asked for: English */ }
}

/* A message by its English text: t`Kept as ${name}.` */
export function t(strings, ...values) {
  const key = strings.reduce((text, part, at) => `${text}{${at - 1}}${part}`);
  return (table[key] ?? key).replace(/\{(\d+)\}/g, (_, at) => values[at]);
}

/* A word that stands in data, such as the name of a count. */
export const word = (text) => table[text] ?? text;

/* Puts the words of the page itself into the language: texts, and what readers and hovering say. */
export function translate(root) {
  if (language === "en") return;
  document.documentElement.lang = language;
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const key = node.data.trim().replace(/\s+/g, " ");
    if (table[key]) node.data = node.data.replace(/^(\s*)[^]*?(\s*)$/, (_, before, after) => `${before}${table[key]}${after}`);
  }
  for (const name of ["aria-label", "title", "placeholder"]) for (const node of root.querySelectorAll(`[${name}]`)) {
    const found = table[node.getAttribute(name)];
    if (found) node.setAttribute(name, found);
  }
}
