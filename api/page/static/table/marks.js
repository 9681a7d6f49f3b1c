/** Marks that a tab puts on the cards of the board. */
import { signal } from "../core/html.js";
import { say } from "../core/words.js";
import { codeOf } from "../cards/faces.js";
import { cardsOf, deedOf, halvesOf } from "../cards/moves.js";

/** @typedef {"good" | "fair" | "bad" | ""} Tone what is thought of a move; empty for nothing */
/** @typedef {{code: string, half: number, deed?: string}} Advised a card, and what the recommended move does with it */

/** Words below the cards, by `keysOf` them, such as the value of a move of one card. Set them with `mark`. */
export const marks = signal(/** @type {Map<string, string>} */ (new Map()));
/** What is thought of these cards. */
export const tones = signal(/** @type {Map<string, Tone>} */ (new Map()));
/** Whether these words lie on the cards, as what is done with a card does. */
export const isOn = signal(false);
/** The cards of each recommended move, which are highlighted. Set them with `advise`. */
export const advised = signal(/** @type {Advised[][]} */ ([]));
/** A sentence next to the cards, such as that an answer is right; empty for none. */
export const remark = signal({ words: "", tone: "" });

// A search reports progress often; redraw the board only if its marks have changed.

/** What marks a card: its code, after those of equal cards before it. @param {string[]} cards @returns {string[]} */
export function keysOf(cards) {
  return cards.map((card, at) => [...cards.slice(0, at).filter((other) => other === card), card].join(" "));
}

/** @param {Map<string, string>} words @param {Map<string, Tone>} [thought] @param {boolean} [on] */
export function mark(words, thought = new Map(), on = false) {
  isOn.value = on;
  tones.value = thought;
  if (JSON.stringify([...words]) !== JSON.stringify([...marks.peek()])) marks.value = words;
}

const SIGNS = { good: "✓ ", fair: "≈ ", bad: "✗ ", "": "" };

/** A verdict with a sign: colours alone are not seen by all. @param {Tone} tone @param {string} key */
export function signed(tone, key) {
  return SIGNS[tone] + say(key);
}

/**
 * Highlight the cards of the best moves, or only the first card of each.
 *
 * @param {import("../cards/faces.js").Deck} deck @param {string[]} moves @param {boolean} [first]
 */
export function advise(deck, moves, first = false) {
  const found = moves.map((move) => {
    const cards = halvesOf(move).flatMap((part, half) =>
      cardsOf(deck, part).map((card) => ({ code: codeOf(card), half, deed: deedOf(move).halves[half] })),
    );
    return first ? cards.slice(0, 1) : cards;
  });
  if (JSON.stringify(found) !== JSON.stringify(advised.peek())) advised.value = found;
}
