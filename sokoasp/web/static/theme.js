"use strict";
/* Sets the theme before anything is painted. */
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)"), root = document.documentElement.dataset;
  let chosen = {};
  try { chosen = JSON.parse(localStorage.getItem("sokoasp.settings")) ?? {}; } catch { /* storage may be shut off */ }
  root.theme = chosen.theme ?? (dark.matches ? "dark" : "light");
})();
