"use strict";
/* Keeps the page for the time the server is away. The files of a version never change, so they come from here; the page itself comes
   fresh from the server when it answers, and from here when it does not. */
const KEPT = "sokoasp-2";
self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("sokoasp-") && name !== KEPT) await caches.delete(name);
  await self.clients.claim();
  await fill();
})()));

/* Keeps all files of the version the server has now; those of another version go. */
async function fill() {
  const {files, folder} = await (await fetch("/files.json")).json(), kept = await caches.open(KEPT);
  if (await kept.match(`${folder}app.js`)) return;
  await kept.addAll(files);
  for (const {url} of await kept.keys()) if (!files.includes(new URL(url).pathname)) await kept.delete(url);
}

self.addEventListener("fetch", (event) => {
  const {request} = event, {origin, pathname} = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (/^\/[0-9a-f]{12}\//.test(pathname)) event.respondWith(kept(request));
  else if (request.mode === "navigate") event.respondWith(fresh(event, request));
});

async function kept(request) {
  return await caches.match(request) ?? fetch(request);
}

async function fresh(event, request) {
  try {
    const answer = await fetch(request);
    if (answer.ok && new URL(request.url).pathname === "/") {
      const copy = answer.clone();
      event.waitUntil((async () => { await fill(); await (await caches.open(KEPT)).put("/", copy); })());
    }
    return answer;
  } catch {
    return await caches.match(request, {ignoreSearch: true}) ?? new Response("The server is away.", {status: 503});
  }
}
