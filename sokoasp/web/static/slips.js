/* A plain check of one's own constraints for slips that clingo passes over in silence, since such a rule says nothing.
   It reads text, not clingo's syntax tree: what it is not sure of it leaves to clingo. asp/constraints.py, beside the service, checks more. */
const PARTS = {base: 0, step: 1, check: 1}, DIRECTIONS = ["left", "right", "up", "down"], WORD = /^[a-z]\w*$/;

/* A text with comments and the insides of strings blanked, every other character where it was. */
export const plain = (text) => text.replace(/%\*[^]*?\*%|%(?!\*)[^\n]*|"(?:[^"\\\n]|\\.)*"/g,
  (found) => found[0] === '"' ? `"${" ".repeat(found.length - 2)}"` : found.replace(/[^\n]/g, " "));

/* Where a bracket closes, and the arguments between: [index, lists of arguments, one for each of a pool]. */
function closing(code, open) {
  const pool = [[]];
  let deep = 0, from = open + 1;
  for (let at = open; at < code.length; at++) {
    if ("([{".includes(code[at])) deep++;
    else if (")]}".includes(code[at]) && --deep === 0) { pool.at(-1).push(code.slice(from, at).trim()); return [at, pool]; }
    if (deep !== 1 || !",;".includes(code[at])) continue;
    pool.at(-1).push(code.slice(from, at).trim());
    if (code[at] === ";") pool.push([]);
    from = at + 1;
  }
  return [code.length, pool];
}

