// Keeps the page on the device, so that it works without a network. What is kept belongs together: a newer page is
// fetched whole, beside it, and takes its place when no old one is open.

const PLACE = `heelstone-${MARK}`;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(PLACE).then((place) => place.addAll(FILES)));
});

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith("heelstone-") && name !== PLACE);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  const found = caches.open(PLACE).then((place) => place.match(event.request, { ignoreSearch: true }));
  event.respondWith(found.then((kept) => kept ?? fetch(event.request)));
});
