"use strict";
/* Keeps the page for the time the server is away: fresh from the server when it answers, from here when it does not. */
const KEPT = "sokoasp-1";
self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("sokoasp-") && name !== KEPT) await caches.delete(name);
  await self.clients.claim();
  const kept = await caches.open(KEPT);
  const files = await (await fetch("/files.json")).json();
  await kept.addAll(files);
})()));
self.addEventListener("fetch", (event) => {
  const {request} = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith((async () => {
    const kept = await caches.open(KEPT);
    try {
      const answer = await fetch(request);
      if (answer.ok) await kept.put(request, answer.clone());
      return answer;
    } catch {
      return await kept.match(request, {ignoreSearch: true}) ?? new Response("The server is away.", {status: 503});
    }
  })());
});
