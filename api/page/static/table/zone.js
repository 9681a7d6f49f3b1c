/** A place of the table with its cards. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { Back, Card } from "../cards/card.js";
import { isYou, seatName } from "../games/shared.js";

/**
 * @param {object} props
 * @param {import("../games/index.js").Zone} props.zone
 * @param {import("../cards/faces.js").Deck} props.deck
 * @param {any} props.position
 * @param {(index: number) => object} [props.card] further properties of each card
 * @param {string} [props.heading] the element of the title: a place within a seat is below the seat's name
 */
export function ZoneView({ zone, deck, position, card = () => ({}), heading = "h2" }) {
  const counted = zone.kind === "pile" || zone.kind === "hand";
  const name = titleOf(zone, position);
  return html`<section class=${`zone zone-${zone.kind}`} aria-label=${name}>
    <${heading} class="zone-title">
      ${zone.title}${counted ? html` <span class="count">${say("cards", { n: zone.cards.length })}</span>` : null}
    <//>
    <div class="cards">
      ${zone.cards.map(
        (one, index) => html`<div class=${`slot ${index === zone.winner ? "won" : ""}`} key=${`${index}-${one}`}>
          ${zone.seats && html`<span class="slot-seat">${seatName(zone.seats[index], position)}
            ${index === zone.winner && html`<span role="img" aria-label=${say("board.won")}>★</span>`}</span>`}
          <${Card} deck=${deck} card=${one} ...${card(index)} />
        </div>`,
      )}
      ${!zone.cards.length && html`<${Back} empty label=${say("zone.empty", { zone: name })} />`}
    </div>
  </section>`;
}

/** The name of a place or a field. @param {{title: string, seat?: number}} zone @param {any} position */
export function titleOf(zone, position) {
  return zone.seat === undefined
    ? zone.title
    : say("zone.of", { seat: seatName(zone.seat, position), zone: zone.title });
}

/**
 * The same, without the seat if it is the player's own.
 *
 * @param {{title: string, seat?: number}} zone @param {any} position
 */
export function shortTitleOf(zone, position) {
  return zone.seat !== undefined && isYou(zone.seat, position) ? zone.title : titleOf(zone, position);
}

/** Whether a fault's path is within a place. @param {string} path @param {string} place */
export function isWithin(path, place) {
  return path === place || path.startsWith(`${place}[`) || path.startsWith(`${place}.`);
}

/** The index of the card at a path; -1 for none. @param {string} path @param {string} place */
export function indexOf(path, place) {
  const found = path.slice(place.length).match(/^\[(\d+)\]/);
  return found ? Number(found[1]) : -1;
}

/** The number of cards per row, for rows of about equal length. @param {number} count @param {number} most */
export function columnsOf(count, most) {
  return Math.max(1, Math.ceil(count / Math.ceil(count / most || 1)));
}
