/** The illustrations on cards: symbols of `templates/art/GAME.svg`, which are loaded with the first card drawn. */
import { html, signal } from "../core/html.js";
import { untilBack } from "../core/connection.js";
import { besidePage } from "../core/later.js";

/** How many games' illustrations are loaded: what was drawn without them is drawn again. */
export const illustrated = signal(0);
const asked = /** @type {Set<string>} */ (new Set());

/** Load a game's illustrations, once. @param {string} game */
export function illustrate(game) {
  if (asked.has(game)) return;
  asked.add(game);
  const request = new XMLHttpRequest(); // which makes a document of it: the page's policy takes no markup as text
  request.responseType = "document";
  request.onload = () => {
    if (!request.responseXML) return;
    document.body.prepend(document.adoptNode(request.responseXML.documentElement));
    illustrated.value += 1;
  };
  request.onerror = () => untilBack().then(() => asked.delete(game) && illustrate(game));
  request.open("GET", besidePage(`art-${game}.svg`));
  request.send();
}

/** The symbol with a name in any language. @param {string} name */
const idOf = (name) => `art-${name.replaceAll(/[ ']/g, "-")}`;

/** Whether there is an illustration, and it is loaded. @param {string | undefined} name @returns {name is string} */
export function isArt(name) {
  return Boolean(name) && document.getElementById(idOf(/** @type {string} */ (name))) !== null;
}

/** An illustration at a place within a drawing. @param {{name: string, x: number, y: number, size: number}} place */
export function Art({ name, x, y, size }) {
  return html`<use href=${`#${idOf(name)}`} x=${x} y=${y} width=${size} height=${size} />`;
}
