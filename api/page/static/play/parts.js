/** Where a seat's score comes from, as bars one below another: what was expected, luck, the others, and its moves. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { isTold } from "./looked.js";
import { amount } from "./rows.js";

const WIDTH = 100; // of a bar's drawing
const NAMES = ["expected", "luck", "others", "mistakes"];

/**
 * The parts that add up to the score; nothing if one of them is not known. Those whose errors are larger than they are
 * make one bar: together they are what the others leave.
 *
 * @param {{seat: any, unit: string, title: string}} props `title` says whose they are
 */
export function Parts({ seat, unit, title }) {
  const names = NAMES.filter((name) => name !== "others" || seat.others);
  if (names.some((name) => !isTold(seat[name]))) return null;
  const unclear = names.filter((name) => seat.unclear.includes(name));
  const groups = [...names.filter((name) => !unclear.includes(name)).map((name) => [name]), unclear];
  let sum = 0;
  const parts = groups.filter(({ length }) => length).map((group) => {
    const from = sum;
    const value = group.reduce((all, name) => all + seat[name], 0);
    sum += value;
    const label = group.map((name) => say(`account.${name}`)).join(say("comma"));
    return { name: group.length > 1 ? "unclear" : group[0], label, from, to: sum, value };
  });
  const whole = seat.finished ? "result" : "soFar";
  const end = { name: whole, label: say(`account.${whole}`), from: 0, to: seat.result, value: seat.result };
  const all = [0, ...(unit === "chance" ? [1] : []), ...[...parts, end].map(({ to }) => to)];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const at = (/** @type {number} */ level) => (WIDTH * (level - low)) / (high - low || 1);
  return html`<table class="parts" aria-label=${title}>
    <tbody>
      ${[...parts, end].map(({ name, label, from, to, value }, place) => {
        const isChange = place > 0 && name !== end.name;
        const [left, right] = [Math.min(at(from), at(to)), Math.max(at(from), at(to))];
        return html`<tr key=${name} class=${`part-${name}`}>
          <th scope="row">${label}</th>
          <td><svg viewBox=${`0 0 ${WIDTH} 10`} preserveAspectRatio="none" aria-hidden="true">
            <line class="axis" x1=${at(0)} x2=${at(0)} y1="0" y2="10" />
            <rect x=${left} width=${Math.max(0.8, right - left)} y="1.500" height="7" />
          </svg></td>
          <td class="number">${isChange && value > 0 ? "+" : ""}${amount(value, unit)}</td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}
