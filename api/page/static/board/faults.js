/** What the service found wrong with a position, as a list. */
import { html } from "../core/html.js";

/** @param {{found: import("../core/ask.js").Refused | null, but?: string[]}} props `but`: paths that are shown elsewhere */
export function Faults({ found, but = [] }) {
  const left = (found?.faults ?? []).filter((fault) => !but.includes(fault.path));
  if (!left.length) return null;
  return html`<ul class="faults" role="alert">
    ${left.map((fault) => html`<li class="fault">${fault.path ? html`<code>${fault.path}</code> ` : ""}${fault.message}</li>`)}
  </ul>`;
}
