/** The service worker, which makes the page work offline; browsers accept one only from secure addresses. */

import { ask } from "./ask.js";
import { keep, recall } from "./kept.js";

const WORKER = "worker.js";
const DECKS = "worker.decks";

/** The only address that the page's trusted-types policy allows to run. @returns {any} */
function trusted() {
  const { trustedTypes } = /** @type {any} */ (globalThis);
  return trustedTypes?.createPolicy("worker", { createScriptURL: () => WORKER }).createScriptURL("") ?? WORKER;
}

/**
 * Register the worker once the page is drawn, so that the first visit does not wait. Then request the cards of all
 * games once for each version of the page, so that the worker has them.
 *
 * @param {object[]} decks the bodies of these requests, some of them alike
 */
export function keepPage(decks) {
  if (!("serviceWorker" in navigator)) return;
  addEventListener("load", async () => {
    try {
      await navigator.serviceWorker.register(trusted());
      const version = document.querySelector("script")?.src;
      if (recall(DECKS) === version) return;
      if (!navigator.serviceWorker.controller) {
        await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done));
      }
      const each = new Map(decks.map((deck) => [JSON.stringify(deck), deck])).values();
      for (const deck of each) await ask("v1/cards", deck);
      keep(DECKS, version);
    } catch {
      // A private window may refuse the worker, and a service without its token the cards: no offline page.
    }
  });
}
