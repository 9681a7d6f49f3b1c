/**
 * A hint: the card, how far it is ahead, one sentence and the best three moves. "Why?" unfolds why not the others, in
 * words, and then the evidence.
 */
import { html, signal, useEffect, useState } from "../core/html.js";
import { Refused, ask, isAborted } from "../core/ask.js";
import { isRace } from "../core/catalogue.js";
import { keptSignal } from "../core/kept.js";
import { sheet } from "../core/panel.js";
import { table } from "../core/table.js";
import { figure, percent, say, sentences } from "../core/words.js";
import { Card } from "../cards/card.js";
import { Move, cardsOf, deedOf } from "../cards/moves.js";
import { Told, Word } from "../cards/told.js";
import { gameOf, setsAside } from "../games/index.js";
import { isAlone } from "../games/match.js";
import { doneIn } from "../table/choices.js";
import { made, picked } from "../table/picking.js";
import { followed } from "../table/telling.js";
import { ErrorBar, scaleOf } from "./bars.js";
import { Typical } from "./typical.js";

/** @typedef {import("../cards/faces.js").Deck} Deck */
/**
 * @typedef {object} Row a move
 * @property {string} move
 * @property {boolean} share whether the value is a chance
 * @property {number | null} value
 * @property {number} error the standard error of the value
 * @property {number} gap how far it is behind the best move
 * @property {string} words
 * @property {string} points
 * @property {string} low the mean of the worst tenth of the results, in words; empty if unknown
 * @property {string} head the key of what the value is
 */

const LONG = 5; // cards of a sum in one line, as in the style sheet
const BEST = 3; // moves shown at first
const RATHER = 2; // moves that are compared in words
const CLOSE = 0.3; // points between moves of which two decimals are shown

export const onlyCard = keptSignal("hint.onlyCard", false);
const why = keptSignal("hint.why", false);
/** Whether the whole answer was asked for, if only the card is shown at first. */
export const unfolded = signal(false);

/**
 * @param {object} props
 * @param {any} props.answer
 * @param {Deck} props.deck
 * @param {{seconds: number, run: () => void}} [props.longer] a longer search, for moves that are too close to call
 */
export function Answer({ answer, deck, longer }) {
  if (!answer.best) return html`<p>${answer.reason}</p>`;
  if (onlyCard.value && !unfolded.value) return html`<${CardAlone} answer=${answer} deck=${deck} />`;
  const rows = inOrder(answer.moves.map((/** @type {any} */ move) => estimate(move, answer.game)));
  const { sure } = answer; // null if nothing was compared
  const level = levelOf(answer)?.code;
  const isTold = sure && !level; // else the reason says what is level
  const isHeaded = isTold || (sure && isAlone(answer)); // whose reason may only say that hardly any deal is won
  const lead = isTold && rows.length > 1 ? ahead(rows[1]) : "";
  const { position } = table.value;
  const deed = cardsOf(deck, answer.best).length ? deedAt(position, answer.best) : "do";
  const isOwn = gameOf(deck.game)?.sums && picked.value.length > 0; // a match that is made beside the table
  // Among other reasons, it says with which move it compares.
  const isOneOf = why.value && isTold && rows.length > 1 && answer.causes.length;
  const reason = isOneOf ? say("hint.rather", { move: answer.moves[1].move, reason: answer.reason }) : answer.reason;
  const isForced = sure === "only" && deedAt(position, answer.best) === "play" && position.hand?.length > 1;
  const must = isForced && followed(position); // what leaves a single card
  // Else it repeats the line above, or values.
  const isKnown = !isTold || (sure !== "only" && answer.causes.length > 0);
  const luck = rows.some((/** @type {Row} */ { error }) => error > 0) ? say("hint.luck") : "";
  const turns = deck.game && position?.variant === "duel" && !answer.exact ? say("hint.turns") : "";
  return html`<section class="answer" aria-label=${say("hint.best")}>
    <div class="best-move" style=${{ "--n": widthOf(deck, answer.best) }}>
      <${Move} deck=${deck} move=${doneIn(answer.best)} />
      <div>
        ${
          isHeaded &&
          html`<p class=${`sure sure-${sure}`}>
            ${say(`sure.${level === "equal" ? level : sure}`)} <small>${lead}</small></p>`
        }
        <p class="reason">${isKnown && html`<${Told} deck=${deck} text=${reason} />`}
          ${must && html`<${Told} deck=${deck} text=${must} />`}
          ${answer.unknown && html` <small>${say("hint.unknown", { n: answer.unknown.gone })}</small>`}
          ${
            longer &&
            level === "close" &&
            html` <button type="button" class="quiet small" onClick=${longer.run}>
            ${say("hint.longer", { seconds: longer.seconds })}</button>`
          }</p>
      </div>
    </div>
    <div class="row">
      <button type="button" class=${isOwn ? "" : "primary"} onClick=${() => made(answer.best)}>
        ${say(`hint.${isOwn ? "instead" : deed}`)}</button>
      ${rows.length > 1 && html`<${Three} rows=${rows.slice(0, BEST)} deck=${deck} />`}
    </div>
    ${rows.length > 1 && html`<details class="why" open=${why.value} onToggle=${unfold}>
      <summary>${say("hint.why")}</summary>
      ${
        why.value &&
        html`<${Rather} answer=${answer} rows=${rows} deck=${deck} />
          <${Moves} rows=${rows} deck=${deck} />`
      }
      <p class="hinted">${sentences(luck, basis(answer), turns, modelError(answer))}</p>
      <${Typical} key=${answer.best} move=${answer.best} />
    </details>`}
  </section>`;
}

