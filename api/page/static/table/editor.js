/** The table while a position is set up: the number of players, and every place with its cards and gaps. */
import { html, useEffect, useRef } from "../core/html.js";
import { toSight } from "../core/panel.js";
import { say } from "../core/words.js";
import { Back, Card } from "../cards/card.js";
import { deckOf, nameOf } from "../cards/faces.js";
import { gameOf } from "../games/index.js";
import { draft, lacking, setPlayers, sizes, take, target, wrong, zones } from "./draft.js";
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
  const faults = wrong.value?.faults ?? [];
  const shown = faults.filter((fault) => all.some((zone) => isWithin(fault.path, zone.path)));
  return html`<div class="board editor" data-game=${position.game}>
    <p class="hinted how">${say(taskOf(position))}</p>
    <div class="row fields">
      <${Players} game=${game} position=${position} />
      <${Fields} fields=${game.fields(position).filter((field) => !field.more)} position=${position} />
    </div>
    <${Faults} found=${wrong.value} position=${position} but=${shown.map((fault) => fault.path)} />
    <div class="places">
      ${all.map((zone) => html`<${Place} key=${zone.path} zone=${zone} position=${position} faults=${faults} />`)}
    </div>
  </div>`;
}

/** The next thing to do, as the key of a sentence. @param {any} position */
function taskOf(position) {
  if ("hands" in position || position.variant === "free") return "mine.known";
  return isDealt(position) ? `mine.${position.game}` : "mine.late";
}

/** Whether only the dealt cards need to be entered. @param {any} position */
function isDealt(position) {
  return !("gone" in position) && (!sizes.value || Object.keys(sizes.value).length > 0);
}

/** The number of players, asked first. @param {{game: import("../games/index.js").Drawn, position: any}} props */
function Players({ game, position }) {
  const [start] = game.starts;
  const [least, most] = start.players;
  if (least === most || !isDealt(position)) return null;
  const now = game.players(position);
  return html`<div class="row" role="radiogroup" aria-label=${say("setup.players")}>
    <span>${say("setup.players")}</span>
    ${Array.from({ length: most - least + 1 }, (_, at) => least + at).map(
      (count) => html`<button
        type="button"
        role="radio"
        class="chip"
        key=${count}
        aria-checked=${count === now}
        onClick=${() => setPlayers(count)}
      >
        ${count}
      </button>`,
    )}
  </div>`;
}

/** A place with its cards; a click removes one. @param {{zone: any, position: any, faults: any[]}} props */
function Place({ zone, position, faults }) {
  const deck = deckOf(position);
  const on = target.value === zone.path;
  const own = faults.filter((fault) => isWithin(fault.path, zone.path));
  const bad = new Set(own.filter((fault) => !isOpen(fault)).map((fault) => indexOf(fault.path, zone.path)));
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
        (/** @type {string} */ card, /** @type {number} */ index) => html`<${Card}
          key=${`${index}-${card}`}
          deck=${deck}
          card=${card}
          tone=${bad.has(index) ? "wrong" : ""}
          title=${say("setup.takeBackOf", { card: nameOf(deck, card) })}
          onPick=${() => take(zone.path, index)}
        />`,
      )}
      ${Array.from({ length: Math.max(open, zone.cards.length ? 0 : 1) }, (_, at) => {
        const label = say("zone.empty", { zone: name });
        return html`<${Back} key=${`open-${at}`} empty next=${on && at === 0} label=${label} />`;
      })}
    </div>
    ${own.map((fault) => {
      const open = isOpen(fault);
      return html`<p class=${open ? "hinted" : "fault"} role=${open ? "status" : "alert"}>${fault.message}</p>`;
    })}
  </section>`;
}
