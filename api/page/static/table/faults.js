/** The faults that the service found in a position, as a list, each with the name of its place. */
import { html } from "../core/html.js";
import { gameOf } from "../games/index.js";
import { isWithin, titleOf } from "./zone.js";

/**
 * @param {object} props
 * @param {import("../core/ask.js").Refused | null} props.found
 * @param {any} [props.position] the faulty position
 * @param {string[]} [props.but] paths of faults shown elsewhere
 */
export function Faults({ found, position, but = [] }) {
  const left = (found?.faults ?? []).filter((fault) => !but.includes(fault.path));
  if (!left.length) return null;
  const open = (/** @type {import("../core/ask.js").FaultData} */ fault) => Boolean(position) && isOpen(fault);
  const wrong = left.some((fault) => !open(fault));
  return html`<ul class=${wrong ? "faults" : "faults open"} role=${wrong ? "alert" : "status"}>
    ${left.map((fault) => {
      const place = placeOf(fault.path, position);
      return html`<li class=${open(fault) ? "hinted" : "fault"}>
        ${place && html`<strong>${place}:</strong> `}${fault.message}</li>`;
    })}
  </ul>`;
}

/** Whether a fault only means that something is missing. @param {import("../core/ask.js").FaultData} fault */
export function isOpen({ code }) {
  return code === "missing_key";
}

/**
 * The name of the place at a path, for people; empty if it has none.
 *
 * @param {string} path @param {any} position
 */
function placeOf(path, position) {
  const game = gameOf(position?.game);
  if (!game || !path) return "";
  const zone = game.zones(position).find((one) => isWithin(path, one.path));
  if (zone) return titleOf(zone, position);
  return game.fields(position).find((field) => isWithin(path, field.path))?.title ?? "";
}
