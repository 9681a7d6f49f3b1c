/** What belongs to the table but is needed now and then: below it at a desk, at the end of the sheet on a phone. */
import { html } from "../core/html.js";
import { toSight, wide } from "../core/panel.js";
import { goTo, path, tree } from "../core/session.js";
import { table } from "../core/table.js";
import { toEnd } from "../core/tree.js";
import { say } from "../core/words.js";
import { deckOf } from "../cards/faces.js";
import { Told } from "../cards/told.js";
import { gameOf } from "../games/index.js";
import { Otherwise } from "./anyway.js";
import { All } from "./choices.js";
import { Film, board, film } from "./film.js";
import { ViewSwitch } from "./switch.js";
import { ZoneView } from "./zone.js";

/** @typedef {import("../games/index.js").Zone} Zone */

export function Foot() {
  const { laid: position } = board.value;
  const game = gameOf(position?.game);
  if (!game) return null;
  const deck = deckOf(position);
  if (film.value) return wide.value && html`<div class="board-foot"><${Film} deck=${deck} /></div>`;
  const extras = game.extras(position);
  return html`<div class="board-foot">
    <${All} deck=${deck} position=${table.value.laid} />
    <${Otherwise} />
    <${Steps} />
    ${extras.length > 0 && html`<${Extras} extras=${extras} />`}
    <${ViewSwitch} />
    <${Past} position=${position} deck=${deck} zones=${game.zones(position)} />
  </div>`;
}

/** @param {{extras: [string, string][]}} props */
function Extras({ extras }) {
  return html`<dl class="facts">
    ${extras.map(([name, value]) => html`<div key=${name + value}><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

/** Buttons to step through the moves made. */
function Steps() {
  const made = path.value.length;
  const end = toEnd(tree.value, path.value);
  if (!end.length) return null;
  return html`<div class="steps" role="group" aria-label=${say("steps.group")}>
    <${Step} to=${[]} off=${!made} word="first" sign="«" />
    <${Step} to=${path.value.slice(0, -1)} off=${!made} word="back" sign="‹" />
    <span class="steps-at">${say("steps.at", { at: made, all: end.length })}</span>
    <${Step} to=${end.slice(0, made + 1)} off=${end.length === made} word="forward" sign="›" />
    <${Step} to=${end} off=${end.length === made} word="last" sign="»" />
  </div>`;
}

/** @param {{to: number[], off: boolean, word: string, sign: string}} props */
function Step({ to, off, word, sign }) {
  const name = say(`steps.${word}`);
  return html`<button type="button" aria-label=${name} title=${name} disabled=${off} onClick=${() => goTo(to)}>
    ${sign}
  </button>`;
}

/**
 * The finished tricks, the last one first, each with its winner and what the winner took and gave.
 *
 * @param {{position: any, deck: any, zones: Zone[]}} props
 */
function Past({ position, deck, zones }) {
  const past = zones.filter((zone) => zone.past && zone.cards.length);
  const tricks = past.filter((zone) => zone.kind === "trick").toReversed();
  if (!tricks.length) return null;
  /** @param {any} event */
  const show = ({ currentTarget: { open, children } }) => open && toSight(children[1]); // the last trick
  return html`<details class="past" onToggle=${show}>
    <summary>${say("board.past", { n: tricks.length })}</summary>
    ${tricks.map(
      (trick) => html`<div class="past-trick" key=${trick.path}>
        <${ZoneView} zone=${trick} deck=${deck} position=${position} heading="h3" />
        ${past
          .filter((zone) => zone.past === trick.past && zone.deed)
          .map((zone) => html`<p class="hinted" key=${zone.path}><${Told} deck=${deck}
            text=${say("labelled", { label: say(`board.${zone.deed}`), text: zone.cards.join(" ") })} /></p>`)}
      </div>`,
    )}
  </details>`;
}
