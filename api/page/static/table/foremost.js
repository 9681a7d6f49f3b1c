/** What comes first in the panel, before the open tab: a line that is shown, or the moves with the chosen cards. */
import { computed, html } from "../core/html.js";
import { deckOf } from "../cards/faces.js";
import { Chosen, isChoosing, near } from "./choices.js";
import { Film, board, film } from "./film.js";

/** Whether anything comes first. On a phone it takes the place of the open tab: so it covers no card of the table. */
export const isBusy = computed(() => film.value !== null || (isChoosing.value && !near.value.length));

export function Foremost() {
  const { laid: position } = board.value;
  if (!isBusy.value) return null;
  return html`<div class="foremost">
    ${
      film.value
        ? html`<${Film} deck=${deckOf(position)} />`
        : html`<${Chosen} deck=${deckOf(position)} position=${position} />`
    }
  </div>`;
}
