/** Asks for the cards that a move still needs. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { codeOf } from "../cards/faces.js";
import { Card } from "../cards/card.js";
import { Move } from "../cards/moves.js";
import { gameOf } from "../games/index.js";
import { SuitRows } from "./suits.js";
import { make, question, takeBack, told, wanted } from "./telling.js";

/** @param {{deck: import("../cards/faces.js").Deck, position: any}} props */
export function Turned({ deck, position }) {
  const seen = new Map();
  const zones =
    gameOf(position.game)
      ?.zones(position)
      .filter((zone) => zone.path !== "unseen") ?? [];
  for (const card of [...zones.flatMap((zone) => zone.cards), ...told.value.slice(1)].map(codeOf))
    seen.set(card, (seen.get(card) ?? 0) + 1);
  const isUnseen = (/** @type {import("../cards/faces.js").Face} */ { card, copies }) =>
    copies === null || copies > (seen.get(card) ?? 0);
  const draw = (/** @type {import("../cards/faces.js").Face} */ { card }) => html`<${Card} key=${card} deck=${deck}
    card=${card} onPick=${() => make(card)} />`;
  return html`<section class="choices observing" aria-label=${question}>
    <h2 role="status">${question}</h2>
    ${wanted.value && html`<p class="fault" role="alert">${wanted}</p>`}
    <p class="row">${told.value.map((text) => html`<${Move} deck=${deck} move=${text} />`)}
      <button type="button" class="quiet" onClick=${takeBack}>${say("undo")}</button></p>
    <div class="palette"><${SuitRows} deck=${deck} has=${isUnseen} draw=${draw} /></div>
  </section>`;
}
