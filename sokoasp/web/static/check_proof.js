"use strict";
/* Checks a certificate (docs/certificates.md), in one file that needs no other: `node check_proof.js FOLDER` prints what
   docs/check_proof.py prints and ends with its exit codes; as a worker of the page it checks a folder that was dropped.
   Written from the specification; what it shares with the other two checkers is the theorem. Lists of states and tables are read
   record by record out of the xz stream, so nothing grows beyond what is checked. Only streams by LZMA2 are read. */

const NEVER = Infinity, STORED_NEVER = 30000, MOST = 29999, WITH_PATTERNS = "sokoasp certificate 3", WITH_CORRALS = "sokoasp certificate 4", WITH_TIES = "sokoasp certificate 5", WITH_WALLS = "sokoasp certificate 6", TIES = "pushes+moves";
const TEXT = 16000000, MEMORY = 2 ** 28;
const OTHER_ROW_ENDS = /[\r\v\f\x1c-\x1e\x85\u2028\u2029]/;
const WAYS = {l: [0, -1], r: [0, 1], u: [-1, 0], d: [1, 0]};

class Invalid extends Error {}
function demand(holds, reported) { if (!holds) throw new Invalid(reported); }
const whole = (text) => { demand(/^-?\d+$/.test(text), "a number is not written as numbers are"); return Number(text); };

/* ---- sums: SHA-256, CRC-32, CRC-64 ---- */

const primes = (count) => { const found = []; for (let n = 2; found.length < count; n++) if (found.every((p) => n % p)) found.push(n); return found; };
const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32) | 0;
const ROUND = Int32Array.from(primes(64), (p) => fraction(Math.cbrt(p)));

function sha256(bytes) {
  const state = Int32Array.from(primes(8), (p) => fraction(Math.sqrt(p))), words = new Int32Array(64), size = bytes.length;
  const tail = new Uint8Array(((size + 72 >> 6) << 6) - (size & ~63)), end = new DataView(tail.buffer);
  tail.set(bytes.subarray(size & ~63));
  tail[size & 63] = 128;
  end.setUint32(tail.length - 8, Math.floor(size / 2 ** 29));
  end.setUint32(tail.length - 4, size << 3 >>> 0);
  const turn = (x, by) => x >>> by | x << 32 - by;
  for (const data of [bytes.subarray(0, size & ~63), tail]) for (let at = 0; at < data.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = data[at + 4 * i] << 24 | data[at + 4 * i + 1] << 16 | data[at + 4 * i + 2] << 8 | data[at + 4 * i + 3];
    for (let i = 16; i < 64; i++) {
      const x = words[i - 15], y = words[i - 2];
      words[i] = words[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ x >>> 3) + words[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ y >>> 10);
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + (e & f ^ ~e & g) + ROUND[i] + words[i] | 0;
      const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + (a & b ^ a & c ^ b & c) | 0;
      h = g; g = f; f = e; e = d + one | 0; d = c; c = b; b = a; a = one + two | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => { state[i] += x; });
  }
  return [...state].map((x) => (x >>> 0).toString(16).padStart(8, "0")).join("");
}

const CRC32 = new Int32Array(256), HIGH = new Int32Array(256), LOW = new Int32Array(256);
for (let i = 0; i < 256; i++) {
  let short = i, high = 0, low = i;
  for (let bit = 0; bit < 8; bit++) {
    short = short & 1 ? short >>> 1 ^ 0xEDB88320 : short >>> 1;
    const odd = low & 1;
    low = low >>> 1 | high << 31;
    high >>>= 1;
    if (odd) { low ^= 0xD7870F42; high ^= 0xC96C5795; }
  }
  [CRC32[i], HIGH[i], LOW[i]] = [short, high, low];
}
const crc32 = (bytes, crc = 0) => { crc = ~crc; for (const byte of bytes) crc = CRC32[(crc ^ byte) & 255] ^ crc >>> 8; return ~crc >>> 0; };

/* The check of a block over its pieces as they come: a sum of the kind that the stream names. */
class BlockSum {
  constructor(kind) { this.kind = kind; this.short = 0; this.low = this.high = -1; this.held = []; }

  add(bytes) {
    if (this.kind === 1) this.short = crc32(bytes, this.short);
    if (this.kind === 10) this.held.push(bytes.slice());
    if (this.kind !== 4) return;
    let {low, high} = this;
    for (let i = 0; i < bytes.length; i++) {
      const at = (low ^ bytes[i]) & 255;
      low = (low >>> 8 | high << 24) ^ LOW[at];
      high = high >>> 8 ^ HIGH[at];
    }
    [this.low, this.high] = [low, high];
  }

