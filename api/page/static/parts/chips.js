/** A row of round buttons, one of which is chosen. */
import { html } from "../core/html.js";

/**
 * @param {object} props
 * @param {string} props.label
 * @param {[any, string | number][]} props.options values with their words
 * @param {any} props.value
 * @param {(value: any) => void} props.onChange
 * @param {boolean} [props.labelled] whether the label is shown, too
 */
export function Chips({ label, options, value, onChange, labelled = false }) {
  return html`<div class="chips" role="radiogroup" aria-label=${label}>
    ${labelled && html`<span>${label}</span>`}
    ${options.map(
      ([is, words]) => html`<button
        type="button"
        role="radio"
        class="chip"
        key=${words}
        aria-checked=${is === value}
        onClick=${() => is !== value && onChange(is)}
      >
        ${words}
      </button>`,
    )}
  </div>`;
}
