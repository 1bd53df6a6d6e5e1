// node replay.mjs kernels.wasm FOLDER: calls what record.py has recorded; prints {"calls", "kernels", "wrong"}.
import { readFileSync } from "node:fs";
const [file, folder] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(file), {});
const kernels = instance.exports, memory = kernels.memory;
const calls = JSON.parse(readFileSync(`${folder}/calls.json`)), data = readFileSync(`${folder}/arrays.bin`);
const base = (kernels.__heap_base.value + 15) & ~15, wrong = [];
for (const call of calls) {
  if (!kernels[call.symbol]) { wrong.push(`${call.symbol} is missing`); continue; }
  const words = call.before.reduce((sum, one) => sum + (one.shape ? 1 + one.shape.length : 1), 0);
  let at = base + 8 * words;
  const places = call.before.map((one) => {
    if (!one.shape) return 0;
    const place = at;
    at = (at + one.bytes + 15) & ~15;
    return place;
  });
  const missing = at - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / 65536));
  const bytes = new Uint8Array(memory.buffer), block = new BigInt64Array(memory.buffer, base, words);
  let word = 0;
  call.before.forEach((one, number) => {
    if (!one.shape) { block[word++] = BigInt(one); return; }
    bytes.set(data.subarray(one.at, one.at + one.bytes), places[number]);
    block[word++] = BigInt(places[number]);
    for (const length of one.shape) block[word++] = BigInt(length);
  });
  const answer = kernels[call.symbol](base);
  if (answer !== BigInt(call.answer)) wrong.push(`${call.symbol} answers ${answer}, not ${call.answer}`);
  call.after.forEach((one, number) => {
    if (!one.shape) return;
    const now = Buffer.from(memory.buffer, places[number], one.bytes);
    if (!now.equals(data.subarray(one.at, one.at + one.bytes))) wrong.push(`${call.symbol} leaves argument ${number} otherwise`);
  });
}
console.log(JSON.stringify({ calls: calls.length, kernels: new Set(calls.map((call) => call.symbol)).size, wrong }));
