/** The middle of the table: the trick in play order, and what is in force. */
import { html } from "../core/html.js";
import { wide } from "../core/panel.js";
import { say } from "../core/words.js";
import { Card, Drawing } from "../cards/card.js";
import { codeOf } from "../cards/faces.js";
import { Told } from "../cards/told.js";
import { gameOf, setsAside } from "../games/index.js";
import { IN_FORCE, LYING } from "../games/middles.js";
import { isView, isYou, nearSeat, playing, seatName } from "../games/shared.js";
import { board } from "./film.js";
import { lingering } from "./lingering.js";
import { Pile, around } from "./seat.js";
import { useTravel } from "./travel.js";

/** @typedef {import("./seat.js").Shared} Shared */
/** @typedef {import("../games/index.js").Zone} Zone */
/** @typedef {import("./lingering.js").Finished} Finished */

/** @param {Shared} shared */
export function Middle(shared) {
  const { position, deck, zones } = shared;
  const isOver = board.value.toMove === null;
  const inForce = isOver && !position.stage ? Over : (IN_FORCE[position.game] ?? Ruled);
  const isEmpty = !zones.some(({ kind, cards }) => kind === "trick" && cards.length);
  const held = (isEmpty && lingering.value?.position) || position; // of the trick that is seen
  const aside = zones.filter((zone) => zone.lies === "aside" && zone.cards.length);
  const left = leftOf(position, zones);
  const lying = LYING[position.game] ?? Trick;
  return html`<div class="middle" data-field=${held.field}>
    ${inForce && html`<${inForce} ...${shared} position=${held} />`}
    ${position.notes?.map(
      (/** @type {string} */ text) => html`<p class="hinted"><${Told} deck=${deck} text=${text} /></p>`,
    )}
    <${lying} ...${shared} />
    ${
      (aside.length > 0 || left.length > 0) &&
      html`<div class="asides">
      ${left.map((words) => html`<span class="left" key=${words}>${words}</span>`)}
      ${aside.map((zone) => html`<${Pile} zone=${zone} ...${shared} />`)}</div>`
    }
  </div>`;
}

/**
 * What is left of a round that one follows, in words: the stock, unless the game draws it, and the tricks. Where there
 * is little room, only that the trick is the last one.
 *
 * @param {any} position @param {Zone[]} zones
 */
function leftOf(position, zones) {
  const { counts, past } = gameOf(position.game) ?? {};
  if (board.value.toMove === null || !past || position.stage || setsAside(position) || !isView(position)) return [];
  const isDrawn = position.game in IN_FORCE || position.game in LYING;
  const stock = isDrawn ? undefined : (position.stock_count ?? position.stock?.length);
  const played = zones.find(({ kind, past: over }) => kind === "trick" && !over)?.seats ?? [];
  const held = counts?.(position).map((n, seat) => n + Number(played.includes(seat))) ?? [];
  const n = Math.max(0, ...held);
  const isSaid = n === 1 || (n > 0 && wide.value);
  return [...(stock > 0 ? [say("stock.left", { n: stock })] : []), ...(isSaid ? [say("tricks.left", { n })] : [])];
}

