/** The list of keyboard shortcuts, shown by `?`. */
import { html, signal } from "../core/html.js";
import { bind, shortcuts } from "../core/keys.js";
import { say } from "../core/words.js";

const shown = signal(false);

bind("?", say("key.help"), () => (shown.value = true));

/** @param {HTMLDialogElement | null} dialog */
function open(dialog) {
  dialog?.showModal();
}

export function Help() {
  if (!shown.value) return null;
  return html`<dialog ref=${open} onClose=${() => (shown.value = false)} aria-labelledby="help-title">
    <h2 id="help-title">${say("help.title")}</h2>
    <table class="keys"><tbody>
      ${shortcuts.map(({ key, label }) => html`<tr><td><kbd>${key}</kbd></td><td>${label}</td></tr>`)}
      <tr><td><kbd>1</kbd> … <kbd>9</kbd></td><td>${say("help.numbers")}</td></tr>
      <tr><td><kbd>A</kbd> … <kbd>Z</kbd></td><td>${say("help.letters")}</td></tr>
      <tr><td><kbd>←</kbd> <kbd>→</kbd> <kbd>↑</kbd> <kbd>↓</kbd></td><td>${say("help.arrows")}</td></tr>
      <tr><td><kbd>Tab</kbd> <kbd>Enter</kbd></td><td>${say("help.tab")}</td></tr></tbody></table>
    <button type="button" autofocus
      onClick=${(/** @type {any} */ event) => event.target.closest("dialog").close()}>${say("help.close")}</button>
  </dialog>`;
}

export function HelpButton() {
  return html`<button type="button" class="quiet" onClick=${() => (shown.value = true)}>${say("key.help")}</button>`;
}
