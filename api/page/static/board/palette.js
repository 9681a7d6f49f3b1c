/** The cards of the deck that lie nowhere yet, to be put into place, and the fields of the position. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { codeOf, deckOf } from "../cards/faces.js";
import { Card } from "../cards/card.js";
import { gameOf } from "../games/index.js";
import { seatName } from "../games/shared.js";
import { addPast, draft, dropPast, put, setField, target } from "./draft.js";
import { titleOf } from "./zone.js";

const MOST = 11; // cards in a row

export function Palette() {
  const position = draft.value;
  const game = gameOf(position?.game);
  if (!game) return null;
  const deck = deckOf(position);
  const zones = game.zones(position);
  const fields = game.fields(position);
  const used = new Map();
  const goal = zones.find((zone) => zone.path === target.value);
  for (const card of zones.filter((zone) => isElsewhere(zone, goal)).flatMap((zone) => zone.cards.map(codeOf))) {
    used.set(card, (used.get(card) ?? 0) + 1);
  }
  const suits = [...new Set(deck.cards.map((face) => face.suit ?? ""))];
  const row = Math.min(MOST, Math.max(...suits.map((suit) => deck.cards.filter((face) => (face.suit ?? "") === suit).length)));
  return html`<section class="palette" aria-label=${say("palette.title")}>
    <${Fields} fields=${fields.filter((field) => !isReading(field))} position=${position} />
    ${fields.some(isReading) && html`<details><summary>${say("readings")}</summary><${Fields} fields=${fields.filter(isReading)} position=${position} /></details>`}
    ${game.past && Array.isArray(position.history) && html`<${Tricks} game=${game} position=${position} />`}
    <label>${say("palette.into")}
      <select value=${target.value} onChange=${(/** @type {any} */ event) => (target.value = event.target.value)}>
        ${zones.map((zone) => html`<option value=${zone.path}>${titleOf(zone, position)}</option>`)}
      </select></label>
    ${suits.map(
      (suit) => html`<div class="cards" key=${suit} role="group" aria-label=${suit || say("palette.cards")} style=${{ "--row": row }}>
        ${deck.cards.filter((face) => (face.suit ?? "") === suit).map((face) => {
          const left = face.copies === null ? Infinity : face.copies - (used.get(face.card) ?? 0);
          const mark = face.copies === 1 || face.copies === null ? undefined : `×${Math.max(0, left)}`;
          return html`<${Card} key=${face.card} deck=${deck} card=${face.card} mark=${mark} disabled=${left <= 0 || !goal} onPick=${() => put(face.card)} />`;
        })}
      </div>`,
    )}
  </section>`;
}

/**
 * Whether a card that lies in a place cannot lie in another as well. What was taken or given of a trick and what is
 * known of a hand names cards that lie elsewhere; and cards of finished tricks lie in piles of what was won.
 *
 * @param {import("../games/index.js").Zone} zone @param {import("../games/index.js").Zone | undefined} goal
 */
function isElsewhere(zone, goal) {
  const names = (/** @type {string} */ path) => /^known\[|\.(taken|given)$/.test(path);
  const apart = [zone.path, goal?.path ?? ""].map((path) => (path.startsWith("won[") ? "won" : path.startsWith("history[") ? "past" : ""));
  return !names(zone.path) && !names(goal?.path ?? "") && (zone.path === goal?.path || new Set(apart).size === 1 || apart.includes(""));
}

/** The finished tricks: who led each, and buttons to add one or to drop it. @param {{game: import("../games/index.js").Drawn, position: any}} props */
function Tricks({ game, position }) {
  const { history } = position;
  const seats = position.won?.length ?? 4;
  const leads = history.map((/** @type {any} */ past, /** @type {number} */ at) => ({ path: `history[${at}].leader`, title: say("past.leader", { at: at + 1 }), kind: "seat", value: past.leader, most: seats }));
  return html`<details open=${history.length > 0}><summary>${say("past.title")} <span class="count">${history.length}</span></summary>
    <p class="hinted">${say("past.why")}</p>
    ${leads.map((/** @type {any} */ field, /** @type {number} */ at) => html`<div class="row" key=${field.path}><${Fields} fields=${[field]} position=${position} />
      <button type="button" class="quiet small" onClick=${() => dropPast(at)}>${say("past.drop", { at: at + 1 })}</button></div>`)}
    <button type="button" onClick=${() => addPast(game.past?.(position.leader))}>${say("past.add")}</button>
  </details>`;
}

/** Whether a field is a reading of the rules. @param {import("../games/index.js").Field} field */
function isReading(field) {
  return field.path.startsWith("rules.");
}

/** @param {{fields: import("../games/index.js").Field[], position: any}} props */
function Fields({ fields, position }) {
  return html`<div class="row fields">
    ${fields.map(({ path, title, kind, value, choices = [], least = 0, most = 9 }) => {
      if (kind === "flag") {
        return html`<label key=${path} class="tick"><input type="checkbox" checked=${value} onChange=${(/** @type {any} */ event) => setField(path, event.target.checked)} /> ${title}</label>`;
      }
      if (kind === "number") {
        return html`<label key=${path}>${title} <input type="number" min=${least} max=${most} value=${value} onChange=${(/** @type {any} */ event) => setField(path, Number(event.target.value))} /></label>`;
      }
      const options = kind === "seat" ? Array.from({ length: most }, (_, at) => ({ is: at, word: seatName(at, position) })) : choices.map((is) => ({ is, word: say(`${path === "field" ? "fieldname" : path}.${is}`) }));
      return html`<label key=${path}>${title} <select value=${value} onChange=${(/** @type {any} */ event) => setField(path, kind === "seat" ? Number(event.target.value) : event.target.value)}>
        ${options.map(({ is, word }) => html`<option value=${is}>${word}</option>`)}</select></label>`;
    })}
  </div>`;
}
