"use strict";
/* Sets the theme before anything is painted. */
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  try { chosen = localStorage.getItem("theme"); } catch { /* storage may be shut off */ }
  document.documentElement.dataset.theme = chosen ?? (dark.matches ? "dark" : "light");
})();
