/** The worker that keeps the page for when there is no network; browsers take one from safe addresses alone. */

const WORKER = "worker.js";

/** The page's policy has browsers run no address but this. @returns {any} */
function trusted() {
  const { trustedTypes } = /** @type {any} */ (globalThis);
  return trustedTypes?.createPolicy("worker", { createScriptURL: () => WORKER }).createScriptURL("") ?? WORKER;
}

/** Have the page kept once it is drawn: its first visit waits for nothing. */
export function keepPage() {
  if (!("serviceWorker" in navigator)) return;
  addEventListener("load", () => {
    navigator.serviceWorker.register(trusted()).catch(() => {}); // A private window may refuse it: nothing is kept.
  });
}
