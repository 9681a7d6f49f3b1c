/** What the service says of each game, which comes with the page, and the decks. */
import { signal } from "./html.js";
import { load } from "./ask.js";
import { addLanguage } from "./languages.js";
import { language } from "./words.js";

/**
 * @typedef {object} Asked a key of positions that only this game has
 * @property {string} name
 * @property {string} title
 * @property {string[]} choices its values; none for one that is true or false
 * @property {string | boolean | null} default
 */

/**
 * @typedef {object} Listed
 * @property {string} name
 * @property {string} title
 * @property {string} description
 * @property {[number, number]} players
 * @property {Record<string, string>} variants what each is, by its name
 * @property {string[]} models
 * @property {Record<string, string>} rules what each rule option changes, by its name
 * @property {string[]} disputed those that tables should agree on
 * @property {number | null} rounds of a match; null if the points decide when one is over
 * @property {boolean} won_or_lost whether a round is won or lost, without points
 * @property {string[]} levels how strong the other players can be, in a hint's eyes
 * @property {boolean} has_card_faces whether it shows its cards
 * @property {Asked[]} fields
 * @property {number[]} sides by seat; none if each seat plays for itself
 */
/** @typedef {{game: string, name: string, title: string, error: string | null}} ListedDeck */

/** @type {Listed[]} */
export const LISTED = /** @type {any} */ (globalThis).games ?? [];
addLanguage(language, (/** @type {any} */ (globalThis)).words ?? {});
const decks = signal(/** @type {ListedDeck[]} */ ([]));
let decksAsked = false;

/** @param {string} game @returns {Listed | undefined} */
function listed(game) {
  return LISTED.find((one) => one.name === game);
}

/**
 * Whether two seats share their points.
 *
 * @param {string} game @param {number | null} one @param {number | null} other
 */
export function arePartners(game, one, other) {
  const sides = listed(game)?.sides ?? [];
  return one === other || (sides.length > 0 && sides[one ?? -1] === sides[other ?? -1]);
}

/** A game's title. @param {string} game */
export function gameTitle(game) {
  return listed(game)?.title ?? game;
}

/** A game in a sentence; empty for one that says nothing of itself. @param {string} game */
export function aboutOf(game) {
  return listed(game)?.description ?? "";
}

/** The descriptions of a game's rule options by name. @param {string} game @returns {Record<string, string>} */
export function readingsOf(game) {
  return listed(game)?.rules ?? {};
}

/** The names of the rule options that tables should agree on. @param {string} game @returns {string[]} */
export function disputedOf(game) {
  return listed(game)?.disputed ?? [];
}

/** How many seats a game has; 0 if that differs. @param {string} game */
export function seatsOf(game) {
  const [least = 0, most = 0] = listed(game)?.players ?? [];
  return least === most ? most : 0;
}

/** Whether a game can be played by one. @param {string} [game] */
export function canBeAlone(game = "") {
  return listed(game)?.players[0] === 1;
}

/** The rounds of a match; null if the points decide when one is over. @param {string} game */
export function roundsOf(game) {
  return listed(game)?.rounds ?? null;
}

/** Whether a round of a game is won or lost, and no points are counted. @param {string} [game] */
export function isRace(game = "") {
  return listed(game)?.won_or_lost ?? false;
}

/** The models of the others' play in a game's analyses. @param {string} [game] @returns {string[]} */
export function modelsOf(game = "") {
  return listed(game)?.models ?? [];
}

/** How strong the other players can be, in the eyes of a game's hints. @param {string} [game] @returns {string[]} */
export function levelsOf(game = "") {
  return listed(game)?.levels ?? [];
}

/**
 * The decks available for a game, the shipped one first; empty until they are loaded.
 *
 * @param {string} game @returns {ListedDeck[]}
 */
export function decksOf(game) {
  return usable().filter((one) => one.game === game);
}

/** The games whose cards can be one's own; none until their decks are loaded. @returns {string[]} */
export function gamesOfDecks() {
  return [...new Set(usable().map(({ game }) => game))];
}

/** All decks without a fault. */
function usable() {
  if (!decksAsked) {
    decksAsked = true;
    load("v1/decks").then((found) => (decks.value = found.decks));
  }
  return decks.value.filter(({ error }) => !error);
}
