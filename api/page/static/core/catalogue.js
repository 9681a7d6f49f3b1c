/** What the service has of each game: its disputed rules, and the decks. */
import { signal } from "./html.js";
import { ask } from "./ask.js";

/** @typedef {{name: string, title: string, rules?: Record<string, string>}} Listed */
/** @typedef {{game: string, name: string, title: string, error: string | null}} ListedDeck */

const games = signal(/** @type {Listed[]} */ ([]));
const decks = signal(/** @type {ListedDeck[]} */ ([]));
let gamesAsked = false;
let decksAsked = false;

/** Know what the games are without asking for it. @param {Listed[]} listed */
export function learn(listed) {
  gamesAsked = true;
  games.value = listed;
}

/**
 * What readings a game has, in the service's words, by their names; empty until they are known.
 *
 * @param {string} game @returns {Record<string, string>}
 */
export function readingsOf(game) {
  if (!gamesAsked) {
    gamesAsked = true;
    ask("v1/games").then((found) => (games.value = found.games));
  }
  return games.value.find((one) => one.name === game)?.rules ?? {};
}

/**
 * The decks that can be named for a game, the shipped one first; empty until they are known.
 *
 * @param {string} game @returns {ListedDeck[]}
 */
export function decksOf(game) {
  if (!decksAsked) {
    decksAsked = true;
    ask("v1/decks").then((found) => (decks.value = found.decks));
  }
  return decks.value.filter((one) => one.game === game && !one.error);
}
