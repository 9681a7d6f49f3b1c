/** What the seats have made so far, in a corner of a large table. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { Art, arrivalOf, isArt } from "../cards/art.js";
import { Drawing } from "../cards/card.js";
import { Icon } from "../cards/signs.js";
import { gameOf } from "../games/index.js";
import { seatName, seatsFrom } from "../games/shared.js";

/** @param {import("./seat.js").Shared} props */
export function Tally({ position, deck }) {
  const rows = gameOf(position.game)?.tally?.(position, deck) ?? [];
  if (!rows.length) return null;
  const order = seatsFrom(position);
  rows.sort((one, other) => order.indexOf(one.seat ?? 0) - order.indexOf(other.seat ?? 0));
  const drawn = arrivalOf(position.game) === "here";
  return html`<section class="tally" aria-label=${say("tally.title")}>
    ${rows.map(
      ({ seat, counts = [], arts = [], cards = [] }) => html`<p key=${seat}>
      <span class="tally-seat">${seat === undefined ? say("zone.discarded") : seatName(seat, position)}</span>
      ${counts.map(
        ({ sign, ink, n, label }) => html`<span class=${`tally-count ${n ? "" : "none"} sign-${ink}`} role="img"
          aria-label=${`${label} ${n}`}><${Icon} name=${sign} />${n}</span>`,
      )}
      ${
        drawn &&
        arts.filter(isArt).map(
          (name) => html`<svg class="product" viewBox="0 0 100 100" role="img" aria-label=${name} key=${name}>
          <title>${name}</title><circle cx="50" cy="50" r="48" />
          <${Art} name=${name} x=${14} y=${14} size=${72} /></svg>`,
        )
      }
      ${
        cards.length > 0 &&
        html`<span class="tally-cards" aria-hidden="true">${cards.map(
          (card, at) => html`<span class="card" key=${`${at}-${card}`}><${Drawing} deck=${deck} card=${card} /></span>`,
        )}</span>`
      }</p>`,
    )}
  </section>`;
}
