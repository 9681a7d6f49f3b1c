/** The player's place at the bottom of the table: the enlarged hand, and what the player collects. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { Card } from "../cards/card.js";
import { Told } from "../cards/told.js";
import { seatName } from "../games/shared.js";
import { board } from "./film.js";
import { Head } from "./seat.js";
import { wanted } from "./telling.js";

const ROW = 7; // cards per row on a phone
const CLOSE = 9; // cards per row where there are more than two rows else; they overlap
const LONG = 15; // cards per row on larger screens

/** @param {import("./seat.js").Shared & {seat: number}} props */
export function Hand({ seat, ...shared }) {
  const { deck, position, zones } = shared;
  const hand = zones.find((zone) => zone.kind === "hand" && zone.seat === seat);
  if (!hand) return null;
  const turn = board.value.toMove === seat ? "to-move" : "";
  return html`<section class=${`mine ${turn}`} aria-label=${seatName(seat, position)}>
    <${Head} seat=${seat} level="h2" ...${shared} />
    ${turn && wanted.value && html`<p class="hinted" role="status"><${Told} deck=${deck} text=${wanted.value} /></p>`}
    <${Cards} zone=${hand} ...${shared} />
  </section>`;
}

/**
 * The cards of a hand, and last the one that has just been drawn.
 *
 * @param {import("./seat.js").Shared & {zone: import("../games/index.js").Zone}} props
 */
function Cards({ zone, zones, deck, card }) {
  const aside = zones.filter((one) => one.lies === "hand" && one.seat === zone.seat);
  const held = [zone, ...aside].flatMap((one) => one.cards.map((code, at) => ({ one, code, at })));
  const all = held.length;
  const columns = { "--columns": columnsOf(all, all > 2 * ROW ? CLOSE : ROW), "--wide": columnsOf(all, LONG) };
  return html`<div class="cards hand" role="group" aria-label=${zone.title} style=${columns}>
    ${held.map(({ one, code, at }, place) => {
      const how = /** @type {{label?: string, tone?: string}} */ (card(one)(at));
      const label = [how.label, say("card.at", { at: place + 1, all })].filter(Boolean).join(", ");
      const drawn = one === zone ? {} : { mark: say("card.drawn"), tone: `${how.tone ?? ""} drawn` };
      return html`<${Card} key=${`${one.path}-${at}-${code}`} deck=${deck} card=${code} ...${how} ...${drawn}
        label=${label} />`;
    })}
  </div>`;
}

/** The number of cards per row, for rows of about equal length. @param {number} count @param {number} most */
export function columnsOf(count, most) {
  return Math.max(1, Math.ceil(count / Math.ceil(count / most || 1)));
}
