/** The player's place at the bottom of the table: the enlarged hand, and what the player collects. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { Card } from "../cards/card.js";
import { seatName } from "../games/shared.js";
import { board } from "./film.js";
import { Head } from "./seat.js";

const ROW = 9; // cards per row on a phone; they overlap if space is short
const LONG = 15; // cards per row on larger screens

/** @param {import("./seat.js").Shared & {seat: number}} props */
export function Hand({ seat, ...shared }) {
  const { position, zones } = shared;
  const hand = zones.find((zone) => zone.kind === "hand" && zone.seat === seat);
  if (!hand) return null;
  const turn = board.value.toMove === seat ? "to-move" : "";
  return html`<section class=${`mine ${turn}`} aria-label=${seatName(seat, position)}>
    <${Head} seat=${seat} level="h2" ...${shared} />
    <${Cards} zone=${hand} ...${shared} />
  </section>`;
}

/** @param {import("./seat.js").Shared & {zone: import("../games/index.js").Zone}} props */
function Cards({ zone, deck, card }) {
  const draw = card(zone);
  const count = zone.cards.length;
  const columns = { "--columns": columnsOf(count, ROW), "--wide": columnsOf(count, LONG) };
  return html`<div class="cards hand" role="group" aria-label=${zone.title} style=${columns}>
    ${zone.cards.map((one, at) => {
      const drawn = /** @type {{label?: string}} */ (draw(at));
      const label = [drawn.label, say("card.at", { at: at + 1, all: count })].filter(Boolean).join(", ");
      return html`<${Card} key=${`${at}-${one}`} deck=${deck} card=${one} ...${drawn} label=${label} />`;
    })}
  </div>`;
}

/** The number of cards per row, for rows of about equal length. @param {number} count @param {number} most */
export function columnsOf(count, most) {
  return Math.max(1, Math.ceil(count / Math.ceil(count / most || 1)));
}
