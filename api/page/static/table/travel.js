/** A played card travels from the hand, or from its player's seat, to its place in the trick. */
import { useLayoutEffect, useRef } from "../core/html.js";
import { codeOf } from "../cards/faces.js";

const LONG = 260; // milliseconds
const LATE = 400; // milliseconds after which a card that appears was not just played

/** Where the hand's cards were when the last card was played, and when that was. */
let left = { boxes: /** @type {Map<string, DOMRect>} */ (new Map()), at: -LATE };

/**
 * A card is played, and the table not yet drawn without it. Where the cards of the hand lie is asked only if it is one
 * of them: the browser may have to lay the page out to say it. The focus leaves the card now, since the browser lays
 * out a half-drawn page when an element that has the focus is taken away.
 *
 * @param {string[] | null} rest the cards that stay in the hand, if it was one of them
 */
export function leaves(rest) {
  const held = /** @type {HTMLElement[]} */ (rest ? [...document.querySelectorAll(".board .hand [data-card]")] : []);
  left = {
    boxes: new Map(held.map((card) => [card.dataset.card ?? "", card.getBoundingClientRect()])),
    at: performance.now(),
  };
  const focused = held.find((card) => card === document.activeElement);
  if (focused && !rest?.some((card) => codeOf(card) === focused.dataset.card)) focused.blur();
}

/**
 * A reference to the place of a card in the trick, which moves there if it was just played.
 *
 * @param {string} card @param {number | undefined} seat @param {boolean} isOwn @param {boolean} isLast
 */
export function useTravel(card, seat, isOwn, isLast) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    if (!isLast || performance.now() - left.at > LATE) return;
    const held = isOwn && left.boxes.get(codeOf(card));
    // Before the frame is drawn, but once all else of it is: so the page is laid out once.
    requestAnimationFrame(() => {
      const from = held || document.querySelector(`.board [data-seat="${seat}"]`)?.getBoundingClientRect();
      const to = place.current?.getBoundingClientRect();
      if (!from || !to) return;
      const right = from.x + from.width / 2 - to.x - to.width / 2;
      const down = from.y + from.height / 2 - to.y - to.height / 2;
      const there = { transform: `translate(${right}px, ${down}px)`, opacity: 0.6 };
      place.current?.animate([there, { transform: "none", opacity: 1 }], { duration: LONG, easing: "ease-out" });
    });
  }, []);
  return place;
}
