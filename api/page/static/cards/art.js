/** The illustrations on cards: symbols of `templates/art/GAME.svg`, for which cards wait a moment. */
import { html, signal } from "../core/html.js";
import { messageOf } from "../core/ask.js";
import { untilAgain, untilBack } from "../core/connection.js";
import { besidePage } from "../core/later.js";
import { gameOf } from "../games/index.js";

/** How it stands with a game's illustrations. @typedef {"soon" | "late" | "here"} Arrival */

const OK = 200; // the status of an answer that is what was asked for
const SOON = 400; // milliseconds that cards wait for their illustrations
/** Of each game that was asked for; a game without illustrations waits for none. */
const arrivals = /** @type {Map<string, import("../vendor/signals.js").Signal<Arrival>>} */ (new Map());

/** How it stands with a game's illustrations, which are loaded when this is first asked. @param {string} game */
export function arrivalOf(game) {
  let arrival = arrivals.get(game);
  if (!arrival) {
    arrival = signal(/** @type {Arrival} */ (gameOf(game)?.illustrated ? "soon" : "here"));
    arrivals.set(game, arrival);
    if (arrival.peek() === "soon") load(game, arrival);
  }
  return arrival.value;
}

/** Whether cards wait for their illustrations. */
export function isWaiting() {
  return [...arrivals.values()].some((arrival) => arrival.value === "soon");
}

/** @param {string} game @param {import("../vendor/signals.js").Signal<Arrival>} arrival */
function load(game, arrival) {
  const late = () => {
    if (arrival.value === "soon") arrival.value = "late";
  };
  const request = new XMLHttpRequest(); // which makes a document of it: the page's policy takes no markup as text
  request.responseType = "document";
  request.onload = () => {
    if (request.status !== OK || !request.responseXML) {
      late();
      untilAgain(messageOf(request.status)).then(() => load(game, arrival));
      return;
    }
    document.body.prepend(document.adoptNode(request.responseXML.documentElement));
    arrival.value = "here";
  };
  request.onerror = () => {
    late();
    untilBack().then(() => load(game, arrival));
  };
  request.open("GET", besidePage(`art-${game}.svg`));
  request.send();
  setTimeout(late, SOON);
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
