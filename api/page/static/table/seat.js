/** A seat of the table: its player, the number of its cards, what it has won, and what it collects. */
import { html, useState } from "../core/html.js";
import { wide } from "../core/panel.js";
import { say } from "../core/words.js";
import { Card } from "../cards/card.js";
import { Icon } from "../cards/signs.js";
import { gameOf } from "../games/index.js";
import { isYou, placeOf, seatName } from "../games/shared.js";
import { board, turn } from "./film.js";
import { ZoneView, columnsOf, titleOf } from "./zone.js";

/** @typedef {import("../games/index.js").Zone} Zone */

/**
 * @typedef {object} Shared properties that every part of the table gets
 * @property {import("../cards/faces.js").Deck} deck
 * @property {any} position
 * @property {Zone[]} zones
 * @property {(zone: Zone) => (index: number) => object} card
 */

/** The places of the other seats, starting from the player's left, by their number. */
const PLACES = [
  [],
  ["top"],
  ["left", "right"],
  ["left", "top", "right"],
  ["left", "top-left", "top-right", "right"],
];

const ROOM = 6; // pixels between a button and what it opens

/** The other seats and their places round the table. @param {number} mine @param {number} players */
export function around(mine, players) {
  const places = PLACES[players - 1] ?? [];
  return places.map((place, at) => ({ seat: (mine + 1 + at) % players, place }));
}

/** A seat of another player. @param {Shared & {seat: number, place: string}} props */
export function Seat({ seat, place, ...shared }) {
  const { position, zones } = shared;
  const own = zones.filter((zone) => zone.seat === seat && zone.cards.length);
  const hand = own.find((zone) => zone.kind === "hand");
  const drawn = own.find((zone) => zone.lies === "drawn");
  const classes = `seat at-${place} ${turn.value === seat ? "to-move" : ""} ${hand ? "open" : ""}`;
  return html`<section class=${classes} data-seat=${seat} aria-label=${seatName(seat, position)}>
    <${Head} seat=${seat} hand=${hand} ...${shared} />
    ${hand && html`<${Fan} zone=${hand} ...${shared} />`}
    ${drawn && html`<${ZoneView} zone=${drawn} heading="h3" ...${shared} card=${shared.card(drawn)} />`}
  </section>`;
}

/**
 * The player of a seat, and its state; a known `hand` as a pile.
 *
 * @param {Shared & {seat: number, hand?: Zone}} props
 */
export function Head({ seat, hand, ...shared }) {
  const { position, deck, zones } = shared;
  const game = gameOf(position.game);
  const { toMove } = board.value;
  const left = game?.counts(position)[seat];
  const count = left === 0 && toMove === null ? undefined : left; // in the end there are none
  const isFirst = position.leader === seat || (position.turn === seat && !position.table?.length);
  const leads = isFirst && toMove !== null;
  const lead = isYou(seat, position) ? "seat.lead" : "seat.leads";
  const points = position.totals?.[placeOf(seat, position)];
  const since = position.points ? "seat.before" : "seat.points"; // those of this round are a note
  const own = zones.filter((zone) => zone.seat === seat && !zone.lies && ["pile", "single"].includes(zone.kind));
  return html`<div class="seat-head">
    <h2 class="seat-name">
      ${seatName(seat, position)}
      ${turn.value === seat ? html` <span class="badge">${say("board.toMove")}</span>` : null}
    </h2>
    <span class="seat-facts">
      ${(count ?? 0) > 0 && html`<span class="backs" style=${{ "--n": count }}></span>`}
      ${count !== undefined && html`<span class="left">${say("seat.left", { n: count })}</span>`}
      ${leads && html`<span class="leads">${say(lead)}</span>`}
      ${points !== undefined && html`<span class="points">${say(since, { n: points })}</span>`}
      ${hand && html`<${Pile} zone=${hand} ...${shared} />`}
      ${own
        .filter((zone) => zone.cards.length)
        .map((zone) => html`<${Pile} key=${zone.path} zone=${zone} ...${shared} />`)}
      <${Notes} notes=${game?.notes(position, seat, deck) ?? []} seat=${seat} />
    </span>
  </div>`;
}

/**
 * What a seat collects; a click shows all of it in words.
 *
 * @param {{notes: import("../games/index.js").Note[], seat: number}} props
 */
function Notes({ notes, seat }) {
  if (!notes.length) return null;
  const id = `notes-${seat}`;
  return html`${notes.map(
      ({ sign, words, brief, count, lacks, more }) => html`<button type="button" class="note" key=${words}
        popovertarget=${id} aria-label=${more} title=${more}>
        ${sign && html`<${Icon} name=${sign} />`} <span class="short" data-brief=${brief}>${words}</span>
        <span class="short count-of">${count}</span> <span class="long">${more}</span>
        ${lacks && html`<span class="lacks">${lacks}</span>`}
      </button>`,
    )}
    <div class="opened" id=${id} popover onBeforeToggle=${nearby}>
      ${notes.map(({ sign, more }) => html`<p key=${more}>${sign && html`<${Icon} name=${sign} />`} ${more}</p>`)}
    </div>`;
}

/** Cards won or set aside: their number, which opens them over the table. @param {Shared & {zone: Zone}} props */
export function Pile({ zone, deck, position, card }) {
  const id = `pile-${zone.path}`;
  const [open, setOpen] = useState(false);
  const named = { ...zone, title: titleOf(zone, position), seat: undefined };
  const n = zone.cards.length;
  const isOwn = zone.kind === "pile" && zone.seat !== undefined && isYou(zone.seat, position);
  return html`<button type="button" class=${`pile of-${zone.kind}`} popovertarget=${id}>
      ${zone.title} <span class="number">${isOwn && wide.value ? say("cards", { n }) : n}</span>
    </button>
    <div class="opened" id=${id} popover
      onBeforeToggle=${(/** @type {any} */ event) => {
        nearby(event);
        setOpen(event.newState === "open");
      }}>
      ${open && html`<${ZoneView} zone=${named} deck=${deck} position=${position} card=${card(zone)} heading="h3" />`}
    </div>`;
}

/** Place what opens beside its button, on the side with more room, and within the window. @param {any} event */
export function nearby({ currentTarget: { id, style } }) {
  const button = document.querySelector(`[popovertarget="${id}"]`)?.getBoundingClientRect();
  if (!button) return;
  const { left, right, top, bottom } = button;
  const above = top > innerHeight - bottom;
  const before = left > innerWidth - right;
  style.maxWidth = `min(560px, ${(before ? right : innerWidth - left) - ROOM}px)`;
  style.maxHeight = `${(above ? top : innerHeight - bottom) - 2 * ROOM}px`;
  style.inset = [
    above ? "auto" : `${bottom + ROOM}px`,
    before ? `${innerWidth - right}px` : "auto",
    above ? `${innerHeight - top + ROOM}px` : "auto",
    before ? "auto" : `${left}px`,
  ].join(" ");
}

const SHORT = 7; // cards per row at the side of the table, where there is little room

/** Cards side by side, overlapping if there are many. @param {Shared & {zone: Zone}} props */
export function Fan({ zone, deck, card }) {
  const draw = card(zone);
  const n = zone.cards.length;
  const style = { "--n": n, "--short": columnsOf(n, SHORT) };
  return html`<div class="cards fan" role="group" aria-label=${zone.title} style=${style}>
    ${zone.cards.map((one, at) => html`<${Card} key=${`${at}-${one}`} deck=${deck} card=${one} ...${draw(at)} />`)}
  </div>`;
}
