/** The hint: what to play, why, and how sure that is. */
import { computed, effect, html, signal, untracked } from "../core/html.js";
import { Refused, ask } from "../core/ask.js";
import { announce } from "../core/live.js";
import { keptSignal } from "../core/kept.js";
import { search } from "../core/search.js";
import { address, go, tab } from "../core/session.js";
import { table } from "../core/table.js";
import { figure, percent, say } from "../core/words.js";
import { codeOf, deckOf } from "../cards/faces.js";
import { Move, cardsOf, spokenMove } from "../cards/moves.js";
import { Card } from "../cards/card.js";
import { advise } from "../board/marks.js";
import { made } from "../board/picking.js";
import { Faults } from "../board/faults.js";
import { isOpenMatch } from "../games/match.js";
import { seatName } from "../games/shared.js";
import { ErrorBar, scaleOf } from "../parts/bars.js";
import { Progress } from "../parts/progress.js";

const SECONDS = [0.3, 1, 3, 10, 30];
const SURE = 2; // so many standard errors behind the best, and a move is worse for certain

const hint = search();
const seconds = keptSignal("hint.seconds", 1);
const onlyCard = keptSignal("hint.onlyCard", false);
/** Whether the whole answer was asked for, where only the card is told first. */
const unfolded = signal(false);

/**
 * What a hint can be asked about now: a line, and whether it has to be seen by the seat to move first, where all cards
 * are shown. Null where there is nothing to ask.
 */
const question = computed(() => {
  const { known, text, seenText, toMove, moves, position, seen } = table.value;
  if (!position || toMove === null) return null;
  if (!known) return moves.length ? { line: text, seat: null } : null;
  if (position.variant === "duel") return { line: text, seat: null };
  if (position.variant === "free") return null;
  if (!seen) return { line: text, seat: toMove };
  return position.game === "alchemy" || seen.seat === toMove ? { line: seenText, seat: null } : null;
});

effect(() => {
  const asked = tab.value === "hint" ? question.value : null;
  const limit = seconds.value;
  untracked(() => {
    unfolded.value = false;
    if (asked) start(asked.line, asked.seat, limit);
    else hint.clear();
  });
});

/** @param {string} line @param {number | null} seat @param {number} limit */
async function start(line, seat, limit) {
  hint.clear();
  const asked = table.value;
  try {
    const position = seat === null ? line : (await ask("v1/view", { position: line, seat })).text;
    if (asked === table.value && tab.value === "hint") await hint.start("v1/hint", { position, limit: { seconds: limit } });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    hint.refuse(error);
  }
}

effect(() => {
  const { answer } = hint.found.value;
  const told = tab.value === "hint" && answer?.best ? cardsOf(deckOf(table.value.position), answer.best) : [];
  advise((onlyCard.value ? told.slice(0, 1) : told).map(codeOf));
});

effect(() => {
  const { status, answer } = hint.found.value;
  if (status !== "done" || !answer.best) return;
  untracked(() => {
    const deck = deckOf(table.value.position);
    announce(say("hint.told", { move: spokenMove(deck, answer.best), reason: onlyCard.value ? "" : answer.reason }));
  });
});

export function Hint() {
  const found = hint.found.value;
  const deck = deckOf(table.value.position);
  return html`<div class="stack">
    <div class="row">
      <label>${say("hint.seconds")} <select value=${seconds.value} onChange=${(/** @type {any} */ event) => (seconds.value = Number(event.target.value))}>
        ${SECONDS.map((one) => html`<option value=${one}>${say("seconds", { seconds: one })}</option>`)}</select></label>
      <label><input type="checkbox" checked=${onlyCard.value} onChange=${(/** @type {any} */ event) => (onlyCard.value = event.target.checked)} /> ${say("hint.onlyCard")}</label>
      ${isOpenMatch(table.value.position) && html`<label class="tick"><input type="checkbox" checked=${Boolean(table.value.position.for_match)} onChange=${(/** @type {any} */ event) => goByMatch(event.target.checked)} /> ${say("match.for")}</label>`}
    </div>
    ${question.value ? null : html`<${Nothing} />`}
    ${question.value?.seat !== null && question.value ? html`<p class="hinted">${say("hint.forSeat", { seat: seatName(question.value.seat) })}</p>` : null}
    <${Progress} found=${found} stop=${hint.stop} />
    ${found.status === "running" && found.progress?.best && html`<${SoFar} progress=${found.progress} deck=${deck} />`}
    ${found.status === "stopped" && html`<p class="hinted">${say("hint.stopped")} <button type="button" onClick=${() => hint.start("v1/hint", JSON.parse(found.asked))}>${say("hint.again")}</button></p>`}
    <${Faults} found=${found.fault} />
    ${found.answer && html`<${Answer} answer=${found.answer} deck=${deck} />`}
  </div>`;
}

/** The best move before the answer is there. The first one is told before any deal was tried. @param {{progress: any, deck: import("../cards/faces.js").Deck}} props */
function SoFar({ progress, deck }) {
  const guessed = progress.stage === "policy";
  return html`<p class="best-so-far">${say(guessed ? "hint.firstGuess" : "hint.soFar")} <${Move} deck=${deck} move=${progress.best} /></p>
    ${guessed && html`<p class="hinted">${say("hint.firstGuessWhy")}</p>`}`;
}

