/** The cards of the deck that lie nowhere yet, to be put into place, and the fields of the position. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { codeOf, deckOf } from "../cards/faces.js";
import { Card } from "../cards/card.js";
import { gameOf } from "../games/index.js";
import { seatName } from "../games/shared.js";
import { draft, put, setField, target } from "./draft.js";
import { titleOf } from "./zone.js";

export function Palette() {
  const position = draft.value;
  const game = gameOf(position?.game);
  if (!game) return null;
  const deck = deckOf(position);
  const zones = game.zones(position);
  const fields = game.fields(position);
  const used = new Map();
  for (const card of zones.filter((zone) => !zone.path.startsWith("known[")).flatMap((zone) => zone.cards.map(codeOf))) {
    used.set(card, (used.get(card) ?? 0) + 1);
  }
  const goal = zones.find((zone) => zone.path === target.value);
  const suits = [...new Set(deck.cards.map((face) => face.suit ?? ""))];
  return html`<section class="palette" aria-label=${say("palette.title")}>
    <${Fields} fields=${fields.filter((field) => !isReading(field))} position=${position} />
    ${fields.some(isReading) && html`<details><summary>${say("readings")}</summary><${Fields} fields=${fields.filter(isReading)} position=${position} /></details>`}
    <label>${say("palette.into")}
      <select value=${target.value} onChange=${(/** @type {any} */ event) => (target.value = event.target.value)}>
        ${zones.map((zone) => html`<option value=${zone.path}>${titleOf(zone, position)}</option>`)}
      </select></label>
    ${suits.map(
      (suit) => html`<div class="cards" key=${suit} role="group" aria-label=${suit || say("palette.cards")}>
        ${deck.cards.filter((face) => (face.suit ?? "") === suit).map((face) => {
          const left = face.copies === null ? Infinity : face.copies - (used.get(face.card) ?? 0);
          const mark = face.copies === 1 || face.copies === null ? undefined : `×${Math.max(0, left)}`;
          return html`<${Card} key=${face.card} deck=${deck} card=${face.card} mark=${mark} disabled=${left <= 0 || !goal} onPick=${() => put(face.card)} />`;
        })}
      </div>`,
    )}
  </section>`;
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
