/** The faults that the service found in a position, as a list, each with the name of its place. */
import { html } from "../core/html.js";
import { gameOf } from "../games/index.js";
import { isWithin, shortTitleOf } from "./zone.js";

/** @typedef {import("../core/ask.js").FaultData} FaultData */

/**
 * @param {object} props
 * @param {{faults: FaultData[]} | null} props.found
 * @param {any} [props.position] the faulty position; without it, places have the names that the user wrote
 */
export function Faults({ found, position }) {
  const faults = found?.faults ?? [];
  if (!faults.length) return null;
  return html`<ul class="faults" role="alert">
    ${faults.map((fault) => html`<li class="fault">${saidOf(fault, position)}</li>`)}
  </ul>`;
}

/** A fault with the name of its place. @param {FaultData} fault @param {any} [position] as for `Faults` */
export function saidOf(fault, position) {
  const place = position ? placeOf(fault.path, position) : keyOf(fault);
  const message = position ? messageOf(fault, position) : fault.message;
  return html`${place && html`<strong>${place}:</strong> `}${message}`;
}

/** The key that a fault is about, unless its message has it. @param {FaultData} fault */
function keyOf({ path, message }) {
  return message.includes(path.replace(/[.[].*/, "")) ? "" : counted(path);
}

/** A path with its places counted from 1: `hand (8)` for `hand[7]`. @param {string} path */
function counted(path) {
  const places = [...path.matchAll(/\[(\d+)\]/g)].map(([, n]) => Number(n) + 1);
  const name = path.replace(/\[\d+\]/g, "");
  return places.length ? `${name} (${places.join(", ")})` : name;
}

/** What is wrong, with the names of places instead of their paths. @param {FaultData} fault @param {any} position */
export function messageOf({ message }, position) {
  return message.replace(/\b[a-z_]+(\[\d+\]|\.[a-z]+)+/g, (path) => placeOf(path, position) || path);
}

/** Whether a fault only means that something is missing. @param {FaultData} fault */
export function isOpen({ code }) {
  return code === "missing_key";
}

/**
 * The name of the place at a path, for people; empty if it has none.
 *
 * @param {string} path @param {any} position
 */
export function placeOf(path, position) {
  const game = gameOf(position?.game);
  if (!game || !path) return "";
  const zone = game.zones(position).find((one) => isWithin(path, one.path));
  if (zone) return shortTitleOf(zone, position);
  const field = game.fields(position).find((one) => isWithin(path, one.path));
  return field ? shortTitleOf(field, position) : "";
}