/** The cards of the trick, each below the name of its player. @param {Shared} props */
function Trick({ position, deck, zones, card }) {
  const zone = zones.find((one) => one.kind === "trick");
  const { toMove } = board.value;
  const last = toMove === null ? lastOf(position) : lingering.value;
  const lies = Boolean(zone?.cards.length || !last);
  const shown = lies ? zone : last?.zone;
  if (!shown) return null;
  const done = (/** @type {number} */ at) => {
    const deed = last?.winner === at ? "won" : last?.deeds?.[codeOf(shown.cards[at])];
    return deed ? { tone: "deed", mark: say(`board.${deed}`) } : {};
  };
  const draw = lies ? card(shown) : done;
  const isHeap = gameOf(position.game)?.heaps;
  const run = isHeap ? topRun(shown.cards) : shown.cards.length;
  return html`<section class=${`trick zone-trick ${lies ? "" : "over"}`} aria-label=${shown.title}>
    <div class=${`cards ${shown.seats && !isHeap ? "round" : ""}`}>
      ${shown.cards.map((one, at) => {
        const lit = !lies && last?.winner === at ? "won" : "";
        const under = at < shown.cards.length - run ? "under" : "";
        return html`<${Slot} key=${`${at}-${one}`} card=${one} seat=${shown.seats?.[at] ?? position.owner}
          position=${position} isLast=${at === shown.cards.length - 1} states=${`${lit} ${under}`}>
          <span class="slot-seat">${whoPlayed(shown, at, position)}</span>
          <${Card} deck=${deck} card=${one} ...${draw(at)} />
        <//>`;
      })}
      ${
        !shown.cards.length &&
        toMove !== null &&
        html`<p class="hinted waiting">
        ${say(asked(toMove, position), { seat: seatName(toMove, position) })}</p>`
      }
    </div>
  </section>`;
}

/**
 * A card's place in the trick, in front of its player's seat.
 *
 * @param {{card: string, seat?: number, position: any, isLast: boolean, states: string, children: any}} props
 */
function Slot({ card, seat, position, isLast, states, children }) {
  const mine = nearSeat(position);
  const others = around(mine, gameOf(position.game)?.players(position) ?? 0);
  const from = others.find((one) => one.seat === seat)?.place ?? "mine";
  const place = useTravel(card, seat, seat === mine, isLast);
  return html`<div class=${`slot from-${from} ${states}`} ref=${place}>${children}</div>`;
}

/** The trick before, small, in a corner that no seat has. @param {Shared} props */
export function Before({ position, deck }) {
  const last = lastOf(position);
  if (!last || lingering.value || board.value.toMove === null) return null;
  return html`<div class="before" aria-hidden="true" data-title=${last.zone.title}>
    ${last.zone.cards.map(
      (one, at) => html`<span key=${`${at}-${one}`} class=${`card ${at === last.winner ? "taken" : ""}`}>
        <${Drawing} deck=${deck} card=${one} /></span>`,
    )}
  </div>`;
}

/** The last trick that is over; that of a round stays on the table. @param {any} position @returns {Finished | null} */
function lastOf(position) {
  const zone = gameOf(position.game)?.zones(position).findLast((one) => one.past && one.kind === "trick");
  return zone ? { zone, winner: zone.winner ?? -1 } : null;
}

/** What a seat has to do, in a word. @param {number} toMove @param {any} position */
function asked(toMove, position) {
  // Others set a card aside or pick one before the leader leads.
  const leads = !setsAside(position) && (position.leader ?? toMove) === toMove;
  if (!isYou(toMove, position)) return leads ? "trick.leads" : "board.turn";
  return leads ? "trick.youLead" : "trick.setAside";
}

const BLANK = "\u00a0";

/**
 * The seat that played a card of the trick; of a field, only the owner of the top cards is known.
 *
 * @param {Zone} zone @param {number} at @param {any} position
 */
function whoPlayed(zone, at, position) {
  if (zone.seats) return zone.seats[at] < 0 ? BLANK : seatName(zone.seats[at], position);
  const isTop = at === zone.cards.length - 1 && typeof position.owner === "number";
  return isTop ? seatName(position.owner, position) : BLANK;
}

/** How many cards of one metal lie on top. @param {string[]} cards */
function topRun(cards) {
  const top = cards.at(-1);
  let run = 0;
  while (run < cards.length && cards[cards.length - 1 - run] === top) run += 1;
  return run;
}

/** In force is nothing any more; of a game that is played, the panel says so. */
function Over() {
  return playing.value === null && html`<p class="in-force"><strong>${say("board.over")}</strong></p>`;
}

/** The rules in force of a game that the page knows from the service alone. @param {Shared} props */
function Ruled({ position }) {
  const ruled = gameOf(position.game)?.ruled?.(position) ?? [];
  return (
    ruled.length > 0 &&
    html`<p class="in-force">${ruled.map(
      ([label, word]) => html`<span key=${label}>${label} <strong>${word}</strong></span> `,
    )}</p>`
  );
}
