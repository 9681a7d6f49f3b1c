/** The player's place at the bottom of the table: the enlarged hand, and what the player collects. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { Card } from "../cards/card.js";
import { Told } from "../cards/told.js";
import { seatName } from "../games/shared.js";
import { Anyway } from "./anyway.js";
import { board, turn } from "./film.js";
import { keysOf } from "./marks.js";
import { Head } from "./seat.js";
import { wanted } from "./telling.js";
import { columnsOf } from "./zone.js";

const ROW = 10; // cards per row on a phone, where they overlap, and where there is room for two rows
const WIDE = 15; // cards per row elsewhere
const WHOLE = 7; // cards per row on a phone, where none overlaps

/** @typedef {{one: import("../games/index.js").Zone, code: string, at: number, key: string}} Held */

/**
 * The hand of a seat below what is to be decided, its `children`, and beside its moves without cards, `bare`.
 *
 * @param {import("./seat.js").Shared & {seat: number, children: any, bare: any}} props
 */
export function Hand({ seat, children, bare, ...shared }) {
  const { deck, position, zones } = shared;
  const hand = zones.find((zone) => zone.seat === seat && (zone.kind === "hand" || zone.lies === "drawn"));
  if (!hand) return html`<div class="own">${children}</div>`;
  const aside = zones.filter((zone) => zone.lies === "hand" && zone.seat === seat);
  const held = [hand, ...aside].flatMap((one) => {
    const keys = keysOf(one.cards);
    return one.cards.map((code, at) => ({ one, code, at, key: `${one.path} ${keys[at]}` }));
  });
  const isTurn = turn.value === seat;
  const exchanges = position.drawn && board.value.moves.length > 1; // there are none while a line is shown
  const why = isTurn && wanted.value;
  return html`<div class="own" style=${rowsOf(held.length)}>
    ${children}
    <section class=${`mine ${isTurn ? "to-move" : ""} ${held.length ? "" : "without-cards"}`} data-seat=${seat}
      aria-label=${seatName(seat, position)}>
      <div class="mine-head">
        <${Head} seat=${seat} ...${shared} />
        ${isTurn && exchanges && html`<span class="asks">${say("choices.drawn")}</span>`} ${bare}
        ${why && html`<${Anyway} />`}
      </div>
      ${why && html`<p class="hinted" role="status"><${Told} deck=${deck} text=${why} /></p>`}
      <${Cards} hand=${hand} held=${held} ...${shared} />
    </section>
  </div>`;
}

/** The cards per row and the rows above the last one; in wide rows, all rows. @param {number} all */
function rowsOf(all) {
  const columns = columnsOf(all, ROW);
  const wide = columnsOf(all, WIDE);
  return {
    "--columns": columns,
    "--above": Math.ceil(all / columns) - 1,
    "--wide": wide,
    "--whole": columnsOf(all, WHOLE),
    "--rows": Math.ceil(all / wide),
  };
}

/**
 * The cards of a hand, and last the one that has just been drawn.
 *
 * @param {import("./seat.js").Shared & {hand: import("../games/index.js").Zone, held: Held[]}} props
 */
function Cards({ hand, held, deck, position, card }) {
  const all = held.length;
  const isSet = position.stage === "set"; // a set to be worked out, of which all names are to be seen
  const classes = isSet ? "cards hand whole" : "cards hand";
  return html`<div class=${classes} role="group" tabindex="-1" aria-label=${hand.title}>
    ${held.map(({ one, code, at, key }, place) => {
      const how = /** @type {{label?: string, tone?: string}} */ (card(one)(at));
      const label = [how.label, say("card.at", { at: place + 1, all })].filter(Boolean).join(say("comma"));
      const drawn = one === hand ? {} : { mark: say("card.drawn"), tone: `${how.tone ?? ""} drawn` };
      return html`<${Card} key=${key} deck=${deck} card=${code} ...${how} ...${drawn}
        label=${label} held=${hand.kind === "hand"} />`;
    })}
  </div>`;
}
