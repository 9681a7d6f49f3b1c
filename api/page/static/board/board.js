/** The board: the position on the table, seat by seat, and the moves that can be made in it. */
import { effect, html, untracked } from "../core/html.js";
import { refocus } from "../core/focus.js";
import { announce } from "../core/live.js";
import { goTo, path, text, tree } from "../core/session.js";
import { toEnd } from "../core/tree.js";
import { fault, table } from "../core/table.js";
import { say } from "../core/words.js";
import { spoken } from "../cards/card.js";
import { codeOf, deckOf } from "../cards/faces.js";
import { gameOf } from "../games/index.js";
import { isYou, seatName } from "../games/shared.js";
import { Choices } from "./choices.js";
import { Faults } from "./faults.js";
import { impliedBy, isPicked, pick, pickable } from "./picking.js";
import { advised, marks } from "./marks.js";
import { ViewSwitch } from "./switch.js";
import { ZoneView } from "./zone.js";

/** @typedef {import("../games/index.js").Zone} Zone */

let lastTold = "";

/** Say what is on the table whenever it changes, and hand on the focus of a card that was played. */
effect(() => {
  const { position, toMove, text } = table.value;
  if (!position || text === lastTold) return;
  lastTold = text;
  untracked(() => {
    const deck = deckOf(position);
    const lying = gameOf(position.game)?.zones(position).find((zone) => zone.kind === "trick" || zone.kind === "line");
    const cards = lying?.cards.length ? `${lying.title}: ${spoken(deck, lying.cards)}.` : "";
    const turn = toMove === null ? say("board.over") : say(isYou(toMove, position) ? "board.yourTurn" : "board.turn", { seat: seatName(toMove, position) });
    announce(`${cards} ${turn}`);
    requestAnimationFrame(() => setTimeout(() => refocus([".board .card.legal", ".choices summary"]), 50));
  });
});

export function Board() {
  const { position: whole, seen, toMove } = table.value;
  const position = seen ?? whole;
  const game = gameOf(position?.game);
  if (!game) foresee(text.value);
  if (!game) return fault.value ? html`<${Faults} found=${fault.value} />` : html`<p class="hinted">${say("board.loading")}</p>`;
  const deck = deckOf(position);
  const zones = game.zones(position).filter((zone) => !zone.quiet || zone.cards.length);
  const here = zones.filter((zone) => !zone.past);
  const past = zones.filter((zone) => zone.past);
  const seats = [...new Set(here.map((zone) => zone.seat).filter((seat) => seat !== undefined))];
  const shared = here.filter((zone) => zone.seat === undefined && zone.kind !== "pile");
  const piles = here.filter((zone) => zone.seat === undefined && zone.kind === "pile");
  const implied = impliedBy(position);
  /** @param {Zone} zone */
  const draw = (zone) => html`<${ZoneView} key=${zone.path} zone=${zone} deck=${deck} position=${position} card=${cardOf(zone)} heading=${zone.seat === undefined ? "h2" : "h3"} />`;
  /** @param {Zone} zone @returns {(index: number) => object} */
  const cardOf = (zone) => (index) => {
    const one = { path: zone.path, index, card: zone.cards[index] };
    const turn = zone.moves && (zone.seat === undefined || zone.seat === toMove);
    if (!turn || !table.value.moves.length || !pickable(deck, one)) return {};
    return { onPick: () => pick(deck, one, implied), pressed: isPicked(one), tone: advised.value.includes(codeOf(one.card)) ? "legal best" : "legal", mark: marks.value.get(one.card) };
  };
  return html`<div class="board" data-game=${position.game}>
    <${Faults} found=${fault.value} />
    <div class="board-head">
      <dl class="facts">${game.facts(position).map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
      <${ViewSwitch} />
    </div>
    <${Steps} />
    <div class="middle">${shared.map(draw)}</div>
    <${Choices} deck=${deck} position=${position} />
    ${seats.map(
      (seat) => html`<section key=${seat} class=${`seat ${seat === toMove ? "to-move" : ""} ${here.some((zone) => zone.seat === seat && zone.kind === "hand") ? "" : "slim"}`} aria-label=${seatName(seat, position)}>
        <h2 class="seat-name">${seatName(seat, position)} ${seat === toMove ? html`<span class="badge">${say("board.toMove")}</span>` : null}</h2>
        <div class="seat-zones">${here.filter((zone) => zone.seat === seat).map(draw)}</div>
      </section>`,
    )}
    ${piles.map(draw)}
    ${past.length ? html`<details class="past"><summary>${say("board.past", { n: past.filter((zone) => zone.kind === "trick").length })}</summary>${past.map(draw)}</details>` : null}
  </div>`;
}

/** Ask for the deck of a line that is still being read, so that its cards need not wait for that. @param {string} line */
function foresee(line) {
  const [game, variant] = line.split(" ");
  if (gameOf(game) && !line.includes(" deck=")) deckOf({ game, variant });
}

/** Back and forward among the moves that were made. */
function Steps() {
  const made = path.value.length;
  const end = toEnd(tree.value, path.value);
  if (!end.length) return null;
  return html`<div class="steps" role="group" aria-label=${say("steps.group")}>
    <button type="button" disabled=${!made} onClick=${() => goTo([])}>${say("steps.first")}</button>
    <button type="button" disabled=${!made} onClick=${() => goTo(path.value.slice(0, -1))}>${say("steps.back")}</button>
    <span class="steps-at">${say("steps.at", { at: made, all: end.length })}</span>
    <button type="button" disabled=${end.length === made} onClick=${() => goTo(end.slice(0, made + 1))}>${say("steps.forward")}</button>
    <button type="button" disabled=${end.length === made} onClick=${() => goTo(end)}>${say("steps.last")}</button>
  </div>`;
}
