/** The board while a position is set up: every place of it, empty ones too, and what is wrong in each. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { deckOf, nameOf } from "../cards/faces.js";
import { gameOf } from "../games/index.js";
import { draft, take, target, wrong } from "./draft.js";
import { Faults } from "./faults.js";
import { ZoneView, isWithin } from "./zone.js";

export function Editor() {
  const position = draft.value;
  const game = gameOf(position?.game);
  if (!game) return null;
  const deck = deckOf(position);
  const zones = game.zones(position);
  const faults = wrong.value?.faults ?? [];
  const shown = faults.filter((fault) => zones.some((zone) => isWithin(fault.path, zone.path))).map((fault) => fault.path);
  return html`<div class="board editor" data-game=${position.game}>
    <${Faults} found=${wrong.value} but=${shown} />
    ${zones.map(
      (zone) => html`<${ZoneView} key=${zone.path} zone=${zone} named=${zones.filter((one) => one.title === zone.title).length > 1} deck=${deck} position=${position} faults=${faults}
        isTarget=${target.value === zone.path} onTarget=${() => (target.value = zone.path)}
        card=${(/** @type {number} */ index) => ({
          onPick: () => take(zone.path, index),
          label: say("setup.takeBack"),
          title: say("setup.takeBackOf", { card: nameOf(deck, zone.cards[index]) }),
        })} />`,
    )}
  </div>`;
}
