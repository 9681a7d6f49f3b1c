/** The fields of a position: numbers, words and seats, each with its label. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { seatName } from "../games/shared.js";
import { setField } from "./draft.js";

/** @typedef {import("../games/index.js").Field} Field */

/** @param {{fields: Field[], position: any}} props */
export function Fields({ fields, position }) {
  return html`${fields.map((field) => html`<${Input} key=${field.path} field=${field} position=${position} />`)}`;
}

/** @param {{field: Field, position: any}} props */
function Input({ field, position }) {
  const { path, title, kind, value, least = 0, most = 9 } = field;
  /** @param {any} event */
  const typed = (event) =>
    setField(path, kind === "flag" ? event.target.checked : numbered(kind, event.target.value));
  if (kind === "flag") {
    return html`<label class="tick"><input type="checkbox" checked=${value} onChange=${typed} /> ${title}</label>`;
  }
  if (kind === "number") {
    return html`<label>
      ${title} <input type="number" min=${least} max=${most} value=${value} onChange=${typed} />
    </label>`;
  }
  return html`<label>
    ${title}${" "}
    <select value=${value} onChange=${typed}>
      ${optionsOf(field, position).map(({ is, word }) => html`<option value=${is}>${word}</option>`)}
    </select>
  </label>`;
}

/** @param {string} kind @param {string} text */
function numbered(kind, text) {
  return kind === "choice" || !text ? text : Number(text);
}

/** The value of a field, in words; empty for none. @param {Field} field @param {any} position */
export function wordOf(field, position) {
  if (field.kind === "number") return field.value === "" ? say("field.follows") : String(field.value);
  return optionsOf(field, position).find(({ is }) => is === field.value)?.word ?? "";
}

/** The options of a field that is no number. @param {Field} field @param {any} position */
export function optionsOf({ path, kind, value, words = path, choices = [], most = 9, options }, position) {
  if (options) return options;
  const all = kind === "flag" ? [false, true] : choices;
  if (kind !== "seat") return all.map((is) => ({ is, word: say(`${words}.${is}`) }));
  const seats = Array.from({ length: most }, (_, at) => ({ is: at, word: seatName(at, position) }));
  return value === undefined ? [{ is: undefined, word: "" }, ...seats] : seats;
}
