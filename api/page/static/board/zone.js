/** A place of the board, with its cards, and with what is wrong with them. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { Back, Card } from "../cards/card.js";
import { seatName } from "../games/shared.js";

/** @typedef {import("../core/ask.js").FaultData} FaultData */

/**
 * @param {object} props
 * @param {import("../games/index.js").Zone} props.zone
 * @param {import("../cards/faces.js").Deck} props.deck
 * @param {any} props.position
 * @param {FaultData[]} [props.faults] of the whole position
 * @param {(index: number) => object} [props.card] further properties of each card
 * @param {() => void} [props.onTarget] while the position is set up: makes this the place where cards go
 * @param {boolean} [props.isTarget]
 * @param {boolean} [props.named] whether the title says whose place it is
 * @param {string} [props.heading] what the title is: a place within a seat stands below the seat's name
 */
export function ZoneView({ zone, deck, position, faults = [], card = () => ({}), onTarget, isTarget = false, heading = "h2", named = false }) {
  const own = faults.filter((fault) => isWithin(fault.path, zone.path));
  const wrong = new Set(own.map((fault) => indexOf(fault.path, zone.path)));
  return html`<section class=${`zone zone-${zone.kind} ${isTarget ? "target" : ""}`} aria-label=${titleOf(zone, position)}>
    <${heading} class="zone-title">
      ${named ? titleOf(zone, position) : zone.title}${zone.kind === "pile" || zone.kind === "hand" ? html` <span class="count">${zone.cards.length}</span>` : null}
      ${onTarget &&
      html` <button type="button" class="quiet small" aria-pressed=${isTarget} onClick=${onTarget}>${say(isTarget ? "setup.target" : "setup.toTarget")}</button>`}
    <//>
    <div class="cards">
      ${zone.cards.map(
        (one, index) => html`<div class="slot" key=${`${index}-${one}`}>
          ${zone.seats ? html`<span class="slot-seat">${seatName(zone.seats[index], position)}</span>` : null}
          <${Card} deck=${deck} card=${one} tone=${wrong.has(index) ? "wrong" : ""} ...${card(index)} />
        </div>`,
      )}
      ${!zone.cards.length ? html`<${Back} empty label=${say("zone.empty", { zone: titleOf(zone, position) })} onPick=${onTarget} />` : null}
    </div>
    ${own.map((fault) => html`<p class="fault" role="alert">${fault.message}</p>`)}
  </section>`;
}

/** @param {import("../games/index.js").Zone} zone @param {any} position */
export function titleOf(zone, position) {
  return zone.seat === undefined ? zone.title : `${seatName(zone.seat, position)}: ${zone.title}`;
}

/** Whether a fault's path lies in a place. @param {string} path @param {string} place */
export function isWithin(path, place) {
  return path === place || path.startsWith(`${place}[`) || path.startsWith(`${place}.`);
}

/** Which card a path names; -1 for none. @param {string} path @param {string} place */
export function indexOf(path, place) {
  const found = path.slice(place.length).match(/^\[(\d+)\]/);
  return found ? Number(found[1]) : -1;
}