/** Have hints go by the match, or by points: that stands in the line that all began with. @param {boolean} on */
function goByMatch(on) {
  const line = address.value.text.replace(/ for_match=\S+/, "");
  go({ text: on ? `${line} for_match=yes` : line });
}

/** Why there is no hint now. */
function Nothing() {
  const { toMove, known, position } = table.value;
  if (!position) return null;
  if (toMove === null) return html`<p class="hinted">${say("board.over")}</p>`;
  if (position.variant === "free") return html`<p class="hinted">${say("hint.free")}</p>`;
  return html`<p class="hinted">${say(known ? "hint.otherSeat" : "hint.notYourTurn")}</p>`;
}

/** @param {{answer: any, deck: import("../cards/faces.js").Deck}} props */
export function Answer({ answer, deck }) {
  if (!answer.best) return html`<p>${answer.reason}</p>`;
  const near = answer.moves.filter((/** @type {any} */ move) => move.behind > 0 && move.behind_stderr !== null && move.behind <= SURE * move.behind_stderr);
  if (onlyCard.value && !unfolded.value) {
    const cards = cardsOf(deck, answer.best);
    return html`<section class="answer" aria-label=${say("hint.best")}>
      <p class="best-move">${cards.length ? html`<${Card} deck=${deck} card=${cards[0]} tone="best" />` : html`<${Move} deck=${deck} move=${answer.best} />`}</p>
      <button type="button" onClick=${() => (unfolded.value = true)}>${say("hint.why")}</button>
    </section>`;
  }
  return html`<section class="answer" aria-label=${say("hint.best")}>
    <div class="best-move"><${Move} deck=${deck} move=${answer.best} />
      <button type="button" class="primary" onClick=${() => made(answer.best)}>${say("hint.play")}</button></div>
    ${near.length ? html`<p class="unclear"><strong>${say("hint.unclear")}</strong> ${say("hint.unclearWhy", { n: near.length })}</p>` : null}
    <p class="reason">${answer.reason}</p>
    <p class="hinted">${basis(answer)} ${modelError(answer)}</p>
    <${Moves} answer=${answer} deck=${deck} />
  </section>`;
}

/** What an answer rests on, in a sentence. @param {any} answer */
function basis(answer) {
  if (answer.exact) return say("hint.exact");
  return say("hint.worlds", { n: answer.worlds ?? 0, worlds: figure(answer.worlds ?? 0, 0), method: answer.method ?? "", seconds: figure(answer.seconds, 2) });
}

/** How far all estimates may be off besides, in a sentence; empty where that is not known. @param {any} answer */
function modelError(answer) {
  if (!answer.model_error) return "";
  const error = answer.game === "aqua-regia" ? percent(answer.model_error, 2) : answer.model_error.toFixed(2);
  return say("hint.modelError", { error });
}

/** @param {{answer: any, deck: import("../cards/faces.js").Deck}} props */
function Moves({ answer, deck }) {
  const rows = answer.moves.map((/** @type {any} */ move) => estimate(move, answer.game));
  const scale = scaleOf(rows.filter((/** @type {any} */ row) => row.value !== null));
  return html`<table class="moves"><caption class="unseen">${say("hint.moves")}</caption>
    <thead><tr><th>${say("col.move")}</th><th>${say(rows[0]?.points ? "col.match" : rows[0]?.share ? "col.wins" : "col.mean")}</th><th>${say(rows.some((/** @type {any} */ row) => row.error) ? "col.range" : "col.scale")}</th></tr></thead>
    <tbody>${rows.map(
      (/** @type {any} */ row, /** @type {number} */ at) => html`<tr key=${row.move} class=${at === 0 ? "is-best" : ""}>
        <td><button type="button" class="move-button" onClick=${() => made(row.move)}><${Move} deck=${deck} move=${row.move} /></button></td>
        <td class="number">${row.words}${row.points && html`<br /><span class="hinted">${row.points}</span>`}</td>
        <td class="bar-cell">${row.value === null ? null : html`<${ErrorBar} value=${row.value} error=${row.error} scale=${scale} best=${at === 0} words=${row.words} />`}</td>
      </tr>`,
    )}</tbody></table>`;
}

/** A move's estimate, whatever the game calls it. @param {any} move @param {string} game */
function estimate(move, game) {
  const byMatch = typeof move.points === "number"; // then the mean is the chance to win the match, or to share it
  // A game of Aqua Regia is won or lost, so its mean is the chance to win.
  const share = byMatch || move.win_probability !== undefined || game === "aqua-regia";
  const value = move.win_probability ?? move.mean ?? move.swing ?? null;
  const error = move.stderr ?? 0;
  const said = (/** @type {number} */ number) => (share ? percent(number, 2) : error ? number.toFixed(2) : figure(number));
  const words = value === null ? say("unknown") : error ? say("estimate", { value: said(value), error: said(2 * error) }) : said(value);
  const points = byMatch ? say("hint.points", { points: move.points.toFixed(2) }) : "";
  return { move: move.move, share, value, error, words, points };
}
