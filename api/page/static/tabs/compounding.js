/** The compounding of a seat's won cards: each recipe's carrier, ingredients and item as pictures. */
import { html, signal, useEffect, useState } from "../core/html.js";
import { Refused, ask } from "../core/ask.js";
import { say } from "../core/words.js";
import { Card } from "../cards/card.js";
import { faceOf } from "../cards/faces.js";
import { Told } from "../cards/told.js";
import { gameOf } from "../games/index.js";
import { seatName } from "../games/shared.js";

/** @typedef {import("../cards/faces.js").Deck} Deck */

/** Whether the panel is open; nothing is requested before. */
const opened = signal(false);

/** @param {{position: any, deck: Deck, title?: string}} props the title as a key */
export function Compounding({ position, deck, title = "compound.title" }) {
  if (!gameOf(position.game)?.compounds || !position.won?.some((/** @type {string[]} */ pile) => pile.length))
    return null;
  return html`<details class="box" onToggle=${(/** @type {any} */ event) => (opened.value = event.target.open)}>
    <summary>${say(title)}</summary>
    ${
      opened.value &&
      position.won.map(
        (/** @type {string[]} */ pile, /** @type {number} */ seat) =>
          html`<${Pile} key=${`${seat} ${pile}`} deck=${deck} position=${position} pile=${pile} seat=${seat} />`,
      )
    }
  </details>`;
}

/** @param {{deck: Deck, position: any, pile: string[], seat: number}} props */
function Pile({ deck, position, pile, seat }) {
  const [found, setFound] = useState(/** @type {any} */ (null));
  useEffect(() => {
    if (!pile.length) return;
    const asked = { game: position.game, ...(position.deck ? { deck: position.deck } : {}), cards: pile };
    ask("v1/compound", { position: asked }).then(setFound, (error) => {
      if (!(error instanceof Refused)) throw error;
      setFound({ message: error.message, recipes: [] });
    });
  }, []);
  if (!pile.length) return null;
  return html`<section class="stack">
    <h3>${seatName(seat, position)} ${
      found &&
      !found.message &&
      html`<span class="hinted">
      ${say("compound.total", found)}</span>`
    }</h3>
    ${found?.message && html`<p class="fault">${found.message}</p>`}
    ${found?.recipes.map(
      (/** @type {any} */ recipe) => html`<div class="recipe">
        <${Card} deck=${deck} card=${recipe.card} tone="best" />
        <span aria-hidden="true">←</span>
        <span class="cards">
          ${recipe.uses.map((/** @type {string} */ card) => html`<${Card} deck=${deck} card=${card} />`)}</span>
        <span class="item"><strong>${faceOf(deck, recipe.card).details.makes}</strong> +${recipe.bonus}</span>
      </div>`,
    )}
    ${found && !found.recipes.length && !found.message ? html`<p class="hinted">${say("compound.none")}</p>` : null}
  </section>`;
}

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
