/** Components of the script `later.js`, which is loaded when one of them is first drawn. */
import { html, signal } from "./html.js";
import { untilBack } from "./connection.js";

/** The components by their names; null until they are loaded. */
const loaded = signal(/** @type {Record<string, any> | null} */ (null));
let isAsked = false;

async function load() {
  isAsked = true;
  const page = /** @type {HTMLScriptElement} */ (document.querySelector('script[src$="/page.js"]'));
  try {
    await import(page.src.replace(/page\.js$/, "later.js"));
    loaded.value = /** @type {any} */ (globalThis).later;
  } catch {
    await untilBack();
    load();
  }
}

/** A component by its name, which draws nothing until it is loaded. @param {string} name */
export function later(name) {
  return (/** @type {any} */ props) => {
    if (!loaded.value && !isAsked) load();
    return loaded.value && html`<${loaded.value[name]} ...${props} />`;
  };
}
