/** What comes first in the panel, before the open tab: a line that is shown, or the moves with the chosen cards. */
import { computed, html } from "../core/html.js";
import { table } from "../core/table.js";
import { deckOf } from "../cards/faces.js";
import { Chosen, isRiddle } from "./choices.js";
import { Film, board, film } from "./film.js";
import { picked } from "./picking.js";

const isChoosing = computed(() => picked.value.length > 0 && table.value.moves.length > 0 && !isRiddle());

/** Whether anything comes first. On a phone it takes the place of the open tab: so it covers no card of the table. */
export const isBusy = computed(() => film.value !== null || isChoosing.value);

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
