/** Each game's rule options and decks, from the service. */
import { signal } from "./html.js";
import { ask } from "./ask.js";

/** @typedef {{name: string, title: string, players?: number[],
 * rules?: Record<string, string>, disputed?: string[]}} Listed */
/** @typedef {{game: string, name: string, title: string, error: string | null}} ListedDeck */

const games = signal(/** @type {Listed[]} */ ([]));
const decks = signal(/** @type {ListedDeck[]} */ ([]));
let gamesAsked = false;
let decksAsked = false;

/** Set the list of games without a request. @param {Listed[]} listed */
export function learn(listed) {
  gamesAsked = true;
  games.value = listed;
}

/**
 * The descriptions of a game's rule options by name; empty until they are loaded.
 *
 * @param {string} game @returns {Record<string, string>}
 */
export function readingsOf(game) {
  return listed(game)?.rules ?? {};
}

/** The names of the rule options that tables should agree on. @param {string} game @returns {string[]} */
export function disputedOf(game) {
  return listed(game)?.disputed ?? [];
}

/** How many seats a game has; 0 if that differs, or is not known yet. @param {string} game */
export function seatsOf(game) {
  const [least = 0, most = 0] = listed(game)?.players ?? [];
  return least === most ? most : 0;
}

/** A game's entry in the service's list; undefined until that is loaded. @param {string} game */
function listed(game) {
  if (!gamesAsked) {
    gamesAsked = true;
    ask("v1/games").then((found) => (games.value = found.games));
  }
  return games.value.find((one) => one.name === game);
}

/**
 * The decks available for a game, the shipped one first; empty until they are loaded.
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
