/** Asks for the cards that a move still needs. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { codeOf } from "../cards/faces.js";
import { Card } from "../cards/card.js";
import { Move, spokenMove } from "../cards/moves.js";
import { gameOf } from "../games/index.js";
import { forget, make, told, wanted } from "./telling.js";

/** @param {{deck: import("../cards/faces.js").Deck, position: any}} props */
export function Turned({ deck, position }) {
  const seen = new Map();
  const zones =
    gameOf(position.game)
      ?.zones(position)
      .filter((zone) => zone.path !== "unseen") ?? [];
  for (const card of [...zones.flatMap((zone) => zone.cards), ...told.value.slice(1)].map(codeOf))
    seen.set(card, (seen.get(card) ?? 0) + 1);
  return html`<section class="box" aria-label=${say("turned.title")}>
    <h3>${say("turned.title")}</h3>
    <p class="row">${told.value.map((text) => html`<${Move} deck=${deck} move=${text} />`)}
      <button type="button" class="quiet small" onClick=${forget}>
        ${say("turned.forget", { move: spokenMove(deck, told.value[0]) })}</button></p>
    <p class="hinted" role="status">${wanted}</p>
    <div class="cards small-cards">${deck.cards.map((face) => {
      const left = face.copies === null ? 1 : face.copies - (seen.get(face.card) ?? 0);
      return html`<${Card} key=${face.card} deck=${deck} card=${face.card} disabled=${left <= 0}
        onPick=${() => make(face.card)} />`;
    })}</div>
  </section>`;
}
