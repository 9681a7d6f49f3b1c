/** Moves made by clicking cards: the chosen cards, and the legal moves that contain them. */
import { computed, effect, signal } from "../core/html.js";
import { tab } from "../core/session.js";
import { line, table } from "../core/table.js";
import { codeOf } from "../cards/faces.js";
import { cardsOf, halvesOf, uses } from "../cards/moves.js";
import { gameOf } from "../games/index.js";
import { forget, isReal, make } from "./telling.js";

/** @typedef {import("../cards/faces.js").Deck} Deck */
/** @typedef {import("../games/index.js").Zone} Zone */
/** @typedef {{path: string, index: number, card: string}} Place a card on the table */
/** @typedef {"left" | "right"} Side of an equals sign: the hand stands to the left of it */
/** @typedef {Place & {half: number, side?: Side}} Picked see `halvesOf` */

/** No chosen cards: the same list always, so that what shows them is drawn anew only if there were some. */
export const NONE = /** @type {Picked[]} */ ([]);
/** The chosen cards. */
export const picked = signal(NONE);
/** What happens with a clicked move: a tab may take over, as a puzzle does. */
export const onMove = signal(/** @type {(move: string) => void | Promise<void>} */ (make));
/** The move that was clicked last, with its cards and the table where they lay, until it is answered; null for none. */
export const making = signal(/** @type {{move: string, cards: Place[], table: string} | null} */ (null));
/** Whether the table is that of a race, in which any cards of the line may be chosen. */
export const racing = signal(false);
/** The seat that may choose them; null for none. */
export const holder = signal(/** @type {number | null} */ (null));
/** Whether it was said that the opponent of a duel saw a match first, which is to be entered. */
export const quicker = signal(false);
/** Whether another seat may have been first at a real table: its moves, which name it, are among the possible ones. */
export const canBeFirst = computed(() => {
  const { moves, possible } = table.value;
  return isReal.value && moves.length > 0 && possible.some(isBy);
});
/** Whether the first match of a duel's exchange is entered for the opponent. */
export const isTheirs = computed(() => quicker.value && canBeFirst.value);
/** The move that answers the puzzle on the table, once it is known; empty for none. */
export const solved = signal("");
/** Which of its `deeds` another seat did; empty if that is not said yet. */
export const deed = signal("");
/** What the moves of another seat do, where it may also have passed: `played`, `passed` and `exchanged`. */
export const deeds = computed(() => {
  const { moves, possible } = table.value;
  const found = moves.length ? [] : ["played", "passed", "exchanged"].filter((one) => possible.some(isDeed(one)));
  return found.includes("passed") && found.length > 1 ? found : [];
});
/** What may be clicked: the legal moves, or in a view what another seat could have done. */
export const choices = computed(() => {
  const { moves, possible } = table.value;
  if (isTheirs.value) return possible.filter(isBy);
  if (moves.length) return moves;
  return deeds.value.includes(deed.value) ? possible.filter(isDeed(deed.value)) : possible;
});

/** Whether a move names the seat that makes it: the one that is not to move. @param {string} move */
function isBy(move) {
  return /^\d:/.test(move);
}

/** @param {string} one @returns {(move: string) => boolean} */
function isDeed(one) {
  return (move) => {
    const passed = move.includes(">") ? "exchanged" : "passed";
    return one === (move.startsWith("pass") ? passed : "played");
  };
}

/** Another tab may show another table. */
effect(() => {
  if (line.value === null || tab.value === null) return;
  picked.value = NONE;
  deed.value = "";
  quicker.value = false;
});

/** Whether a card of a line is to be discarded; the drawn card goes with it, and is not chosen. */
export const isDiscarding = computed(() => Boolean(choices.value[0]?.startsWith("discard")));

/** Cards that are part of every move, so they need not be clicked. @param {any} position @returns {string[]} */
export function impliedBy(position) {
  const { game, hand, opponent_hand: other, grabbed = "" } = position;
  if (!gameOf(game)?.sums || !hand || isDiscarding.value) return settled.value;
  return [grabbed.startsWith("0:") || isTheirs.value ? other : hand];
}

/** The cards that are taken from the trick whatever is chosen; none if that decides the move. */
export const settled = computed(() => {
  const [first, ...others] = table.value.moves;
  if (!others.length || !first.startsWith("take")) return [];
  const takenBy = (/** @type {string} */ move) => halvesOf(move)[0].split(" ").slice(1);
  return others.reduce((all, move) => all.filter((card) => takenBy(move).includes(card)), takenBy(first));
});

/**
 * The moves that use every chosen card, those without further cards first.
 *
 * @param {Deck} deck @param {string[]} implied
 */
export function candidates(deck, implied, cards = picked.value) {
  if (!cards.length) return choices.value;
  const found = choices.value.filter((move) => contains(deck, move, cards));
  return [
    ...found.filter((move) => isWhole(deck, move, cards, implied)),
    ...found.filter((move) => !isWhole(deck, move, cards, implied)),
  ];
}

