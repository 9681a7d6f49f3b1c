/** The position of a puzzle on paper: what is in force, and its cards. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { ZoneView, titleOf } from "../table/zone.js";
import { Card } from "../cards/card.js";
import { codeOf } from "../cards/faces.js";
import { Named } from "../cards/paper.js";
import { gameOf } from "../games/index.js";
import { seatName } from "../games/shared.js";
import { isTrickFull } from "./question.js";

/** @typedef {import("../games/index.js").Zone} Zone */

/**
 * @param {object} props
 * @param {import("./store.js").Puzzle} props.puzzle
 * @param {import("../cards/faces.js").Deck} props.deck
 */
export function Laid({ puzzle, deck }) {
  const { to_move: toMove, derived: lies } = puzzle;
  const position = { ...lies, won: undefined, ...puzzle.position }; // What is won is seen from the tricks.
  if (puzzle.ask === "compound")
    return html`<div class="cards">
      ${position.cards.map((/** @type {string} */ card) => html`<${Card} deck=${deck} card=${card} />`)}</div>`;
  const game = gameOf(puzzle.game);
  const zones = game?.zones(position).filter((zone) => zone.cards.length) ?? [];
  const unseen = unseenOf(position, deck, zones);
  const open = zones.filter((zone) => !zone.past);
  const facts = [...(game?.facts(position) ?? [])];
  if (position.variant) facts.unshift([say("setup.kind"), say(`start.${position.variant}`)]);
  if (toMove !== undefined && !game?.sums) {
    facts.push([say(isTrickFull(position) ? "field.wonBy" : "field.turn"), seatName(toMove, position)]);
  }
  /** @param {Zone} zone */
  const draw = (zone) => {
    const title = zone.path === "stock" ? say("zone.stock.paper") : titleOf(zone, position);
    const titled = { ...zone, title, seat: undefined };
    return html`<${ZoneView} key=${zone.path} deck=${deck} position=${position} zone=${titled} />`;
  };
  return html`<dl class="facts">
    ${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    ${rowsOf(open).map((row) => html`<div class="seat-zones">${row.map(draw)}</div>`)}
    ${
      unseen.length > 0 &&
      html`<p class="rest"><b>${say("zone.unseen")}</b> <span class="count">${unseen.length}</span>
        ${unseen.map((card) => html` <${Named} deck=${deck} card=${card} />`)}</p>`
    }
    <div class="tricks">${tricksOf(zones).map(
      (parts) => html`<p><b>${parts[0].title}</b>
      ${parts.map((zone) => html`<${Part} zone=${zone} deck=${deck} position=${position} />`)}</p>`,
    )}</div>`;
}

/**
 * The cards played to a finished trick, or taken from it, or given.
 *
 * @param {{zone: Zone, deck: import("../cards/faces.js").Deck, position: any}} props
 */
function Part({ zone, deck, position }) {
  const { cards, deed, seats } = zone;
  return html`${deed && html` · ${say(`move.${deed}`)}`}
    ${cards.map(
      (card, at) => html` <span class="played">${seats && seatName(seats[at], position)}
      <${Named} deck=${deck} card=${card} /></span>`,
    )}`;
}

/** Zones in rows: one for each seat, and one for what lies before and after those. @param {Zone[]} zones */
function rowsOf(zones) {
  const seated = zones.findIndex((zone) => zone.seat !== undefined);
  const rows = /** @type {Map<unknown, Zone[]>} */ (new Map());
  zones.forEach((zone, at) => {
    const row = zone.seat ?? (at < seated ? "before" : "after");
    rows.set(row, [...(rows.get(row) ?? []), zone]);
  });
  return [...rows.values()];
}

/**
 * The finished tricks, each with the cards played, taken and given.
 *
 * @param {Zone[]} zones @returns {Zone[][]}
 */
function tricksOf(zones) {
  const found = new Map();
  for (const zone of zones.filter((one) => one.past)) {
    found.set(zone.past, [...(found.get(zone.past) ?? []), zone]);
  }
  return [...found.values()];
}

/**
 * The unseen cards, if the position is a view and the deck has one copy of each card.
 *
 * @param {any} position @param {import("../cards/faces.js").Deck} deck @param {Zone[]} zones
 */
function unseenOf(position, deck, zones) {
  if (position.seat === undefined || deck.cards.some((face) => face.copies !== 1)) return [];
  const seen = new Set(zones.flatMap((zone) => zone.cards.map(codeOf)));
  return deck.cards.map((face) => face.card).filter((card) => !seen.has(card));
}
