/** Keyboard shortcuts of the whole page, and the list of them that `?` shows. */

import { lettered } from "./focus.js";

/** @typedef {{key: string, label: string, run: () => void}} Shortcut */

/** @type {Shortcut[]} */
export const shortcuts = [];

/** Bind a key, as `KeyboardEvent.key` names it. @param {string} key @param {string} label @param {() => void} run */
export function bind(key, label, run) {
  shortcuts.push({ key, label, run });
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest("input, textarea, select, dialog")) return;
  const found = shortcuts.find((one) => one.key === event.key) ?? byNumber(event.key) ?? byLetter(event.key);
  if (!found) return;
  event.preventDefault();
  found.run();
});

/** A capital letter moves the focus to a card of the hand whose code begins with it. @param {string} key */
function byLetter(key) {
  if (!/^[A-Z]$/.test(key)) return undefined;
  const cards = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".hand button.card")]);
  const card = lettered(cards, key, 0);
  return card && { run: () => card.focus() };
}

/** A digit chooses the card at that place in the hand. @param {string} key @returns {{run: () => void} | undefined} */
function byNumber(key) {
  if (!/^[1-9]$/.test(key)) return undefined;
  const card = /** @type {HTMLElement | undefined} */ (document.querySelectorAll(".hand .card")[Number(key) - 1]);
  return card && { run: () => card.click() };
}
