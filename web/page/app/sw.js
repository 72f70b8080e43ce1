// Caches the page for use offline. A newer version is fetched in the background and shown at the next start.

const CACHE = "enroque";
const FILES = ["./", "manifest.webmanifest", "icon.svg"];

self.addEventListener("install", event => {
  event.waitUntil(caches.open(CACHE).then(cache => cache.addAll(FILES)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", event => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", event => {
  if (event.request.method !== "GET") return;
  const answer = caches.open(CACHE).then(async cache => {
    const kept = await cache.match(event.request, { ignoreSearch: true });
    const fresh = fetch(event.request).then(response => {
      if (response.ok) void cache.put(event.request, response.clone());
      return response;
    });
    if (kept) fresh.catch(() => undefined);
    return kept ?? fresh;
  });
  event.respondWith(answer);
});
