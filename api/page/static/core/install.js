/** The service worker, which makes the page work offline; browsers accept one only from secure addresses. */

const WORKER = "worker.js";

/** The only address that the page's trusted-types policy allows to run. @returns {any} */
function trusted() {
  const { trustedTypes } = /** @type {any} */ (globalThis);
  return trustedTypes?.createPolicy("worker", { createScriptURL: () => WORKER }).createScriptURL("") ?? WORKER;
}

/** Register the worker. Call this once the page is drawn, so that the first visit does not wait. */
export async function keepPage() {
  try {
    await navigator.serviceWorker?.register(trusted());
  } catch {
    // A private window may refuse the worker: no offline page.
  }
}
