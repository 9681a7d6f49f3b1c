/** Light or dark, and the language, as set by the system or the visitor; and whether cards make a sound. */
import { effect, html } from "../core/html.js";
import { sound } from "../core/feel.js";
import { keptSignal } from "../core/kept.js";
import { language, say, speak } from "../core/words.js";

const THEMES = { "": "theme.system", light: "theme.light", dark: "theme.dark" };

const theme = keptSignal("theme", "");

effect(() => {
  if (theme.value) document.documentElement.dataset.theme = theme.value;
  else delete document.documentElement.dataset.theme;
});

export function ThemeChoice() {
  const choose = (/** @type {any} */ event) => (theme.value = event.target.value);
  return html`<label>
    ${say("theme.label")}
    <select value=${theme.value} onChange=${choose}>
      ${Object.entries(THEMES).map(([name, words]) => html`<option value=${name}>${say(words)}</option>`)}
    </select>
  </label>`;
}

export function SoundChoice() {
  const choose = (/** @type {any} */ event) => (sound.value = event.target.checked);
  return html`<label class="tick">
    <input type="checkbox" checked=${sound.value} onChange=${choose} /> ${say("sound.label")}
  </label>`;
}

export function LanguageChoice() {
  const choose = (/** @type {any} */ event) => speak(event.target.value);
  const { languages = "" } = document.documentElement.dataset;
  return html`<label>
    ${say("lang.label")}
    <select value=${language} onChange=${choose}>
      ${languages.split(" ").map(
        (code) => html`<option value=${code} lang=${code}>${say(`lang.${code}`)}</option>`,
      )}
    </select>
  </label>`;
}
