/**
 * A hint: the card, how sure it is, one sentence and the best three moves; "Why?" unfolds the evidence.
 */
import { html, signal } from "../core/html.js";
import { keptSignal } from "../core/kept.js";
import { sheet } from "../core/panel.js";
import { table } from "../core/table.js";
import { figure, percent, say } from "../core/words.js";
import { Card } from "../cards/card.js";
import { Move, cardsOf } from "../cards/moves.js";
import { Told, Word } from "../cards/told.js";
import { setsAside } from "../games/index.js";
import { made } from "../table/picking.js";
import { ErrorBar, scaleOf } from "./bars.js";
import { Typical } from "./typical.js";

/** @typedef {import("../cards/faces.js").Deck} Deck */
/** @typedef {{move: string, share: boolean, value: number | null, error: number, words: string, points: string}} Row */

const BEST = 3; // moves shown at first

export const onlyCard = keptSignal("hint.onlyCard", false);
const why = keptSignal("hint.why", false);
/** Whether the whole answer was asked for, if only the card is shown at first. */
export const unfolded = signal(false);

/** @param {{answer: any, deck: Deck}} props */
export function Answer({ answer, deck }) {
  if (!answer.best) return html`<p>${answer.reason}</p>`;
  if (onlyCard.value && !unfolded.value) return html`<${CardAlone} answer=${answer} deck=${deck} />`;
  const rows = answer.moves.map((/** @type {any} */ move) => estimate(move, answer.game));
  const { sure } = answer; // null if nothing was compared
  const isSaid = !sure || answer.causes?.some((/** @type {any} */ { code }) => code === "close"); // in the reason
  const { position } = table.value;
  return html`<section class="answer" aria-label=${say("hint.best")}>
    <div class="best-move">
      <${Move} deck=${deck} move=${answer.best} />
      <div>
        ${!isSaid && html`<p class=${`sure sure-${sure}`}>${say(`sure.${sure}`)}</p>`}
        <p class="reason"><${Told} deck=${deck} text=${answer.reason} /></p>
      </div>
    </div>
    <div class="row">
      <button type="button" class="primary" onClick=${() => made(answer.best)}>
        ${say(position && setsAside(position) ? "hint.aside" : "hint.play")}</button>
      ${rows.length > 1 && html`<${Three} rows=${rows.slice(0, BEST)} deck=${deck} />`}
    </div>
    <details class="why" open=${why.value} onToggle=${unfold}>
      <summary>${say("hint.why")}</summary>
      ${why.value && html`<${Moves} rows=${rows} deck=${deck} />`}
      <p class="hinted">${basis(answer)} ${modelError(answer)}</p>
      <${Typical} key=${answer.best} move=${answer.best} />
    </details>
  </section>`;
}

/** Show or hide the evidence, for which a phone's sheet needs room. @param {any} event */
function unfold({ target }) {
  if (target.open === why.value) return; // as it was when the answer came
  why.value = target.open;
  sheet.value = why.value ? "full" : "part";
}

/** Only the card, without words. @param {{answer: any, deck: Deck}} props */
function CardAlone({ answer, deck }) {
  const [card] = cardsOf(deck, answer.best);
  return html`<section class="answer" aria-label=${say("hint.best")}>
    <p class="best-move">
      ${
        card
          ? html`<${Card} deck=${deck} card=${card} tone="best" />`
          : html`<${Move} deck=${deck} move=${answer.best} />`
      }
    </p>
    <button type="button" onClick=${() => (unfolded.value = true)}>${say("hint.why")}</button>
  </section>`;
}

