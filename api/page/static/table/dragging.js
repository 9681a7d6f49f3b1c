/**
 * Cards of the table are dragged with the same result as a tap: from the hand onto the table, and from the table to the
 * seat that gets them. A card that is dropped anywhere else goes back. A finger that moves up or down at once scrolls a
 * table of which more is to be seen there; one that holds the card first, or moves sideways, drags it.
 */
import { away, wasHeld } from "../cards/looking.js";

const FAR = 10; // pixels after which a press is a drag
const NEAR = 30; // pixels within which a card that is let go was meant to be tapped: fingers shake
const MORE = 24; // pixels of a table below its edge that are worth a swipe
const BACK = 220; // milliseconds
const WAIT = 3000; // milliseconds that a dropped card waits where it is for its move to be made

const quiet = matchMedia("(prefers-reduced-motion: reduce)");
/** @typedef {{card: HTMLElement, pointer: number, x: number, y: number, isMoved: boolean}} Drag */
/** The card that is pressed. @type {Drag | null} */
let drag = null;

/** @param {Drag} one @param {boolean} isMoved */
function light({ card }, isMoved) {
  const board = /** @type {HTMLElement | null} */ (card.closest(".board"));
  card.toggleAttribute("data-dragged", isMoved);
  if (board && isMoved) board.dataset.drop = card.closest(".own") ? "table" : "seats";
  else document.querySelector(".board")?.removeAttribute("data-drop");
}

addEventListener("pointerdown", ({ target, button, isPrimary, pointerId: pointer, clientX: x, clientY: y }) => {
  const card = /** @type {HTMLElement | null} */ (
    /** @type {Element} */ (target).closest?.(".board :is(.hand, .trick) button.card.legal")
  );
  drag = card && isPrimary && !button ? { card, pointer, x, y, isMoved: false } : null;
});

/** Whether a box can be scrolled on, as by a finger that moves up or down. @param {Element} box @param {number} down */
function scrolls(box, down) {
  const { scrollTop, scrollHeight, clientHeight } = box;
  const isScroller = /auto|scroll/.test(getComputedStyle(box).overflowY) || box === document.scrollingElement;
  return isScroller && (down > 0 ? scrollTop > 0 : scrollTop + clientHeight + MORE < scrollHeight);
}

/** Whether a finger that has moved this far scrolls. @param {Drag} one @param {number} right @param {number} down */
function isSwipe({ card, isMoved }, right, down) {
  if (isMoved || wasHeld() || Math.abs(down) <= Math.abs(right)) return false;
  for (let box = card.parentElement; box; box = box.parentElement) if (scrolls(box, down)) return true;
  return false;
}

/** Keep the browser from scrolling with a card that is dragged. @param {TouchEvent} event */
export function keepStill(event) {
  const [{ clientX, clientY }] = event.touches;
  if (drag && event.cancelable && !isSwipe(drag, clientX - drag.x, clientY - drag.y)) event.preventDefault();
}

addEventListener("pointermove", ({ pointerId, pointerType, clientX, clientY }) => {
  if (drag?.pointer !== pointerId) return;
  const [right, down] = [clientX - drag.x, clientY - drag.y];
  if (!drag.isMoved && Math.hypot(right, down) < FAR) return;
  if (!drag.isMoved) {
    if (pointerType === "touch" && isSwipe(drag, right, down)) {
      drag = null;
      return;
    }
    drag.isMoved = true;
    light(drag, true);
  }
  away();
  drag.card.style.translate = `${right}px ${down}px`;
});

addEventListener("pointercancel", () => {
  if (drag?.isMoved) back(drag);
  drag = null;
});

addEventListener("pointerup", ({ pointerId, clientX, clientY }) => {
  const one = drag;
  drag = null;
  if (one?.pointer !== pointerId || !one.isMoved) return;
  addEventListener("click", ignore, true); // which ends the press
  setTimeout(() => {
    removeEventListener("click", ignore, true);
    const below = document.elementFromPoint(clientX, clientY);
    const isNear = Math.hypot(clientX - one.x, clientY - one.y) < NEAR;
    const isGiven = Boolean(!isNear && one.card.closest(".trick") && below?.closest(".seat"));
    if (isNear || isTakenAt(one, below)) {
      one.card.dispatchEvent(new CustomEvent("click", { bubbles: true, detail: { isGiven } }));
    }
    requestAnimationFrame(() => settle(one, performance.now()));
  });
});

/** @param {Event} event */
function ignore(event) {
  event.stopPropagation();
  event.preventDefault();
}

/** Whether a card can be dropped on what lies below it. @param {Drag} one @param {Element | null} below */
function isTakenAt({ card }, below) {
  if (card.closest(".hand")) return Boolean(below?.closest(".felt"));
  return Boolean(below?.closest(".board :is(.seat, .mine)"));
}

/**
 * Keep a card where it was dropped until its move is made, and else let it go back.
 *
 * @param {Drag} one @param {number} at when it was dropped
 */
function settle(one, at) {
  const { card } = one;
  if (card.isConnected && card.ariaBusy === "true" && performance.now() - at < WAIT) {
    requestAnimationFrame(() => settle(one, at));
  } else back(one);
}

/** @param {Drag} one */
function back(one) {
  const { card } = one;
  const { translate } = card.style;
  card.style.translate = "";
  light(one, false);
  if (!card.isConnected || quiet.matches) return;
  card.animate([{ translate }, { translate: "none" }], { duration: BACK, easing: "ease-out" });
}
