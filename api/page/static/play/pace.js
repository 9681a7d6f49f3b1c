/** The choice of how fast the others move. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { Choice } from "../parts/choice.js";
import { pace } from "./match.js";

const PACES = [0, 500, 1200]; // milliseconds between two moves of others

export function Pace() {
  return html`<${Choice}
    label=${say("play.pace")}
    value=${pace.value}
    onChange=${(/** @type {string} */ text) => (pace.value = Number(text))}
    of=${PACES.map((one, at) => [one, say(`pace.${at}`)])}
  />`;
}