  matches(bytes) {
    const at = (i) => (bytes[i] | bytes[i + 1] << 8 | bytes[i + 2] << 16 | bytes[i + 3] << 24) >>> 0;
    if (this.kind === 1) return at(0) === this.short;
    if (this.kind === 4) return at(0) === (~this.low >>> 0) && at(4) === (~this.high >>> 0);
    if (this.kind !== 10) return true;
    const all = new Uint8Array(this.held.reduce((sum, part) => sum + part.length, 0));
    this.held.reduce((place, part) => { all.set(part, place); return place + part.length; }, 0);
    return sha256(all) === [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
}

/* ---- xz: one stream, blocks by LZMA2 ---- */

const NEXT_LITERAL = [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 4, 5];
/* Where the probabilities of each choice begin. */
const IS_MATCH = 0, IS_REP = 192, REP_0 = 204, REP_1 = 216, REP_2 = 228, REP_LONG = 240, SLOT = 432, SPECIAL = 688, ALIGN = 816, LENGTH = 832, REP_LENGTH = 1346, LITERAL = 1860;

class Lzma2 {
  constructor(bytes, at, dictionary) {
    Object.assign(this, {bytes, at, dictionary: Math.max(dictionary, 4096), from: 0, place: 0, gone: 0});
    this.window = new Uint8Array(Math.min(this.dictionary, 1 << 20) + (1 << 22));
    this.propertiesMissing = this.resetMissing = true;
  }

  byte() { demand(this.at < this.bytes.length, "the stream ends in the middle"); return this.bytes[this.at++]; }

  /* Makes room for a chunk: the window grows to the dictionary's size, then it slides. */
  room(count) {
    if (this.place + count <= this.window.length) return;
    const keep = Math.min(this.dictionary, this.place - this.from), start = this.place - keep;
    const size = Math.max(this.window.length, Math.min(2 * this.window.length, this.dictionary + (1 << 22)), keep + count), before = this.window;
    if (size > before.length) this.window = new Uint8Array(size);
    this.window.set(before.subarray(start, this.place));
    [this.from, this.place, this.gone] = [0, keep, this.gone + start];
  }

  /* Yields what each chunk unpacks to; it stands until the next is asked for. */
  * chunks() {
    for (;;) {
      const control = this.byte();
      if (control === 0) return;
      if (control >= 0xE0 || control === 1) {
        this.propertiesMissing = true;
        this.resetMissing = false;
        this.from = this.place;
        this.gone = -this.place;
      } else demand(!this.resetMissing, "the stream begins in the middle");
      if (control < 0x80) {
        demand(control < 3, "the stream has an unknown chunk");
        const size = (this.byte() << 8 | this.byte()) + 1;
        demand(this.at + size <= this.bytes.length, "the stream ends in the middle");
        this.room(size);
        this.window.set(this.bytes.subarray(this.at, this.at + size), this.place);
        this.at += size;
        this.place += size;
        yield this.window.subarray(this.place - size, this.place);
        continue;
      }
      const size = ((control & 31) << 16 | this.byte() << 8 | this.byte()) + 1, packed = (this.byte() << 8 | this.byte()) + 1;
      if (control >= 0xC0) this.setProperties(this.byte());
      demand(!this.propertiesMissing, "the stream has no properties");
      if (control >= 0xA0) this.reset();
      this.room(size);
      this.unpack(size, packed);
      yield this.window.subarray(this.place - size, this.place);
    }
  }

  setProperties(byte) {
    demand(byte < 225, "the stream's properties are impossible");
    [this.lc, this.lp, this.pb] = [byte % 9, Math.floor(byte / 9) % 5, Math.floor(byte / 45)];
    demand(this.lc + this.lp <= 4, "the stream's properties are impossible");
    this.propertiesMissing = false;
  }

  reset() {
    this.chances = new Uint16Array(LITERAL + (0x300 << this.lc + this.lp)).fill(1024);
    this.state = 0;
    this.reps = [0, 0, 0, 0];
  }

  bit(index) {
    const chance = this.chances[index], bound = (this.range >>> 11) * chance;
    let bit = 0;
    if (this.code < bound) {
      this.range = bound;
      this.chances[index] = chance + (2048 - chance >> 5);
    } else {
      this.range -= bound;
      this.code -= bound;
      this.chances[index] = chance - (chance >> 5);
      bit = 1;
    }
    if (this.range < 0x1000000) this.shift();
    return bit;
  }

  shift() {
    demand(this.at < this.end, "the stream ends in the middle");
    this.range = this.range << 8 >>> 0;
    this.code = (this.code << 8 | this.bytes[this.at++]) >>> 0;
  }

  tree(base, count) { let m = 1; for (let i = 0; i < count; i++) m = m << 1 | this.bit(base + m); return m - (1 << count); }
  backwards(base, count) { let m = 1, value = 0; for (let i = 0; i < count; i++) { const bit = this.bit(base + m); m = m << 1 | bit; value |= bit << i; } return value; }

  direct(count) {
    let value = 0;
    while (count--) {
      this.range = this.range >>> 1;
      const bit = this.code >= this.range ? 1 : 0;
      if (bit) this.code -= this.range;
      if (this.range < 0x1000000) this.shift();
      value = value * 2 + bit;
    }
    return value;
  }

  length(base, posState) {
    if (!this.bit(base)) return 2 + this.tree(base + 2 + (posState << 3), 3);
    if (!this.bit(base + 1)) return 10 + this.tree(base + 130 + (posState << 3), 3);
    return 18 + this.tree(base + 258, 8);
  }

  distance(length) {
    const slot = this.tree(SLOT + (Math.min(length - 2, 3) << 6), 6);
    if (slot < 4) return slot;
    const count = (slot >> 1) - 1, high = (2 | slot & 1) * 2 ** count;
    if (slot < 14) return high + this.backwards(SPECIAL + high - slot, count);
    return high + this.direct(count - 4) * 16 + this.backwards(ALIGN, 4);
  }

  literal() {
    const {window, place, lc} = this, before = place > this.from ? window[place - 1] : 0;
    const base = LITERAL + 0x300 * (((place + this.gone & (1 << this.lp) - 1) << lc) + (before >> 8 - lc));
    let symbol = 1;
    if (this.state >= 7) {
      let match = window[place - this.reps[0] - 1];
      while (symbol < 256) {
        const side = match >> 7 & 1, bit = this.bit(base + (1 + side << 8) + symbol);
        match <<= 1;
        symbol = symbol << 1 | bit;
        if (side !== bit) break;
      }
    }
    while (symbol < 256) symbol = symbol << 1 | this.bit(base + symbol);
    window[this.place++] = symbol & 255;
    this.state = NEXT_LITERAL[this.state];
  }

  /* The length of the next match; its distance is the first of the last four. */
  match(posState) {
    const {reps, state} = this;
    if (!this.bit(IS_REP + state)) {
      const length = this.length(LENGTH, posState);
      this.reps = [this.distance(length), reps[0], reps[1], reps[2]];
      this.state = state < 7 ? 7 : 10;
      return length;
    }
    if (!this.bit(REP_0 + state)) {
      if (!this.bit(REP_LONG + (state << 4) + posState)) { this.state = state < 7 ? 9 : 11; return 1; }
    } else {
      const which = !this.bit(REP_1 + state) ? 1 : !this.bit(REP_2 + state) ? 2 : 3;
      reps.unshift(...reps.splice(which, 1));
    }
    this.state = state < 7 ? 8 : 11;
    return this.length(REP_LENGTH, posState);
  }

  unpack(size, packed) {
    const until = this.place + size;
    this.end = this.at + packed;
    demand(this.end <= this.bytes.length && this.byte() === 0, "the stream is damaged");
    [this.range, this.code] = [0xFFFFFFFF, 0];
    for (let i = 0; i < 4; i++) this.code = (this.code << 8 | this.byte()) >>> 0;
    while (this.place < until) {
      const posState = this.place + this.gone & (1 << this.pb) - 1;
      if (!this.bit(IS_MATCH + (this.state << 4) + posState)) { this.literal(); continue; }
      const length = this.match(posState), back = this.reps[0] + 1;
      demand(back <= this.place - this.from && back <= this.dictionary && this.place + length <= until, "the stream is damaged");
      for (let i = 0; i < length; i++, this.place++) this.window[this.place] = this.window[this.place - back];
    }
    demand(this.at === this.end && this.code === 0, "the stream is damaged");
  }
}

/* Yields the pieces that an xz file unpacks to; at its end all its sums and sizes are demanded. */
function* unpacked(bytes) {
  let at = 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const take = (count) => { demand(at + count <= bytes.length, "the stream ends in the middle"); at += count; return bytes.subarray(at - count, at); };
  const sealed = (start, end) => demand(end + 4 <= bytes.length && view.getUint32(end, true) === crc32(bytes.subarray(start, end)), "a sum is wrong");
  const size = () => {
    let value = 0;
    for (let i = 0; i < 9; i++) {
      const byte = take(1)[0];
      value += (byte & 127) * 128 ** i;
      if (byte < 128) { demand((byte || !i) && value <= Number.MAX_SAFE_INTEGER, "a size is impossible"); return value; }
    }
    throw new Invalid("a size is impossible");
  };
  const zeros = (until) => { while (at < until) demand(take(1)[0] === 0, "there is something in the padding"); };
  const head = take(12), kind = head[7], records = [];
  demand([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0].every((byte, i) => head[i] === byte) && [0, 1, 4, 10].includes(kind), "it is no xz stream");
  sealed(6, 8);
  while (bytes[at] !== 0) {
    const start = at, end = start + 4 * take(1)[0], flags = take(1)[0];
    sealed(start, end);
    demand((flags & 0x3F) === 0, "a block has other filters than LZMA2");
    const packed = flags & 64 ? size() : null, whole_ = flags & 128 ? size() : null;
    demand(size() === 0x21 && size() === 1, "a block has other filters than LZMA2");
    const code = take(1)[0], dictionary = code === 40 ? 2 ** 32 - 1 : (2 | code & 1) * 2 ** ((code >> 1) + 11);
    demand(code <= 40 && dictionary < MEMORY, "unpacking needs too much memory");
    zeros(end);
    at = end + 4;
    const begin = at, lzma = new Lzma2(bytes, at, dictionary), sum = new BlockSum(kind);
    let count = 0;
    for (const piece of lzma.chunks()) { sum.add(piece); count += piece.length; yield piece; }
    at = lzma.at;
    const length = at - begin;
    demand((packed ?? length) === length && (whole_ ?? count) === count, "a block has another size");
    zeros(begin + Math.ceil(length / 4) * 4);
    demand(sum.matches(take([0, 4, 0, 0, 8, 0, 0, 0, 0, 0, 32][kind])), "a sum is wrong");
    records.push([end + 4 - start + length + [0, 4, 0, 0, 8, 0, 0, 0, 0, 0, 32][kind], count]);
  }
  const index = at;
  take(1);
  demand(size() === records.length && records.every(([a, b]) => size() === a && size() === b), "the index is another one");
  zeros(index + Math.ceil((at - index) / 4) * 4);
  sealed(index, at);
  at += 4;
  const backward = at - index, foot = take(12);
  demand(view.getUint32(at - 12, true) === crc32(foot.subarray(4, 10)) && (view.getUint32(at - 8, true) + 1) * 4 === backward, "the foot is another one");
  demand(foot[8] === head[6] && foot[9] === head[7] && foot[10] === 0x59 && foot[11] === 0x5A, "the foot is another one");
  demand(at === bytes.length, "it goes on behind its stream");
}

/* A packed file, read piece by piece. */
class Unpacked {
  constructor(name, bytes) { this.name = name; this.pieces = unpacked(bytes); this.piece = new Uint8Array(0); this.at = 0; }

  /* The next bytes, fewer at the end. */
  take(count) {
    if (this.at + count <= this.piece.length) return this.piece.subarray(this.at, this.at += count);
    const found = new Uint8Array(count);
    let have = 0;
    for (;;) {
      const part = this.piece.subarray(this.at, this.at + count - have);
      found.set(part, have);
      have += part.length;
      this.at += part.length;
      if (have === count) return found;
      let next;
      try { next = this.pieces.next(); } catch (error) { throw new Invalid(`${this.name}: ${error.message}`); }
      if (next.done) return found.subarray(0, have);
      [this.piece, this.at] = [next.value, 0];
    }
  }
}

const number = (bytes) => bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);

/* ---- claim.json: JSON with integers only, and no key twice ---- */

function parse(text) {
  let at = 0;
  const fail = (reported = "claim.json is not JSON") => { throw new Invalid(reported); };
  const blank = () => { while (" \t\n\r".includes(text[at] ?? "x")) at++; };
  const word = () => {
    const start = at;
    if (text[at++] !== '"') fail();
    for (; text[at] !== '"'; at++) {
      if (!(text.charCodeAt(at) >= 32)) fail();
      if (text[at] === "\\" && !/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(++at, at + 5))) fail();
    }
    return JSON.parse(text.slice(start, ++at));
  };
  const value = (depth) => {
    if (depth > 50) fail();
    blank();
    const char = text[at];
    if (char === '"') return word();
    if (char === "[" || char === "{") return many(char, depth);
    for (const [name, meaning] of [["null", null], ["true", true], ["false", false]]) if (text.startsWith(name, at)) { at += name.length; return meaning; }
    const digits = /-?(?:0|[1-9][0-9]*)/y;
    digits.lastIndex = at;
    const match = digits.exec(text) ?? fail();
    at = digits.lastIndex;
    if (".eE".includes(text[at] ?? "x")) fail("claim.json has a number that is no integer");
    return Number(match[0]);
  };
  const many = (open, depth) => {
    const close = open === "[" ? "]" : "}", list = [], object = new Map();
    at++;
    blank();
    if (text[at] === close) at++; else for (;;) {
      blank();
      if (open === "[") list.push(value(depth + 1));
      else {
        const key = word();
        blank();
        if (text[at++] !== ":") fail();
        if (object.has(key)) fail("claim.json has a key twice");
        object.set(key, value(depth + 1));
      }
      blank();
      const next = text[at++];
      if (next === close) break;
      if (next !== ",") fail();
    }
    return open === "[" ? list : object;
  };
  const found = value(0);
  blank();
  if (at !== text.length) fail();
  return found;
}

function readClaim(folder) {
  const claim = parse(folder.text("claim.json"));
  demand(claim instanceof Map, "claim.json is no claim");
  demand(claim.get("format") !== "sokoasp certificate 1", "certificates of format 1 could be forged: certify the level again");
  demand(["sokoasp certificate 2", WITH_PATTERNS, WITH_CORRALS, WITH_TIES, WITH_WALLS].includes(claim.get("format")), "claim.json is of no format that is known here");
  const keys = "format game objective value kind groups prices boxes version upper lower files".split(" ");
  demand(claim.size === keys.length && keys.every((key) => claim.has(key)), "claim.json has other keys than a claim");
  const {game, objective, value, kind, groups, prices, boxes, files, version, upper, lower} = Object.fromEntries(claim);
  const upTo = (x, most) => typeof x === "number" && x >= 0 && x <= most;
  const objectives = {sokoban: ["lines", "pushes", "moves", TIES], klotski: ["slides", "units"]};
  demand(["sokoban", "klotski"].includes(game), "there is no such game");
  demand(objectives[game].includes(objective), "there is no such objective");
  demand(["solved", "refutation", "states"].includes(kind), "the claim is of no kind");
  const tied = claim.get("format") === WITH_TIES;
  demand(tied === (objective === TIES), "tie-breaks have a format of their own");
  if (tied) {
    demand(Array.isArray(value) && value.length === 2 && value.every((x) => upTo(x, 60000)) && kind !== "refutation", "the value is not one of this kind");
    demand(value[0] > 0 || value[1] === 0, "moves without a push");
  } else demand(upTo(value, 60000) || (value === null && kind === "states"), "the value is not one of this kind");
  demand(((tied ? value[0] : value) === 0) === (kind === "solved"), "a claim of this kind does not show this value");
  demand(upTo(groups, {solved: 0, refutation: 2, states: 4}[kind]), "groups are not those of this kind");
  demand(Array.isArray(prices) && prices.every((price) => upTo(price, 2000)), "prices are not integers from 0 to 2000");
  const walls = claim.get("format") === WITH_WALLS, corrals = walls || claim.get("format") === WITH_CORRALS, learned = corrals || claim.get("format") === WITH_PATTERNS;
  demand(!learned || (kind === "states" && groups), "patterns need a list of states, and tables");
  demand(!corrals || ["pushes", "lines"].includes(objective), "corrals are for pushes and lines");
  demand(prices.length > 0 === groups > 0, "prices without tables, or tables without prices");
  demand(Array.isArray(boxes) && (!boxes.length || value === null), "boxes can be named only of a level without a plan");
  demand(boxes.every((box) => Array.isArray(box) && box.length === 2 && box.every((x) => upTo(x, TEXT))), "the boxes are not rows and columns");
  demand(game === "sokoban" || (groups === 0 && !boxes.length), "groups and boxes are for Sokoban");
  demand(!prices.some((price) => price > 0) || (kind === "states" && !boxes.length), "prices need a list of states with all boxes");
  demand([version, upper, lower].every((words) => typeof words === "string"), "words are not words");
  const [level, plan] = game === "sokoban" ? ["level.xsb", "plan.lurd"] : ["level.klotski", "plan.txt"];
  const names = [level, ...(value === null ? [] : [plan]), ...(groups ? ["tables.xz"] : []), ...(learned ? ["patterns.xz"] : []), ...(corrals ? ["corrals.xz"] : []), ...(walls ? ["walls.xz"] : []), ...{solved: [], refutation: ["claim.cnf", "proof.lrat"], states: ["states.xz"]}[kind]];
  demand(files instanceof Map && files.size === names.length && names.every((name) => files.has(name)), "claim.json names other files than its kind has");
  for (const name of names) demand(sha256(folder.bytes(name)) === files.get(name), `${name}: another file`);
  return {game, objective, value, kind, groups, learned, corrals, walls, prices, boxes, level, plan, sum: files.get(level)};
}

