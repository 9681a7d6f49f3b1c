/**
 * The pictures of suits, metals and characters, which identify cards without their colours: one symbol each, on a
 * square of 24 units.
 */
import { html } from "../core/html.js";

const LINE = {
  fill: "none",
  stroke: "currentColor",
  "stroke-width": 2,
  "stroke-linecap": "round",
  "stroke-linejoin": "round",
};
const THIN = { ...LINE, "stroke-width": 1.4 };
const THICK = { ...LINE, "stroke-width": 3.4 };
const FULL = { fill: "currentColor" };
const PAPER = { fill: "var(--paper)" };

/** Paths by the symbol's name: [attributes, d]. @type {Record<string, [object, string][]>} */
const SIGNS = {
  dragon: [
    [THICK, "M4 20.5c7 1 14-.5 14-5.5 0-4.5-9-3-9-7.5C9 5 11 4 13.5 4.5"],
    [FULL, "M12.5 2.5l2.5-2 .5 2 3-1-.5 2c2 .5 3.5 2 4 4l-3.5.5-1.5 1.5-3.5-1.5z"],
    [FULL, "M1 19l4-1.5.5 5zM11 10.5l-4 1.5 1 2zM13 20l-1 3 3-2z"],
    [PAPER, "M17.5 4.6a.9.9 0 1 0 .01 0z"],
  ],
  bird: [
    [
      FULL,
      "M12 9.5C10.5 6.5 7 3.5 1.5 3.5c.3 5.5 3 9 7 10.5L6 22l6-4.5L18" +
        " 22l-2.5-8c4-1.5 6.7-5 7-10.5C17 3.5 13.5 6.5 12 9.5z",
    ],
    [FULL, "M12 2.5a2.6 2.6 0 1 0 .01 0zM12 3l1.5-2.5L15.5 2z"],
    [
      { ...THIN, stroke: "var(--paper)" },
      "M12 17v-4.5M5 6.5c1.5 2.5 3 3.7 5 4.5M19" + " 6.5c-1.5 2.5-3 3.7-5 4.5",
    ],
  ],
  tiger: [
    [FULL, "M4.3 9L3.5 2.5 9.5 5zM19.7 9l.8-6.5L14.5 5z"],
    [LINE, "M4.5 10.5c0-7 15-7 15 0V14c0 5-4 7.5-7.5 7.5S4.5 19 4.5 14z"],
    [
      LINE,
      "M12 5.5v3M8.8 6.5l.5 2M15.2 6.5l-.5 2M4.5 12.5h2.5M4.5 16H7M19.5 12.5H17" +
        "M19.5 16H17",
    ],
    [
      FULL,
      "M9.3 11a1.2 1.2 0 1 0 .01 0zM14.7 11a1.2 1.2 0 1 0 .01 0zM10.2 15.5h3.6L12 17.7z",
    ],
  ],
  tortoise: [
    [
      FULL,
      "M12 0a2.7 2.7 0 0 1 2.5 4h-5A2.7 2.7 0 0 1 12 0zM3.5 4.5l4 .5L4 8.5zM20.5" +
        " 4.5l-4 .5L20 8.5z",
    ],
    [FULL, "M3.5 20.5l4-.5L4 16.5zM20.5 20.5l-4-.5 3.5-3.5zM12 24l-1.5-2.5h3z"],
    [LINE, "M12 3.8l7.5 4.4v8.6L12 21.2l-7.5-4.4V8.2z"],
    [
      THIN,
      "M12 8.5l3.3 1.9v4.2L12 16.5l-3.3-1.9v-4.2zM12 8.5V4M15.3 10.4l4-2M15.3" +
        " 14.6l4 2M12 16.5V21M8.7 14.6l-4 2M8.7 10.4l-4-2",
    ],
  ],
  kirin: [
    [
      FULL,
      "M6 23C5 16 6.5 12 9.5 9.5L7.5 5 4 1.5 9 4l1-4 2.5 5c4.5.5 7 3 8 7.5l1.5" +
        " 2.5-2 2.5-4.5-1.5c-2.5.5-4 3.5-3 7z",
    ],
    [PAPER, "M14.5 8.2a1 1 0 1 0 .01 0z"],
  ],
  fire: [
    [
      FULL,
      "M12 1c.5 4.8 8.5 7 8.5 13.7 0 4.3-3.8 7.8-8.5" +
        " 7.8s-8.5-3.5-8.5-7.8c0-3.8 2-5.5 2.6-9.2 1.6 1.1 2.5 2.5 2.7 4.2C11" +
        " 7.8 12.5 4.6 12 1z",
    ],
    [
      PAPER,
      "M12 12.5c.4 1.7 3.3 2.6 3.3 5.1 0 1.6-1.5 2.7-3.3" +
        " 2.7s-3.3-1.1-3.3-2.7c0-2.5 2.9-3.4 3.3-5.1z",
    ],
  ],
  water: [
    [
      { ...LINE, "stroke-width": 2.6 },
      "M1.5 6.5c3.5-4 7 4 10.5 0s7 4 10.5 0M1.5 13c3.5-4 7 4" +
        " 10.5 0s7 4 10.5 0M1.5 19.5c3.5-4 7 4 10.5 0s7 4 10.5 0",
    ],
  ],
  wind: [
    [
      { ...LINE, "stroke-width": 2.4 },
      "M1.5 8.5h12.5a3.4 3.4 0 1 0-3.4-3.4M1.5 13h18a3 3 0" +
        " 1 1-3 3M1.5 17.5h8.5a2.5 2.5 0 1 1-2.5 2.5",
    ],
  ],
  earth: [
    [FULL, "M.5 21.5L9 5l4.3 7.7L16 8l7.5 13.5z"],
    [PAPER, "M9 5l2.4 4.3L9 11.5l-2.2-2.2z"],
  ],
  sun: [
    [FULL, "M12 6.8a5.2 5.2 0 1 0 .01 0z"],
    [
      LINE,
      "M12 1.5v2.5M12 20v2.5M1.5 12H4M20 12h2.5M4.6 4.6l1.8 1.8M17.6 17.6l1.8" +
        " 1.8M4.6 19.4l1.8-1.8M17.6 6.4l1.8-1.8",
    ],
  ],
  dancer: [
    [
      FULL,
      "M12 .5a2.8 2.8 0 1 0 .01 0zM11 7L4.5 2.5 3 4l6.8 6.8L4" +
        " 23h16l-5.8-12.2L21 4l-1.5-1.5L13 7z",
    ],
  ],
  star: [
    [FULL, "M12 2l2.9 6.6 7.1.7-5.4 4.7 1.6 7L12 17.3 5.8 21l1.6-7L2 9.3l7.1-.7z"],
  ],
  rising: [[FULL, "M12 2l8 9h-4.5v11h-7V11H4z"]],
  falling: [[FULL, "M12 22l8-9h-4.5V2h-7v11H4z"]],
  drop: [[FULL, "M12 2c4 6 7 9 7 13a7 7 0 0 1-14 0c0-4 3-7 7-13z"]],
  vapor: [[LINE, "M6 21c-3-4 3-6 0-10s3-5 0-9M12 21c-3-4 3-6 0-10s3-5 0-9M18 21c-3-4 3-6 0-10s3-5 0-9"]],
  flask: [
    [LINE, "M9 2h6M10 2v7L4 20.5h16L14 9V2"],
    [FULL, "M7.5 14.5h9L19 20H5z"],
  ],
  crown: [[FULL, "M3 19V6l5 5 4-8 4 8 5-5v13z"]],
  Li: [
    [LINE, "M3 7.5h15v9H3zM21 10.5v3"],
    [FULL, "M5.5 10h4v4h-4z"],
  ],
  K: [
    [FULL, "M21 3c1 12-4 18-14 17.5C5 14 9 5 21 3z"],
    [LINE, "M3 22c2-5 6-9 11-12"],
  ],
  Ca: [
    [{ ...LINE, "stroke-width": 3.4 }, "M7.5 16.5l9-9"],
    [
      FULL,
      "M17 2.5a2.8 2.8 0 0 1 2.8 2 2.8 2.8 0 1 1-3.3 4.5 2.8 2.8 0 0 1 .5-6.5zM7" +
        " 21.5a2.8 2.8 0 0 1-2.8-2 2.8 2.8 0 1 1 3.3-4.5 2.8 2.8 0 0 1-.5 6.5z",
    ],
  ],
  Na: [
    [LINE, "M8 8h8l2 14H6zM8 8c0-7 8-7 8 0"],
    [FULL, "M10.5 4.5h1.2v1.2h-1.2zM13 4.5h1.2v1.2H13z"],
  ],
  Mg: [
    [FULL, "M12 7.5a4.5 4.5 0 1 0 .01 0z"],
    [
      LINE,
      "M12 1v3M12 20v3M1 12h3M20 12h3M4 4l2.5 2.5M17.5 17.5L20 20M4 20l2.5-2.5M17.5 6.5L20 4",
    ],
  ],
  Al: [
    [LINE, "M6 5v14c0 4 12 4 12 0V5M6 5c0-3.5 12-3.5 12 0S6 8.5 6 5z"],
    [FULL, "M8.5 12h7v4h-7z"],
  ],
  Zn: [[LINE, "M4 8l2.5 14h11L20 8zM4 8c0-9 16-9 16 0"]],
  Fe: [[FULL, "M1 6h21v4c-4 0-6 1.5-6.5 4l3.5 3v4H6v-4l3.5-3C8 10 3 11 1 6z"]],
  Ni: [
    [LINE, "M12 2.5a9.5 9.5 0 1 0 .01 0z"],
    [LINE, "M9 16V8l6 8V8"],
  ],
  Sn: [[FULL, "M5 2h14c0 8-2 11-5.5 12v5H18v3H6v-3h4.5v-5C7 13 5 10 5 2z"]],
  Pb: [
    [FULL, "M7 9h10l4.5 13h-19z"],
    [LINE, "M12 2a3.2 3.2 0 1 0 .01 0z"],
  ],
  Cu: [[FULL, "M12 2c5 0 7 4 7 8s1 6 3 8H2c2-2 3-4 3-8s2-8 7-8zM9 20h6c0 3.5-6 3.5-6 0z"]],
  Hg: [
    [LINE, "M9.5 4.5a2.5 2.5 0 0 1 5 0V13a5 5 0 1 1-5 0z"],
    [FULL, "M11.2 8h1.6v6.5a2.8 2.8 0 1 1-1.6 0z"],
  ],
  Ag: [[FULL, "M15 2a10 10 0 1 0 6.5 14A9 9 0 0 1 15 2z"]],
  Pt: [
    [LINE, "M12 9a6.5 6.5 0 1 0 .01 0z"],
    [FULL, "M7.5 1h9L19 4.5 12 10 5 4.5z"],
  ],
  Au: [
    [FULL, "M6 8h12l4 11H2z"],
    [{ ...THIN, stroke: "var(--paper)" }, "M7.5 11h9"],
  ],
};

/** Whether there is such a picture. @param {string} name */
export function isSign(name) {
  return name in SIGNS;
}

/** All symbols; the page contains them once, invisibly. */
export function Signs() {
  return html`<svg class="unseen" aria-hidden="true" width="0" height="0">
    ${Object.entries(SIGNS).map(
      ([name, paths]) =>
        html`<symbol id=${`sign-${name}`} viewBox="0 0 24 24">
          ${paths.map(([attributes, d]) => html`<path ...${attributes} d=${d} />`)}
        </symbol>`,
    )}
  </svg>`;
}

/** A sign at a place within a drawing. @param {{name: string, x: number, y: number, size: number}} place */
export function Sign({ name, x, y, size }) {
  return html`<use href=${`#sign-${name}`} x=${x} y=${y} width=${size} height=${size} />`;
}

/** A sign within text. @param {{name: string}} props */
export function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href=${`#sign-${name}`} /></svg>`;
}
