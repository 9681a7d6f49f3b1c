/** The pictures of suits and of what is in force: symbols of `templates/signs.svg`, which the page begins with. */
import { html } from "../core/html.js";

/** A sign at a place within a drawing. @param {{name: string, x: number, y: number, size: number}} place */
export function Sign({ name, x, y, size }) {
  return html`<use href=${`#sign-${name}`} x=${x} y=${y} width=${size} height=${size} />`;
}

/** A sign within text. @param {{name: string}} props */
export function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href=${`#sign-${name}`} /></svg>`;
}
