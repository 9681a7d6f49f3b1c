/** The cards of the deck that have no place yet. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { codeOf, deckOf } from "../cards/faces.js";
import { Card } from "../cards/card.js";
import { gameOf } from "../games/index.js";
import { addPast, draft, dropPast, isFilled, put, target, zones } from "./draft.js";
import { Fields } from "./fields.js";
import { SuitRows } from "./suits.js";
import { Voids } from "./voids.js";
import { titleOf } from "./zone.js";

/** @typedef {import("../games/index.js").Zone} Zone */

export function Palette() {
  const position = draft.value;
  const game = gameOf(position?.game);
  if (!game) return null;
  const deck = deckOf(position);
  const goal = zones.value.find((zone) => zone.path === target.value);
  const used = usedBeside(goal);
  const more = game.fields(position).filter((field) => field.more);
  return html`<section class="palette" aria-label=${say("palette.title")}>
    <${SuitRows} deck=${deck} draw=${(/** @type {any} */ face) => html`<${Offered} key=${face.card} face=${face}
      deck=${deck} used=${used} goal=${goal} />`} />
    ${zones.value.length > 1 && html`<${Into} position=${position} />`}
    ${game.past && Array.isArray(position.history) && html`<${Tricks} game=${game} position=${position} />`}
    <${Voids} position=${position} />
    ${
      more.length > 0 &&
      html`<details>
      <summary>${say("fields.more")}</summary>
      <${Fields} fields=${more} position=${position} />
    </details>`
    }
  </section>`;
}

/** A card of the deck. @param {{face: any, deck: any, used: Map<string, number>, goal: Zone | undefined}} props */
function Offered({ face, deck, used, goal }) {
  const left = face.copies === null ? Infinity : face.copies - (used.get(face.card) ?? 0);
  const many = face.copies !== 1 && face.copies !== null;
  return html`<${Card}
    deck=${deck}
    card=${face.card}
    mark=${many ? `×${Math.max(0, left)}` : undefined}
    disabled=${left <= 0 || !goal || isFilled(goal)}
    onPick=${() => put(face.card)}
  />`;
}

/** The choice of the place for the next card. @param {{position: any}} props */
function Into({ position }) {
  const choose = (/** @type {any} */ event) => (target.value = event.target.value);
  return html`<label>
    ${say("palette.into")}
    <select value=${target.value} onChange=${choose}>
      ${zones.value.map((zone) => html`<option value=${zone.path}>${titleOf(zone, position)}</option>`)}
    </select>
  </label>`;
}

/** How many copies of each card are in places that exclude the chosen one. @param {Zone | undefined} goal */
function usedBeside(goal) {
  const used = /** @type {Map<string, number>} */ (new Map());
  for (const zone of zones.value.filter((one) => excludes(one, goal))) {
    for (const card of zone.cards.map(codeOf)) used.set(card, (used.get(card) ?? 0) + 1);
  }
  return used;
}

/** Whether a card in a place can't be in another place too. @param {Zone} zone @param {Zone | undefined} goal */
function excludes(zone, goal) {
  if (zone === goal) return true;
  const layers = [zone.layer, goal?.layer];
  if (layers.includes("named")) return false;
  return !layers[0] || !layers[1] || layers[0] === layers[1];
}

/**
 * The finished tricks: who led each, and buttons to add or remove one.
 *
 * @param {{game: any, position: any}} props
 */
function Tricks({ game, position }) {
  const { history } = position;
  return html`<details open=${history.length > 0}>
    <summary>${say("past.title")} <span class="count">${history.length}</span></summary>
    <p class="hinted">${say("past.why")}</p>
    ${history.map((/** @type {any} */ past, /** @type {number} */ at) => {
      const title = say("past.leader", { at: at + 1 });
      const field = {
        path: `history[${at}].leader`,
        title,
        kind: "seat",
        value: past.leader,
        most: game.players(position),
      };
      return html`<div class="row" key=${at}>
        <${Fields} fields=${[field]} position=${position} />
        <button type="button" class="quiet small" onClick=${() => dropPast(at)}>
          ${say("past.drop", { at: at + 1 })}</button>
      </div>`;
    })}
    <button type="button" onClick=${() => addPast(game.past(position.leader))}>${say("past.add")}</button>
  </details>`;
}
