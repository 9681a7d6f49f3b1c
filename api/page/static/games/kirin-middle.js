/** The middle of a table of Kirin: the direction in force. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { Icon } from "../cards/signs.js";
import { setsAside } from "./index.js";
import { suitsOf } from "./shared.js";

/** @typedef {import("../table/seat.js").Shared} Shared */

/** Kirin's direction: which numbers are stronger now and, of equal ones, which colours. @param {Shared} props */
export function Direction({ position, deck }) {
  const direction = setsAside(position) ? "ascending" : position.direction; // every round begins so
  if (!direction) return null;
  const rising = direction === "ascending";
  const turns = position.next_direction && position.next_direction !== direction;
  const colours = ["dragon", "bird", "tiger", "tortoise"];
  const inks = ["azure", "vermilion", "amber", "black"];
  const order = rising ? [0, 1, 2, 3] : [3, 2, 1, 0];
  const suits = suitsOf(deck);
  return html`<p class="in-force" title=${say(`direction.${direction}.why`)}>
    <span class=${`marker ${direction}`}><${Icon} name="rising" /></span>
    <strong>${say(`direction.${direction}`)}</strong>
    <span aria-hidden="true">${say("direction.equal", { ranks: say(`direction.${direction}.ranks`) })}</span>
    <span class="order" role="img" aria-label=${say(`direction.${direction}.why`)}>
      ${order.map(
        (at, place) =>
          html`<span class="order-step">${place > 0 && "> "}<span class=${`sign-${inks[at]}`}>
            <${Icon} name=${colours[at]} /> <span class="suit-name">${suits[at]?.join(" ")}</span></span></span> `,
      )}
    </span>
    ${turns && html`<${Turning} to=${position.next_direction} />`}
  </p>`;
}

/** What a kirin in the trick changes. @param {{to: string}} props the direction from the next trick on */
function Turning({ to }) {
  const words = say("direction.next", { ranks: say(`direction.${to}.ranks`) });
  return html`<span class="turning" title=${words}>
    › <${Icon} name=${to === "ascending" ? "rising" : "falling"} /> <span>${words}</span></span>`;
}
