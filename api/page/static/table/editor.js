/** The table while a position is set up: the number of players, and every place with its cards and gaps. */
import { html, useEffect, useRef } from "../core/html.js";
import { toSight } from "../core/panel.js";
import { say } from "../core/words.js";
import { Back, Card } from "../cards/card.js";
import { deckOf, nameOf } from "../cards/faces.js";
import { Chips } from "../parts/chips.js";
import { gameOf, startOf } from "../games/index.js";
import { seatName } from "../games/shared.js";
import { draft, lacking, restart, sizes, take, target, wrong, zones } from "./draft.js";
import { Faults, isOpen } from "./faults.js";
import { Fields } from "./fields.js";
import { columnsOf } from "./hand.js";
import { indexOf, isWithin, titleOf } from "./zone.js";

const ROW = 14; // cards per row, which overlap where space is short

export function Editor() {
  const position = draft.value;
  const game = gameOf(position?.game);
  if (!game) return null;
  const all = zones.value;
  const faults = (wrong.value?.faults ?? []).filter((fault) => !isOpen(fault));
  const others = faults.filter((fault) => !all.some((zone) => isWithin(fault.path, zone.path)));
  const fields = game.fields(position).filter((field) => !field.more);
  const apart = fields.filter(({ at }) => !all.some((zone) => zone.path === at));
  const isMinor = (/** @type {import("../games/index.js").Field} */ { kind }) => kind === "number" || kind === "flag";
  return html`<div class="board editor" data-game=${position.game}>
    <p class="hinted how">${say(taskOf(position))}</p>
    <div class="row fields">
      <${Kinds} game=${game} position=${position} />
      <${Fields} fields=${apart.filter((field) => !isMinor(field))} position=${position} />
    </div>
    <${Faults} found=${{ faults: others }} position=${position} />
    <div class="places">
      ${all.map(
        (zone) => html`<${Place} key=${zone.path} zone=${zone} position=${position} faults=${faults}
          fields=${fields.filter(({ at }) => at === zone.path)} />`,
      )}
    </div>
    <div class="row fields"><${Fields} fields=${apart.filter(isMinor)} position=${position} /></div>
  </div>`;
}

/** The next thing to do, as the key of a sentence. @param {any} position */
function taskOf(position) {
  const start = startOf(position);
  if ("hands" in position || start?.name === "free") return "mine.known";
  return start && start.name !== "seen" ? `mine.${position.game}` : "mine.late";
}

/**
 * What is set up, and for how many players; both can be changed on the way.
 *
 * @param {{game: import("../games/index.js").Drawn, position: any}} props
 */
function Kinds({ game, position }) {
  const now = startOf(position);
  if (!now) return null;
  const [least, most] = now.players;
  const players = game.players(position);
  const starts = game.starts.filter((start) => !start.rare || start === now);
  const counts = Array.from({ length: most - least + 1 }, (_, at) => least + at);
  return html`<${Chips} label=${say("setup.kind")} options=${starts.map((start) => [start, start.title])} value=${now}
      onChange=${(/** @type {any} */ start) => restart(start, players)} />
    ${
      counts.length > 1 &&
      html`<${Chips} label=${say("setup.players")} labelled options=${counts.map((count) => [count, count])}
      value=${players} onChange=${(/** @type {number} */ count) => restart(now, count)} />`
    }`;
}

/**
 * A place with its cards; a click removes one.
 *
 * @param {{zone: any, position: any, faults: any[], fields: import("../games/index.js").Field[]}} props
 */
function Place({ zone, position, faults, fields }) {
  const deck = deckOf(position);
  const on = target.value === zone.path;
  const own = faults.filter((fault) => isWithin(fault.path, zone.path));
  const bad = new Set(own.map((fault) => indexOf(fault.path, zone.path)));
  const open = lacking(zone);
  const size = sizes.value?.[zone.path];
  const name = titleOf(zone, position);
  const choose = () => (target.value = zone.path);
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (on) toSight(place.current);
  }, [on]);
  return html`<section class=${`place ${on ? "target" : ""}`} aria-label=${name} ref=${place} onClick=${choose}>
    <h2>
      ${name}
      <span class="hinted">${size ? say("place.of", { n: zone.cards.length, size }) : zone.cards.length || ""}</span>
      ${!on && html`<button type="button" class="quiet small" onClick=${choose}>${say("setup.toTarget")}</button>`}
    </h2>
    <div class="cards" style=${{ "--columns": columnsOf(zone.cards.length + open, ROW) }}>
      ${zone.cards.map(
        (/** @type {string} */ card, /** @type {number} */ index) => html`<div class="slot" key=${`${index}-${card}`}>
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
        return html`<${Back} key=${`open-${at}`} empty next=${on && at === 0} label=${label} />`;
      })}
    </div>
    ${own.map((fault) => html`<p class="fault" role="alert">${fault.message}</p>`)}
    ${fields.length > 0 && html`<div class="row fields"><${Fields} fields=${fields} position=${position} /></div>`}
  </section>`;
}