/** Whether a move contains cards, each in its half. @param {Deck} deck @param {string} move @param {Picked[]} cards */
function contains(deck, move, cards) {
  const [one, other = ""] = halvesOf(move);
  const of = (/** @type {number} */ half) => cards.filter((card) => card.half === half).map(({ card }) => card);
  return uses(deck, one, of(0)) && uses(deck, other, of(1));
}

/**
 * The card as the part of a move that it would be beside the chosen ones: a card of the trick is taken if it can be,
 * and else given; one of a discard pile is taken, and one of the hand given for it. Undefined if no move has them all.
 *
 * @param {Deck} deck @param {Place} one @param {Picked[]} chosen @param {boolean} [isGiven] whether it is to be given
 * @returns {Picked | undefined}
 */
export function placed(deck, one, chosen, isGiven = false) {
  const halves = { trick: isGiven ? [1] : [0, 1], discard: [1] }[one.path] ?? [0];
  return halves
    .map((half) => ({ ...one, half }))
    .find((next) => choices.value.some((move) => contains(deck, move, [...chosen, next])));
}

/** Whether a card can be given or taken in an exchange, but not be played. @param {Deck} deck @param {Place} one */
export function isTraded(deck, one) {
  const isTrade = (/** @type {string} */ move) => move.includes(">");
  if (!choices.value.some(isTrade)) return false;
  return !choices.value.some((move) => !isTrade(move) && uses(deck, move, [one.card]));
}

/** The card among the chosen ones; undefined if it is not. @param {Place} one */
export function pickOf(one) {
  return picked.value.find((other) => isSame(one, other));
}

/** @param {Place} one @param {Place} other */
function isSame(one, other) {
  return other.path === one.path && other.index === one.index;
}

/**
 * Put a card to the right of the equals sign, then to the left, then back. If only one move is left, it is made at once
 * unless it is a sum, which the player should work out.
 *
 * @param {Deck} deck @param {Place} one @param {string[]} implied
 */
export function addUp(deck, one, implied) {
  const now = pickOf(one);
  const others = picked.value.filter((other) => other !== now);
  const { side } = now ?? {};
  const next = /** @type {Picked} */ ({ ...one, half: 0, side: side === "right" ? "left" : "right" });
  const cards = side === "left" ? others : [...others, next];
  const [move, ...more] = candidates(deck, implied, cards);
  if (move && !more.length && !move.includes("=") && isWhole(deck, move, cards, implied)) made(move, cards);
  else picked.value = cards;
}

/** Choose any card, or take it back. @param {Place} one */
export function toggle(one) {
  const now = pickOf(one);
  picked.value = now ? picked.value.filter((other) => other !== now) : [...picked.value, { ...one, half: 0 }];
}

/**
 * Choose a card, or take it back. If only one move is left and it has no other cards, or a card was given, it is made.
 *
 * @param {Deck} deck @param {Place} one @param {string[]} implied cards that are part of every move
 * @param {boolean} [isGiven] whether a card of the trick was dragged to who gets it: then it is not taken
 */
export function pick(deck, one, implied, isGiven = false) {
  const now = pickOf(one);
  const others = picked.value.filter((other) => other !== now);
  if (now && !isGiven) {
    picked.value = others;
    return;
  }
  const next = placed(deck, one, others, isGiven);
  const alone = next ? [] : [placed(deck, one, [], isGiven)].flatMap((found) => found ?? []);
  const cards = next ? [...others, next] : alone;
  const [move, ...more] = candidates(deck, implied, cards);
  if (move && !more.length && (isGiven || isWhole(deck, move, cards, implied))) made(move, cards);
  else picked.value = cards;
}

/**
 * Whether a move consists of the chosen cards and those that every move has.
 *
 * @param {Deck} deck @param {string} move @param {Picked[]} picks @param {string[]} implied
 */
function isWhole(deck, move, picks, implied) {
  const chosen = [...picks.map((one) => codeOf(one.card)), ...implied.map(codeOf)];
  const cards = cardsOf(deck, move).map(codeOf);
  return cards.length <= chosen.length && cards.every((card) => chosen.includes(card));
}

/**
 * Hand a move to whatever takes moves now (`onMove`). Until that has answered, the move is shown as being made.
 *
 * @param {string} move @param {Place[]} cards those that were chosen
 */
export async function made(move, cards = picked.value) {
  const now = { move, cards, table: table.value.text };
  making.value = now;
  picked.value = NONE;
  forget(); // Replaces a move that still waits for input.
  try {
    await onMove.value(move);
  } finally {
    if (making.value === now) making.value = null;
  }
}

/** Whether a move is being made, or a card as a part of it. @param {string | Place} what */
export function isBeingMade(what) {
  const now = making.value;
  if (now?.table !== table.value.text) return false;
  return typeof what === "string" ? now.move === what : now.cards.some((other) => isSame(what, other));
}
