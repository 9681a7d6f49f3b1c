/** A choice from a list, below its label. */
import { html } from "../core/html.js";

/** @param {{label: string, value: string | number, of: any[][], onChange: (text: string) => void}} props */
export function Choice({ label, value, of, onChange }) {
  return html`<label>
    ${label}
    <select value=${value} onChange=${(/** @type {any} */ event) => onChange(event.target.value)}>
      ${of.map(([one, words]) => html`<option value=${one}>${words}</option>`)}
    </select>
  </label>`;
}
