/** Where a seat's score comes from, as one bar: what was expected, luck, the others, and its moves. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { isTold } from "./looked.js";
import { amount, inUnit, resultOf, shareOf } from "./rows.js";

const NAMES = ["expected", "luck", "others", "mistakes"];

/**
 * The score, how many of the moves were good and bad, and the parts that add up to the score, as wide as they count:
 * hatched where they cost something. Nothing if a part is not known. Parts whose errors are larger than they are stand
 * together: they are what the others leave.
 *
 * @param {{seat: any, unit: string, title: string}} props `title` says whose they are
 */
export function Parts({ seat, unit, title }) {
  const names = NAMES.filter((name) => name !== "others" || seat.others);
  if (names.some((name) => !isTold(seat[name]))) return null;
  const unclear = names.filter((name) => seat.unclear.includes(name));
  const groups = [...names.filter((name) => !unclear.includes(name)).map((name) => [name]), unclear];
  const parts = groups
    .filter(({ length }) => length)
    .map((group) => ({
      name: group.length > 1 ? "unclear" : group[0],
      label: group.map((name) => say(`account.${name}`)).join(say("comma")),
      value: group.reduce((all, name) => all + seat[name], 0),
    }));
  return html`<section class="parts" aria-label=${title}>
    <dl class="figures">
      <${Figure} label=${say(resultOf(unit, [seat]))} value=${inUnit(seat.result, unit)} />
      ${["best", "bad_moves"].map(
        (name) => html`<${Figure} key=${name} label=${say(`account.${name}`)} value=${shareOf(seat, name)} />`,
      )}
    </dl>
    <div class="bar-of" aria-hidden="true">
      ${parts.map(
        ({ name, value }) => html`<span key=${name} class=${`part-${name} ${value < 0 ? "loss" : ""}`}
          style=${{ flexGrow: Math.abs(value) }} />`,
      )}
    </div>
    <dl class="key">
      ${parts.map(
        ({ name, label, value }, at) => html`<div key=${name} class=${`part-${name} ${value < 0 ? "loss" : ""}`}>
        <dt>${label}</dt>
        <dd class="number">${at > 0 && value > 0 ? "+" : ""}${amount(value, unit)}</dd></div>`,
      )}
    </dl>
  </section>`;
}

/** @param {{label: string, value: string | number}} props */
function Figure({ label, value }) {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}
