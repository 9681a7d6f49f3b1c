/** The suits or metals that other seats are known not to hold, for players who do not remember every trick. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { seatName, seatsFrom } from "../games/shared.js";
import { draft, setField } from "./draft.js";

/** @param {{position: any, kinds: [string, string][]}} props as in positions, and in words */
export function Voids({ position, kinds }) {
  const [, ...others] = seatsFrom(position);
  return html`<p class="hinted">${say("voids.why")}</p>
    ${others.map((seat) => html`<${Seat} key=${seat} seat=${seat} kinds=${kinds} position=${position} />`)}`;
}

/** @param {{seat: number, kinds: [string, string][], position: any}} props */
function Seat({ seat, kinds, position }) {
  const name = say("voids.seat", { seat: seatName(seat, position) });
  const none = /** @type {string[]} */ (position.voids?.[seat] ?? []);
  /** Read the current draft: two quick taps can come before the page is redrawn. @param {string} kind */
  const toggle = (kind) => {
    const now = /** @type {string[]} */ (draft.value?.voids?.[seat] ?? []);
    const left = now.includes(kind) ? now.filter((one) => one !== kind) : [...now, kind];
    setField(`voids.${seat}`, left.length ? left : undefined);
  };
  return html`<div class="row" role="group" aria-label=${name}>
    <span>${name}</span>
    <span class="chips">
      ${kinds.map(
        ([kind, word]) => html`<button
          type="button"
          class="chip"
          key=${kind}
          aria-pressed=${none.includes(kind)}
          onClick=${() => toggle(kind)}
        >
          ${word}
        </button>`,
      )}
    </span>
  </div>`;
}
