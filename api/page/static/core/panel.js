/** The panel of the open tab, and other parts of the page, as something that is scrolled, and on a phone resized. */
import { signal } from "./html.js";

const query = matchMedia("(min-width: 641px) and (min-height: 481px)");
/** Whether there is more room than on a phone. */
export const wide = signal(query.matches);
query.addEventListener("change", () => (wide.value = query.matches));

/** How much of a phone the sheet takes: nothing, a part, or nearly all. */
export const SIZES = ["down", "part", "full"];
export const sheet = signal("part");

/** How many parts of the page offer the cards of a deck, for which a phone's sheet needs room. */
export const offered = signal(0);

/** Bring a part of the page into sight, from its top if it is long. @param {Element | null} part */
export function toSight(part) {
  part?.scrollIntoView({ block: "nearest" });
}

const TAKES_OVER = ["pointerdown", "wheel", "keydown"]; // what a reader does who looks elsewhere

/**
 * Bring a part of the panel into sight, from its top if it is long, and keep it there while more arrives in and around
 * it, until the reader does something.
 *
 * @param {Element | null} part @returns {() => void} ends this
 */
export function keepInSight(part) {
  const panel = part?.closest(".panel");
  if (!part || !panel) return () => {};
  const sight = new ResizeObserver(() => {
    part.scrollIntoView({ block: part.clientHeight > panel.clientHeight ? "start" : "nearest" });
  });
  const end = () => {
    sight.disconnect();
    for (const name of TAKES_OVER) removeEventListener(name, end, true);
  };
  for (const one of [panel, ...panel.children]) sight.observe(one); // its room, and what is in it
  for (const name of TAKES_OVER) addEventListener(name, end, true);
  return end;
}

/** Bring a part of the panel into sight, from its top unless all of it is. @param {Element | null} part */
export function toPart(part) {
  const room = part?.closest(".panel")?.getBoundingClientRect();
  if (part && room && part.getBoundingClientRect().bottom > room.bottom) part.scrollIntoView();
}

/** Show the panel from its top again: a phone's sheet, or the panel of a desk. */
export function toTop() {
  const panel = document.getElementById("panel");
  panel?.scrollTo(0, 0);
  panel?.parentElement?.scrollTo(0, 0);
}

/** How far the panel is scrolled. */
export function scrolled() {
  const panel = document.getElementById("panel");
  return [panel?.scrollTop ?? 0, panel?.parentElement?.scrollTop ?? 0];
}

/** Scroll the panel as it was. @param {number[]} place */
export function scrollBack([inside, around]) {
  const panel = document.getElementById("panel");
  panel?.scrollTo(0, inside);
  panel?.parentElement?.scrollTo(0, around);
}
