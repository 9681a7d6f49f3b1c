/** Marks that a tab puts on the cards of the board. */
import { signal } from "../core/html.js";

/** Words below the cards, by move: the move's value. Set them with `mark`. */
export const marks = signal(/** @type {Map<string, string>} */ (new Map()));
/** The cards of the recommended move, which are highlighted. Set them with `advise`. */
export const advised = signal(/** @type {string[]} */ ([]));
/** The seat that a tab puts at the bottom; null for one's own, or else the one to move. */
export const asked = signal(/** @type {number | null} */ (null));
/** A sentence next to the cards, such as that an answer is right; empty for none. */
export const remark = signal({ words: "", tone: "" });

// A search reports progress often; redraw the board only if its marks have changed.

/** @param {Map<string, string>} words */
export function mark(words) {
  if (JSON.stringify([...words]) !== JSON.stringify([...marks.peek()])) marks.value = words;
}

/** @param {string[]} cards */
export function advise(cards) {
  if (JSON.stringify(cards) !== JSON.stringify(advised.peek())) advised.value = cards;
}
