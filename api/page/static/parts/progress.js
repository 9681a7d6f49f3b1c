/** A search's progress, and a button that stops it. */
import { html } from "../core/html.js";
import { figure, say } from "../core/words.js";

/** @param {{found: import("../core/search.js").Found, stop: () => void}} props */
export function Progress({ found, stop }) {
  if (found.status !== "running") return null;
  const { done = null, seconds = null } = found.progress ?? {}; // none while a notice says that it is prepared
  return html`<div class="row progress">
    <progress max="1" value=${done ?? undefined} aria-label=${say("progress.label")}></progress>
    ${seconds !== null && html`<span class="hinted">${say("seconds", { seconds: figure(seconds, 1) })}</span>`}
    <button type="button" onClick=${stop}>${say("progress.stop")}</button>
  </div>`;
}
