/** The middle of a table of King × Alchemy: what is to be done, or the suit that was led. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { faceOf, suitOf } from "../cards/faces.js";
import { Icon } from "../cards/signs.js";
import { board, film } from "../table/film.js";
import { question } from "../table/telling.js";
import { KING } from "./king.js";
import { isYou } from "./shared.js";

/** @typedef {import("../table/seat.js").Shared} Shared */

/** The lead suit of a trick of King × Alchemy, and what beats it. @param {Shared} props */
export function Led({ position, deck }) {
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
