/** What is printed on the cards of each game, from the service; asked for once for each deck. */
import { signal } from "../core/html.js";
import { Refused, ask } from "../core/ask.js";

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
 * The deck that a position is played with: empty until the service has told it.
 *
 * @param {{game: string, variant?: string, deck?: unknown} | null} position
 * @returns {Deck}
 */
export function deckOf(position) {
  if (!position) return NONE;
  const { game, deck } = position;
  const own = deck === undefined ? { game } : { game, deck };
  const body = game === "alchemy" ? { game, variant: position.variant } : own;
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

/** @param {{game: string}} body @returns {Promise<Deck>} */
async function fetchDeck(body) {
  try {
    const { game, cards } = await ask("v1/cards", body);
    return { game, cards, byCode: new Map(cards.map((/** @type {Face} */ face) => [face.card, face])) };
  } catch (error) {
    if (error instanceof Refused) return { ...NONE, game: body.game }; // a deck that is wrong shows codes alone
    throw error;
  }
}

/** A card that has been played may carry more than its code: a Dancer its suit. @param {string} text */
export function codeOf(text) {
  return text.split(":")[0];
}

/** The face of a card as a position or a move writes it. @param {Deck} deck @param {string} text @returns {Face} */
export function faceOf(deck, text) {
  const found = deck.byCode.get(codeOf(text));
  return found ?? { card: text, name: text, suit: null, rank: text, copies: 1, details: {} };
}

/** The name of a card as a person says it. @param {Deck} deck @param {string} text */
export function nameOf(deck, text) {
  const face = faceOf(deck, text);
  const named = text.split(":")[1];
  if (!named)
    return face.suit && !face.name.startsWith(face.suit)
      ? `${face.suit} ${face.rank}, ${face.name}`
      : face.name;
  const suit = deck.cards.find((one) => one.suit && one.card.startsWith(named))?.suit ?? named;
  return `${face.name} (${suit})`;
}
