/** Asks for the cards that a move still needs. The Hint tab has a button to undo of its own. */
import { html } from "../core/html.js";
import { tab } from "../core/session.js";
import { say } from "../core/words.js";
import { codeOf } from "../cards/faces.js";
import { Card } from "../cards/card.js";
import { Move } from "../cards/moves.js";
import { gameOf } from "../games/index.js";
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
  return html`<section class="box" aria-label=${question}>
    <h3 role="status">${question}</h3>
    ${wanted.value && html`<p class="fault" role="alert">${wanted}</p>`}
    <p class="row">${told.value.map((text) => html`<${Move} deck=${deck} move=${text} />`)}
      ${tab.value !== "hint" && html`<button type="button" class="quiet" onClick=${takeBack}>${say("undo")}</button>`}
    </p>
    <div class="cards small-cards">${deck.cards.map((face) => {
      const left = face.copies === null ? 1 : face.copies - (seen.get(face.card) ?? 0);
      return html`<${Card} key=${face.card} deck=${deck} card=${face.card} disabled=${left <= 0}
        onPick=${() => make(face.card)} />`;
    })}</div>
  </section>`;
}
