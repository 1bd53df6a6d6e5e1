/* The provider that asks the local server. Errors carry the server's sentence. */
export async function send(name, body, signal) {
  const response = await fetch(`api/${name}`, {
    method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify(body), signal,
  });
  if (!response.ok) {
    let sentence = `the server answered ${response.status}`;
    try { sentence = (await response.json()).error ?? sentence; } catch { /* no sentence in it */ }
    throw new Error(sentence);
  }
  return response;
}

export async function ask(name, body, signal) { return (await send(name, body, signal)).json(); }

/* Calls onEvent with every JSON line; aborting the signal closes the connection, which cancels the work. */
export async function follow(name, body, signal, onEvent) {
  const response = await send(name, body, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const {value, done} = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) onEvent(JSON.parse(line));
  }
}
