/** What each move of the finished rounds gave away: by what the seat knew, and in truth. */
import { effect, html, untracked } from "../core/html.js";
import { Refused, ask } from "../core/ask.js";
import { keptSignal } from "../core/kept.js";
import { search } from "../core/search.js";
import { go } from "../core/session.js";
import { table } from "../core/table.js";
import { figure, say } from "../core/words.js";
import { Faults } from "../board/faults.js";
import { deckOf } from "../cards/faces.js";
import { Move } from "../cards/moves.js";
import { Progress } from "../parts/progress.js";
import { ended, options, standing, whose } from "./match.js";

const review = search();
const mine = keptSignal("play.reviewMine", true);

effect(() => {
  if (!ended.value) untracked(review.clear);
});

function start() {
  const { match, ended: over } = standing.value;
  review.start("v1/match/review", { match, round: over.round, ...(mine.value ? { seat: options.value?.seat ?? 0 } : {}) });
}

/** The button that asks for the review, how far it is, and the review. */
export function Review() {
  const found = review.found.value;
  const { answer } = found;
  return html`<div class="stack">
    <div class="row">
      <button type="button" onClick=${start}>${say("play.review")}</button>
      <label><input type="checkbox" checked=${mine.value} onChange=${(/** @type {any} */ event) => (mine.value = event.target.checked)} /> ${say("play.reviewMine")}</label>
    </div>
    <${Progress} found=${found} stop=${review.stop} />
    <${Faults} found=${found.fault} />
    ${answer && html`<${Told} answer=${answer} who=${whose} mine=${mine.value} onShow=${show} />`}
  </div>`;
}

/**
 * A review: what each seat gave away, and each move.
 *
 * @param {{answer: any, who: (seat: number) => string, mine: boolean, onShow: (move: any) => void}} props
 */
export function Told({ answer, who, mine, onShow }) {
  return html`<section class="stack" aria-label=${say("play.reviewTitle")}>
    <h3>${say("play.reviewTitle")}</h3>
    <p class="hinted">${say(`play.reviewUnit.${answer.unit}`)} ${say("play.reviewWhy")}</p>
    <ul class="plain">${answer.seats.filter((/** @type {any} */ seat) => seat.decisions).map((/** @type {any} */ seat) => html`<li>${say("play.reviewSum", { seat: who(seat.seat), best: seat.best, decisions: seat.decisions, lost: figure(seat.lost) })}</li>`)}</ul>
    <${Rows} moves=${answer.moves} who=${who} mine=${mine} onShow=${onShow} />
  </section>`;
}

/** @param {{moves: any[], who: (seat: number) => string, mine: boolean, onShow: (move: any) => void}} props */
function Rows({ moves, who, mine, onShow }) {
  const deck = deckOf(table.value.position);
  return html`<div class="scroll"><table class="moves">
    <thead><tr><th>${say("play.at")}</th><th>${say("col.move")}</th><th>${say("play.lost")}</th><th>${say("play.better")}</th><th>${say("play.truth")}</th></tr></thead>
    <tbody>${moves.map(
      (move) => html`<tr key=${move.number} class=${move.verdict === "worse" ? "is-worse" : ""}>
        <td class="number at"><button type="button" class="quiet small" title=${say("play.show")} aria-label=${`${move.number}: ${say("play.show")}`} onClick=${() => onShow(move)}>${move.number}</button>${move.text && html` <button type="button" class="quiet small" title=${say("play.showAll")} aria-label=${`${move.number}: ${say("play.showAll")}`} onClick=${() => go({ text: move.text, keys: { tab: "analysis", moves: "", at: "", seat: "" } })}>${say("play.all")}</button>`}${mine ? null : html`<span class="slot-seat"> ${who(move.seat)}</span>`}</td>
        <td><${Move} deck=${deck} move=${move.move} /></td>
        <td class="number">${lost(move)}</td>
        <td>${move.verdict === "worse" && move.best ? html`<${Move} deck=${deck} move=${move.best} />` : html`<span class="hinted">${say(`play.${move.verdict}`)}</span>`}</td>
        <td class="number">${truth(move)}</td>
      </tr>`,
    )}</tbody></table></div>`;
}

/** @param {any} move */
function lost(move) {
  if (move.lost === null) return say("play.unknown");
  return move.lost && move.stderr ? say("estimate", { value: figure(move.lost), error: figure(2 * move.stderr) }) : figure(move.lost);
}

/** @param {any} move */
function truth(move) {
  if (!move.true_bounds) return "–";
  const [low, high] = move.true_bounds;
  return low === high ? figure(low) : say("play.span", { low: figure(low), high: figure(high) });
}

/** Put what the seat saw before a move on the table, with a hint for it. @param {any} move */
async function show(move) {
  const { match } = standing.value;
  const moves = [...match.moves.slice(0, move.round - 1), match.moves[move.round - 1].slice(0, move.number - 1)];
  try {
    const found = await ask("v1/match", { match: { ...match, moves, seat: move.seat } });
    if (found.text) go({ text: found.text, keys: { tab: "hint", moves: "", at: "", seat: "" } });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}
