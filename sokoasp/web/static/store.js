/* What the page remembers: settings, positions, bests, collections. One entry a level, so that writing one is cheap.
   A store that is shut off or full is reported once; everything then lives on in memory until the page is closed. */
export const VERSION = 1;
const PREFIX = "sokoasp.";

/* A short name for a level that depends on nothing but its game, its head and its rows (53 bits). */
export function identity({game, head = "", rows}) {
  let a = 0xdeadbeef, b = 0x41c6ce57;
  for (const char of `${game}\n${head}\n${rows.map((row) => row.trimEnd()).join("\n")}`) {
    const code = char.codePointAt(0);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}

export class Store {
  /* `open` returns a Storage or throws; `report` hears one sentence when something cannot be kept. */
  constructor(open, report = () => {}) {
    this.report = report;
    this.memory = new Map();
    try {
      this.storage = open();
      this.storage.setItem(`${PREFIX}try`, "1");
      this.storage.removeItem(`${PREFIX}try`);
    } catch {
      this.storage = null;
      this.lost("This browser keeps nothing for this page: what you do is remembered until you close it. Export it to keep it.");
    }
    this.check();
  }

  lost(sentence) {
    if (this.reported) return;
    this.reported = sentence;
    this.report(sentence);
  }

  check() {
    const version = this.get("version", 0);
    if (version > VERSION) return this.lost("What this browser remembers was written by a newer page; it is left as it is where it can be.");
    if (version !== VERSION) this.set("version", VERSION);
  }

  get(name, otherwise = null) {
    if (this.memory.has(name)) return structuredClone(this.memory.get(name));
    try {
      const text = this.storage?.getItem(PREFIX + name);
      return text ? JSON.parse(text) : otherwise;
    } catch { return otherwise; }
  }

  set(name, value) {
    try {
      this.storage.setItem(PREFIX + name, JSON.stringify(value));  // no storage: that fails as well
      this.memory.delete(name);
      return true;
    } catch { this.memory.set(name, structuredClone(value)); }
    this.lost("This browser's store is full: what is new is remembered until you close the page. Export it to keep it.");
    return false;
  }

  remove(name) {
    this.memory.delete(name);
    try { this.storage?.removeItem(PREFIX + name); } catch { /* it was not there */ }
  }

  names(kind = "") {
    const found = new Set(this.memory.keys());
    try {
      for (let n = 0; n < (this.storage?.length ?? 0); n++) {
        const name = this.storage.key(n);
        if (name.startsWith(PREFIX)) found.add(name.slice(PREFIX.length));
      }
    } catch { /* what is in memory is all there is */ }
    return [...found].filter((name) => name.startsWith(kind)).sort();
  }

  level(id) { return this.get(`level.${id}`, {}); }
  change(id, parts) { return this.set(`level.${id}`, {...this.level(id), ...parts}); }

  /* Everything as one text. */
  export() {
    const entries = Object.fromEntries(this.names().map((name) => [name, this.get(name)]));
    return JSON.stringify({app: "sokoasp", version: VERSION, entries});
  }

  /* Take in an exported text; of two bests the better one stays. Returns the number of levels in it. */
  import(text) {
    let found = null;
    try { found = JSON.parse(text); } catch { /* reported below */ }
    if (found?.app !== "sokoasp" || typeof found.entries !== "object" || found.entries === null) throw new Error("This is no export of this page.");
    if (!(found.version <= VERSION)) throw new Error("This export was written by a newer page.");
    let levels = 0;
    for (const [name, entry] of Object.entries(found.entries)) {
      if (name === "version" || entry === null) continue;
      if (!name.startsWith("level.")) { this.set(name, entry); continue; }
      levels++;
      const own = this.get(name, {}), bests = {...entry.bests};
      for (const [count, best] of Object.entries(own.bests ?? {})) if (!(bests[count]?.value < best.value)) bests[count] = best;
      this.set(name, {...entry, ...own, ...(Object.keys(bests).length ? {bests} : {})});
    }
    return levels;
  }
}
