/** Components of the script `later.js`, which is loaded with its words and styles when one of them is first drawn. */
import { html, signal } from "./html.js";
import { untilBack } from "./connection.js";
import { language } from "./words.js";

/** The components by their names; null until they are loaded. */
const loaded = signal(/** @type {Record<string, any> | null} */ (null));
let isAsked = false;

/** The address of another file of the page, which is at its root by now. @param {string} name */
export function besidePage(name) {
  const { root = "" } = document.documentElement.dataset;
  const script = document.querySelector('script[src$="/page.js"]')?.getAttribute("src") ?? "";
  return new URL(script.slice(root.length).replace(/page\.js$/, name), document.baseURI).href;
}

async function load() {
  isAsked = true;
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
    loaded.value = /** @type {any} */ (globalThis).later;
  } catch {
    sheet.remove();
    await untilBack();
    load();
  }
}

/** A component by its name, which draws nothing until it is loaded. @param {string} name */
export function later(name) {
  return (/** @type {any} */ props = {}) => {
    if (!loaded.value && !isAsked) load();
    return loaded.value && html`<${loaded.value[name]} ...${props} />`;
  };
}
