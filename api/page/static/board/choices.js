/** The legal moves as a list to click, and in a view what another seat could have done. */
import { html, useState } from "../core/html.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { isYou, seatName } from "../games/shared.js";
import { Move, cardsOf } from "../cards/moves.js";
import { candidates, impliedBy, choices, made, picked } from "./picking.js";
import { told, wanted } from "./telling.js";
import { Turned } from "./turned.js";

const MOST = 48; // shown at once: of some thousand picks of King × Alchemy a list is no help

/** @param {{deck: import("../cards/faces.js").Deck, position: any}} props */
export function Choices({ deck, position }) {
  const [all, showAll] = useState(false);
  const { toMove, moves } = table.value;
  if (told.value.length) return html`<${Turned} deck=${deck} position=${position} />`;
  if (toMove === null) return html`<p class="over">${say("board.over")}</p>`;
  if (!choices.value.length) return null;
  const found = candidates(deck, impliedBy(position));
  const observed = !moves.length;
  const bare = moves.every((move) => !cardsOf(deck, move).length); // no card to click: all stand in the list alone
  const open = observed || bare || picked.value.length > 0;
  const shown = all ? found : found.slice(0, MOST);
  const title = position.game === "alchemy" ? say("choices.plain") : say(observed ? "choices.seen" : isYou(toMove, position) ? "choices.yours" : "choices.of", { seat: seatName(toMove, position) });
  return html`${wanted.value && html`<p class="fault" role="alert">${wanted}</p>`}<details class="choices" open=${open}>
    <summary>${title} <span class="count">${found.length}</span></summary>
    ${picked.value.length ? html`<p class="hinted">${say("choices.chosen", { n: picked.value.length })}
      <button type="button" class="quiet small" onClick=${() => (picked.value = [])}>${say("choices.clear")}</button></p>` : null}
    <ul class="move-list">
      ${shown.map((move) => html`<li key=${move}><button type="button" class="move-button" onClick=${() => made(move)}><${Move} deck=${deck} move=${move} /></button></li>`)}
    </ul>
    ${found.length > shown.length
      ? html`<button type="button" class="quiet" onClick=${() => showAll(true)}>${say("choices.more", { n: found.length - shown.length })}</button>`
      : null}
    ${choices.value.length > MOST ? html`<${Typed} />` : null}
  </details>`;
}

/** A move typed, where there are many. */
function Typed() {
  const [text, setText] = useState("");
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (text.trim()) made(text.trim());
    setText("");
  };
  return html`<form class="row" onSubmit=${submit}>
    <label>${say("choices.typed")} <input value=${text} onInput=${(/** @type {any} */ event) => setText(event.target.value)} /></label>
    <button>${say("choices.make")}</button>
  </form>`;
}
