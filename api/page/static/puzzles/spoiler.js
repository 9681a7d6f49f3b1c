/** A question in place of a hint or an analysis that would give away the answer of the puzzle that is open. */
import { html } from "../core/html.js";
import { go } from "../core/session.js";
import { say } from "../core/words.js";
import { reveal } from "./asking.js";

export function Spoiler() {
  return html`<div class="stack">
    <p>${say("puzzles.spoils")}</p>
    <div class="row">
      <button type="button" onClick=${() => go({ keys: { tab: "puzzles" } })}>${say("puzzles.back")}</button>
      <button type="button" class="quiet" onClick=${reveal}>${say("puzzles.reveal")}</button>
    </div>
  </div>`;
}
