/** The place that is being filled, large, above the cards of the deck; a click on one of its cards removes it. */
import { html } from "../core/html.js";
import { valueAt } from "../core/paths.js";
import { isSaid, say } from "../core/words.js";
import { Back, Card } from "../cards/card.js";
import { deckOf, nameOf } from "../cards/faces.js";
import { gameOf } from "../games/index.js";
import { seatName } from "../games/shared.js";
import { Chips } from "../parts/chips.js";
import { advance, asked, countOf, draft, faults, goal, lacking, restart, setField, sizes, take } from "./draft.js";
import { trickNow } from "./draft.js";
import { messageOf } from "./faults.js";
import { optionsOf } from "./fields.js";
import { refusal } from "./palette.js";
import { columnsOf, indexOf, isWithin, shortTitleOf, titleOf } from "./zone.js";

const ROW = 15; // cards per row, which overlap where space is short
const FEW = 10; // this few numbers are shown side by side

export function Tray() {
  const zone = goal.value;
  const position = draft.value;
  if (asked.value) return html`<${Asking} field=${asked.value} position=${position} />`;
  if (!zone) return null;
  const deck = deckOf(position);
  const own = faults.value.filter((fault) => isWithin(fault.path, zone.path));
  const bad = new Set(own.map((fault) => indexOf(fault.path, zone.path)));
  const open = lacking(zone);
  const name = titleOf(zone, position);
  const game = /** @type {import("../games/index.js").Drawn} */ (gameOf(position.game));
  const late = game.starts.find((start) => start.name === "seen");
  const isFresh = !position.history?.length; // else the finished tricks show how many are left
  const counted = Object.values(zone.counted ?? {}).filter((path) => valueAt(position, path) > 0);
  const isHalf = isFresh && zone.kind === "hand" && sizes.value?.[zone.path] && open > 0 && zone.cards.length > 0;
  return html`<section class="tray" aria-label=${name}>
    <h2>
      ${zone.ask ?? shortTitleOf(zone, position)}
      <span class="hinted">${!refusal.value && toldOf(zone)}<span role="status">${refusal}</span></span>
      ${
        isHalf &&
        late &&
        html`<button type="button" class="quiet small"
        onClick=${() => {
          restart(late, game.players(position));
          advance();
        }}>${say("setup.fewer")}</button>`
      }
    </h2>
    <div class="cards" style=${{ "--columns": columnsOf(zone.cards.length + open, ROW) }}>
      ${zone.cards.map(
        (card, index) => html`<div class="slot" key=${`${index}-${card}`}>
          ${zone.seats && html`<span class="slot-seat">${seatName(zone.seats[index], position)}</span>`}
          <${Card}
            deck=${deck}
            card=${card}
            tone=${bad.has(index) ? "wrong" : ""}
            title=${say("setup.takeBackOf", { card: nameOf(deck, card) })}
            onPick=${() => take(zone.path, index)}
          />
        </div>`,
      )}
      ${Array.from({ length: Math.max(open, zone.cards.length ? 0 : 1) }, (_, at) => {
        const label = say("zone.empty", { zone: name });
        return html`<${Back} key=${`open-${at}`} empty next=${at === 0} label=${label} />`;
      })}
    </div>
    ${counted.map((path) => {
      const n = valueAt(position, path);
      return html`<p class="hinted" role="status">${say(`counted.${path}`, { n })}
        <button type="button" class="quiet small" onClick=${() => setField(path, n - 1)}>${say("counted.less")}</button>
      </p>`;
    })}
    ${own.map((fault) => html`<p class="fault" role="alert">${messageOf(fault, position)}</p>`)}
  </section>`;
}

/** How full a place is; of a later hand, how many tricks are over. @param {import("../games/index.js").Zone} zone */
function toldOf(zone) {
  const isLater = zone.kind === "hand" && trickNow.value > 0;
  return isLater ? say("zone.over", { n: trickNow.value - 1 }) : countOf(zone);
}

/** A field that is asked for. @param {{field: import("../games/index.js").Field, position: any}} props */
function Asking({ field, position }) {
  const { path, kind, value, least = 0, most = 9 } = field;
  const title = titleOf(field, position);
  const set = (/** @type {any} */ is) => setField(path, is);
  const answer = (/** @type {any} */ is) => {
    set(is);
    advance();
  };
  const isLong = kind === "number" && most - least >= FEW;
  const numbers = Array.from({ length: most - least + 1 }, (_, at) => [least + at, least + at]);
  const words = optionsOf(field, position).map(({ is, word }) => [is, plainly(path, is) || word]);
  const step = (/** @type {number} */ by, /** @type {string} */ name) => html`<button type="button"
    aria-label=${say(`number.${name}`)} disabled=${value + by < least || value + by > most}
    onClick=${() => set(value + by)}>${by < 0 ? "−" : "+"}</button>`;
  return html`<section class="tray" aria-label=${title}>
    <h2>${field.ask ?? shortTitleOf(field, position)}</h2>
    ${
      isLong
        ? html`<div class="row stepper">
        ${step(-1, "less")}
        <input type="number" aria-label=${title} min=${least} max=${most} value=${value}
          onChange=${(/** @type {any} */ event) => set(Number(event.target.value))} />
        ${step(1, "more")}
      </div>`
        : html`<${Chips} label=${title} options=${kind === "number" ? numbers : words} value=${value}
          onChange=${answer} />`
    }
  </section>`;
}

/** What a direction means; empty for other values. @param {string} path @param {any} is */
function plainly(path, is) {
  const key = `${path}.${is}.ranks`;
  return isSaid(key) && say(key);
}
