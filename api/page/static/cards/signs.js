/**
 * The signs of suits, drawn by us, so that cards are told apart without their colours: one symbol each, on a square
 * of 24. The four elements have the alchemists' triangles.
 */
import { html } from "../core/html.js";

const LINE = { fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round", "stroke-linejoin": "round" };
const FULL = { fill: "currentColor" };

/** Paths by the symbol's name: [attributes, d]. @type {Record<string, [object, string][]>} */
const SIGNS = {
  dragon: [
    [LINE, "M4 20c7 1 15-1 15-8 0-5-4-8-8-8-3.500 0-6 2.300-6 5.200S7.200 14 9.500 14s4-1.500 4-3.500"],
    [FULL, "M19 2l2 4.500-4.500-1zM2.500 18.500l4-2v5z"],
  ],
  bird: [
    [FULL, "M12 2c.5 4.500 8 6.500 8 13 0 4-3.600 7-8 7s-8-3-8-7c0-3.500 2-5 2.500-8.500 1.500 1 2.300 2.300 2.500 3.800C11 8.500 12.500 5.500 12 2z"],
    [{ fill: "var(--paper)" }, "M12 13c.4 1.600 3 2.400 3 4.700 0 1.500-1.300 2.500-3 2.500s-3-1-3-2.500c0-2.300 2.600-3.100 3-4.700z"],
  ],
  tiger: [
    [FULL, "M5 2c2.500 5 2.500 13-1 20 5-5 6-14 1-20zM12 2c2.500 5 2.500 13-1 20 5-5 6-14 1-20zM19 2c2.500 5 2.500 13-1 20 5-5 6-14 1-20z"],
  ],
  tortoise: [
    [LINE, "M12 2.500l8.200 4.750v9.500L12 21.500l-8.200-4.750v-9.500z"],
    [LINE, "M12 8l3.500 2v4L12 16l-3.500-2v-4zM12 2.500V8M20.200 7.250L15.500 10M20.200 16.750L15.500 14M12 21.500V16M3.800 16.750L8.500 14M3.800 7.250L8.500 10"],
  ],
  fire: [[LINE, "M12 3.500L21 20H3z"]],
  water: [[LINE, "M12 20.500L3 4h18z"]],
  wind: [[LINE, "M12 3.500L21 20H3zM4.500 14h15"]],
  earth: [[LINE, "M12 20.500L3 4h18zM4.500 10h15"]],
  sun: [
    [LINE, "M12 4a8 8 0 1 0 .01 0z"],
    [FULL, "M12 10a2 2 0 1 0 .01 0z"],
  ],
  moon: [[FULL, "M15 2a10 10 0 1 0 6 14A8.500 8.500 0 0 1 15 2z"]],
  star: [[FULL, "M12 2l2.900 6.600 7.100.7-5.400 4.700 1.600 7L12 17.300 5.800 21l1.600-7L2 9.300l7.100-.7z"]],
  rising: [[FULL, "M12 2l8 9h-4.500v11h-7V11H4z"]],
  falling: [[FULL, "M12 22l8-9h-4.500V2h-7v11H4z"]],
  drop: [[FULL, "M12 2c4 6 7 9 7 13a7 7 0 0 1-14 0c0-4 3-7 7-13z"]],
  vapor: [[LINE, "M6 21c-3-4 3-6 0-10s3-5 0-9M12 21c-3-4 3-6 0-10s3-5 0-9M18 21c-3-4 3-6 0-10s3-5 0-9"]],
  flask: [[LINE, "M9 2h6M10 2v7L4 20.500h16L14 9V2M7 15h10"]],
  crown: [[FULL, "M3 19V6l5 5 4-8 4 8 5-5v13z"]],
};

/** All symbols; the page has them once, out of sight. */
export function Signs() {
  return html`<svg class="unseen" aria-hidden="true" width="0" height="0">
    ${Object.entries(SIGNS).map(
      ([name, paths]) => html`<symbol id=${`sign-${name}`} viewBox="0 0 24 24">
        ${paths.map(([attributes, d]) => html`<path ...${attributes} d=${d} />`)}
      </symbol>`,
    )}
  </svg>`;
}

/** A sign at a place within a drawing. @param {{name: string, x: number, y: number, size: number}} place */
export function Sign({ name, x, y, size }) {
  return html`<use href=${`#sign-${name}`} x=${x} y=${y} width=${size} height=${size} />`;
}

/** A sign among words. @param {{name: string}} props */
export function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href=${`#sign-${name}`} /></svg>`;
}