/* The atoms with arguments: {at, name, args, key: "push/4"}; terms, and what may be terms, are none. */
function atomsIn(text) {
  const blank = (found) => found.replace(/[^\n;]/g, " "), found = [];
  const code = text.replace(/#(?:sum\+?|count|min|max|minimize|maximize)\s*\{[^{}]*/g, (all) => all.replace(/[{;][^:;]*(?=:)/g, (tuple) => tuple[0] + blank(tuple.slice(1))));
  let end = 0;
  for (const match of code.matchAll(/([\w']*)\s*([([])/g)) {
    const at = match.index;
    if (at < end) continue;
    const [last, pool] = closing(code, at + match[0].length - 1);
    end = last;
    if (match[2] === "[" || !/^_*[a-z]/.test(match[1]) || match[1] === "not") continue;
    const before = code.slice(Math.max(0, at - 20), at), negated = before.match(/(?:^|[,;{.]|:-|\bnot)\s*(-\s*)$/);
    if ((!negated && /(?:[=<>+*/\\|^]|\.\.|(?<!:)-)\s*$/.test(before)) || /^\)\s*(?:[=<>+\-*/\\|^?]|!=|\.\.)/.test(code.slice(end, end + 20))) continue;
    for (const args of pool) found.push({at: at - (negated?.[1].length ?? 0), name: match[1], args, key: `${negated ? "-" : ""}${match[1]}/${String(args) ? args.length : 0}`});
  }
  return found;
}

/* The atoms of a statement's head, those it is chosen from among them. */
const headOf = (said) => /^(?::|#(?!external))/.test(said) ? [] : atomsIn(said.split(":-")[0]);

/* The statements, each with its part: [{at, text, part, parameter}]; and what is wrong with the parts, as [index, sentence]. */
function statementsOf(code) {
  const found = [];
  let part = "base", parameter = "", wrong = null;
  for (const match of code.matchAll(/(?:[^.]|\.\.+)+(?=\.|$)/g)) {
    const skipped = match[0].match(/^\s*(?:\[[^\]]*\])?\s*/)[0].length, at = match.index + skipped, text = match[0].slice(skipped).trimEnd();
    if (!text) continue;   // what stands behind the last full stop
    const [, name, list] = text.match(/^#program\s+(\w+)\s*(?:\(([^()]*)\))?$/) ?? [];
    if (!name) { found.push({at, text, part, parameter}); continue; }
    const count = list?.trim() ? list.split(",").length : 0;
    if (PARTS[name] !== count) wrong ??= [at, `part ${name}/${count} is never grounded: there are base, step(t), check(t)`];
    [part, parameter] = [name, count ? list.trim() : ""];
  }
  return [found, wrong];
}

/* What is wrong with an argument of a public predicate, or "". */
function argument(kind, term, {key, part, parameter, cells, numbers, letter, boxes}) {
  const bare = term.replace(/[\s()]/g, ""), word = WORD.test(term) && !numbers.has(term);
  if (kind === "time" && part === "base" && bare !== "0" && !numbers.has(bare)) return `part base knows the start only (time 0), not ${key} of time ${term}: this rule belongs under '#program step(t).'`;
  if (kind === "time" && parameter && bare.startsWith(`${parameter}+`) && /\+0*[1-9]\d*$/.test(bare)) return `state ${bare} is not there yet in part ${part}: say it of ${parameter} and ${parameter}-1`;
  if ((kind === "time" || kind === "number") && word && term !== parameter) return `${term} is a name, and ${key} has a number there: a variable begins with a capital letter`;
  if (kind === "direction" && word && !DIRECTIONS.includes(term)) return `${term} is no direction: they are ${DIRECTIONS.join(", ")}`;
  if (letter === "B" && term in cells && boxes.length && !boxes.includes(term)) return `no box starts on ${term}; there are ${boxes.slice(0, 10).join(", ")}`;
  return kind === "cell" && (word || /^\d+$/.test(term)) ? noCell(term, cells) : "";
}

/* That there is no such cell, or "": in Klotski a number is one up to the last, since a piece's corner may lie on a wall. */
function noCell(name, cells) {
  if (name in cells) return "";
  const all = Object.keys(cells);
  if (/^\d/.test(all[0])) return Number(name) <= Number(all.at(-1)) ? "" : `the board has no cell ${name}: they are numbers from 0, row by row`;
  return `the level has no floor cell ${name}: a cell is called c, its column, r, its row, both counted from 1`;
}

const placeIn = (code) => (at, words) => `${code.slice(0, at).split("\n").length}:${at - code.lastIndexOf("\n", at - 1)}: ${words}`;

/* Whether a text is a whole program, and no constraints: it declares the question, or chooses actions. */
export const whole = (text) => /#external\s+query\b|(^|\.)\s*(\d+\s*)?\{\s*(push|move|slide)\s*\(/.test(plain(text));

/* The first slip in constraints as "line:column: sentence" (of the whole text: " sentence"), or "". `ours` is the text that they are added to, facts and all. */
export function slip(text, {cells, vocabulary, ours}) {
  const code = plain(text), place = placeIn(code);
  if (/%\*(?:(?!\*%)[^])*%\*/.test(text) || /&\s*[a-z]|#program\b(?!\s+\w+\s*(?:\([^()]*\)\s*)?\.)/.test(code)) return "";
  const [all, wrong] = statementsOf(code), silent = all.every((one) => /^#(?!minimi|maximi|edge|heuristic)/.test(one.text)), words = new Map(vocabulary.map((one) => [`${one.name}/${one.kinds.length}`, one]));
  if (text.trim() && silent) return " there is no constraint, preference or rule in it";
  if (wrong) return place(...wrong);
  if (all.some((one) => one.text.split(/[([{]/).length !== one.text.split(/[)\]}]/).length)) return "";
  const named = (given) => [...plain(given).matchAll(/#defined\s+([\w']+\s*\/\s*\d+)/g)].map((one) => one[1].replace(/\s/g, ""));
  const theirs = new Set([...atomsIn(plain(ours)).map(({key}) => key), ...named(ours), ...named(text)]), klotski = /^\d/.test(Object.keys(cells)[0]), numbers = new Set([...code.matchAll(/#const\s+(\w+)/g)].map((one) => one[1]));
  const boxes = [...ours.matchAll(/^box\((\w+)\)/gm)].map((one) => one[1]);
  const heads = all.flatMap((one) => headOf(one.text).map(({key}) => ({key, part: one.part})));
  const parts = (key) => heads.filter((one) => one.key === key).map(({part}) => part);
  for (const {at, text: said, part, parameter} of all) {
    const show = said.match(/^#(show|project)\b/), head = headOf(said)[0];
    if (show) return place(at, "the program says what of a plan is printed and counted: leave #show and #project out");
    const own = head?.key.replace(/^-/, "");
    if (head && (words.has(own) || (theirs.has(own) && !named(text).includes(own)))) return place(at + head.at, `${head.key} belongs to the program: constraints may use it, not derive it`);
    for (const found of klotski ? [] : said.matchAll(/(?<![\w'])[cr]\d+[cr]\d+(?![\w'(])/g)) if (noCell(found[0], cells) && !numbers.has(found[0])) return place(at + found.index, noCell(found[0], cells));
    for (const {key, name, args, at: there} of atomsIn(said)) {
      if (!words.has(key) && !theirs.has(key) && !parts(key).length) {
        const near = [...words.keys()].find((one) => one.startsWith(`${name}/`));
        return place(at + there, `nothing derives ${key}${near ? `; did you mean ${key[0] === "-" ? `not ${key.slice(1)}` : near}?` : ""}`);
      }
      if (part === "base" && !words.has(key) && !theirs.has(key) && !parts(key).includes("base")) return place(at + there, `nothing in part base derives ${key}: this rule belongs under '#program step(t).'`);
      for (const [n, kind] of (words.get(key)?.kinds ?? []).entries()) {
        const sentence = argument(kind, args[n], {key, part, parameter, cells, numbers, letter: words.get(key).args[n], boxes});
        if (sentence) return place(at + there, sentence);
      }
    }
    if (part === "check" && /^:[-~]/.test(said) && !/(?<!\bnot\s+)\bquery\s*\(/.test(said) && !all.some((one) => one.part === "check" && !one.text.startsWith(":")))
      return place(at, `what part check forbids holds at every bound asked for on the way: add query(${parameter})`);
  }
  return "";
}
