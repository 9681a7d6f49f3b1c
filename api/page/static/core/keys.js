/** Keyboard shortcuts of the whole page, and the list of them that `?` shows. */

import { lettered, ranked } from "./focus.js";

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
  const found = shortcuts.find((one) => one.key === event.key) ?? byRank(event.key) ?? byLetter(event.key);
  if (!found) return;
  event.preventDefault();
  found.run();
});

/** The cards that keys choose from: those of the palette, or else of the hand. @returns {HTMLElement[]} */
function cardsInPlay() {
  const palette = document.querySelectorAll(".palette button.card:not([aria-disabled])");
  const table = ".zone-line .card, .hand .card";
  return /** @type {any[]} */ ([...(palette.length ? palette : document.querySelectorAll(table))]);
}

/** A capital letter moves the focus to a card whose code begins with it. @param {string} key */
function byLetter(key) {
  if (!/^[A-Z]$/.test(key)) return undefined;
  const card = lettered(cardsInPlay(), key, 0);
  return card && { run: () => card.focus() };
}

/**
 * A digit chooses the card at that place in the hand; of a palette, a rank (Kirin has T, + and -, too) chooses its card
 * in the row with the focus, and takes the focus along. T needs no Shift.
 *
 * @param {string} key @returns {{run: () => void} | undefined}
 */
function byRank(key) {
  const row = document.activeElement?.closest(".palette .cards");
  if (!(row ? /^[1-9Tt+-]$/ : /^[1-9]$/).test(key)) return undefined;
  const cards = cardsInPlay();
  const card = row ? ranked(cards.filter((one) => row.contains(one)), key.toUpperCase()) : cards[Number(key) - 1];
  const run = () => {
    if (row) card?.focus();
    card?.click();
  };
  return card && { run };
}
