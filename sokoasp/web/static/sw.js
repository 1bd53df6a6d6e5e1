"use strict";
/* Keeps the page for the time the server is away. The files of a version never change, so they come from here; the page itself comes
   fresh from the server when it answers, and from here when it does not. */
const KEPT = "sokoasp-3", SCOPE = self.registration.scope;
self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("sokoasp-") && name !== KEPT) await caches.delete(name);
  await self.clients.claim();
  await fill();
})()));

self.addEventListener("message", (event) => event.data === "claim" && event.waitUntil(self.clients.claim()));

/* Keeps all files of the version the server has now; those of another version go. */
async function fill() {
  const {files, folder} = await (await fetch(`${SCOPE}files.json`)).json(), kept = await caches.open(KEPT);
  if (await kept.match(`${SCOPE}${folder}app.js`)) return;
  const wanted = files.map((name) => new URL(name, SCOPE).href);
  await kept.addAll(wanted);
  for (const {url} of await kept.keys()) if (!wanted.includes(url)) await kept.delete(url);
}

self.addEventListener("fetch", (event) => {
  const {request} = event;
  if (request.method !== "GET" || !request.url.startsWith(SCOPE)) return;
  if (/^[0-9a-f]{12}\//.test(request.url.slice(SCOPE.length))) event.respondWith(kept(request));
  else if (request.mode === "navigate") event.respondWith(fresh(event, request));
});

async function kept(request) {
  return await caches.match(request) ?? fetch(request);
}

async function fresh(event, request) {
  try {
    const answer = await fetch(request);
    if (answer.ok && request.url.split(/[?#]/)[0] === SCOPE) {
      const copy = answer.clone();
      event.waitUntil((async () => { await fill(); await (await caches.open(KEPT)).put(SCOPE, copy); })());
    }
    return answer;
  } catch {
    return await caches.match(request, {ignoreSearch: true}) ?? await caches.match(SCOPE) ?? new Response("The server is away.", {status: 503});
  }
}
