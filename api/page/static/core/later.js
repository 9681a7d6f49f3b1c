/** What the script `later.js` has, which is loaded with its words and styles when some of it is first needed. */
import { html, signal } from "./html.js";
import { untilBack } from "./connection.js";
import { language } from "./words.js";

/** What there is by its name; null until it is loaded. */
export const loaded = signal(/** @type {Record<string, any> | null} */ (null));
/** @type {Promise<Record<string, any>> | null} */
let coming = null;

/** The address of another file of the page, which is at its root by now. @param {string} name */
export function besidePage(name) {
  const { root = "" } = document.documentElement.dataset;
  const script = document.querySelector('script[src$="/page.js"]')?.getAttribute("src") ?? "";
  return new URL(script.slice(root.length).replace(/page\.js$/, name), document.baseURI).href;
}

/** Load it, once, and return what there is by its name. @returns {Promise<Record<string, any>>} */
export function fetchLater() {
  coming ??= load();
  return coming;
}

/** @returns {Promise<Record<string, any>>} */
async function load() {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = besidePage("later.css");
  try {
    await new Promise((ready, fail) => {
      sheet.onload = ready;
      sheet.onerror = fail;
      document.head.append(sheet);
    });
    await import(besidePage(`later.${language}.js`));
  } catch {
    sheet.remove();
    await untilBack();
    return load();
  }
  const { later: found } = /** @type {any} */ (globalThis);
  loaded.value = found;
  return found;
}

/** A component by its name, which draws nothing until it is loaded. @param {string} name */
export function later(name) {
  return (/** @type {any} */ props = {}) => {
    if (!loaded.value) fetchLater();
    return loaded.value && html`<${loaded.value[name]} ...${props} />`;
  };
}
