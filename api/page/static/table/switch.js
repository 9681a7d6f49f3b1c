/** The switch between all cards and one seat's view. */
import { html } from "../core/html.js";
import { go } from "../core/session.js";
import { seat, table } from "../core/table.js";
import { say } from "../core/words.js";
import { isYou, seatName } from "../games/shared.js";

export function ViewSwitch() {
  const { position, views } = table.value;
  if (!views) return null;
  const seats = position.hands?.length ?? (position.stock ? 1 : 0);
  if (!seats) return null;
  return html`<label class="mode">${say("mode.show")}
    <select value=${seat.value} onChange=${(/** @type {any} */ event) => go({ keys: { seat: event.target.value } })}>
      <option value="">${say("mode.all")}</option>
      ${Array.from(
        { length: seats },
        (_, at) => html`<option value=${at}>
        ${seats === 1 ? say("mode.hidden") : viewOf(at, position)}</option>`,
      )}
    </select>
  </label>`;
}

/** @param {number} seat @param {any} position */
function viewOf(seat, position) {
  return isYou(seat, position) ? say("mode.you") : say("mode.seat", { seat: seatName(seat, position) });
}
