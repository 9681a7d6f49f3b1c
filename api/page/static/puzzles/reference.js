/** A book's reference pages for a game: the meanings of the signs, and the whole deck. */
import { html } from "../core/html.js";
import { isSaid, say } from "../core/words.js";
import { Card } from "../cards/card.js";
import { gameOf, lookOf } from "../games/index.js";
import { Icon } from "../cards/signs.js";

/** @typedef {import("../cards/faces.js").Deck} Deck */
/** @typedef {{deck: Deck}} Of */

/** The meaning of each sign. @param {Of} props */
export function Key({ deck }) {
  const suits = new Map(deck.cards.filter((face) => face.suit).map((face) => [face.suit, face.card]));
  const signs = [...suits].map(([suit, card]) => {
    const { ink, suit: sign, glyph } = lookOf(deck, card);
    return { sign, glyph, ink, words: say("book.suit", { code: card[0], suit: suit ?? "" }) };
  });
  const own = (gameOf(deck.game)?.signs ?? []).filter((name) => isSaid(`book.sign.${deck.game}.${name}`));
  const [[suit, first] = ["", ""]] = suits;
  const of = (/** @type {string} */ kind) =>
    deck.cards.filter((face) => face.details.kind === kind).map((face) => face.card);
  const values = { trumps: of("trump").join(" "), dancer: of("dancer").join(" "), letter: first[0], suit: suit ?? "" };
  return html`<ul class="key">
    ${signs.map(
      ({ sign, glyph, ink, words }) => html`<li>
        <span class=${`ink-${ink}`}>${glyph ?? html`<${Icon} name=${sign} />`}</span> ${words}</li>`,
    )}
    ${own.map((name) => html`<li><${Icon} name=${name} /> ${say(`book.sign.${deck.game}.${name}`, values)}</li>`)}
    ${isSaid(`book.read.${deck.game}`) && html`<li>${say(`book.read.${deck.game}`)}</li>`}
  </ul>`;
}

/** All cards of a deck. @param {Of} props */
export function Whole({ deck }) {
  const { reactions, orders } = gameOf(deck.game) ?? {};
  if (reactions) return html`<${Reactions} deck=${deck} signs=${reactions} />`;
  if (orders) return html`<${Orders} deck=${deck} />`;
  const cards = deck.cards.map((face) => html`<${Card} deck=${deck} card=${face.card} />`);
  return html`<div class="cards whole">${cards}</div>
    ${deck.cards.some((face) => face.details.makes) && html`<${Recipes} deck=${deck} />`}`;
}

/** The recipes, the most valuable first, with the cards that provide their ingredients. @param {Of} props */
function Recipes({ deck }) {
  const made = deck.cards
    .filter((face) => face.details.makes)
    .sort((one, other) => Number(other.details.bonus) - Number(one.details.bonus));
  const providers = (/** @type {string} */ what) =>
    deck.cards.filter((face) => face.details.provides === what).map((face) => face.card);
  return html`<h3>${say("book.recipes")}</h3>
    <ul class="recipes">${made.map(
      ({ card, details }) => html`<li><b>${details.makes}</b> +${details.bonus} (${card}):
      ${" "}${details.of
        .split(", ")
        .map((what) => `${what} (${providers(what).join(", ")})`)
        .join(" + ")}</li>`,
    )}</ul>`;
}

/** Both orders, the strongest card first. @param {Of} props */
function Orders({ deck }) {
  const colours = [...new Set(deck.cards.map((face) => face.card[0]))];
  const ranks = [...new Set(deck.cards.map((face) => face.rank))];
  const [numbers, others] = [/\d/, /\D/].map((kind) => ranks.filter((rank) => kind.test(rank)));
  return ["ascending", "descending"].map((direction) => {
    const turned = direction === "ascending";
    const rows = turned ? colours : colours.toReversed();
    const [trump, ...turning] = others;
    const columns = [trump, ...(turned ? numbers.toReversed() : numbers), ...turning];
    return html`<h3>${say("labelled", {
      label: say(`direction.${direction}`),
      text: say(`direction.${direction}.why`),
    })}</h3>
      ${rows.map(
        (colour) => html`<div class="cards order">
        ${columns.map((rank) => html`<${Card} deck=${deck} card=${`${colour}${rank}`} />`)}</div>`,
      )}`;
  });
}

/**
 * The cards, the weakest first, and how each reacts in each field.
 *
 * @param {{deck: Deck, signs: Record<string, string>}} props the fields' signs by their names
 */
function Reactions({ deck, signs }) {
  const fields = Object.keys(signs);
  return html`<table class="metals"><thead><tr><th /><th /><th />
      ${fields.map((field) => html`<th><${Icon} name=${signs[field]} /> ${say(`fieldname.${field}`)}</th>`)}
    </tr></thead>
    <tbody>${deck.cards.map(
      ({ card, rank, name, details }) => html`<tr><td>${rank}</td><td><b>${card}</b></td><td>${name}</td>
      ${fields.map((field) => html`<td>${say(`book.reacts.${Math.min(2, Number(details[field] ?? 0))}`)}</td>`)}</tr>`,
    )}</tbody></table>`;
}
