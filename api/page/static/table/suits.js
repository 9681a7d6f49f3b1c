/** The cards of a deck to choose from, suit by suit; on a phone, cards of a long suit overlap. */
import { html, useLayoutEffect } from "../core/html.js";
import { offered } from "../core/panel.js";
import { say } from "../core/words.js";
import { columnsOf } from "./zone.js";

/** @typedef {import("../cards/faces.js").Face} Face */

const LONGEST = 11; // cards per row: a longer suit takes several rows
const LAPPED = 14; // where they overlap

/**
 * The cards to choose from, each always in the same column: one that is missing leaves its place blank.
 *
 * @param {object} props
 * @param {import("../cards/faces.js").Deck} props.deck
 * @param {(face: Face) => boolean} [props.has] whether a card is among those to choose from
 * @param {(face: Face) => object} props.draw
 */
export function SuitRows({ deck, has = () => true, draw }) {
  const suits = [...new Set(deck.cards.filter(has).map((face) => face.suit ?? ""))];
  const rows = suits.map((suit) => deck.cards.filter((face) => (face.suit ?? "") === suit));
  const longest = Math.max(...rows.map((row) => row.length));
  const columns = { "--n": columnsOf(longest, LONGEST), "--lapped": columnsOf(longest, LAPPED) };
  return rows.map(
    (row, at) => html`<div class="cards suit-row" style=${columns} key=${suits[at]} role="group"
      aria-label=${suits[at] || say("palette.cards")}>
      ${row.map((face) => (has(face) ? draw(face) : html`<i key=${face.card} />`))}
    </div>`,
  );
}

/** The cards to choose from where something is asked. @param {Parameters<typeof SuitRows>[0]} props */
export function Offered(props) {
  useLayoutEffect(() => {
    offered.value += 1;
    return () => {
      offered.value -= 1;
    };
  }, []);
  return html`<div class="palette"><${SuitRows} ...${props} /></div>`;
}
