/** The faces of each game's cards, fetched from the service once per deck. */
import { signal } from "../core/html.js";
import { Refused, ask } from "../core/ask.js";
import { say } from "../core/words.js";

/**
 * @typedef {object} Face
 * @property {string} card
 * @property {string} name
 * @property {string | null} suit
 * @property {string} rank
 * @property {number | null} copies
 * @property {Record<string, string>} details
 */

/** @typedef {{game: string, cards: Face[], byCode: Map<string, Face>}} Deck */

/** @type {Deck} */
const NONE = { game: "", cards: [], byCode: new Map() };
/** @type {Map<string, import("../vendor/signals.js").Signal<Deck>>} */
const decks = new Map();

/**
 * The deck of a position: empty until the service has answered.
 *
 * @param {{game: string, variant?: string, deck?: unknown} | null} position
 * @returns {Deck}
 */
export function deckOf(position) {
  if (!position) return NONE;
  const body = askingFor(position);
  const name = JSON.stringify(body);
  let found = decks.get(name);
  if (!found) {
    const made = signal(NONE);
    decks.set(name, made);
    fetchDeck(body).then((deck) => (made.value = deck));
    found = made;
  }
  return found.value;
}

/** The body of a request for a position's cards. @param {{game: string, variant?: string, deck?: unknown}} position */
export function askingFor({ game, variant, deck }) {
  if (game === "alchemy") return { game, variant };
  return deck === undefined ? { game } : { game, deck };
}

/** @param {{game: string}} body @returns {Promise<Deck>} */
async function fetchDeck(body) {
  try {
    const { game, cards } = await ask("v1/cards", body);
    return { game, cards, byCode: new Map(cards.map((/** @type {Face} */ face) => [face.card, face])) };
  } catch (error) {
    if (error instanceof Refused) return { ...NONE, game: body.game }; // cards of an invalid deck show only codes
    throw error;
  }
}

/** The code of a card; a played card's text may have more, such as a Dancer's suit. @param {string} text */
export function codeOf(text) {
  return text.split(":")[0];
}

/** The face of a card in a position or a move. @param {Deck} deck @param {string} text @returns {Face} */
export function faceOf(deck, text) {
  const found = deck.byCode.get(codeOf(text));
  return found ?? { card: text, name: text, suit: null, rank: text, copies: 1, details: {} };
}

/**
 * The suit of a card, or the one that a played Dancer was named; null for none. Trumps are a suit in what is said.
 *
 * @param {Deck} deck @param {string} text
 */
export function suitOf(deck, text) {
  const named = text.split(":")[1];
  const { suit, details } = faceOf(deck, text);
  if (!named) return suit ?? (details.kind === "trump" ? say("suit.trump") : null);
  return deck.cards.find((one) => one.suit && one.card.startsWith(named))?.suit ?? named;
}

/** The name of a card, for people. @param {Deck} deck @param {string} text */
export function nameOf(deck, text) {
  const { name, rank } = faceOf(deck, text);
  const suit = suitOf(deck, text);
  if (text.includes(":")) return `${name} (${suit})`;
  return suit && !name.startsWith(suit) ? `${suit} ${rank}${say("comma")}${name}` : name;
}
