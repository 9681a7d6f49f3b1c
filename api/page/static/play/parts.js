/** Where a seat's score comes from: what was expected, luck and hidden cards, the others, and its own moves. */
import { html } from "../core/html.js";
import { percent, say } from "../core/words.js";
import { isTold } from "./looked.js";
import { WIDE, amount, inUnit } from "./rows.js";

/** The parts of a score, and what is counted in each: what hidden cards made of a seat's moves is luck. */
const PARTS = { expected: ["expected"], luck: ["luck", "hidden"], others: ["others"], moves: ["seen"] };

/** @typedef {{name: string, value: number, error: number, isUnclear: boolean}} Part */

/**
 * The parts that a seat's score is the sum of, without what the others gave if that is nothing; none if one is not
 * known. A part is unclear if its error is larger than it is, and not small.
 *
 * @param {any} seat @param {string} unit @returns {Part[]}
 */
function partsOf(seat, unit) {
  const parts = Object.entries(PARTS).map(([name, of]) => {
    const told = of.filter((one) => isTold(seat[one]));
    const value = told.reduce((all, one) => all + seat[one], 0);
    const error = Math.hypot(...told.map((one) => seat[`${one}_error`] ?? 0));
    const isUnclear = 2 * error > Math.max(Math.abs(value), WIDE[unit]);
    return { name, value, error, isUnclear, isTold: told.length > 0 };
  });
  const shown = parts.filter(({ name, value }) => name !== "others" || value);
  return shown.every((part) => part.isTold) ? shown : [];
}

/**
 * The score, how many of the moves were good and bad, and the parts that add up to the score: each begins where the one
 * above it ends, and goes to the left if it cost something. Unclear ones are one part: they are what the others leave.
 *
 * @param {{seat: any, unit: string, title: string}} props `title` says whose they are
 */
export function Parts({ seat, unit, title }) {
  const parts = partsOf(seat, unit);
  if (!parts.length) return null;
  const unclear = parts.filter((part) => part.isUnclear);
  const groups = [...parts.filter((part) => !part.isUnclear).map((part) => [part]), unclear];
  let end = 0;
  const steps = groups
    .filter(({ length }) => length)
    .map((group) => {
      const value = group.reduce((all, part) => all + part.value, 0);
      const begin = end;
      end += value;
      const label = group.map(({ name }) => say(`account.${name}`)).join(say("comma"));
      const [from, to] = [Math.min(begin, end), Math.max(begin, end)];
      return { name: group.length > 1 ? "unclear" : group[0].name, label, value, from, to };
    });
  const [low, high] = [Math.min(...steps.map(({ from }) => from)), Math.max(...steps.map(({ to }) => to))];
  const share = (/** @type {number} */ value) => `${(100 * value) / (high - low || 1)}%`;
  return html`<section class="parts" aria-label=${title}>
    <dl class="figures">
      <${Figure} label=${say(resultOf(unit, [seat]))} value=${inUnit(seat.result, unit)} />
      ${["best", "bad_moves"].map(
        (name) => html`<${Figure} key=${name} label=${say(`account.${name}`)} value=${shareOf(seat, name)} />`,
      )}
    </dl>
    <dl class="key">
      ${steps.map(
        ({ name, label, value, from, to }, at) => html`<div key=${name}
          class=${`part-${name} ${value < 0 ? "loss" : ""}`}>
        <dt>${label}</dt>
        <dd class="number">${at > 0 && value > 0 ? "+" : ""}${amount(value, unit)}</dd>
        <div class="bar-of" aria-hidden="true">
          <span style=${{ left: share(from - low), width: share(to - from) }} /></div></div>`,
      )}
    </dl>
  </section>`;
}

/** @param {{label: string, value: string | number}} props */
function Figure({ label, value }) {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

/**
 * Where each seat's score comes from, in parts that add up, and its shares of best and of bad moves.
 *
 * @param {{seats: any[], unit: string, who: import("./rows.js").Who}} props
 */
export function Account({ seats, unit, who }) {
  const all = seats.map((seat) => partsOf(seat, unit));
  const names = Object.keys(PARTS).filter((name) => all.some((parts) => parts.some((part) => part.name === name)));
  const told = (/** @type {Part | undefined} */ part) => {
    if (!part || part.isUnclear) return say("play.unknown");
    const value = amount(part.value, unit);
    return part.error ? say("estimate", { value, error: amount(2 * part.error, unit) }) : value;
  };
  const row = (/** @type {string} */ name, /** @type {string} */ label, /** @type {(at: number) => string} */ cell) =>
    html`<tr key=${name} class=${`part-${name}`}><th>${label}</th>
      ${seats.map((_seat, at) => html`<td class="number">${cell(at)}</td>`)}</tr>`;
  const sum = (/** @type {string} */ name, /** @type {string} */ label) =>
    row(name, label, (at) => (isTold(seats[at][name]) ? amount(seats[at][name], unit) : say("play.unknown")));
  return html`<div class="scroll">
    <table class="account">
      <thead><tr><th />${seats.map((seat) => html`<th>${who(seat.seat)}</th>`)}</tr></thead>
      <tbody>
        ${names.length ? sum("result", say(resultOf(unit, seats))) : sum("expected_loss", say("account.expected_loss"))}
        ${names.map((name) =>
          row(name, say(`account.${name}`), (at) => told(all[at].find((part) => part.name === name))),
        )}
        ${["decisions", "best", "unknown", "worse", "bad_moves"].map((name) =>
          row(name, say(`account.${name}`), (at) => shareOf(seats[at], name)),
        )}
      </tbody>
    </table>
    ${names.length > 0 && html`<p class="hinted">${say("account.why")}</p>`}
  </div>`;
}

/** The word for what seats got in the end, or so far. @param {string} unit @param {any[]} seats */
function resultOf(unit, seats) {
  return `account.${unit === "lead" ? "lead" : "result"}${seats.every((seat) => seat.finished) ? "" : "SoFar"}`;
}

/**
 * How many decisions a seat had, or in what share of them its move was best, unclear, worse or bad.
 *
 * @param {any} seat @param {string} name
 */
function shareOf(seat, name) {
  const { decisions, best, unknown, bad_moves: bad } = seat;
  if (name === "decisions") return decisions;
  const count = { best, unknown, worse: decisions - best - unknown }[name];
  return percent(count === undefined ? (bad ?? 0) : count / decisions, 0);
}
