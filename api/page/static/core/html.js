/** The drawing libraries: htm, Preact and signals. All other modules import them from here. */
import { h } from "../vendor/preact.js";
import htm from "../vendor/htm.js";

export { render, Fragment } from "../vendor/preact.js";
export { useEffect, useLayoutEffect, useId, useMemo, useRef, useState } from "../vendor/preact-hooks.js";
export { batch, computed, effect, signal, untracked, useComputed, useSignal } from "../vendor/signals.js";

/** @typedef {any} Drawn what a component returns */

export const html = htm.bind(h);