/* ---- Sokoban: the level, its rules ---- */

class Level {
  constructor(text) {
    const rows = text.split("\n"), sign = (r, c) => rows[r]?.[c];
    demand(/^[# $*.@+\n]*$/.test(text), "the level has a sign that means nothing");
    const all = rows.flatMap((row, r) => [...row].map((char, c) => [r, c, char])), players = all.filter(([, , char]) => "@+".includes(char));
    demand(players.length === 1, "the level has no player, or several");
    const [[row, column]] = players, seen = new Set([`${row},${column}`]), todo = [[row, column]];
    for (const [r, c] of todo) for (const [dr, dc] of Object.values(WAYS)) {
      const name = `${r + dr},${c + dc}`;
      if (sign(r + dr, c + dc) === "#" || seen.has(name)) continue;
      demand(sign(r + dr, c + dc) !== undefined, "the floor is open");
      seen.add(name);
      todo.push([r + dr, c + dc]);
    }
    demand(todo.length <= 65536, "the floor has more than 65,536 cells");
    this.cells = todo.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    this.n = this.cells.length;
    this.at = new Map(this.cells.map((cell, i) => [String(cell), i]));
    this.to = this.cells.map(([r, c]) => Object.values(WAYS).map(([dr, dc]) => this.at.get(`${r + dr},${c + dc}`) ?? -1));  // left, right, up, down: the opposite of d is d ^ 1
    const pick = (signs) => all.filter(([, , char]) => signs.includes(char)).map(([r, c]) => this.at.get(`${r},${c}`));
    demand(pick("$*.+").every((cell) => cell !== undefined), "a box or goal is out of reach");
    [this.boxes, this.goals, this.player] = [pick("$*"), pick(".*+"), pick("@+")[0]];
    demand(this.boxes.length >= this.goals.length, "there are more goals than boxes");
    this.isGoal = new Uint8Array(this.n);
    for (const goal of this.goals) this.isGoal[goal] = 1;
    this.left = this.cells.map((_, i) => i);
    this.makeRoom();
  }

  makeRoom() { [this.taken, this.mark, this.queue, this.marked] = [new Uint8Array(this.n), new Uint32Array(this.n), new Int32Array(this.n), 0]; }

  /* The same level with some cells walls; the others keep their numbers. */
  without(cells) {
    const there = (cell) => !cells.includes(cell), level = Object.assign(Object.create(Level.prototype), this, {left: this.left.filter(there), goals: this.goals.filter(there)});
    level.to = this.to.map((near) => near.map((q) => q >= 0 && there(q) ? q : -1));
    level.makeRoom();
    return level;
  }

  /* Whether none of these boxes can be the first of them to move: along both axes a wall or one of them is beside each. */
  fixed(boxes) {
    const shut = (q) => q < 0 || boxes.includes(q);
    return boxes.length > 0 && boxes.every((box) => (shut(this.to[box][0]) || shut(this.to[box][1])) && (shut(this.to[box][2]) || shut(this.to[box][3])));
  }

  put(boxes, value) { for (const box of boxes) this.taken[box] = value; }

  /* Fills the queue with the player's region among the boxes that are put; returns its size and its least cell. */
  flood(player) {
    const {taken, mark, queue, to} = this, stamp = ++this.marked;
    let size = 1, least = player;
    queue[0] = player;
    mark[player] = stamp;
    for (let i = 0; i < size; i++) for (const q of to[queue[i]]) if (q >= 0 && !taken[q] && mark[q] !== stamp) {
      mark[q] = stamp;
      queue[size++] = q;
      if (q < least) least = q;
    }
    return [size, least];
  }

  least(player, boxes) {
    this.put(boxes, 1);
    const [, least] = this.flood(player);
    this.put(boxes, 0);
    return least;
  }

  /* All (boxes, player) one action later; for pushes and lines the player may stand anywhere in the region. */
  steps(boxes, player, objective) {
    const {taken, to} = this, found = [];
    this.put(boxes, 1);
    const area = objective === "moves" ? [player] : [...this.queue.subarray(0, this.flood(player)[0])];
    for (const stand of area) for (let d = 0; d < 4; d++) {
      const b = to[stand][d];
      if (b < 0) continue;
      if (!taken[b]) { if (objective === "moves") found.push([boxes, b]); continue; }
      for (let behind = b, q = to[b][d]; q >= 0 && !taken[q]; behind = q, q = to[q][d]) {
        found.push([boxes.map((box) => box === b ? q : box).sort((x, y) => x - y), behind]);
        if (objective !== "lines") break;
      }
    }
    this.put(boxes, 0);
    return found;
  }

  /* Each push at hand as (boxes, player, steps): after so many steps of a shortest walk. */
  walkedPushes(boxes, player) {
    const {taken, to} = this, steps = new Map([[player, 0]]), todo = [player], found = [];
    this.put(boxes, 1);
    for (const c of todo) for (const q of to[c]) if (q >= 0 && !taken[q] && !steps.has(q)) {
      steps.set(q, steps.get(c) + 1);
      todo.push(q);
    }
    for (const b of boxes) for (let d = 0; d < 4; d++) {
      const stand = to[b][d ^ 1], q = to[b][d];
      if (steps.has(stand) && q >= 0 && !taken[q]) found.push([boxes.map((box) => box === b ? q : box).sort((x, y) => x - y), b, steps.get(stand)]);
    }
    this.put(boxes, 0);
    return found;
  }

  /* Plays a plan; returns its counts, and each action as the formula needs it. */
  replay(lurd, objective) {
    const boxes = new Set(this.boxes), counts = {lines: 0, pushes: 0, moves: lurd.length}, actions = [];
    let {player} = this, before = null;
    for (const letter of lurd) {
      const d = "lrud".indexOf(letter.toLowerCase());
      demand(/[lrudLRUD]/.test(letter), "the plan has a letter that means nothing");
      const q = this.to[player][d], push = boxes.has(q), was = [[...boxes], player], upper = letter !== letter.toLowerCase();
      demand(q >= 0 && push === upper, "rules: an impossible move");
      const beyond = this.to[q][d];
      if (push) {
        demand(beyond >= 0 && !boxes.has(beyond), "rules: an impossible push");
        boxes.delete(q);
        boxes.add(beyond);
        counts.pushes++;
        counts.lines += before !== letter;
      }
      player = q;
      const now = [[...boxes], player];
      if (objective === "moves") actions.push({box: push ? q : null, d, over: [], boxes: was[0], left: was[1], after: now});
      else if (push && objective === "lines" && before === letter) Object.assign(actions.at(-1), {over: [...actions.at(-1).over, beyond], after: now});
      else if (push) actions.push({box: q, d, over: [beyond], boxes: was[0], left: actions.at(-1)?.after[1] ?? this.player, after: now});
      before = push ? letter : null;
    }
    demand(this.goals.every((goal) => boxes.has(goal)), "rules: the plan does not solve the level");
    return {counts, actions};
  }
}

/* ---- pattern databases, accepted by their local inequalities ---- */

const keyOf = (cells, player = -1) => String.fromCharCode(...cells, ...(player < 0 ? [] : [player]));

/* All choices of some of the cells (ascending), in colexicographic order. */
function* choices(cells, size, end = cells.length) {
  if (!size) { yield []; return; }
  for (let last = size - 1; last < end; last++) for (const rest of choices(cells, size - 1, last)) yield [...rest, cells[last]];
}

/* An array as long as asked for at least, with what it held. */
function longer(array, length) {
  if (length <= array.length) return array;
  const found = new array.constructor(Math.max(length, 2 * array.length));
  found.set(array);
  return found;
}

const BINOMIAL = [null, (n) => n, (n) => n * (n - 1) / 2, (n) => n * (n - 1) * (n - 2) / 6, (n) => n * (n - 1) * (n - 2) * (n - 3) / 24];

class Tables {
  constructor(level, prices, largest, file, objective) {
    const goals = [...level.goals].sort((a, b) => a - b);
    Object.assign(this, {level, largest, price: new Map(goals.map((goal, i) => [goal, prices[i]])), table: [], worth: [], live: [], all: [], place: new Int32Array(level.n).fill(-1), entries: 0, learned: new Map(), packed: [], walls: []});
    this.paid = prices.reduce((a, b) => a + b, 0);
    for (let size = 1; size <= largest; size++) {
      const cells = size === 1 ? level.left : this.live;
      if (size === 2) cells.forEach((cell, i) => { this.place[cell] = i; });
      [this.table[size], this.worth[size]] = [new Uint16Array(level.n ** 2), new Uint8Array(level.n)];
      let count = 0;
      for (const some of choices(cells, size)) this.read(some, size === 1 ? some[0] : count++, file);
    }
    for (const group of this.all) group.values.forEach((value, i) => this.holds(group, group.parts[i], value, objective));
  }

  /* The entries of one group: a number for each component of the floor without it, in the order of their least cells. They stand
     in one table for each size, by the group's number and the player's cell; `worth` says of which groups one is more than its boxes alone. */
  read(cells, at, file) {
    const {level} = this, {n} = level, size = cells.length, table = this.table[size] = longer(this.table[size], (at + 1) * n), worth = this.worth[size] = longer(this.worth[size], at + 1);
    const seen = new Uint8Array(n), parts = [], values = [];
    level.put(cells, 1);
    for (const part of level.left) if (!level.taken[part] && !seen[part]) {
      const data = file.take(2), word = number(data), alone = size > 1 ? cells.reduce((sum, c) => sum + this.get([c], part), 0) : 0;
      demand(data.length === 2, "tables: too few entries");
      demand(word <= STORED_NEVER, "tables: an entry is out of range");
      const value = word === STORED_NEVER || alone === NEVER ? NEVER : Math.min(word + alone, MOST), [area] = level.flood(part);
      for (let i = 0; i < area; i++) {
        seen[level.queue[i]] = 1;
        table[at * n + level.queue[i]] = Math.min(value, STORED_NEVER);
      }
      if (value > alone) worth[at] = 1;
      parts.push(part);
      values.push(value);
    }
    level.put(cells, 0);
    this.entries += parts.length;
    this.all.push({cells, parts, values});
    if (size === 1 && values.some((value) => value < NEVER)) this.live.push(cells[0]);
  }

  get(cells, player) {
    const size = cells.length;
    if (size > 1 && cells.some((cell) => this.place[cell] < 0)) return NEVER;
    const at = size > 1 ? cells.reduce((sum, cell, i) => sum + BINOMIAL[i + 1](this.place[cell]), 0) : cells[0], value = this.table[size][at * this.level.n + player];
    return value === STORED_NEVER ? NEVER : value;
  }

  /* Never: only if it is never one push later too, and the cells are not all goals. Else: the local inequality. */
  holds({cells}, part, value, objective) {
    let least = cells.reduce((sum, cell) => sum + (this.price.get(cell) ?? NEVER), 0);
    for (const [after, player] of this.level.steps(cells, part, objective)) least = Math.min(least, 1 + this.get(after, player));
    demand(value === NEVER ? least === NEVER : value <= MOST && value <= least, "tables: an entry is too high");
  }

  /* Learned patterns: records of more boxes by cells and player, those with the high bit for packing, too. */
  readPatterns(file, boxes, objective) {
    const {level, learned, packed} = this;
    for (const [cells, player, word] of records(level, file, this.live)) {
      const value = (word & 32767) === STORED_NEVER ? NEVER : word & 32767, key = keyOf(cells, player);
      demand(cells.length > 1 && cells.length <= boxes, "patterns: one has one box, or too many");
      demand(!learned.has(key), "patterns: one is there twice");
      demand((word & 32767) <= STORED_NEVER, "patterns: one is out of range");
      learned.set(key, {cells, player, value});
      level.put(cells, 1);
      if (word > 32767) packed.push({cells, area: new Set(level.queue.subarray(0, level.flood(player)[0])), value});
      level.put(cells, 0);
    }
    for (const {cells, player, value} of learned.values()) {
      demand(value <= cells.reduce((sum, cell) => sum + (this.price.get(cell) ?? NEVER), 0), "patterns: one costs more than its goals");
      for (const [after, to] of level.steps(cells, player, objective)) {
        const known = learned.get(keyOf(after, level.least(to, after)))?.value ?? 0;  // of just these boxes, or what disjoint ones add up to
        demand(value <= 1 + known || value <= 1 + this.bound(after, to, value - 1 - this.paid) + this.paid, "patterns: one says more than a push from it allows");
      }
    }
  }

  /* Boxes that never move again, and tables of the others alone on the floor without them; none if one stands on no goal. */
  readWalls(file, objective) {
    const {level, live} = this, width = live.length + 7 >> 3;
    for (let head = file.take(width); head.length; head = file.take(width)) {
      demand(head.length === width, "walls: they end in the middle of one");
      const cells = boxesIn(head, live, "walls: a box is on a cell that there is not");
      demand((this.walls.length + 1) * level.n ** 2 <= 50_000_000, "walls: there are too many");
      demand(cells.length <= 60, "walls: more than 60 boxes");
      demand(level.fixed(cells), "walls: a box may move");
      if (cells.every((cell) => level.isGoal[cell])) {
        const lone = level.without(cells), data = file.take(2 * lone.goals.length), prices = lone.goals.map((_, i) => number(data.subarray(2 * i, 2 * i + 2)));
        demand(data.length === 2 * lone.goals.length && prices.every((price) => price <= 2000), "walls: a price is missing, or too high");
        this.walls.push({cells, tables: new Tables(lone, prices, 1, file, objective)});
      } else this.walls.push({cells, tables: null});
    }
  }

  /* The best packing of disjoint groups over all boxes, or what boxes that never move again show. */
  bound(cells, player, needed = NEVER) {
    const packed = this.packing(cells, player, needed);
    return packed >= needed ? packed : Math.max(packed, ...this.walls.filter((wall) => wall.cells.every((cell) => cells.includes(cell)))
      .map((wall) => wall.tables ? wall.tables.packing(cells.filter((cell) => !wall.cells.includes(cell)), player, needed) : NEVER));
  }

  /* The best packing of disjoint groups over all boxes; larger groups are looked up only while smaller ones say too little. */
  packing(cells, player, needed = NEVER) {
    const alone = cells.map((cell) => this.get([cell], player)), singles = alone.reduce((a, b) => a + b, 0) - this.paid;
    if (singles >= needed) return singles;
    const gains = new Gains(cells.length), at = cells.map((cell) => this.place[cell]), {bit} = gains, {n} = this.level;
    for (const pattern of this.patternsIn(cells, player)) {
      if (pattern.value === NEVER) return NEVER;
      const some = pattern.cells.map((cell) => cells.indexOf(cell));
      gains.add(some[0], some.reduce((mask, i) => mask | bit[i], gains.none), pattern.value - some.reduce((sum, i) => sum + alone[i], 0));
    }
    let found = singles, lost = false;
    // groups of some boxes by their number, the last box first; most gain nothing for any player
    const look = (size, end, number, mask, own, table, worth) => {
      for (let i = end - 1; i >= size - 1 && !lost; i--) {
        const next = number + BINOMIAL[size](at[i]);
        if (size > 1) look(size - 1, i, next, mask | bit[i], own + alone[i], table, worth);
        else if (worth[next]) {
          const together = table[next * n + player];
          lost = together === STORED_NEVER;
          gains.add(i, mask | bit[i], together - own - alone[i]);
        }
      }
    };
    for (let size = 1; size <= this.largest && found < needed; size++) {
      if (size > 1) look(size, cells.length, 0, gains.none, 0, this.table[size], this.worth[size]);
      if (lost) return NEVER;
      if (size === this.largest || singles + gains.most() >= needed) found = singles + gains.best(needed - singles);
    }
    return found;
  }

  /* The learned patterns for packing whose boxes are here, and whose area the player is in. */
  patternsIn(cells, player) {
    if (!this.packed.length) return [];
    const {taken} = this.level;
    this.level.put(cells, 1);
    const here = this.packed.filter((pattern) => pattern.cells.every((cell) => taken[cell]) && pattern.area.has(player));
    this.level.put(cells, 0);
    return here;
  }
}

/* What groups say above their boxes alone, by the first box of each; a set of boxes is a number, a bit a box. */
class Gains {
  constructor(count) {
    const big = count > 30;
    this.none = big ? 0n : 0;
    this.bit = Array.from({length: count}, (_, i) => big ? 1n << BigInt(i) : 1 << i);
    this.of = this.bit.map(() => []);
  }

  add(first, mask, gain) { if (gain > 0) this.of[first].push({mask, gain}); }

  /* More than any sum can be, or that: the best group of each first box. */
  most() { return this.of.reduce((sum, groups) => sum + groups.reduce((most, {gain}) => Math.max(most, gain), 0), 0); }

  /* The sum of the groups without a common box that are found when the best ones are taken first. */
  some() {
    let total = 0, taken = this.none;
    for (const {mask, gain} of this.of.flat().sort((a, b) => b.gain - a.gain)) if (!(mask & taken)) {
      total += gain;
      taken |= mask;
    }
    return total;
  }

  /* The largest sum for groups without a common box, or one that is enough. */
  best(enough) {
    const quick = this.some(), known = new Map([[this.none, 0]]), firsts = this.bit.reduce((mask, bit, i) => this.of[i].length ? mask | bit : mask, this.none);
    if (quick >= enough) return quick;
    const groups = new Map(this.bit.map((bit, i) => [bit, this.of[i]]));
    const best = (left) => {  // the first box left is in one of its groups, or in none
      const low = left & firsts & -(left & firsts), rest = left & -low;
      if (known.has(rest)) return known.get(rest);
      let found = best(rest ^ low);
      for (const {mask, gain} of groups.get(low)) if ((mask & rest) === mask) found = Math.max(found, gain + best(rest ^ mask));
      known.set(rest, found);
      return found;
    };
    return best(this.bit.reduce((mask, bit) => mask | bit, this.none));
  }
}

function readTables(folder, level, claim) {
  demand(level.boxes.length === level.goals.length, "tables need as many goals as boxes");
  demand(claim.prices.length === level.goals.length, "there is not one price for each goal");
  const file = folder.unpacked("tables.xz"), tables = new Tables(level, claim.prices, claim.groups, file, claim.objective === "lines" ? "lines" : "pushes");
  demand(!file.take(1).length, "tables: too many entries");
  return tables;
}

/* ---- kind "states" of Sokoban ---- */

/* The cells of `live` whose bits are set. */
function boxesIn(bits, live, reported) {
  const cells = [];
  for (let i = 0; i < 8 * bits.length; i++) if (bits[i >> 3] >> (i & 7) & 1) cells.push(live[i]);
  demand(!cells.includes(undefined), reported);
  return cells;
}

/* Boxes, player's cell and number of each record; `live` are the cells that its bits stand for. */
function* records(level, file, live, numbers = 1) {
  const width = live.length + 7 >> 3, whole = width + 2 + 2 * numbers;
  for (;;) {
    const data = file.take(whole), player = number(data.subarray(width, width + 2));
    if (!data.length) return;
    demand(data.length === whole, "a list ends in the middle of a record");
    const cells = boxesIn(data.subarray(0, width), live, "a box is on a cell that there is not");
    demand(player < level.n && !cells.includes(player), "the player is on a box, or nowhere");
    yield [cells, player, number(data.subarray(width + 2, width + 4)), number(data.subarray(width + 4))];
  }
}

/* For each state in order the cells that name the area of its corral; none: it has none. */
function* areas(level, file, count) {
  for (let i = 0; i < count; i++) {
    const head = file.take(1), data = file.take(head.length ? 2 * head[0] : 0), cells = [];
    demand(head.length && data.length === 2 * head[0], "corrals: they end too soon");
    for (let j = 0; j < data.length; j += 2) cells.push(number(data.subarray(j, j + 2)));
    demand(cells.every((cell) => cell < level.n), "corrals: one is off the floor");
    yield cells;
  }
  demand(!file.take(1).length, "corrals: there are more than states");
}

/* The actions that can be the first of the boxes around an area, where every plan can begin with one of them. */
function corralSteps(level, tables, boxes, player, objective, named) {
  const {to, queue} = level, inside = new Set(), found = [];
  level.put(boxes, 1);
  const reached = new Set(queue.subarray(0, level.flood(player)[0])), open = named.some((cell) => level.taken[cell] || reached.has(cell));
  for (const cell of named) for (const q of queue.subarray(0, level.flood(cell)[0])) inside.add(q);
  level.put(boxes, 0);
  demand(!open, "corrals: one is not closed");
  const ring = new Set(boxes.filter((box) => to[box].some((q) => inside.has(q))));
  demand([...ring].some((box) => !level.isGoal[box]), "corrals: one need not be opened");
  for (const box of ring) for (let d = 0; d < 4; d++) {
    const stand = to[box][d ^ 1], q = to[box][d];
    // not the first of these: from inside, from where one of them is, against one; or the box is lost there
    if (stand < 0 || q < 0 || inside.has(stand) || ring.has(stand) || ring.has(q) || tables.get([q], box) === NEVER) continue;
    demand(reached.has(stand) && inside.has(q), "corrals: one has a first push that is not at hand");
    // the cells of a line are those of the area up to a wall or a box
    for (let at = q, behind = box; inside.has(at); [behind, at] = [at, to[at][d]]) {
      found.push([boxes.map((other) => other === box ? at : other).sort((x, y) => x - y), behind]);
      if (objective !== "lines") break;
    }
  }
  return found;
}

/* No plan has fewer pushes than claimed, nor as many and fewer moves: a state comes after each push, its cost is a pair. */
function checkTies(folder, level, {value: [fewest, least]}, live, bound, solved, say) {
  const parity = level.boxes.length === level.goals.length ? 1 : 0, listed = new Map();
  const enough = (pushes, moves) => pushes > fewest || pushes >= fewest - parity && moves >= least;
  const bounded = (cells, player, pushes, moves) => { const more = bound(cells, player); return enough(pushes + more, moves + more); };
  for (const [cells, player, pushes, moves] of records(level, folder.unpacked("states.xz"), live, 2)) {
    demand(cells.length === level.boxes.length, "states: one has another number of boxes");
    demand(!listed.has(keyOf(cells, player)), "states: one is there twice");
    listed.set(keyOf(cells, player), {cells, player, pushes, moves});
  }
  const start = [...level.boxes].sort((a, b) => a - b), first = listed.get(keyOf(start, level.player));
  demand(first?.pushes === 0 && first.moves === 0 || bounded(start, level.player, 0, 0), "states: the start");
  for (const {cells, player, pushes, moves} of listed.values()) if (!enough(pushes, moves)) {
    demand(!solved(cells), "states: one is solved too soon");
    for (const [after, to, steps] of level.walkedPushes(cells, player)) {
      const known = listed.get(keyOf(after, to)), one = pushes + 1, all = moves + steps + 1;
      const fine = known ? known.pushes <= one && known.moves <= all || known.pushes + 1 + parity <= one : bounded(after, to, one, all);
      demand(fine, "states: the list is not closed");
    }
  }
  say(`the list of ${listed.size} states is closed`);
}

function checkStates(folder, level, claim, say) {
  const {value, objective} = claim, even = level.boxes.length === level.goals.length, own = new Set(level.boxes);
  const enough = value === null ? NEVER : value - (objective === "pushes" && even ? 1 : 0);
  const named = claim.boxes.map((box) => level.at.get(String(box)));
  demand(named.every((box) => own.has(box)) && new Set(named).size === named.length, "the claim speaks of boxes that are not there");
  demand(!named.length || even, "boxes are taken away, and not all must come to goals");
  const boxes = [...(named.length ? named : level.boxes)].sort((a, b) => a - b), wanted = Math.min(boxes.length, level.goals.length);
  demand(boxes.length > 0 && boxes.length <= 60, "there is no box, or more than 60");
  let tables = null, live = level.cells.map((_, i) => i);
  if (claim.groups) {
    tables = readTables(folder, level, claim);
    live = tables.live;
    say(`${tables.entries} table entries hold`);
    if (claim.learned) {
      tables.readPatterns(folder.unpacked("patterns.xz"), boxes.length, objective === "lines" ? "lines" : "pushes");
      say(`${tables.learned.size} records of learned patterns hold`);
    }
    if (claim.walls) tables.readWalls(folder.unpacked("walls.xz"), objective);
    if (claim.walls) say(`${tables.walls.length} records of boxes that never move again hold`);
  }
  const solved = (cells) => cells.reduce((sum, cell) => sum + level.isGoal[cell], 0) === wanted;
  if (objective === TIES) {
    checkTies(folder, level, claim, live, (cells, player) => tables ? tables.bound(cells, player) : Number(!solved(cells)), solved, say);
    return;
  }
  const bounded = (cells, player, cost) => cost + (tables ? tables.bound(cells, player, enough - cost) : Number(!solved(cells))) >= enough;
  const place = (cells, player) => keyOf(cells, objective === "moves" ? player : level.least(player, cells));
  const listed = new Map();
  for (const [cells, player, cost] of records(level, folder.unpacked("states.xz"), live)) {
    demand(cells.length === boxes.length, "states: one has another number of boxes");
    demand(!listed.has(keyOf(cells, player)), "states: one is there twice");
    listed.set(keyOf(cells, player), cost);
  }
  demand(listed.get(place(boxes, level.player)) === 0 || bounded(boxes, level.player, 0), "states: the start");
  const barred = claim.corrals ? [...areas(level, folder.unpacked("corrals.xz"), listed.size)] : [];
  let at = 0;
  for (const [key, cost] of listed) {
    const area = barred[at]?.length ? barred[at] : null;
    at += 1;
    if (cost >= enough) continue;
    const cells = Array.from(key, (char) => char.charCodeAt(0)), player = cells.pop();
    demand(!solved(cells), "states: one is solved too soon");
    for (const [after, to] of area ? corralSteps(level, tables, cells, player, objective, area) : level.steps(cells, player, objective)) {
      const known = listed.get(place(after, to));
      demand(known === undefined ? bounded(after, to, cost + 1) : known <= cost + 1, "states: the list is not closed");
    }
  }
  say(`the list of ${listed.size} states is closed`);
}

/* ---- kind "refutation": the formula of the level, the plan as its assignment, the proof ---- */

class Formula {
  constructor() { this.number = new Map(); this.clauses = []; }
  family(name, keys) { for (const key of keys) this.number.set(`${name} ${key}`, this.number.size + 1); }
  of(name, ...key) { return this.number.get(`${name} ${key}`); }
  add(...literals) { this.clauses.push(literals.filter((x) => x !== undefined)); }  // undefined is a variable that there is not: always false
  atMostOne(variables) { for (const [a, b] of choices(variables, 2)) this.add(-a, -b); }

  /* Whether an assignment, given by the names of what is true in it, satisfies every clause. */
  satisfied(names) {
    const holds = new Set(names.map((name) => this.number.get(name)));
    return this.clauses.every((clause) => clause.some((x) => x > 0 === holds.has(Math.abs(x))));
  }
}

const upTo = (n, from = 0) => Array.from({length: Math.max(0, n - from)}, (_, i) => i + from);
const product = (...lists) => lists.reduce((rows, list) => rows.flatMap((row) => list.map((x) => [...row, ...[x].flat()])), [[]]);

function formula(level, T, objective) {
  const f = new Formula(), {to} = level, C = upTo(level.n), A = upTo(T + 1, 1), S = upTo(T + 1), D = upTo(4), moves = objective === "moves", lines = objective === "lines";
  const can = product(C, D).filter(([c, d]) => to[c][d] >= 0 && to[c][d ^ 1] >= 0), pushed = new Set(can.map(([c]) => c));
  const places = [0, 1].map((i) => [...new Set(C.filter((c) => moves || pushed.has(c)).map((c) => level.cells[c][i]))].sort((a, b) => a - b));
  f.family("act", A);
  f.family("box", product(S, C));
  if (moves) {
    f.family("player", product(S, C));
    f.family("move", product(A, D));
    f.family("push", product(A, can));
  } else {
    f.family("from", product(A, can));
    const ends = can.map(([c, d]) => [to[c][d], d]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    if (lines) for (const name of ["on", "to"]) f.family(name, product(A, ends));
  }
  ["row", "column"].forEach((name, i) => f.family(name, product(moves ? S : A, places[i])));
  if (!moves) {
    f.family("way", product(A, D));
    for (const name of ["left", "behind", "walk"]) f.family(name, product(upTo(T), C));
  }
  const boxes = new Set(level.boxes), even = level.goals.length === level.boxes.length;
  for (const c of C) {
    f.add(boxes.has(c) ? f.of("box", 0, c) : -f.of("box", 0, c));
    if (level.isGoal[c] || even) f.add(level.isGoal[c] ? f.of("box", T, c) : -f.of("box", T, c));
  }
  for (const a of A.slice(1)) f.add(-f.of("act", a - 1), f.of("act", a));
  if (moves) moveClauses(f, level, T, places); else pushClauses(f, level, T, lines, can, places);
  return f;
}

function pushClauses(f, level, T, lines, can, places) {
  const {to} = level, C = upTo(level.n), D = upTo(4), exists = (x) => x !== undefined;
  const lands = (a, c, d) => c < 0 ? undefined : lines ? f.of("to", a, c, d) : f.of("from", a, to[c][d ^ 1], d);
  if (T) for (const c of C) f.add(c === level.player ? f.of("left", 0, c) : -f.of("left", 0, c));
  for (const a of upTo(T + 1, 1)) {
    const t = a - 1, act = f.of("act", a);
    f.add(-act, ...can.map(([c, d]) => f.of("from", a, c, d)));
    for (const [c, d] of can) {
      const start = f.of("from", a, c, d), [row, column] = level.cells[c];
      for (const x of [act, f.of("box", t, c), f.of("row", a, row), f.of("column", a, column), f.of("way", a, d)]) f.add(-start, x);
      if (!lines) continue;
      const q = to[c][d], on = f.of("on", a, q, d), end = f.of("to", a, q, d), more = f.of("on", a, to[q][d], d);
      f.add(-start, on);
      f.add(-on, f.of("on", a, c, d), start);
      f.add(-on, -f.of("box", t, q));
      f.add(-end, on);
      f.add(-on, end, more);
      if (exists(more)) f.add(-end, -more);
    }
    for (const [name, xs] of [["row", places[0]], ["column", places[1]], ["way", D]]) f.atMostOne(xs.map((x) => f.of(name, a, x)));
    for (const c of C) {
      const was = f.of("box", t, c), now = f.of("box", a, c);
      const gone = D.map((d) => f.of("from", a, c, d)).filter(exists), come = D.map((d) => lands(a, c, d)).filter(exists);
      for (const x of gone) f.add(-x, -now);
      for (const x of come) { f.add(-x, now); if (!lines) f.add(-x, -was); }
      f.add(-was, now, ...gone);
      f.add(was, -now, ...come);
      const [walk, left, behind] = ["walk", "left", "behind"].map((name) => f.of(name, t, c));
      const needs = D.map((d) => f.of("from", a, to[c][d], d)).filter(exists);
      for (const x of needs) f.add(-x, behind);
      f.add(-behind, ...needs);
      if (t) {
        const put = D.map((d) => lands(t, to[c][d], d)).filter(exists);
        if (c === level.player) put.push(-f.of("act", t));
        f.add(-left, ...put);
        for (const x of put) f.add(-x, left);
      }
      const near = to[c].filter((q) => q >= 0).map((q) => f.of("walk", t, q));
      for (const clause of [[-f.of("box", t, c)], [act], [-left, -behind], near]) f.add(-walk, ...clause);
      f.add(-act, -left, behind, walk);
      f.add(-behind, left, walk);
      if (near.length) for (const few of choices(near, near.length - 1)) f.add(-walk, left, behind, ...few);
      for (const [x, y] of choices(near, 2)) {
        f.add(-walk, -left, -x, -y);
        f.add(-walk, -behind, -x, -y);
      }
      for (const three of choices(near, 3)) f.add(-walk, ...three.map((x) => -x));
    }
  }
}

function moveClauses(f, level, T, places) {
  const {to} = level, C = upTo(level.n);
  for (const t of upTo(T + 1)) {
    f.add(...C.map((c) => f.of("player", t, c)));
    ["row", "column"].forEach((name, i) => {
      f.atMostOne(places[i].map((x) => f.of(name, t, x)));
      for (const c of C) f.add(-f.of("player", t, c), f.of(name, t, level.cells[c][i]));
    });
  }
  for (const c of C) f.add(c === level.player ? f.of("player", 0, c) : -f.of("player", 0, c));
  for (const a of upTo(T + 1, 1)) {
    const t = a - 1, act = f.of("act", a), ways = upTo(4).map((d) => f.of("move", a, d));
    f.add(-act, ...ways);
    f.atMostOne(ways);
    for (const way of ways) f.add(-way, act);
    for (const c of C) {
      const here = f.of("player", t, c), there = f.of("player", a, c), was = f.of("box", t, c), now = f.of("box", a, c), gone = [];
      f.add(act, -here, there);
      f.add(act, here, -there);
      ways.forEach((way, d) => {
        f.add(-here, -way, f.of("player", a, to[c][d]));
        f.add(-there, -way, f.of("player", t, to[c][d ^ 1]));
        const push = f.of("push", a, c, d), stand = f.of("player", t, to[c][d ^ 1]), q = to[c][d];
        if (stand !== undefined) f.add(-stand, -way, -was, push);
        if (push === undefined) return;
        gone.push(push);
        for (const x of [stand, way, was, -f.of("box", t, q), f.of("box", a, q), -now]) f.add(-push, x);
      });
      f.add(-was, now, ...gone);
      f.add(was, -now, ...upTo(4).map((d) => f.of("push", a, to[c][d ^ 1], d)));
    }
  }
}

/* What is true along a plan, idle actions first, by the names of the formula's variables. */
function assignment(level, T, actions, objective) {
  const idle = T - actions.length, names = [], states = [...Array(idle + 1).fill([level.boxes, level.player]), ...actions.map((action) => action.after)];
  states.forEach(([boxes, player], t) => {
    const [row, column] = level.cells[player];
    names.push(...boxes.map((c) => `box ${t},${c}`), `left ${t},${player}`);
    if (objective === "moves") names.push(`player ${t},${player}`, `row ${t},${row}`, `column ${t},${column}`);
  });
  actions.forEach(({box, d, over, boxes, left}, i) => {
    const a = idle + 1 + i;
    names.push(`act ${a}`, `move ${a},${d}`, `push ${a},${box},${d}`);
    if (objective === "moves") return;
    const [row, column] = level.cells[box], behind = level.to[box][d ^ 1];
    names.push(`from ${a},${box},${d}`, `row ${a},${row}`, `column ${a},${column}`, `way ${a},${d}`, `behind ${a - 1},${behind}`, `to ${a},${over.at(-1)},${d}`);
    names.push(...over.map((c) => `on ${a},${c},${d}`), ...walkBetween(level, boxes, left, behind).map((c) => `walk ${a - 1},${c}`));
  });
  return names.filter((name) => name !== undefined);
}

function walkBetween(level, boxes, start, end) {
  const came = new Map([[start, -1]]), queue = [start], cells = [];
  level.put(boxes, 1);
  for (const c of queue) for (const q of level.to[c]) if (q >= 0 && !level.taken[q] && !came.has(q)) { came.set(q, c); queue.push(q); }
  level.put(boxes, 0);
  for (let c = start === end ? -1 : end; c >= 0; c = came.get(c)) cells.push(c);
  return cells;
}

/* Adds what follows from checked tables: T-t actions before the end no box, nor two, are where they need more. */
function addLemmas(folder, level, f, claim, say) {
  const tables = readTables(folder, level, claim), T = claim.value, groups = tables.all, least = new Map();
  for (const {cells, values} of groups) least.set(keyOf(cells), Math.min(...values, NEVER));
  for (const t of upTo(T + 1)) for (const {cells, values} of groups) {
    const value = least.get(keyOf(cells)), single = cells.length === 1, own = cells.map((c) => least.get(keyOf([c])));
    if (values.length && value > T - t && (single || own.every((one) => one <= T - t))) f.add(...cells.map((c) => -f.of("box", t, c)));
  }
  say(`${tables.entries} table entries hold, and lemmas follow`);
}

/* Demands that the formula is that of the file, that the plan satisfies it, and that it is refuted with one action less. */
function refuted(folder, f, planHolds, say) {
  const lines = new TextDecoder("latin1").decode(folder.bytes("claim.cnf")).split("\n"), head = lines.findIndex((line) => line[0] !== "c");
  const spelt = (words) => words.length > 1 && words.at(-1) === "0" && words.slice(0, -1).every((word) => /^-?[1-9]\d{0,14}$/.test(word));
  demand(lines.pop() === "" && lines.slice(0, head).every((line) => /^c[ -~]*$/.test(line)), "formula: claim.cnf is not written as formulas are");
  demand(lines[head] === `p cnf ${f.number.size} ${f.clauses.length + 1}`, "formula: claim.cnf is not as long");
  const rows = lines.slice(head + 1).map((line) => line.split(" "));
  demand(rows.every(spelt), "formula: claim.cnf is not written as formulas are");
  const clauses = rows.map((words) => words.slice(0, -1).map(Number));
  const last = clauses.at(-1) ?? [], written = (list) => list.map((clause) => [...clause].sort((a, b) => a - b).join(" ")).sort();
  demand(last.length === 1 && last[0] === -f.of("act", 1), "formula: the last clause is not -act(1)");
  const ours = written(f.clauses), theirs = written(clauses.slice(0, -1));
  demand(ours.length === theirs.length && ours.every((clause, i) => clause === theirs[i]), "formula: not the clauses that the level gives");
  demand(planHolds, "plan: it does not satisfy the formula");
  checkLrat(clauses, f.number.size, lratSteps(folder));
  say(`the plan satisfies ${ours.length} clauses, and the proof refutes them with one action fewer`);
}

/* Of each step of a proof, text or binary: whether it deletes, and its numbers with the closing zero. */
function* lratSteps(folder) {
  const bytes = folder.bytes("proof.lrat"), deletes = "d".charCodeAt(0), adds = "a".charCodeAt(0);
  if (bytes[0] !== adds && bytes[0] !== deletes) {
    const text = new TextDecoder("latin1").decode(bytes);
    for (let at = 0; at < text.length;) {
      const end = text.indexOf("\n", at), line = text.slice(at, end < 0 ? text.length : end), words = line.replace("d", "d ").trim().split(" ").filter(Boolean);
      at = end < 0 ? text.length : end + 1;
      demand(/^ *(\d{1,15}( d *-?\d{1,15}| +-?\d{1,15})?( +-?\d{1,15})* *)?$/.test(line), "refutation: a line is not one of LRAT");
      if (words.length) yield words[1] === "d" ? [true, words.slice(2).map(whole)] : [false, words.map(whole)];
    }
    return;
  }
  for (let at = 0; at < bytes.length;) {
    const wrong = () => `refutation: byte ${at + 1} is not one of binary LRAT`, letter = bytes[at], numbers = [];
    demand(letter === adds || letter === deletes, wrong());
    at++;
    for (let zeros = letter === adds ? 2 : 1; zeros;) {
      let value = 0, length = 0;
      do {
        demand(at < bytes.length && length < 7, wrong());
        value += (bytes[at] & 127) * 128 ** length++;
      } while (bytes[at++] > 127);
      demand(value !== 1 && (length === 1 || bytes[at - 1] > 0), wrong());
      numbers.push(value % 2 ? -(value - 1) / 2 : value / 2);
      if (!value) zeros--;
    }
    yield [letter === deletes, numbers];
  }
}

function checkLrat(clauses, variables, steps) {
  const known = new Map(clauses.map((clause, i) => [i + 1, clause]));
  let newest = clauses.length;
  for (const [deletes, numbers] of steps) {
    demand(numbers.at(-1) === 0 && numbers.filter((x) => x === 0).length === (deletes ? 1 : 2), "refutation: lists that do not end in 0");
    if (deletes) { for (const x of numbers.slice(0, -1)) known.delete(x); continue; }
    const cut = numbers.indexOf(0), lemma = numbers.slice(1, cut), falsified = new Set(lemma);
    demand(numbers[0] > newest, "refutation: clause numbers must rise");
    demand(lemma.every((x) => Math.abs(x) <= variables), "refutation: a literal is not a variable of the formula");
    let done = false;
    for (const hint of numbers.slice(cut + 1, -1)) {
      demand(known.has(hint), "refutation: a hint is not a clause that is there");
      const rest = new Set(known.get(hint).filter((x) => !falsified.has(x)));
      demand(rest.size < 2, "refutation: a hint has more than one literal left");
      if (!rest.size) { done = true; break; }
      falsified.add(-[...rest][0]);
    }
    demand(done || lemma.some((x) => lemma.includes(-x)), "refutation: hints without a contradiction");
    newest = numbers[0];
    known.set(newest, lemma);
    if (!lemma.length) return;
  }
  throw new Invalid("refutation: it ends without the empty clause");
}

/* ---- Klotski: the board, its rules; a state is a list of [kind, place], sorted ---- */

const beside = ([r, c], way) => [r + WAYS[way][0], c + WAYS[way][1]];

const BLANKS = /[ \t\x1f\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]+/;  // those of Python, not of JavaScript, which has U+FEFF, too
const HEADERS = ["title", "author", "origin", "comment", "goal", "mask", "moves", "same"];

class Board {
  constructor(text) {
    const head = new Map(), rows = [], cells = new Map();
    demand(text.endsWith("\n"), "the board's last row does not end");
    for (const line of text.replace(/\n$/, "").split("\n")) {
      const cut = line.indexOf(": "), key = cut < 0 ? line : line.slice(0, cut);
      demand(!head.has(key), "the board has a header twice");
      if (cut < 0) { rows.push([...line]); continue; }
      const value = line.slice(cut + 2), place = HEADERS.indexOf(key);
      demand(!rows.length && place >= 0, "a header");
      demand(value && value === value.split(BLANKS).filter(Boolean).join(" "), "a header is empty, or has blanks too many");
      demand([...head.keys()].every((other) => HEADERS.indexOf(other) < place), "the headers stand in another order");
      head.set(key, value);
    }
    const masked = head.has("mask") ? head.get("mask").split("/").map((row) => [...row]) : rows;
    demand(rows.length && [...rows, ...masked].every((row) => row.length === rows[0].length), "the board's rows are not of one length");
    demand(masked.length === rows.length, "the mask has not as many rows as the board");
    rows.forEach((row, r) => row.forEach((sign, c) => {
      demand(/^[.#\p{L}\p{N}]$/u.test(sign), "the board has a sign that means nothing");
      if (!".#".includes(sign)) cells.set(sign, [...(cells.get(sign) ?? []), [r, c]]);
    }));
    demand(cells.size, "the board has no piece");
    const order = (a, b) => a.codePointAt(0) - b.codePointAt(0), names = [...cells.keys()].sort(order), parts = (key) => (head.get(key) ?? "").split("; ").filter(Boolean).map((part) => part.split(" "));
    this.inside = new Set(rows.flatMap((row, r) => row.flatMap((sign, c) => sign === "#" ? [] : [`${r},${c}`])));
    this.corner = new Map(names.map((name) => [name, [Math.min(...cells.get(name).map((cell) => cell[0])), Math.min(...cells.get(name).map((cell) => cell[1]))]]));
    const shape = (name) => cells.get(name).map(([r, c]) => [r - this.corner.get(name)[0], c - this.corner.get(name)[1]]);
    const ways = new Map(names.map((name) => [name, "lrud"]));
    for (const [name, some, ...more] of parts("moves")) {
      demand(cells.has(name) && /^[lrud-]*$/.test(some ?? "x") && !more.length, "moves of the board");
      ways.set(name, [..."lrud"].filter((way) => some.includes(way)).join(""));
    }
    const same = (head.get("same") ?? "").split(" ").filter(Boolean), group = (name) => { demand(cells.has(name), "the goal names no piece"); return same.find((letters) => [...letters].includes(name)) ?? name; };
    demand(new Set([...same.join("")]).size === [...same.join("")].length, "a piece is twice among those that are the same");
    for (const letters of same) demand(new Set([...letters].map((name) => { demand(cells.has(name), "there is no such piece"); return JSON.stringify([shape(name), ways.get(name)]); })).size === 1, "pieces that are the same differ");
    const mask = (head.get("mask") ?? "").split("/").flatMap((row, r) => [...row].map((sign, c) => [`${r},${c}`, sign]));
    this.places = parts("goal").map(([name, place, ...more]) => { demand(/^(0|[1-9]\d*),(0|[1-9]\d*)$/.test(place ?? "") && !more.length, "the goal is no place"); return [group(name), place.split(",").map(Number).join()]; });
    this.covers = mask.filter(([, sign]) => !"?.#".includes(sign)).map(([cell, sign]) => [group(sign), cell]);
    this.blanks = mask.filter(([, sign]) => sign === ".").map(([cell]) => cell);
    demand(this.places.length || this.covers.length || this.blanks.length, "the board has no goal");
    const limited = names.filter((name) => ways.get(name).length < 4).map((name) => `${name} ${[..."udlr"].filter((way) => ways.get(name).includes(way)).join("") || "-"}`);
    const fine = (head.get("moves") ?? "") === limited.join("; ") && head.has("mask") === this.covers.length + this.blanks.length > 0;
    demand(fine && !(head.get("mask") ?? "").includes("#"), "a header is not as it should be written");
    const wanted = new Set([...this.places, ...this.covers].map(([letters]) => letters)), kinds = new Map();
    for (const name of names) {
      const own = wanted.has(group(name)) ? group(name) : "", key = JSON.stringify([shape(name), ways.get(name), own]);
      if (!kinds.has(key)) kinds.set(key, {names: [], shape: shape(name), ways: ways.get(name), group: own});
      kinds.get(key).names.push(name);
    }
    this.kinds = [...kinds.values()].sort((a, b) => order(a.names[0], b.names[0]));
    this.kind = new Map(this.kinds.flatMap(({names: some}, k) => some.map((name) => [name, k])));
    const everywhere = rows.flatMap((row, r) => row.map((_, c) => [r, c]));
    this.spots = this.kinds.map((_, k) => everywhere.filter((place) => this.covered(k, place).every((cell) => this.inside.has(cell))));
    this.spotAt = this.spots.map((spots) => new Map(spots.map((place, i) => [String(place), i])));
    this.start = this.sorted(names.map((name) => [this.kind.get(name), this.spotAt[this.kind.get(name)].get(String(this.corner.get(name)))]));
  }

  covered(k, [row, column]) { return this.kinds[k].shape.map(([r, c]) => `${r + row},${c + column}`); }
  sorted(state) { return state.sort((a, b) => a[0] - b[0] || a[1] - b[1]); }
  taken(state) { return new Set(state.flatMap(([k, i]) => this.covered(k, this.spots[k][i]))); }

  solved(state) {
    const of = state.map(([k, i]) => ({own: this.kinds[k].group, place: String(this.spots[k][i]), cells: this.covered(k, this.spots[k][i])})), taken = this.taken(state);
    return this.places.every(([group, place]) => of.some((one) => one.own === group && one.place === place))
      && this.covers.every(([group, cell]) => of.some((one) => one.own === group && one.cells.includes(cell))) && !this.blanks.some((cell) => taken.has(cell));
  }

  /* The shortest way to each place that a piece can slide to (by one unit) while the others stay. */
  reach(others, k, from, units) {
    const taken = this.taken(others), paths = new Map([[from, ""]]), todo = [from];
    for (const i of todo) for (const way of this.kinds[k].ways) {
      const to = this.spotAt[k].get(String(beside(this.spots[k][i], way)));
      if (to === undefined || paths.has(to) || this.covered(k, this.spots[k][to]).some((cell) => taken.has(cell))) continue;
      paths.set(to, paths.get(i) + way);
      if (!units) todo.push(to);
    }
    return paths;
  }

  steps(state, units) {
    return state.flatMap(([k, from], n) => {
      const others = state.filter((_, other) => other !== n);
      return [...this.reach(others, k, from, units).keys()].filter((to) => to !== from).map((to) => this.sorted([...others, [k, to]]));
    });
  }
}

function replaySlides(board, text) {
  const spot = (name, place) => board.spotAt[board.kind.get(name)].get(String(place));
  const corner = new Map([...board.corner].map(([name, place]) => [name, spot(name, place)])), counts = {slides: 0, units: 0}, actions = {slides: [], units: []};
  const others = (name, all) => [...all].filter(([other]) => other !== name).map(([other, i]) => [board.kind.get(other), i]);
  demand(text.endsWith("\n"), "the plan is not written as plans are");
  let last = null, run = null;
  for (const line of text.slice(0, -1).split("\n")) {
    const words = line.split(" "), [name, here, , there, given] = words;
    demand((words.length === 4 || words.length === 5) && words[2] === ">" && corner.has(name), "the plan has a line that is no slide");
    demand([here, there].every((place) => /^(0|[1-9]\d*),(0|[1-9]\d*)$/.test(place)), "the plan is not written as plans are");
    const k = board.kind.get(name), from = corner.get(name), to = spot(name, there), rest = others(name, corner), taken = board.taken(rest);
    demand(spot(name, here) === from, "rules: the piece is not there");
    const path = given ?? board.reach(rest, k, from, false).get(to) ?? "";
    demand(path, "rules: the piece cannot slide there");
    let at = from;
    for (const way of path) {
      demand(board.kinds[k].ways.includes(way), "rules: the piece may not go that way");
      at = board.spotAt[k].get(String(beside(board.spots[k][at], way)));
      demand(at !== undefined && !board.covered(k, board.spots[k][at]).some((cell) => taken.has(cell)), "rules: an impossible slide");
      actions.units.push([name, way]);
    }
    demand(at === to, "rules: the path ends elsewhere");
    if (name === last) actions.slides.pop(); else { run = new Map(corner); counts.slides++; }
    actions.slides.push([name, board.reach(others(name, run), k, run.get(name), false).get(to)]);
    counts.units += path.length;
    corner.set(name, to);
    last = name;
  }
  demand(board.solved(others(null, corner)), "rules: the plan does not solve the board");
  return {counts, actions: Object.fromEntries(Object.entries(actions).map(([name, some]) => [name, some.filter(([, path]) => path)]))};
}

function slidesFormula(board, T, units) {
  const f = new Formula(), A = upTo(T + 1, 1), places = board.spots.flatMap((spots, k) => spots.map((_, i) => [k, i])), cells = [...board.inside].map((cell) => cell.split(",").map(Number)).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(String);
  const cell = new Map(cells.map((name, x) => [name, x])), over = new Map(places.map(([k, i]) => [`${k},${i}`, board.covered(k, board.spots[k][i]).map((one) => cell.get(one))]));
  const onward = new Map(places.map(([k, i]) => [`${k},${i}`, [..."lrud"].flatMap((way, d) => {
    const to = board.kinds[k].ways.includes(way) ? board.spotAt[k].get(String(beside(board.spots[k][i], way))) : undefined;
    return to === undefined ? [] : [[d, [k, to]]];
  })]));
  f.family("act", A);
  f.family("at", product(upTo(T + 1), places));
  for (const name of ["from", "to"]) f.family(name, product(A, places));
  f.family("step", A.flatMap((a) => places.flatMap((p) => onward.get(String(p)).map(([d]) => [a, ...p, d]))));
  f.family("stays", product(A, upTo(cells.length)));
  f.family("first", product(A, upTo(places.length)));
  const started = new Set(board.start.map(String)), of = (p, group) => board.kinds[p[0]].group === group;
  for (const p of places) f.add(started.has(String(p)) ? f.of("at", 0, ...p) : -f.of("at", 0, ...p));
  for (const [group, place] of board.places) f.add(...places.filter((p) => of(p, group) && String(board.spots[p[0]][p[1]]) === place).map((p) => f.of("at", T, ...p)));
  for (const [group, name] of board.covers) f.add(...places.filter((p) => of(p, group) && over.get(String(p)).includes(cell.get(name))).map((p) => f.of("at", T, ...p)));
  for (const name of new Set(board.blanks)) for (const p of places) if (over.get(String(p)).includes(cell.get(name))) f.add(-f.of("at", T, ...p));
  for (const a of A) {
    const act = f.of("act", a), entering = new Map(places.map((p) => [String(p), []]));
    if (a > 1) f.add(-f.of("act", a - 1), act);
    f.add(-act, ...places.map((p) => f.of("from", a, ...p)));
    places.forEach((p, n) => {
      const lift = f.of("from", a, ...p), first = f.of("first", a, n), before = f.of("first", a, n - 1);
      for (const x of [act, f.of("at", a - 1, ...p), first]) f.add(-lift, x);
      if (n) { f.add(-before, first); f.add(-before, -lift); }
    });
    for (const p of places) for (const [d, q] of onward.get(String(p))) {
      const step = f.of("step", a, ...p, d);
      entering.get(String(q)).push(step);
      for (const x of over.get(String(q))) f.add(-step, -f.of("stays", a, x));
      if (units) f.add(-step, f.of("from", a, ...p));
    }
    for (const p of places) {
      const was = f.of("at", a - 1, ...p), now = f.of("at", a, ...p), lift = f.of("from", a, ...p), put = f.of("to", a, ...p);
      for (const x of over.get(String(p))) f.add(-was, lift, f.of("stays", a, x));
      const leaving = onward.get(String(p)).map(([d]) => f.of("step", a, ...p, d)), inward = entering.get(String(p));
      f.atMostOne(leaving);
      f.atMostOne(inward);
      f.add(-lift, ...leaving);
      f.add(-put, ...inward);
      for (const step of leaving) { f.add(-step, lift, ...inward); f.add(-step, -put); }
      for (const step of inward) { f.add(-step, put, ...leaving); f.add(-step, -lift); }
      for (const clause of [[-lift, -now], [-put, now], [-was, now, lift], [was, -now, put]]) f.add(...clause);
    }
  }
  return {f, places, over};
}

/* Whether the plan, idle actions first, satisfies the board's formula. */
function slidesHold(board, {f, places, over}, T, actions) {
  const idle = T - actions.length, names = [], at = new Map([...board.corner].map(([name, place]) => [name, board.spotAt[board.kind.get(name)].get(String(place))]));
  const spot = (name) => [board.kind.get(name), at.get(name)];
  for (const t of upTo(T + 1)) {
    const [moving, path] = t > idle ? actions[t - idle - 1] : [null, ""];
    if (t) for (const name of at.keys()) if (name !== moving) names.push(...over.get(String(spot(name))).map((x) => `stays ${t},${x}`));
    if (moving) {
      const from = spot(moving), n = places.findIndex((p) => String(p) === String(from));
      names.push(`act ${t}`, `from ${t},${from}`, ...upTo(places.length, n).map((m) => `first ${t},${m}`));
      for (const way of path) {
        const [k, i] = spot(moving);
        names.push(`step ${t},${k},${i},${"lrud".indexOf(way)}`);
        at.set(moving, board.spotAt[k].get(String(beside(board.spots[k][i], way))));
      }
      names.push(`to ${t},${spot(moving)}`);
    }
    for (const name of at.keys()) names.push(`at ${t},${spot(name)}`);
  }
  return f.satisfied(names);
}

function checkSlides(folder, board, claim, say) {
  const enough = claim.value ?? NEVER, units = claim.objective === "units", file = folder.unpacked("states.xz"), listed = new Map();
  const order = board.kinds.flatMap(({names}, k) => names.map(() => k)), cover = order.reduce((sum, k) => sum + board.kinds[k].shape.length, 0);
  for (;;) {
    const data = file.take(order.length + 2);
    if (!data.length) break;
    demand(data.length === order.length + 2, "states: the list ends in the middle of one");
    demand(order.every((k, n) => data[n] < board.spots[k].length), "states: a piece has no such place");
    const state = board.sorted(order.map((k, n) => [k, data[n]])), key = keyOf(state.flat());
    demand(board.taken(state).size === cover, "states: two pieces overlap");
    demand(!listed.has(key), "states: one is there twice");
    listed.set(key, [state, number(data.subarray(order.length))]);
  }
  demand(listed.get(keyOf(board.start.flat()))?.[1] === 0, "states: the start is not there");
  for (const [state, cost] of listed.values()) if (cost < enough) {
    demand(!board.solved(state), "states: one is solved too soon");
    for (const after of board.steps(state, units)) {
      const [, known] = listed.get(keyOf(after.flat())) ?? [null, NEVER];
      demand(known <= cost + 1 || cost + 1 + Number(!board.solved(after)) >= enough, "states: the list is not closed");
    }
  }
  say(`the list of ${listed.size} states is closed`);
}

/* ---- a whole folder ---- */

/* Files by name, as bytes; a file that is not there is refused. */
class Folder {
  constructor(read) { this.read = read; }

  bytes(name) {
    const found = this.read(name);
    demand(found !== undefined && found !== null, `${name} is missing, or no plain file`);
    return found;
  }

  text(name, most = TEXT) {
    const bytes = this.bytes(name);
    demand(bytes.length <= most, `${name} is too large`);
    let text;
    try { text = new TextDecoder("utf-8", {fatal: true, ignoreBOM: true}).decode(bytes); } catch { throw new Invalid(`${name} is no text in UTF-8`); }
    demand(!OTHER_ROW_ENDS.test(text), `${name} has another row end`);
    return text;
  }

  unpacked(name) { return new Unpacked(name, this.bytes(name)); }
}

function checkSokoban(folder, claim, say) {
  const level = new Level(folder.text("level.xsb"));
  let actions = [];
  if (claim.value !== null) {
    const played = level.replay(folder.text("plan.lurd").replace(/\n$/, ""), claim.objective);
    const {pushes, moves} = played.counts, said = claim.objective === TIES ? [pushes, moves] : played.counts[claim.objective];
    demand(String(said) === String(claim.value), "rules: the plan has another number of actions");
    say(`the plan has ${claim.value} ${claim.objective}`);
    ({actions} = played);
  }
  if (claim.kind === "states") checkStates(folder, level, claim, say);
  if (claim.kind === "refutation") {
    const f = formula(level, claim.value, claim.objective);
    if (claim.groups) addLemmas(folder, level, f, claim, say);
    refuted(folder, f, f.satisfied(assignment(level, claim.value, actions, claim.objective)), say);
  }
}

function checkKlotski(folder, claim, say) {
  const board = new Board(folder.text("level.klotski"));
  let actions = {};
  if (claim.value) {
    const played = replaySlides(board, folder.text("plan.txt"));
    demand(played.counts[claim.objective] === claim.value, "rules: the plan has another number of actions");
    say(`the plan has ${claim.value} ${claim.objective}`);
    ({actions} = played);
  }
  if (claim.kind === "solved") demand(board.solved(board.start) && !folder.text("plan.txt"), "the start is not solved");
  if (claim.kind === "states") checkSlides(folder, board, claim, say);
  if (claim.kind === "refutation") {
    const made = slidesFormula(board, claim.value, claim.objective === "units");
    refuted(folder, made.f, slidesHold(board, made, claim.value, actions[claim.objective]), say);
  }
}

/* Checks a folder whose files `read` gives by name (bytes, or nothing); `say` is given what holds, sentence by sentence.
   Returns {valid, sentence, claim}; whatever goes wrong, the folder is refused. */
function check(read, say = () => {}) {
  try {
    const folder = new Folder(read), claim = readClaim(folder);
    say(`${folder.text(claim.level)} SHA-256 of this ${claim.level}: ${claim.sum}`);
    (claim.game === "klotski" ? checkKlotski : checkSokoban)(folder, claim, say);
    return {valid: true, sentence: "valid", claim};
  } catch (error) {
    return {valid: false, sentence: error instanceof Invalid ? error.message : `the folder cannot be read as a certificate: ${error.message}`};
  }
}

if (typeof module === "object") {
  module.exports = {check, Gains, sha256, unpacked};
  if (require.main === module) {
    const {readFileSync, statSync} = require("node:fs"), {join} = require("node:path"), given = process.argv.slice(2);
    if (given.length !== 1) { console.log("usage: node check_proof.js FOLDER"); process.exit(2); }
    const plain = (path) => statSync(path, {throwIfNoEntry: false})?.isFile(); // a pipe would be waited for, a device read without end
    const {valid, sentence} = check((name) => plain(join(given[0], name)) ? readFileSync(join(given[0], name)) : null, console.log);
    console.log(valid ? sentence : `INVALID: ${sentence}`);
    process.exit(valid ? 0 : 30);
  }
} else {
  onmessage = ({data}) => {
    const files = new Map(data);
    postMessage({done: check((name) => files.get(name), (sentence) => postMessage({sentence}))});
  };
}
