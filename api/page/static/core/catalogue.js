/** The games as the service lists them, with the readings of their rules that tables dispute. */
import { signal } from "./html.js";
import { ask } from "./ask.js";

/** @typedef {{name: string, title: string, rules?: Record<string, string>}} Listed */

const games = signal(/** @type {Listed[]} */ ([]));
let asked = false;

/** What readings a game has, in the service's words, by their names; empty until they are known. @param {string} game @returns {Record<string, string>} */
export function readingsOf(game) {
  if (!asked) {
    asked = true;
    ask("v1/games").then((found) => (games.value = found.games));
  }
  return games.value.find((one) => one.name === game)?.rules ?? {};
}
