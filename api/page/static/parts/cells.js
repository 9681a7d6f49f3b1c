/** The cells of a card in the editor of one's own cards, each as what the service says it is. */
import { html, useId } from "../core/html.js";
import { isSaid, say } from "../core/words.js";

/** @typedef {import("./grid.js").Column} Column */

/**
 * A cell of the chosen card, with what is wrong there.
 *
 * @param {object} props
 * @param {Column} props.column
 * @param {string} props.value
 * @param {string[]} props.values those that a list can have
 * @param {{message: string}[]} props.faults
 * @param {(cell: string) => void} props.onChange
 * @param {(by: number) => void} props.onStep called to go on with the same cell of another card
 */
export function Cell(props) {
  const { column, value, faults, onChange, onStep } = props;
  const id = useId();
  const said = faults.length ? `${id}-wrong` : undefined;
  /** @param {KeyboardEvent} event */
  const enter = (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    onStep(event.shiftKey ? -1 : 1);
  };
  const shared = { id, "data-column": column.name, "aria-describedby": said, "aria-invalid": said ? true : undefined };
  const Kind = { number: Numbered, choice: Chosen, list: Listed, text: Written }[column.kind];
  return html`<div class=${`cell cell-${column.kind}`} onKeyDown=${enter}>
    <div class="cell-head"><label for=${id}>${column.title}</label>
      ${isSaid(`cell.${column.name}`) && html` <span>${say(`cell.${column.name}`)}</span>`}</div>
    <${Kind} column=${column} value=${value} values=${props.values} onChange=${onChange} shared=${shared} />
    ${
      said &&
      html`<ul class="faults" id=${said}>
      ${faults.map(({ message }) => html`<li class="fault">${message}</li>`)}</ul>`
    }
  </div>`;
}

/** @param {any} props */
function Written({ value, values, onChange, shared }) {
  const names = `${shared.id}-names`;
  return html`<input ...${shared} value=${value} autocomplete="off" spellcheck=${false} list=${names}
      onInput=${(/** @type {any} */ { target }) => onChange(target.value)} />
    ${values.length > 0 && html`<datalist id=${names}>
      ${values.map((/** @type {string} */ one) => html`<option value=${one} />`)}</datalist>`}`;
}

/** @param {any} props */
function Numbered({ column, value, onChange, shared }) {
  const number = Number(value) || 0;
  return html`<span class="cell-count">
    <button type="button" tabindex="-1" disabled=${number <= 0} aria-label=${say("grid.less", { what: column.title })}
      onClick=${() => onChange(String(number - 1))}>−</button>
    <input ...${shared} value=${value} inputmode="numeric" autocomplete="off"
      onFocus=${(/** @type {any} */ { target }) => target.select()}
      onInput=${(/** @type {any} */ { target }) => onChange(target.value)} />
    <button type="button" tabindex="-1" aria-label=${say("grid.more", { what: column.title })}
      onClick=${() => onChange(String(number + 1))}>+</button></span>`;
}

/** @param {any} props */
function Chosen({ column, value, onChange, shared }) {
  const options = ["", ...column.choices, ...(column.choices.includes(value) || !value ? [] : [value])];
  return html`<select ...${shared} value=${value}
    onChange=${(/** @type {any} */ { target }) => onChange(target.value)}>
    ${options.map((word) => html`<option value=${word}>${word || "–"}</option>`)}</select>`;
}

/**
 * Several values of another column: those there are, each with a way to take it out, and a choice to add one.
 *
 * @param {any} props
 */
function Listed({ value, values, onChange, shared }) {
  const listed = value.split(",").map((/** @type {string} */ one) => one.trim()).filter(Boolean);
  const set = (/** @type {string[]} */ next) => onChange(next.join(", "));
  return html`<span class="listed">
    ${listed.map(
      (/** @type {string} */ one, /** @type {number} */ at) => html`<button type="button" class="chip small"
        aria-label=${say("grid.without", { what: one })}
        onClick=${() => set(listed.toSpliced(at, 1))}>${one} <span aria-hidden="true">×</span></button>`,
    )}
    <select ...${shared} value="" onChange=${(/** @type {any} */ { target }) => {
      if (target.value) set([...listed, target.value]);
      target.value = "";
    }}>
      <option value="">${say("grid.add")}</option>
      ${values.map((/** @type {string} */ one) => html`<option>${one}</option>`)}</select></span>`;
}
