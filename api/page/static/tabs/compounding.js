/** The recipes among the cards of a puzzle, in words. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { faceOf } from "../cards/faces.js";
import { Told } from "../cards/told.js";

/** @typedef {import("../cards/faces.js").Deck} Deck */

/**
 * The recipes among a set of cards: what each needs, which of the cards provide it, and its bonus.
 *
 * @param {{cards: string[], deck: Deck}} props
 */
export function Recipes({ cards, deck }) {
  const found = cards.filter((card) => faceOf(deck, card).details.makes);
  const provide = (/** @type {string} */ need, /** @type {string} */ maker) =>
    cards.filter((card) => card !== maker && faceOf(deck, card).details.provides === need);
  return html`<section class="stack recipes">
    <h3>${say("compound.among")}</h3>
    <ul class="plain">
      ${found.map((card) => {
        const { makes, of, bonus } = faceOf(deck, card).details;
        const needs = of.split(", ").map((/** @type {string} */ need) =>
          say("labelled", { label: need, text: provide(need, card).join(" ") || "–" }));
        return html`<li key=${card}><strong>${makes} +${bonus}</strong> <${Told} deck=${deck}
          text=${say("compound.needs", { card, needs: needs.join(say("comma")) })} /></li>`;
      })}
    </ul>
  </section>`;
}