/** How many cards of a move lie side by side: each side of a long sum has a line. @param {Deck} deck */
function widthOf(deck, /** @type {string} */ move) {
  const all = cardsOf(deck, move).length;
  if (all <= LONG) return all;
  return Math.max(...move.split("=").map((side) => cardsOf(deck, side).length));
}

/** What a move does in a position, which may be before the first trick. @param {any} position @param {string} move */
function deedAt(position, move) {
  const { deed } = deedOf(move);
  if (deed !== "play") return deed;
  if (position?.stage === "pick") return "pick";
  return position && setsAside(position) ? "aside" : deed;
}

/**
 * The moves in the order of their values, after the best: of several that are level, another reason may decide.
 *
 * @param {Row[]} rows
 */
function inOrder([best, ...others]) {
  const worth = (/** @type {Row} */ { value }) => value ?? -Infinity;
  return [best, ...others.sort((one, other) => worth(other) - worth(one) || 0)];
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
          : html`<${Move} deck=${deck} move=${doneIn(answer.best)} />`
      }
    </p>
    <button type="button" onClick=${() => (unfolded.value = true)}>${say("hint.why")}</button>
  </section>`;
}

/** The best moves in a row. @param {{rows: Row[], deck: Deck}} props */
function Three({ rows, deck }) {
  const isWord = (/** @type {string} */ move) => !gameOf(deck.game)?.sums && deck.byCode.has(move);
  const draw = (/** @type {string} */ move) =>
    isWord(move) ? html`<${Word} deck=${deck} card=${move} />` : html`<${Move} deck=${deck} move=${doneIn(move)} />`;
  // The same number for each, and enough to tell them apart.
  const values = rows.flatMap(({ value }) => value ?? []);
  const isClose = Math.max(...values) - Math.min(...values) < CLOSE;
  const decimals = isClose ? 2 : 1;
  const digits = values.every(Number.isInteger) ? 0 : decimals;
  return html`<ol class="three" aria-label=${say("hint.three")}>
    ${rows.map(
      (row, at) => html`<li key=${row.move}>
        ${draw(row.move)}<span>${short(row, digits, !at)}</span>
      </li>`,
    )}
  </ol>`;
}

/** The cause that names moves which are equal or too close to call; undefined if there is none. @param {any} answer */
function levelOf(answer) {
  return answer.causes?.find((/** @type {any} */ { code }) => ["close", "equal"].includes(code));
}

/** How far the best move is ahead of this one. @param {Row} next */
function ahead({ gap, share, error }) {
  const lead = figure(share ? 100 * gap : gap);
  if (lead === "0") return "";
  const said = share ? say("hint.ahead.chance", { lead }) : say("hint.ahead", { lead, n: Number(lead) });
  return error ? say("hint.ahead.paired", { ahead: said }) : said; // which is surer than the two values are
}

/**
 * Why the best move and not others than the next one, of which the sentence beside the card speaks: the service is
 * asked while this is unfolded. Its reason counts if it has a cause, and the same move is best.
 *
 * @param {{answer: any, rows: Row[], deck: Deck}} props
 */
function Rather({ answer, rows, deck }) {
  const [found, setFound] = useState(/** @type {string[]} */ ([]));
  const [waits, setWaits] = useState(true);
  useEffect(() => {
    const running = new AbortController();
    const { text: position, seed, others, best } = answer;
    const how = { seed, ...(answer.exact ? {} : { worlds: answer.worlds }), ...(others ? { others } : {}) };
    const level = levelOf(answer);
    const said = level ? (level.moves ?? []) : [answer.moves[1]?.move];
    const compare = async () => {
      for (const { move } of rows.slice(1).filter((row) => !said.includes(row.move)).slice(0, RATHER)) {
        const other = await ask("v1/hint", { position, compare: move, ...how }, running.signal);
        const { reason, causes } = other;
        const isTold = causes.some((/** @type {any} */ { code }) => code !== "takes_more"); // which the table says
        if (other.best === best && isTold && !levelOf(other)) setFound((told) => [...told, reason]);
      }
    };
    setFound([]);
    setWaits(true);
    compare()
      .catch((error) => {
        if (!isAborted(error) && !(error instanceof Refused)) throw error;
      })
      .finally(() => running.signal.aborted || setWaits(false));
    return () => running.abort();
  }, [answer]);
  return html`${found.map((text) => html`<p key=${text} class="rather"><${Told} deck=${deck} text=${text} /></p>`)}
    ${waits && html`<p class="hinted">${say("puzzles.why")}</p>`}`;
}

/** @param {Row} row @param {number} digits @param {boolean} named whether to name the unit */
function short({ value, share }, digits, named) {
  if (value === null) return "";
  if (share) return chance(value);
  const points = figure(value, digits, digits);
  return named ? say("hint.points", { points, n: Number(points) }) : points;
}

/** A chance in whole percent, with a decimal where it matters. @param {number} share */
function chance(share) {
  return percent(share, share > 0.05 && share < 0.95 ? 0 : 1);
}

/** The evidence for an answer, in a sentence. @param {any} answer */
function basis(answer) {
  // Without the points of the match, a duel's hint looks at one exchange.
  if (answer.exact) return say(answer.method === "exchange solved" ? "hint.thisExchange" : "hint.exact");
  if (!answer.worlds) return say("hint.noWorlds");
  const worlds = figure(answer.worlds, 0);
  const tried = say("hint.worlds", { n: answer.worlds, worlds, seconds: figure(answer.seconds, 1) });
  return sentences(tried, gameOf(answer.game)?.infers ? say("hint.infers") : "");
}

/** The model error of all estimates, in a sentence; empty if unknown. @param {any} answer */
function modelError(answer) {
  if (!answer.model_error) return "";
  const error = isRace(answer.game) ? percent(answer.model_error, 0) : figure(answer.model_error, 1);
  return say("hint.modelError", { error });
}

/** @param {{rows: Row[], deck: Deck}} props */
function Moves({ rows, deck }) {
  const valued = rows.filter((row) => row.value !== null);
  const scale = scaleOf(valued.map((row) => ({ ...row, value: row.value ?? 0 })));
  const drawn = valued.length > 1; // a single one has nothing to be compared with
  const low = rows.some((row) => row.low);
  return html`<table class="moves">
    <caption class="unseen">${say("hint.moves")}</caption>
    <thead>
      <tr>
        <th>${say("col.move")}</th>
        <th>${say(rows[0].head)}</th>
        ${low && html`<th>${say("col.low")}</th>`}
        ${drawn && html`<th>${say(rows.some((row) => row.error) ? "col.range" : "col.scale")}</th>`}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row, at) => html`<tr key=${row.move} class=${at === 0 ? "is-best" : ""}>
          <td>
            <button type="button" class="move-button" onClick=${() => made(row.move)}>
              <${Move} deck=${deck} move=${doneIn(row.move)} />
            </button>
          </td>
          <td class="number">
            ${row.words}${row.points && html`<br /><span class="hinted">${row.points}</span>`}
          </td>
          ${low && html`<td class="number">${row.low}</td>`}
          ${
            drawn &&
            html`<td class="bar-cell">
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
          </td>`
          }
        </tr>`,
      )}
    </tbody>
  </table>`;
}

/** A move's estimate, whichever key the game uses. @param {any} move @param {string} game @returns {Row} */
export function estimate(move, game) {
  // If the hint aims to win the match, the mean is the chance to win or share it, and the points are extra. The points
  // of a duel's match are different: there the swing counts.
  const byMatch = typeof move.points === "number" && move.swing === undefined;
  // A race is won or lost, so its mean is the chance to win.
  const share = byMatch || move.win_probability !== undefined || isRace(game);
  const value = move.win_probability ?? move.mean ?? move.swing ?? null;
  const error = move.stderr ?? 0;
  const said = (/** @type {number} */ number) => (share ? chance(number) : figure(number));
  const swing = move.win_probability === undefined ? undefined : move.swing;
  const points = pointsOf(byMatch ? move.points : undefined, swing);
  const { gap = 0 } = move;
  const words = wordsOf(value, error, said, share);
  const head = points ? "col.match" : headOf(share, move.swing !== undefined, game);
  const low = typeof move.worst_tenth === "number" ? (byMatch ? figure : said)(move.worst_tenth) : "";
  return { move: move.move, share, value, error, gap, words, points, low, head };
}

/** @param {boolean} share @param {boolean} swing @param {string} game */
function headOf(share, swing, game) {
  if (share) return gameOf(game)?.sums ? "col.solved" : "col.wins"; // of a solitaire: a duel's have points, too
  return swing ? "col.swing" : "col.mean";
}

/** What a move brings besides its chance, in words. @param {number} [points] @param {number} [swing] */
function pointsOf(points, swing) {
  if (swing !== undefined) return say("hint.swing", { swing: `${swing > 0 ? "+" : ""}${figure(swing)}` });
  return points === undefined ? "" : say("hint.points", { points: figure(points), n: points });
}

/** @param {number | null} value @param {number} error @param {(value: number) => string} said @param {boolean} share */
function wordsOf(value, error, said, share) {
  if (value === null) return say("unknown");
  const isSure = share && (value + 2 * error > 1 || value < 2 * error); // no chance is beyond these
  if (!error || isSure) return said(value);
  if (share) return say("estimate", { value: said(value), error: figure(200 * error, 1) });
  return say("estimate", { value: figure(value, 2, 2), error: figure(2 * error, 2, 2) });
}
