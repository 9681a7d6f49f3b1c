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
    [THICK, "M4 20.500c7 1 14-.5 14-5.500 0-4.500-9-3-9-7.500C9 5 11 4 13.500 4.500"],
    [FULL, "M12.500 2.500l2.500-2 .5 2 3-1-.5 2c2 .5 3.500 2 4 4l-3.500.5-1.500 1.500-3.500-1.500z"],
    [FULL, "M1 19l4-1.500.5 5zM11 10.500l-4 1.500 1 2zM13 20l-1 3 3-2z"],
    [PAPER, "M17.500 4.600a.9.9 0 1 0 .01 0z"],
  ],
  bird: [
    [
      FULL,
      "M12 9.500C10.500 6.500 7 3.500 1.500 3.500c.3 5.500 3 9 7 10.500L6 22l6-4.500L18" +
        " 22l-2.500-8c4-1.500 6.700-5 7-10.500C17 3.500 13.500 6.500 12 9.500z",
    ],
    [FULL, "M12 2.500a2.600 2.600 0 1 0 .01 0zM12 3l1.500-2.500L15.500 2z"],
    [
      { ...THIN, stroke: "var(--paper)" },
      "M12 17v-4.500M5 6.500c1.500 2.500 3 3.700 5 4.500M19" + " 6.500c-1.500 2.500-3 3.700-5 4.500",
    ],
  ],
  tiger: [
    [FULL, "M4.300 9L3.500 2.500 9.500 5zM19.700 9l.8-6.500L14.500 5z"],
    [LINE, "M4.500 10.500c0-7 15-7 15 0V14c0 5-4 7.500-7.500 7.500S4.500 19 4.500 14z"],
    [
      LINE,
      "M12 5.500v3M8.800 6.500l.5 2M15.200 6.500l-.5 2M4.500 12.500h2.500M4.500 16H7M19.500 12.500H17" +
        "M19.500 16H17",
    ],
    [
      FULL,
      "M9.300 11a1.200 1.200 0 1 0 .01 0zM14.700 11a1.200 1.200 0 1 0 .01 0zM10.200 15.500h3.600L12 17.700z",
    ],
  ],
  tortoise: [
    [
      FULL,
      "M12 0a2.700 2.700 0 0 1 2.500 4h-5A2.700 2.700 0 0 1 12 0zM3.500 4.500l4 .5L4 8.500zM20.500" +
        " 4.500l-4 .5L20 8.500z",
    ],
    [FULL, "M3.500 20.500l4-.5L4 16.500zM20.500 20.500l-4-.5 3.500-3.500zM12 24l-1.500-2.500h3z"],
    [LINE, "M12 3.800l7.500 4.400v8.600L12 21.200l-7.500-4.400V8.200z"],
    [
      THIN,
      "M12 8.500l3.300 1.900v4.200L12 16.500l-3.300-1.900v-4.200zM12 8.500V4M15.300 10.400l4-2M15.300" +
        " 14.600l4 2M12 16.500V21M8.700 14.600l-4 2M8.700 10.400l-4-2",
    ],
  ],
  kirin: [
    [
      FULL,
      "M6 23C5 16 6.500 12 9.500 9.500L7.500 5 4 1.500 9 4l1-4 2.500 5c4.500.5 7 3 8 7.500l1.500" +
        " 2.500-2 2.500-4.500-1.500c-2.500.5-4 3.500-3 7z",
    ],
    [PAPER, "M14.500 8.200a1 1 0 1 0 .01 0z"],
  ],
  fire: [
    [
      FULL,
      "M12 1c.5 4.800 8.500 7 8.500 13.700 0 4.300-3.800 7.800-8.500" +
        " 7.800s-8.500-3.500-8.500-7.800c0-3.800 2-5.500 2.600-9.200 1.600 1.100 2.500 2.500 2.700 4.200C11" +
        " 7.800 12.500 4.600 12 1z",
    ],
    [
      PAPER,
      "M12 12.500c.4 1.700 3.300 2.600 3.300 5.100 0 1.600-1.500 2.700-3.300" +
        " 2.700s-3.300-1.100-3.300-2.700c0-2.500 2.900-3.400 3.300-5.100z",
    ],
  ],
  water: [
    [
      { ...LINE, "stroke-width": 2.6 },
      "M1.500 6.500c3.500-4 7 4 10.500 0s7 4 10.500 0M1.500 13c3.500-4 7 4" +
        " 10.500 0s7 4 10.500 0M1.500 19.500c3.500-4 7 4 10.500 0s7 4 10.500 0",
    ],
  ],
  wind: [
    [
      { ...LINE, "stroke-width": 2.4 },
      "M1.500 8.500h12.500a3.400 3.400 0 1 0-3.400-3.400M1.500 13h18a3 3 0" +
        " 1 1-3 3M1.500 17.500h8.500a2.500 2.500 0 1 1-2.500 2.500",
    ],
  ],
  earth: [
    [FULL, "M.5 21.500L9 5l4.300 7.700L16 8l7.500 13.500z"],
    [PAPER, "M9 5l2.400 4.300L9 11.500l-2.200-2.200z"],
  ],
  sun: [
    [FULL, "M12 6.800a5.200 5.200 0 1 0 .01 0z"],
    [
      LINE,
      "M12 1.500v2.500M12 20v2.500M1.500 12H4M20 12h2.500M4.600 4.600l1.800 1.800M17.600 17.600l1.800" +
        " 1.800M4.600 19.400l1.800-1.800M17.600 6.400l1.800-1.800",
    ],
  ],
  dancer: [
    [
      FULL,
      "M12 .5a2.800 2.800 0 1 0 .01 0zM11 7L4.500 2.500 3 4l6.800 6.800L4" +
        " 23h16l-5.800-12.200L21 4l-1.500-1.500L13 7z",
    ],
  ],
  star: [
    [FULL, "M12 2l2.900 6.600 7.100.7-5.400 4.700 1.600 7L12 17.300 5.800 21l1.600-7L2 9.300l7.100-.7z"],
  ],
  rising: [[FULL, "M12 2l8 9h-4.500v11h-7V11H4z"]],
  falling: [[FULL, "M12 22l8-9h-4.500V2h-7v11H4z"]],
  drop: [[FULL, "M12 2c4 6 7 9 7 13a7 7 0 0 1-14 0c0-4 3-7 7-13z"]],
  vapor: [[LINE, "M6 21c-3-4 3-6 0-10s3-5 0-9M12 21c-3-4 3-6 0-10s3-5 0-9M18 21c-3-4 3-6 0-10s3-5 0-9"]],
  flask: [
    [LINE, "M9 2h6M10 2v7L4 20.500h16L14 9V2"],
    [FULL, "M7.500 14.500h9L19 20H5z"],
  ],
  crown: [[FULL, "M3 19V6l5 5 4-8 4 8 5-5v13z"]],
  Li: [
    [LINE, "M3 7.500h15v9H3zM21 10.500v3"],
    [FULL, "M5.500 10h4v4h-4z"],
  ],
  K: [
    [FULL, "M21 3c1 12-4 18-14 17.500C5 14 9 5 21 3z"],
    [LINE, "M3 22c2-5 6-9 11-12"],
  ],
  Ca: [
    [{ ...LINE, "stroke-width": 3.4 }, "M7.500 16.500l9-9"],
    [
      FULL,
      "M17 2.500a2.800 2.800 0 0 1 2.800 2 2.800 2.800 0 1 1-3.300 4.500 2.800 2.800 0 0 1 .5-6.500zM7" +
        " 21.500a2.800 2.800 0 0 1-2.800-2 2.800 2.800 0 1 1 3.300-4.500 2.800 2.800 0 0 1-.5 6.500z",
    ],
  ],
  Na: [
    [LINE, "M8 8h8l2 14H6zM8 8c0-7 8-7 8 0"],
    [FULL, "M10.500 4.500h1.200v1.200h-1.200zM13 4.500h1.200v1.200H13z"],
  ],
  Mg: [
    [FULL, "M12 7.500a4.500 4.500 0 1 0 .01 0z"],
    [
      LINE,
      "M12 1v3M12 20v3M1 12h3M20 12h3M4 4l2.500 2.500M17.500 17.500L20 20M4 20l2.500-2.500M17.500 6.500L20 4",
    ],
  ],
  Al: [
    [LINE, "M6 5v14c0 4 12 4 12 0V5M6 5c0-3.500 12-3.500 12 0S6 8.500 6 5z"],
    [FULL, "M8.500 12h7v4h-7z"],
  ],
  Zn: [[LINE, "M4 8l2.500 14h11L20 8zM4 8c0-9 16-9 16 0"]],
  Fe: [[FULL, "M1 6h21v4c-4 0-6 1.500-6.500 4l3.500 3v4H6v-4l3.500-3C8 10 3 11 1 6z"]],
  Ni: [
    [LINE, "M12 2.500a9.500 9.500 0 1 0 .01 0z"],
    [LINE, "M9 16V8l6 8V8"],
  ],
  Sn: [[FULL, "M5 2h14c0 8-2 11-5.500 12v5H18v3H6v-3h4.500v-5C7 13 5 10 5 2z"]],
  Pb: [
    [FULL, "M7 9h10l4.500 13h-19z"],
    [LINE, "M12 2a3.200 3.200 0 1 0 .01 0z"],
  ],
  Cu: [[FULL, "M12 2c5 0 7 4 7 8s1 6 3 8H2c2-2 3-4 3-8s2-8 7-8zM9 20h6c0 3.500-6 3.500-6 0z"]],
  Hg: [
    [LINE, "M9.500 4.500a2.500 2.500 0 0 1 5 0V13a5 5 0 1 1-5 0z"],
    [FULL, "M11.200 8h1.600v6.500a2.800 2.800 0 1 1-1.600 0z"],
  ],
  Ag: [[FULL, "M15 2a10 10 0 1 0 6.500 14A9 9 0 0 1 15 2z"]],
  Pt: [
    [LINE, "M12 9a6.500 6.500 0 1 0 .01 0z"],
    [FULL, "M7.500 1h9L19 4.500 12 10 5 4.500z"],
  ],
  Au: [
    [FULL, "M6 8h12l4 11H2z"],
    [{ ...THIN, stroke: "var(--paper)" }, "M7.500 11h9"],
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
