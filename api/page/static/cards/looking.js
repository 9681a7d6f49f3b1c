/** Which card is shown enlarged: the one that the mouse rests on or a finger holds. */
import { effect, signal, untracked } from "../core/html.js";
import { address } from "../core/session.js";

const REST = 500; // milliseconds that the mouse must rest on a card
const HOLD = 400; // milliseconds that a finger must hold it

/**
 * @typedef {object} Closer
 * @property {import("./faces.js").Deck} deck
 * @property {string} card
 * @property {{left: number, width: number, top: number, bottom: number}} at where the card lies
 */

/** The card that is shown enlarged; null for none. */
export const closer = signal(/** @type {Closer | null} */ (null));

const PAUSE = 1500; // milliseconds after a click: the mouse may be on another card by accident

let timer = 0;
let held = false;
let clicked = -PAUSE;

/** Whether the current click only ends a long hold. */
export function wasHeld() {
  return held;
}

/** Event handlers of a card. @param {import("./faces.js").Deck} deck @param {string} card */
export function looking(deck, card) {
  /** @param {PointerEvent} event @param {number} after */
  const later = (event, after) => {
    const place = /** @type {HTMLElement} */ (event.currentTarget);
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      held = event.pointerType !== "mouse";
      const { left, width, bottom } = place.getBoundingClientRect();
      const { top } = (place.closest(".mine") ?? place).getBoundingClientRect(); // leaves its first row in sight
      closer.value = { deck, card, at: { left, width, top, bottom } };
    }, after);
  };
  return {
    // A card that moves under a mouse which rests is not looked at: only a mouse that moves is heard.
    onPointerMove: (/** @type {PointerEvent} */ event) =>
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

export function away() {
  clearTimeout(timer);
  closer.value = null;
}

// A card that the table no longer shows is never left.
effect(() => {
  if (address.value) untracked(away);
});
addEventListener("keydown", away);
addEventListener("scroll", away, true);
