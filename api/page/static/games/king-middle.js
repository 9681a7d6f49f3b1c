/** The middle of a table of King × Alchemy: what is to be done, or the suit that was led. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { Icon } from "../cards/signs.js";
import { codeOf, faceOf, suitOf } from "../cards/faces.js";
import { Told } from "../cards/told.js";
import { board, film } from "../table/film.js";
import { lingering } from "../table/lingering.js";
import { question } from "../table/telling.js";
import { KING, tooHigh } from "./king.js";
import { isYou } from "./shared.js";

/** @typedef {import("../table/seat.js").Shared} Shared */

const NOTHING = { n: 0, high: /** @type {string[]} */ ([]) };

/** The lead suit of a trick of King × Alchemy, what beats it, and what can't be taken of it. @param {Shared} props */
export function Led(props) {
  const words = wordsOf(props);
  return html`<${Asked} ...${props} />
    ${words && html`<p class="hinted fate"><${Told} deck=${props.deck} text=${words} /></p>`}`;
}

/**
 * Why cards of a full trick can't be taken, or were discarded; empty if there are none.
 *
 * @param {Shared} props
 */
function wordsOf({ position, deck, zones }) {
  const { toMove } = board.value;
  const listed = (/** @type {string[]} */ cards) => cards.map(codeOf).join(say("comma"));
  const trick = zones.find((zone) => zone.kind === "trick" && !zone.past);
  if (trick?.cards.length) {
    const isFull = trick.cards.length === KING.players(position);
    const { n, high } = isFull ? tooHigh(trick.cards, trick.seats?.indexOf(toMove ?? -1) ?? -1, deck) : NOTHING;
    return high.length ? say("king.tooHigh", { n, cards: listed(high) }) : "";
  }
  const { zone, winner, deeds } = lingering.value ?? {};
  if (!zone || !deeds) return "";
  const { n, high } = tooHigh(zone.cards, winner ?? -1, deck);
  const gone = high.filter((card) => deeds[codeOf(card)] === "discard");
  return gone.length ? say("king.discarded", { n, cards: listed(gone) }) : "";
}

/** What is asked of a seat, or the lead suit. @param {Shared} props */
function Asked({ position, deck }) {
  const { toMove } = board.value;
  const picks = position.stage === "pick";
  const asks = picks && !film.value && question.value; // what the others picked
  const own = isYou(toMove ?? -1, position) || position.stage === "set";
  const others = picks && say("king.othersPick");
  const task = asks || (own ? KING.task?.({ ...board.value, position }, deck) : others);
  if (task) return html`<p class="in-force"><strong>${task}</strong></p>`;
  const [first] = position.trick ?? [];
  if (!first) return html`<p class="in-force"><${Icon} name="sun" /> ${say("king.trumps")}</p>`;
  const face = faceOf(deck, first);
  const suit = suitOf(deck, first);
  const sign = KING.look(deck.cards.find((one) => one.suit === suit) ?? face, first).suit;
  return html`<p class="in-force">
    ${sign && html`<${Icon} name=${sign} />`} <strong>${say("king.led", { suit: suit ?? face.name })}</strong>
    <span class="order"><${Icon} name="sun" /> ${say("king.trumps")}</span>
  </p>`;
}
