/**
 * Makes the page work offline: caches its files and the cards of the games, so that it opens, draws what is in its
 * address, and reports that the service is unreachable. Nothing else is cached: no position, no answer, no token.
 */
const VERSION = "@version@";
const CACHE = `athanor-${VERSION}`;
const FILES = ["./", ...["@files@"].map((name) => `page/${VERSION}/${name}`)];
const CARDS = /\/v1\/(cards|games|decks|rules\/[\w-]+)$/;

addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});

addEventListener("activate", (/** @type {any} */ event) => {
  const others = (/** @type {string} */ name) => name.startsWith("athanor-") && name !== CACHE;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(others).map((name) => caches.delete(name))))
      .then(() => /** @type {any} */ (globalThis).clients.claim()), // so that the first visit's cards are cached
  );
});

addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match("./")));
  else if (pathname.includes(`/page/${VERSION}/`)) event.respondWith(keptFirst(request));
  else if (CARDS.test(pathname)) event.respondWith(newest(request));
});

/** A file of this version, which never changes. @param {Request} request */
async function keptFirst(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/**
 * The service's answer or, if it is unreachable, its last one. A cache can't store a POST, so the body becomes part of
 * the address.
 *
 * @param {Request} request
 */
async function newest(request) {
  const asked = `${request.url}?${new URLSearchParams({
    body: request.method === "POST" ? await request.clone().text() : "",
    language: request.headers.get("Accept-Language") ?? "",
  })}`;
  try {
    const answer = await fetch(request);
    if (answer.ok) (await caches.open(CACHE)).put(asked, answer.clone());
    return answer;
  } catch (error) {
    const kept = await caches.match(asked);
    if (kept) return kept;
    throw error;
  }
}
