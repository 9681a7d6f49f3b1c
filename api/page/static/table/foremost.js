/**
 * What comes first in the panel, before the open tab: the moves with the chosen cards or, on a phone, a line that is
 * shown.
 */
import { computed, html } from "../core/html.js";
import { wide } from "../core/panel.js";
import { deckOf } from "../cards/faces.js";
import { Chosen, isChoosing, near } from "./choices.js";
import { Film, board, film } from "./film.js";

/** Whether it shows moves that are played through. */
export const showsFilm = computed(() => film.value !== null && !wide.value);
/** Whether anything comes first. On a phone it takes the place of the open tab: so it covers no card of the table. */
export const isBusy = computed(() => showsFilm.value || (isChoosing.value && !near.value.length));

export function Foremost() {
  const { laid: position } = board.value;
  if (!isBusy.value) return null;
  return html`<div class="foremost">
    ${
      showsFilm.value
        ? html`<${Film} deck=${deckOf(position)} />`
        : html`<${Chosen} deck=${deckOf(position)} position=${position} />`
    }
  </div>`;
}
