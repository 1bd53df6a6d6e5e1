/* A position in the address: the part after # never leaves the browser. */
export function pack(game) {
  const {game: name, head, rows, title, author} = game.start;
  const bytes = new TextEncoder().encode(JSON.stringify({game: name, head, rows, title, author, plan: game.plan()}));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return "p=" + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function unpack(fragment) {
  const match = fragment.match(/^#?p=([\w-]+)$/);
  if (!match) return null;
  try {
    const bytes = Uint8Array.from(atob(match[1].replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    const found = JSON.parse(new TextDecoder().decode(bytes));
    return Array.isArray(found.rows) && typeof found.plan === "string" ? found : null;
  } catch {
    return null;
  }
}
