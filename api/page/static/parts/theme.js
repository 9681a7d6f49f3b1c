/** Light or dark: as the system says, or as the visitor does. */
import { effect, html } from "../core/html.js";
import { keptSignal } from "../core/kept.js";
import { say } from "../core/words.js";

const theme = keptSignal("theme", "");

effect(() => {
  if (theme.value) document.documentElement.dataset.theme = theme.value;
  else delete document.documentElement.dataset.theme;
});

export function ThemeChoice() {
  return html`<select class="quiet" aria-label=${say("theme.label")} value=${theme.value} onChange=${(/** @type {any} */ event) => (theme.value = event.target.value)}>
    <option value="">${say("theme.system")}</option><option value="light">${say("theme.light")}</option><option value="dark">${say("theme.dark")}</option>
  </select>`;
}
