/** The faces of each game's cards: the usual ones come with the page, others from the service, once per deck. */
import { signal } from "../core/html.js";
import { Refused, load } from "../core/ask.js";
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
/** The usual cards of the games, and of variants where they differ. @type {{variant: string | null, deck: Deck}[]} */
const USUAL = (/** @type {any} */ (globalThis).decks ?? []).map((/** @type {any} */ { variant, game, cards }) => ({
  variant,
  deck: deckWith(game, cards),
}));
/** The decks that were asked for, by their games and what they are. */
const fetched = /** @type {Map<string, import("../vendor/signals.js").Signal<Deck>>} */ (new Map());

/** @param {string} game @param {Face[]} cards @returns {Deck} */
export function deckWith(game, cards) {
  return { game, cards, byCode: new Map(cards.map((face) => [face.card, face])) };
}

/**
 * The deck of a position: empty until the service has answered, if it is none of the usual ones.
 *
 * @param {{game: string, variant?: string, deck?: unknown} | null} position
 * @returns {Deck}
 */
export function deckOf(position) {
  if (!position) return NONE;
  const { game, variant, deck } = position;
  if (deck === undefined) {
    const usual = USUAL.filter((one) => one.deck.game === game);
    return (usual.find((one) => one.variant === variant) ?? usual[0])?.deck ?? { ...NONE, game };
  }
  const name = JSON.stringify({ game, deck });
  let found = fetched.get(name);
  if (!found) {
    found = signal(NONE);
    fetched.set(name, found);
    fetchDeck(found, game, deck);
  }
  return found.value;
}

/** @param {import("../vendor/signals.js").Signal<Deck>} found @param {string} game @param {unknown} deck */
async function fetchDeck(found, game, deck) {
  try {
    found.value = deckWith(game, (await load("v1/cards", { game, deck })).cards);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    found.value = { ...NONE, game }; // cards of an invalid deck show only codes
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
