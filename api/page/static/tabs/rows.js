/** The table of an analysis: one row per move, the best first; one column per model. */
import { html, useState } from "../core/html.js";
import { isRace } from "../core/catalogue.js";
import { table } from "../core/table.js";
import { figure, percent, say } from "../core/words.js";
import { countsPoints } from "../games/index.js";
import { isYou, seatName, seatWithin, seatsFrom } from "../games/shared.js";
import { made } from "../table/picking.js";
import { Move } from "../cards/moves.js";
import { BoundsBar } from "../parts/bars.js";
import { Follows, useFollowing } from "./line.js";

const MOST = 60; // rows shown at first, and added per click: drawing thousands takes seconds

/** @typedef {any} Row a move of an answer */

/** A value in words. @param {any} value @param {string} [game] */
function said(value, game) {
  if (typeof value === "string" || isRace(game)) return say(`value.${value}`);
  return figure(value);
}

/** What is known about a move's value, in a word or two. @param {Row} move @param {any} answer */
export function wordsOf(move, answer) {
  if (move.swing !== undefined) return said(move.swing);
  if (move.bounds === undefined) return "";
  const seat = answer.to_move;
  if (move.exact && Array.isArray(move.value)) return said(move.value[seat], answer.game);
  if (move.exact) return move.left ? say("value.left", { n: move.left }) : said(move.value, answer.game);
  if (move.estimate !== undefined) {
    return `≈ ${isRace(answer.game) ? percent(move.estimate, 0) : figure(move.estimate, 1)}`;
  }
  const [low, high] = move.bounds;
  if (Array.isArray(low)) return `${low[seat]}–${high[seat]}`;
  if (low === high) return said(low, answer.game);
  return typeof low === "string" || isRace(answer.game) ? say("unknown") : `${said(low)}–${said(high)}`;
}

/** @param {{answers: any[], names: string[], deck: import("../cards/faces.js").Deck}} props */
export function Rows({ answers, names, deck }) {
  const [most, setMost] = useState(MOST);
  const [first] = answers;
  if (!first?.moves.length) return null;
  const shown = first.moves.slice(0, most);
  const numbers = first.moves
    .filter((/** @type {Row} */ move) => typeof move.bounds?.[0] === "number")
    .flatMap((/** @type {Row} */ move) => move.bounds);
  const scale = { low: Math.min(...numbers), high: Math.max(...numbers) };
  const isWon = isRace(first.game); // won or lost: nothing to draw
  const isOpen = first.moves.some((/** @type {Row} */ move) => !move.exact); // else the numbers say all
  const drawn = !isWon && isOpen && numbers.length > 0 && scale.high > scale.low && answers.length === 1;
  const duel = first.moves.some((/** @type {Row} */ move) => move.swing !== undefined);
  const headOf = (/** @type {string} */ name) => {
    if (!name) return say(duel ? "col.swing" : "col.value");
    const { position, toMove } = table.value;
    const whose = first.player ?? toMove;
    const isNamed = isWon && names.length === 1; // of several, the columns are narrow
    const head = say(isNamed ? `model.${name}` : `col.${name}`, { seat: seatWithin(whose, position) });
    if (isNamed || name === "maxn" || isYou(whose, position)) return head;
    return say("labelled", { label: seatName(whose, position), text: head });
  };
  const plain = first.moves.every((/** @type {Row} */ move) => move.bounds === undefined);
  const asks = !duel && !plain && first.variant !== "free" && answers.length === 1; // of several it would be unclear
  return html`<div class="scroll"><table class="moves">
    <caption class="unseen">${say(first.exact ? "hint.moves" : "choices.plain")}</caption>
    <thead><tr><th>${say("col.move")}</th>
      ${
        plain
          ? null
          : names.map((name) => html`<th>${headOf(name)}</th>`)
      }
      ${duel && html`<th>${say("col.points")}</th><th>${say("col.reply")}</th>`}
      ${drawn && !duel && html`<th>${say("col.bounds")}</th>`}
      ${asks && html`<th><span class="unseen">${say("refute.title")}</span></th>`}</tr></thead>
    <tbody>${shown.map(
      (/** @type {Row} */ move) => html`<${MoveRow} key=${move.move} move=${move} answers=${answers}
        deck=${deck} duel=${duel} plain=${plain} asks=${asks} scale=${drawn && !duel ? scale : null} />`,
    )}</tbody></table>
    ${
      first.moves.length > shown.length &&
      html`<button type="button" class="quiet"
      onClick=${() => setMost(most + MOST)}>
        ${say("rows.more", { n: figure(shown.length), all: figure(first.moves.length) })}</button>`
    }</div>`;
}

/**
 * A move, and below it how the game continues after it, on request.
 *
 * @param {object} props
 * @param {Row} props.move
 * @param {any[]} props.answers
 * @param {boolean} props.duel whether the move is from a duel
 * @param {boolean} props.plain whether moves have no values
 * @param {boolean} props.asks whether there are buttons for what follows
 * @param {{low: number, high: number} | null} props.scale the scale of the bars; without it there are no bars
 * @param {import("../cards/faces.js").Deck} props.deck
 */
