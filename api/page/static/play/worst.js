/** The worst moves of a review, and what all of a seat's moves cost together. */
import { html } from "../core/html.js";
import { table } from "../core/table.js";
import { percent, say } from "../core/words.js";
import { deckOf } from "../cards/faces.js";
import { Told } from "../cards/told.js";
import { isMistake, isTold, mistakesOf } from "./looked.js";
import { Grade, LEAST, Made, amount, inUnit, isUnsure, titleOf, whyOf, worthOf } from "./rows.js";

/** @typedef {import("./rows.js").Who} Who */
/** @typedef {{answer: any, who: Who, onShow: (move: any) => void}} Props */

const MOST = 3; // mistakes shown unless all are unfolded

/** Whether a loss is more than its margin of error. @param {number} lost @param {number} error @param {string} unit */
function isSure(lost, error, unit) {
  return isTold(lost) && isTold(error) && lost > Math.max(2 * error, LEAST[unit]);
}

/** An amount with its unit, in whole percent. @param {number} value @param {string} unit @param {number} [error] */
function rounded(value, unit, error = 0) {
  const figure = (/** @type {number} */ one) => (unit === "chance" ? percent(one, 0) : amount(one, unit));
  const shown = error ? say("estimate", { value: figure(value), error: figure(2 * error) }) : figure(value);
  return say(`review.unit.${unit}`, { value: shown, n: error ? 0 : value });
}

/**
 * The mistakes, the worst first, with links to their positions; the smaller ones are folded, and so are the moves that
 * cost something only with the cards that could not be seen.
 *
 * @param {Props} props
 */
export function Worst({ answer, ...props }) {
  const worst = mistakesOf(answer.moves);
  const smaller = worst.slice(MOST);
  const harmful = answer.moves
    .filter((/** @type {any} */ move) => !isMistake(move) && isSure(move.true_loss, move.true_stderr, answer.unit))
    .sort((/** @type {any} */ one, /** @type {any} */ other) => other.true_loss - one.true_loss);
  const list = (/** @type {any[]} */ moves, said = "review.mistaken") => html`<ul class="plain worst">
    ${moves.map((move) => html`<${Mistake} answer=${answer} move=${move} said=${said} ...${props} />`)}</ul>`;
  const folded = (/** @type {string} */ said, /** @type {any[]} */ moves, /** @type {string} */ each) =>
    moves.length > 0 &&
    html`<details class="numbers"><summary>${say(said, { n: moves.length })}</summary>${list(moves, each)}</details>`;
  return html`${!worst.length && html`<p>${flawless(answer, props.who)}</p>`}
    <${Together} answer=${answer} who=${props.who} />
    ${list(worst.slice(0, MOST))}
    ${folded("review.smaller", smaller, "review.mistaken")}
    ${folded("review.harmful", harmful, "review.harm")}`;
}

/** What can be said without a clear mistake. @param {any} answer @param {Who} who */
function flawless({ seats, unit }, who) {
  const [seat, another] = seats.filter((/** @type {any} */ one) => one.decisions);
  if (seats.length < 2 || !seat?.finished || another || !isTold(seat.expected)) return say("review.flawless");
  const [expected, result] = [inUnit(seat.expected, unit), inUnit(seat.result, unit)];
  return say("review.began", { who: who(seat.seat), expected, result });
}

/** What each seat's moves cost together, and its passes. @param {{answer: any, who: Who}} props */
function Together({ answer, who }) {
  const seats = answer.seats.filter((/** @type {any} */ seat) => seat.decisions && isTold(seat.seen));
  const named = (/** @type {any} */ { seat }, /** @type {string} */ text) =>
    seats.length > 1 ? say("labelled", { label: who(seat), text }) : text;
  const told = (/** @type {any} */ seat, /** @type {string} */ text) => text && html`<p>${named(seat, text)}</p>`;
  return seats.map(
    (/** @type {any} */ seat) => html`${told(seat, total(seat, answer.unit))}
      <${Sum} rows=${partsOf(seat, answer)} title=${named(seat, say("review.sum"))} />
      ${told(seat, passed(seat, answer.unit))}`,
  );
}

/** Parts of a sum, the sum last. @param {{rows: string[][], title: string}} props their names and amounts */
function Sum({ rows, title }) {
  if (!rows.length) return null;
  return html`<table class="cost" aria-label=${title}><tbody>
    ${rows.map(([name, text]) => html`<tr key=${name}>
      <th scope="row">${say(`review.sum.${name}`)}</th><td class="number">${text}</td></tr>`)}
  </tbody></table>`;
}

/**
 * What a seat's moves cost, by what could be seen, in parts that add up: its mistakes, and all others. None if there
 * is one part.
 *
 * @param {any} seat @param {any} answer @returns {string[][]}
 */
function partsOf({ seat, seen, seen_error: error }, { unit, moves }) {
  const listed = mistakesOf(moves.filter((/** @type {any} */ move) => move.seat === seat));
  if (!listed.length || !isSure(-seen, error, unit)) return [];
  const worst = listed.reduce((all, move) => all + move.expected_loss, 0);
  const parts = { mistakes: worst, rest: -seen - worst, seen: -seen };
  return Object.entries(parts).map(([name, cost]) => [name, amount(cost, unit)]);
}

/** What a seat's moves cost together. @param {any} seat @param {string} unit */
function total({ seen, seen_error: error }, unit) {
  if (isSure(-seen, error, unit)) return say("review.total", { lost: rounded(-seen, unit, error) });
  const most = Math.max(0, -seen) + 2 * error;
  return most > 0 ? say("review.totalMost", { lost: rounded(most, unit) }) : "";
}

/** @param {any} seat @param {string} unit */
function passed({ doubtful_passes: n, doubtful_passes_loss: lost, doubtful_passes_error: error }, unit) {
  return isSure(lost, error, unit) ? say("review.passed", { n, lost: rounded(lost, unit, error) }) : "";
}

/** @param {Props & {move: any, said: string}} props */
function Mistake({ answer, move, who, said, onShow }) {
  const deck = deckOf(table.value.position);
  const isActual = said === "review.harm";
  const isProved = isActual && move.true_best?.length && !move.true_best.includes(move.best);
  const better = isProved ? move.true_best[0] : move.best;
  const cost = inUnit(isActual ? move.true_loss : move.expected_loss, answer.unit);
  const reason = whyOf(move) || (isMistake(move) && isTold(move.expected) && say("review.unexplained", {
    best: move.best,
    most: inUnit(move.expected, answer.unit),
    move: move.move,
    less: inUnit(worthOf(move, answer.unit), answer.unit),
  }));
  return html`<li>
    <div>${isMistake(move) && html`<${Grade} move=${move} />`}
    <button type="button" class="small" onClick=${() => onShow(move)}>${say(said, {
      where: titleOf(answer, move, who),
      lost: !isActual && isUnsure(move) ? say("play.unknown") : cost,
    })}</button></div>
    <div class="swap">
      <figure><figcaption>${say("look.made")}</figcaption>
        <${Made} deck=${deck} move=${move.move} view=${move.view} /></figure>
      <span aria-hidden="true">→</span>
      <figure class=${isActual ? "" : "better"}>
        <figcaption>${say(isActual ? "look.lay" : "look.better")}</figcaption>
        <${Made} deck=${deck} move=${better} view=${move.view} /></figure>
    </div>
    ${!isActual && reason && html`<p class="hinted"><${Told} deck=${deck} text=${reason} /></p>`}
  </li>`;
}
