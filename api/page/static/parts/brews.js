/** The recipes that seats make from what they won, as pictures: the cards that each takes, and what it makes. */
import { html, signal, useEffect, useState } from "../core/html.js";
import { Refused, ask } from "../core/ask.js";
import { say } from "../core/words.js";
import { Art, arrivalOf, isArt } from "../cards/art.js";
import { Card } from "../cards/card.js";
import { faceOf } from "../cards/faces.js";
import { gameOf } from "../games/index.js";
import { seatName } from "../games/shared.js";

/** @typedef {import("../cards/faces.js").Deck} Deck */
/** @typedef {{position: any, deck: Deck}} Shown */

/** Whether the panel is open; nothing is requested before. */
const opened = signal(false);

/** Whether seats of a position have won cards that make recipes. @param {any} position */
function canMake(position) {
  return gameOf(position.game)?.compounds && position.won?.some((/** @type {string[]} */ pile) => pile.length);
}

/** A closed part with what each seat makes. @param {Shown & {title?: string}} props the title as a key */
export function Compounding({ position, deck, title = "compound.title" }) {
  if (!canMake(position)) return null;
  return html`<details class="box" onToggle=${(/** @type {any} */ event) => (opened.value = event.target.open)}>
    <summary>${say(title)}</summary>
    ${
      opened.value &&
      position.won.map(
        (/** @type {string[]} */ _, /** @type {number} */ seat) =>
          html`<${Pile} key=${seat} deck=${deck} position=${position} seat=${seat} name=${seatName(seat, position)} />`,
      )
    }
  </details>`;
}

/**
 * What each seat has made at the end of a round, without those that made nothing.
 *
 * @param {Shown & {who: (seat: number) => string}} props
 */
export function Brewed({ position, deck, who }) {
  if (!canMake(position)) return null;
  return position.won.map(
    (/** @type {string[]} */ _, /** @type {number} */ seat) =>
      html`<${Pile} key=${seat} deck=${deck} position=${position} seat=${seat} name=${who(seat)} brief />`,
  );
}

/** @param {Shown & {seat: number, name: string, brief?: boolean}} props `brief`: nothing where nothing is made */
function Pile({ deck, position, seat, name, brief = false }) {
  const pile = position.won[seat];
  const cards = pile.join(" ");
  const [found, setFound] = useState(/** @type {any} */ (null));
  useEffect(() => {
    if (!pile.length) return;
    const asked = { game: position.game, ...(position.deck ? { deck: position.deck } : {}), cards: pile };
    ask("v1/compound", { position: asked }).then(setFound, (error) => {
      if (!(error instanceof Refused)) throw error;
      setFound({ message: error.message, recipes: [] });
    });
  }, [cards]);
  if (!pile.length || (brief && !found?.recipes.length)) return null;
  return html`<section class="stack brewed">
    <h3>${name} ${
      found &&
      !found.message &&
      html`<span class="hinted">
      ${say("compound.total", { ...found, n: found.vp })}</span>`
    }</h3>
    ${found?.message && html`<p class="fault">${found.message}</p>`}
    ${
      found?.recipes.length > 0 &&
      html`<ul class="brews plain">${found.recipes.map(
        (/** @type {any} */ recipe) => html`<${Brew} key=${recipe.card} deck=${deck} recipe=${recipe} />`,
      )}</ul>`
    }
    ${found && !found.recipes.length && !found.message ? html`<p class="hinted">${say("compound.none")}</p>` : null}
  </section>`;
}

/** A recipe: the cards that it takes, its own first, and what they make. @param {{deck: Deck, recipe: any}} props */
function Brew({ deck, recipe: { card, uses, bonus } }) {
  const item = faceOf(deck, card).details.makes;
  return html`<li class="brew">
    <span class="cards">
      ${[card, ...uses].map((one) => html`<${Card} key=${one} deck=${deck} card=${one} />`)}</span>
    <span class="arrow" aria-hidden="true">→</span>
    ${
      arrivalOf(deck.game) === "here" &&
      isArt(item) &&
      html`<svg class="product" viewBox="0 0 100 100" aria-hidden="true">
      <circle cx="50" cy="50" r="48" /><${Art} name=${item} x=${16} y=${16} size=${68} /></svg>`
    }
    <span class="item">${item} <strong>+${bonus}</strong></span>
  </li>`;
}
