/** Moves against the rules that stood at a real table: they are entered all the same, and nothing is concluded. */
import { html, useState } from "../core/html.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { gameOf } from "../games/index.js";
import { isTheirs, made } from "./picking.js";
import { enterAnyway, isReal, stood, wanted } from "./telling.js";

const OTHER = 1; // the opponent's seat in a duel that one follows

/** The button that enters the refused move. */
export function Anyway() {
  if (!stood.value) return null;
  return html`<p class="row"><button type="button" class="anyway" onClick=${enterAnyway}>${say("choices.anyway")}
    </button></p>`;
}

/** Why a move was refused, with that button. */
export function Refusal() {
  return wanted.value && html`<p class="fault" role="alert">${wanted}</p><${Anyway} />`;
}

/** Input for a move that is not listed: there are too many, or it was made against the rules. */
export function Typed() {
  const [text, setText] = useState("");
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    const move = text.trim();
    if (move) made(isTheirs.value && !move.includes(":") ? `${OTHER}:${move}` : move);
    setText("");
  };
  return html`<form class="row" onSubmit=${submit}>
    <label>
      ${say("choices.typed")}
      <input value=${text} onInput=${(/** @type {any} */ event) => setText(event.target.value)} />
    </label>
    <button>${say("choices.make")}</button>
  </form>`;
}

/** That input, closed at first, where a round at a real table is followed. Beside a board, that says why not. */
export function Otherwise() {
  const { position, toMove, moves } = table.value;
  if (!isReal.value || toMove === null) return null;
  const isOwn = moves.length > 0 && !gameOf(position.game);
  return html`<details class="otherwise"><summary>${say("choices.otherwise")}</summary><${Typed} /></details>
    ${isOwn && html`<${Refusal} />`}`;
}