function MoveRow({ move, answers, duel, plain, asks, scale, deck }) {
  const [first] = answers;
  const best = answers.length === 1 && isBest(move, first);
  const why = !best && isWorse(move, first);
  const words = why ? comparison(move, first) : "";
  const { found, from, toggle } = useFollowing(move.move, first, words, why && less(move, first) > 0);
  return html`<tr class=${!plain && best ? "is-best" : ""}>
      <td><button type="button" class="move-button" onClick=${() => made(move.move)}>
        <${Move} deck=${deck} move=${move.move} /></button></td>
      ${plain ? null : answers.map((answer) => html`<td class="number">${cell(answer, move.move)} ${
        answers.length > 1 &&
        bestOf(answer).includes(move.move) &&
        html`<div><span class="badge">${say("play.best")}</span></div>`
      }</td>`)}
      ${duel && html`<td class="number">${move.points}</td><td class="number">${move.opponent_points}</td>`}
      ${
        scale &&
        html`<td class="bar-cell"><${BoundsBar} bounds=${move.bounds} exact=${move.exact} scale=${scale}
          best=${best} /></td>`
      }
      ${
        asks &&
        html`<td>${
          (best || why) &&
          html`<button type="button" class="quiet small" aria-expanded=${Boolean(found)} onClick=${toggle}>
          ${say(best ? "refute.then" : "refute.why")}</button>`
        }</td>`
      }
    </tr>
    ${
      found &&
      html`<tr><td colspan="99"><${Follows} found=${found} from=${from} deck=${deck} />
        </td></tr>`
    }`;
}

/** What a move is worth, compared with the best one. @param {Row} move @param {any} answer */
function comparison(move, answer) {
  const best = answer.moves.find((/** @type {Row} */ one) => one.move === answer.best);
  if (!best || !wordsOf(move, answer) || !wordsOf(best, answer)) return "";
  const [worth, most] = [worthOf(move, answer), worthOf(best, answer)];
  if (worth === most) return say("refute.others", { move: move.move });
  const n = less(move, answer);
  const isLess = n > 0 && !isRace(answer.game);
  return say(isLess ? "refute.less" : "refute.compared", { n, move: move.move, worth, best: best.move, most });
}

/**
 * How many points a move brings less than the best: 1 if it loses a race, and no number in a solitaire.
 *
 * @param {Row} move @param {any} answer
 */
function less(move, answer) {
  const [most, own] = [answer, move].map(({ value }) => (Array.isArray(value) ? value[answer.to_move] : value));
  return most - own;
}

/** Whether a move is proved to be the best, or as good. @param {Row} move @param {any} answer */
function isBest(move, answer) {
  if (!answer.exact) return false;
  return move.move === answer.best || (move.exact && rankOf(move, answer) === rankOf(answer, answer));
}

/** The moves that an answer proves to be best. @param {any} answer @returns {string[]} */
export function bestOf(answer) {
  const moves = /** @type {Row[]} */ (answer?.moves ?? []);
  return moves.filter((move) => isBest(move, answer)).map(({ move }) => move);
}

/** What moves are compared by: own points, and then those of the others. @param {Row} one @param {any} answer */
function rankOf({ value, left }, { to_move: seat }) {
  if (!Array.isArray(value)) return `${value} ${left}`;
  return `${value[seat]} ${value.reduce((/** @type {number} */ all, /** @type {number} */ one) => all + one)}`;
}

/** Whether a move is proved to be worse than the best. @param {Row} move @param {any} answer */
function isWorse(move, answer) {
  if (isBest(move, answer) || !move.bounds || !answer.bounds) return false;
  if (answer.exact && move.exact) return true;
  const of = (/** @type {any} */ bound) => (Array.isArray(bound) ? bound[answer.to_move] : bound);
  const [low, high] = move.bounds.map(of);
  const [least, most] = answer.bounds.map(of);
  const isAgainst = answer.model === "paranoid" && answer.player !== answer.to_move; // then the least is the best
  return typeof low === "number" && (isAgainst ? low > most : high < least);
}

/** A move's worth with its unit, to the seat to move. @param {Row} move @param {any} answer */
function worthOf(move, answer) {
  const words = wordsOf(move, answer);
  const isPoints = countsPoints(answer.game) && move.exact;
  return isPoints ? say("seat.points", { n: Number(words) }) : words;
}

/** @param {any} answer @param {string} text */
function cell(answer, text) {
  const move = answer?.moves.find((/** @type {Row} */ one) => one.move === text);
  if (!move) return "…";
  const { value } = move;
  if (move.exact && Array.isArray(value)) {
    const { position } = table.value;
    return seatsFrom(position).map((seat) => {
      const label = seatName(seat, position);
      return html`<div>${say("labelled", { label, text: said(value[seat], answer.game) })}</div>`;
    });
  }
  if (move.exact) return worthOf(move, answer);
  if (move.estimate === undefined) return wordsOf(move, answer);
  const range = countsPoints(answer.game) && `${move.bounds.join("–")} `; // won or lost, or nothing known
  return html`${wordsOf(move, answer)}<br /><span class="hinted">${range}${say("analysis.chance")}</span>`;
}