/** The best moves in a row. @param {{rows: Row[], deck: Deck}} props */
function Three({ rows, deck }) {
  const isWord = (/** @type {string} */ move) => deck.game !== "alchemy" && deck.byCode.has(move);
  const draw = (/** @type {string} */ move) =>
    isWord(move) ? html`<${Word} deck=${deck} card=${move} />` : html`<${Move} deck=${deck} move=${move} />`;
  const digits = rows.every(({ value }) => Number.isInteger(value)) ? 0 : 1; // the same number for each
  return html`<ol class="three" aria-label=${say("hint.three")}>
    ${rows.map((row) => html`<li key=${row.move}>${draw(row.move)}<span>${short(row, digits)}</span></li>`)}
  </ol>`;
}

/** @param {Row} row @param {number} digits */
function short({ value, share }, digits) {
  if (value === null) return "";
  return share ? chance(value) : figure(value, digits, digits);
}

/** A chance in whole percent, with a decimal where it matters. @param {number} share */
function chance(share) {
  return percent(share, share > 0.05 && share < 0.95 ? 0 : 1);
}

/** The evidence for an answer, in a sentence. @param {any} answer */
function basis(answer) {
  if (answer.exact) return say("hint.exact");
  const worlds = figure(answer.worlds ?? 0, 0);
  return say("hint.worlds", { n: answer.worlds ?? 0, worlds, seconds: figure(answer.seconds, 1) });
}

/** The model error of all estimates, in a sentence; empty if unknown. @param {any} answer */
function modelError(answer) {
  if (!answer.model_error) return "";
  const error = answer.game === "aqua-regia" ? percent(answer.model_error, 0) : figure(answer.model_error, 1);
  return say("hint.modelError", { error });
}

/** @param {{rows: Row[], deck: Deck}} props */
function Moves({ rows, deck }) {
  const scale = scaleOf(
    rows.filter((row) => row.value !== null).map((row) => ({ ...row, value: row.value ?? 0 })),
  );
  return html`<table class="moves">
    <caption class="unseen">${say("hint.moves")}</caption>
    <thead>
      <tr>
        <th>${say("col.move")}</th>
        <th>${say(heading(rows[0]))}</th>
        <th>${say(rows.some((row) => row.error) ? "col.range" : "col.scale")}</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row, at) => html`<tr key=${row.move} class=${at === 0 ? "is-best" : ""}>
          <td>
            <button type="button" class="move-button" onClick=${() => made(row.move)}>
              <${Move} deck=${deck} move=${row.move} />
            </button>
          </td>
          <td class="number">
            ${row.words}${row.points && html`<br /><span class="hinted">${row.points}</span>`}
          </td>
          <td class="bar-cell">
            ${
              row.value !== null &&
              html`<${ErrorBar}
              value=${row.value}
              error=${row.error}
              scale=${scale}
              best=${at === 0}
              words=${row.words}
            />`
            }
          </td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

/** @param {Row} row */
function heading({ points, share }) {
  if (points) return "col.match";
  return share ? "col.wins" : "col.mean";
}

/** A move's estimate, whichever key the game uses. @param {any} move @param {string} game @returns {Row} */
export function estimate(move, game) {
  // If the hint aims to win the match, the mean is the chance to win or share it, and the points are extra. The points
  // of a duel's match are different: there the swing counts.
  const byMatch = typeof move.points === "number" && move.swing === undefined;
  // A game of Aqua Regia is won or lost, so its mean is the chance to win.
  const share = byMatch || move.win_probability !== undefined || game === "aqua-regia";
  const value = move.win_probability ?? move.mean ?? move.swing ?? null;
  const error = move.stderr ?? 0;
  const said = (/** @type {number} */ number) => (share ? chance(number) : figure(number));
  const points = byMatch ? say("hint.points", { points: figure(move.points) }) : "";
  return { move: move.move, share, value, error, words: wordsOf(value, error, said, share), points };
}

/** @param {number | null} value @param {number} error @param {(value: number) => string} said @param {boolean} share */
function wordsOf(value, error, said, share) {
  if (value === null) return say("unknown");
  if (!error) return said(value);
  return say("estimate", { value: said(value), error: share ? figure(200 * error, 1) : figure(2 * error) });
}
