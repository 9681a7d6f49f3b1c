/** Moves in the service's notation: the cards in them, how to draw them, and how to read them out. */
import { html } from "../core/html.js";
import { TOGETHER } from "../core/tree.js";
import { isSaid, say } from "../core/words.js";
import { codeOf, nameOf, suitOf } from "./faces.js";
import { Card } from "./card.js";
import { Named, onPaper } from "./paper.js";

/** @typedef {import("./faces.js").Deck} Deck */

/** The parts of a move: words, signs and cards, in order. @param {Deck} deck @param {string} move */
export function partsOf(deck, move) {
  const done = move
    .replace(/^\d:/, "") // who was first in a duel
    .replaceAll(TOGETHER, " ")
    .replace(/^take - (?=give)/, "") // what is not done is not said
    .replace(/^pass (?=\S+>)/, "exchange ");
  const tokens = done.match(/[^\s+=>]+(?:[+-](?=$|\s|[=>]))?|[+=>]/g) ?? [];
  return (deck.byCode.has(codeOf(move)) || isSaid(`move.${done}`) ? [done] : tokens).map((token, at) => ({
    token: at > 0 && token === "give" ? "and give" : token,
    card: deck.byCode.has(codeOf(token)),
  }));
}

/** The cards in a move, in order. @param {Deck} deck @param {string} move */
export function cardsOf(deck, move) {
  return partsOf(deck, move)
    .filter((part) => part.card)
    .map((part) => part.token);
}

/**
 * The two halves of a move: the cards played, taken from a trick or given in a pass, and those given or taken for them.
 *
 * @param {string} move
 */
export function halvesOf(move) {
  return move.split(/ (?=give )|>/);
}

/** What moves do that do not play a card, and with the cards of each half. @type {[RegExp, string, string[]][]} */
const DEEDS = [
  [/^take - give/, "give", ["take", "give"]],
  [/^take .* give/, "takeGive", ["take", "give"]],
  [/^take/, "take", ["take", "give"]],
  [/>/, "exchange", ["give", "take"]],
  [/=/, "match", []],
  [/^discard/, "discard", []],
];

/** What a move does, and with the cards of each half; "play" and nothing if it plays a card. @param {string} move */
export function deedOf(move) {
  const [, deed = "play", halves = []] = DEEDS.find(([looks]) => looks.test(move)) ?? [];
  return { deed, halves };
}

/** Tokens that are drawn otherwise than they are written. */
const DRAWN = /** @type {Record<string, string>} */ ({ ">": "→" });

const SIGNS = /** @type {Record<string, string>} */ ({
  "+": "plus",
  "=": "equals",
  ">": "for",
});

/** Classes of what may begin a line of its own, and of the signs that stay with the card behind them. */
const CLASSES = /** @type {Record<string, string>} */ ({ "+": "term", "=": "term equals", "and give": "and-give" });

/** A word of a move, such as "take", in the page's language. @param {string} token */
export function wordOf(token) {
  return isSaid(`move.${token}`) ? say(`move.${token}`) : token;
}

/** A move in words. @param {Deck} deck @param {string} move */
export function spokenMove(deck, move) {
  const words = partsOf(deck, move).map(({ token, card }) => {
    if (card) return nameOf(deck, token);
    return token in SIGNS ? say(`move.${SIGNS[token]}`) : wordOf(token);
  });
  return words.join(" ");
}

/** A move drawn small. @param {{deck: Deck, move: string}} props */
export function Move({ deck, move }) {
  const parts = partsOf(deck, move);
  const isSign = (/** @type {number} */ at) => ["+", "="].includes(parts[at]?.token);
  /** @param {number} at @returns {any} */
  const draw = (at) => {
    const { token, card } = parts[at];
    if (card) {
      const named = token.includes(":") && html`<span class="move-word">${suitOf(deck, token)}</span>`; // a Dancer
      return html`<${onPaper.value ? Named : Card} deck=${deck} card=${token} />${named}`;
    }
    const word = html`<span class="move-word">${DRAWN[token] ?? wordOf(token)}</span>`;
    const classes = CLASSES[token];
    return classes ? html`<span class=${classes}>${word}${isSign(at) && draw(at + 1)}</span>` : word;
  };
  return html`<span class="move" role="img" aria-label=${spokenMove(deck, move)}>
    ${parts.map((_, at) => !isSign(at - 1) && draw(at))}
  </span>`;
}

/**
 * Whether a move uses all of these cards, each as often as it is listed.
 *
 * @param {Deck} deck @param {string} move @param {string[]} cards
 */
export function uses(deck, move, cards) {
  const left = cardsOf(deck, move).map(codeOf);
  return cards.every((card) => {
    const at = left.indexOf(codeOf(card));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}
