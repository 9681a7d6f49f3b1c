/** Estimates drawn on one scale: a dot for the mean, and a line of two standard errors on each side. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";

/** @typedef {{low: number, high: number}} Scale */

/**
 * A scale that includes all values with their errors.
 *
 * @param {{value: number, error: number}[]} values @returns {Scale}
 */
export function scaleOf(values) {
  const low = Math.min(...values.map(({ value, error }) => value - 2 * error));
  const high = Math.max(...values.map(({ value, error }) => value + 2 * error));
  const room = (high - low || 1) * 0.04;
  return { low: low - room, high: high + room };
}

/** @param {{value: number, error: number, scale: Scale, best?: boolean, words: string}} props */
export function ErrorBar({ value, error, scale, best = false, words }) {
  const at = (/** @type {number} */ number) => 2 + (96 * (number - scale.low)) / (scale.high - scale.low);
  const [from, to] = [Math.max(0, at(value - 2 * error)), Math.min(100, at(value + 2 * error))];
  return html`<svg class=${`bar ${best ? "best" : ""}`} viewBox="0 0 100 10" preserveAspectRatio="none"
    role="img" aria-label=${words}>
    <line class="axis" x1="0" x2="100" y1="5" y2="5" />
    <line class="range" x1=${from} x2=${Math.max(to, from + 0.6)} y1="5" y2="5" />
    <line class="mean" x1=${at(value)} x2=${at(value)} y1="0.500" y2="9.500" />
  </svg>`;
}

/**
 * The proved range between two bounds, or a tick if they are equal.
 *
 * @param {{bounds: number[], scale: Scale, exact: boolean, best?: boolean}} props
 */
export function BoundsBar({ bounds: [low, high], scale, exact, best = false }) {
  const at = (/** @type {number} */ number) =>
    2 + (96 * (number - scale.low)) / (scale.high - scale.low || 1);
  const words = exact ? say("bars.exact", { value: low }) : say("bars.between", { low, high });
  return html`<svg class=${`bar ${best ? "best" : ""}`} viewBox="0 0 100 10" preserveAspectRatio="none"
    role="img" aria-label=${words}>
    <line class="axis" x1="0" x2="100" y1="5" y2="5" />
    <line class=${exact ? "mean" : "range"} x1=${exact ? at(low) : at(low)}
      x2=${exact ? at(low) : Math.max(at(high), at(low) + 0.6)}
      y1=${exact ? 0.5 : 5} y2=${exact ? 9.5 : 5} />
  </svg>`;
}
