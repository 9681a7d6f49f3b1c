/** Moves made by clicking cards: the chosen cards, and the legal moves that contain them. */
import { computed, effect, signal } from "../core/html.js";
import { line, table } from "../core/table.js";
import { codeOf } from "../cards/faces.js";
import { cardsOf, uses } from "../cards/moves.js";
import { forget, make } from "./telling.js";

/** @typedef {import("../cards/faces.js").Deck} Deck */
/** @typedef {import("../games/index.js").Zone} Zone */
/** @typedef {"left" | "right"} Side of an equals sign: the hand stands to the left of it */
/** @typedef {{path: string, index: number, card: string, side?: Side}} Picked */

/** The chosen cards. */
export const picked = signal(/** @type {Picked[]} */ ([]));
/** What happens with a clicked move: a tab may take over, as a puzzle does. */
export const onMove = signal(/** @type {(move: string) => void} */ (make));
/** What may be clicked: the legal moves, or in a view what another seat could have done. */
export const choices = computed(() => (table.value.moves.length ? table.value.moves : table.value.possible));

effect(() => {
  if (line.value !== null) picked.value = [];
});

/** Cards that are part of every move, so they need not be clicked. @param {any} position @returns {string[]} */
export function impliedBy(position) {
  return position.game === "alchemy" && position.hand ? [position.hand] : [];
}

/**
 * The moves that use every chosen card, those without further cards first.
 *
 * @param {Deck} deck @param {string[]} implied
 */
export function candidates(deck, implied) {
  const cards = picked.value.map((one) => one.card);
  if (!cards.length) return choices.value;
  const found = choices.value.filter((move) => uses(deck, move, cards));
  return [
    ...found.filter((move) => isWhole(deck, move, implied)),
    ...found.filter((move) => !isWhole(deck, move, implied)),
  ];
}

/** Whether some move contains this card too. @param {Deck} deck @param {Picked} one */
export function pickable(deck, one) {
  return isPicked(one) || choices.value.some((move) => uses(deck, move, [one.card]));
}

/** Whether a card can be given or taken in an exchange, but not be played. @param {Deck} deck @param {Picked} one */
export function isTraded(deck, one) {
  const isTrade = (/** @type {string} */ move) => move.includes(">");
  if (!choices.value.some(isTrade)) return false;
  return !choices.value.some((move) => !isTrade(move) && uses(deck, move, [one.card]));
}

/** @param {Picked} one */
export function isPicked(one) {
  return picked.value.some((other) => isSame(one, other));
}

/** @param {Picked} one @param {Picked} other */
function isSame(one, other) {
  return other.path === one.path && other.index === one.index;
}

/**
 * Put a card to the right of the equals sign, then to the left, then back. If only one move is left, it is made at once
 * unless it is a sum, which the player should work out.
 *
 * @param {Deck} deck @param {Picked} one @param {string[]} implied
 */
export function addUp(deck, one, implied) {
  const now = picked.value.find((other) => isSame(one, other));
  const others = picked.value.filter((other) => other !== now);
  const { side } = now ?? {};
  if (side === "left") picked.value = others;
  else picked.value = [...others, { ...one, side: side === "right" ? "left" : "right" }];
  const found = candidates(deck, implied);
  if (found.length === 1 && !found[0].includes("=") && isWhole(deck, found[0], implied)) made(found[0]);
}

/**
 * Choose a card, or take it back. If only one move is left and it has no other cards, it is made.
 *
 * @param {Deck} deck @param {Picked} one @param {string[]} implied cards that are part of every move
 */
export function pick(deck, one, implied) {
  if (isPicked(one)) {
    picked.value = picked.value.filter((other) => !isSame(one, other));
    return;
  }
  const cards = [...picked.value.map((other) => other.card), one.card];
  const goesOn = choices.value.some((move) => uses(deck, move, cards));
  picked.value = goesOn ? [...picked.value, one] : [one];
  const found = candidates(deck, implied);
  if (found.length === 1 && isWhole(deck, found[0], implied)) made(found[0]);
}

/**
 * Whether a move consists of the chosen cards and those that every move has.
 *
 * @param {Deck} deck @param {string} move @param {string[]} implied
 */
function isWhole(deck, move, implied) {
  const chosen = [...picked.value.map((one) => codeOf(one.card)), ...implied.map(codeOf)];
  const cards = cardsOf(deck, move).map(codeOf);
  return cards.length <= chosen.length && cards.every((card) => chosen.includes(card));
}

/** Hand a move to whatever takes moves now (`onMove`). @param {string} move */
export function made(move) {
  picked.value = [];
  forget(); // Replaces a move that still waits for input.
  onMove.value(move);
}
