/** Announcements to screen readers: one polite live region for the whole page. */
import { signal, html } from "./html.js";

const told = signal("");

/** Announce a sentence to screen readers. @param {string} text */
export function announce(text) {
  // Screen readers do not read the same sentence twice; an invisible character makes it different.
  told.value = told.value === text ? `${text}\u200b` : text;
}

/** The live region; the page contains it once. */
export function Live() {
  return html`<div class="unseen" role="status" aria-live="polite">${told}</div>`;
}
