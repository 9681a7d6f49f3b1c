/** Which card is looked at closer: the one on which the mouse rests, or which a finger holds. */
import { signal } from "../core/html.js";

const REST = 500; // milliseconds of the mouse on a card,
const HOLD = 400; // and of a finger

/**
 * @typedef {object} Closer
 * @property {import("./faces.js").Deck} deck
 * @property {string} card
 * @property {DOMRect} at where the card lies
 */

/** The card that is looked at; null for none. */
export const closer = signal(/** @type {Closer | null} */ (null));

const PAUSE = 1500; // after a click the mouse may lie on another card, which nobody wants to see closer

let timer = 0;
let held = false;
let clicked = -PAUSE;

/** Whether the click that comes now only ends a long hold. */
export function wasHeld() {
  return held;
}

/** What a card listens to. @param {import("./faces.js").Deck} deck @param {string} card */
export function looking(deck, card) {
  /** @param {PointerEvent} event @param {number} after */
  const later = (event, after) => {
    const place = /** @type {HTMLElement} */ (event.currentTarget);
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      held = event.pointerType !== "mouse";
      closer.value = { deck, card, at: place.getBoundingClientRect() };
    }, after);
  };
  return {
    onPointerEnter: (/** @type {PointerEvent} */ event) =>
      event.pointerType === "mouse" && performance.now() - clicked > PAUSE && later(event, REST),
    onPointerDown: (/** @type {PointerEvent} */ event) => {
      held = false;
      away();
      clicked = performance.now();
      if (event.pointerType !== "mouse") later(event, HOLD);
    },
    onPointerUp: away,
    onPointerCancel: away,
    onPointerLeave: away,
    onContextMenu: (/** @type {Event} */ event) => held && event.preventDefault(),
  };
}

/** Look at no card any more. */
export function away() {
  clearTimeout(timer);
  closer.value = null;
}

addEventListener("keydown", away);
addEventListener("scroll", away, true);
