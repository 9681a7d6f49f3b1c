/** What a screen reader is told of changes: one polite region for the whole page. */
import { signal, html } from "./html.js";

const told = signal("");

/** Say a sentence to whoever listens to the page. @param {string} text */
export function announce(text) {
  // The same sentence twice would not be read again: an invisible mark makes it new.
  told.value = told.value === text ? `${text}\u200b` : text;
}

/** The region; the page has it once. */
export function Live() {
  return html`<div class="unseen" role="status" aria-live="polite">${told}</div>`;
}
