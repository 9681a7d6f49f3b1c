/** The place that is being filled, large, above the cards of the deck; a click on one of its cards removes it. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { Back, Card } from "../cards/card.js";
import { deckOf, nameOf } from "../cards/faces.js";
import { gameOf } from "../games/index.js";
import { seatName } from "../games/shared.js";
import { countOf, draft, faults, goal, lacking, restart, sizes, take } from "./draft.js";
import { columnsOf, indexOf, isWithin, titleOf } from "./zone.js";

const ROW = 14; // cards per row, which overlap where space is short

export function Tray() {
  const zone = goal.value;
  const position = draft.value;
  if (!zone) return null;
  const deck = deckOf(position);
  const own = faults.value.filter((fault) => isWithin(fault.path, zone.path));
  const bad = new Set(own.map((fault) => indexOf(fault.path, zone.path)));
  const open = lacking(zone);
  const name = titleOf(zone, position);
  const game = /** @type {import("../games/index.js").Drawn} */ (gameOf(position.game));
  const late = game.starts.find((start) => start.name === "seen");
  const isHalf = zone.kind === "hand" && sizes.value?.[zone.path] && open > 0 && zone.cards.length > 0;
  return html`<section class="tray" aria-label=${name}>
    <h2>
      ${name}
      <span class="hinted">${countOf(zone)}</span>
      ${
        isHalf &&
        late &&
        html`<button type="button" class="quiet small"
        onClick=${() => restart(late, game.players(position))}>${say("setup.fewer")}</button>`
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
    ${own.map((fault) => html`<p class="fault" role="alert">${fault.message}</p>`)}
  </section>`;
}
