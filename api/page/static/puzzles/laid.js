/** The position of a puzzle laid out on paper: what is in force, and its cards. */
import { html } from "../core/html.js";
import { ZoneView } from "../table/zone.js";
import { Card } from "../cards/card.js";
import { gameOf } from "../games/index.js";

/** @param {{puzzle: import("./store.js").Puzzle, deck: import("../cards/faces.js").Deck}} props */
export function Laid({ puzzle, deck }) {
  const { position } = puzzle;
  if (puzzle.ask === "compound")
    return html`<div class="cards">
      ${position.cards.map((/** @type {string} */ card) => html`<${Card} deck=${deck} card=${card} />`)}</div>`;
  const game = gameOf(puzzle.game);
  const zones = game?.zones(position).filter((zone) => zone.cards.length) ?? [];
  const past = zones.filter((zone) => zone.past);
  /** @param {import("../games/index.js").Zone} zone */
  const draw = (zone) =>
    html`<${ZoneView} key=${zone.path}
      zone=${{ ...zone, title: zone.seat === undefined ? zone.title : `${zone.title} ${zone.seat}` }}
        deck=${deck} position=${position} />`;
  return html`<dl class="facts">
    ${game?.facts(position).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    <div class="seat-zones">${zones.filter((zone) => !zone.past).map(draw)}</div>
    ${past.length ? html`<div class="past">${past.map(draw)}</div>` : null}`;
}
