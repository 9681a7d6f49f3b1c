/** The suits or metals that other seats are known not to hold, for players who do not remember every trick. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { deckOf } from "../cards/faces.js";
import { gameOf } from "../games/index.js";
import { seatName } from "../games/shared.js";
import { draft, setField } from "./draft.js";

/** @param {{position: any}} props */
export function Voids({ position }) {
  const game = gameOf(position.game);
  const kinds = game?.kinds?.(deckOf(position)) ?? [];
  if (!game || !kinds.length || !("gone" in position)) return null;
  const others = Array.from({ length: game.players(position) }, (_, seat) => seat).filter(
    (seat) => seat !== position.seat,
  );
  const told = Object.values(position.voids ?? {}).flat().length;
  return html`<details class="voids" open=${told > 0}>
    <summary>${say("voids.title")} ${told > 0 && html`<span class="count">${told}</span>`}</summary>
    ${others.map((seat) => html`<${Seat} key=${seat} seat=${seat} kinds=${kinds} position=${position} />`)}
  </details>`;
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
