/** The end of a round, in a game against the page's players or at a table that is followed: result, review, ways on. */
import { html, useEffect } from "../core/html.js";
import { toTop } from "../core/panel.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { deckOf } from "../cards/faces.js";
import { Told } from "../cards/told.js";
import { look } from "./match.js";
import { Review, Reviewing, ToReview } from "./review.js";

/** @typedef {(seat: number) => string} Who */

/**
 * @param {object} props
 * @param {string} props.title
 * @param {(() => void) | null} props.next begins the next round; null after the last
 * @param {any} props.back further buttons
 * @param {any} [props.early] what stands before the result
 * @param {any} [props.asking] what stands behind it
 * @param {any} props.ranks
 * @param {string[]} props.summary
 */
export function Ended({ title, next, back, early, asking, ranks, summary }) {
  const deck = deckOf(table.value.position);
  useEffect(toTop, []);
  return html`${
    !look.value &&
    html`<div class="row steps-back">
      <h3>${title}</h3>
      ${next && html`<button type="button" class="primary" onClick=${next}>${say("play.next")}</button>`}
      <${ToReview} />
      ${back}
    </div>
    ${early}`
  }
    <${Reviewing} />
    ${
      !look.value &&
      html`<section class="stack" role="status">
      ${ranks}
      ${summary.map((text) => html`<p class="reason"><${Told} deck=${deck} text=${text} /></p>`)}
    </section>
    ${asking}`
    }
    <${Review} />`;
}

/**
 * Who has won a game, in a sentence.
 *
 * @param {number[] | null} totals of a solitaire, none @param {Who} who @param {number} own the player's seat
 */
export function wonBy(totals, who, own) {
  if (!totals) return say("play.over");
  const most = Math.max(...totals);
  const first = [...totals.keys()].filter((seat) => totals[seat] === most);
  if (first.length > 1) return say("play.wins.shared", { who: first.map(who).join(say("comma")) });
  return first[0] === own ? say("play.wins.you") : say("play.wins", { who: who(first[0]) });
}

/**
 * The players by their points in the match so far, the most first, and those whose points are unknown last.
 *
 * @param {{totals: (number | null)[], who: Who, words?: string}} props the key of what they have
 */
export function Ranks({ totals, who, words = "seat.points" }) {
  const seats = [...totals.keys()].sort((one, other) => (totals[other] ?? -1) - (totals[one] ?? -1));
  const most = Math.max(1, ...totals.map((total) => total ?? 0));
  const part = (/** @type {number} */ seat) => ({ "--part": Math.max(0, totals[seat] ?? 0) / most });
  return html`<ol class="ranks plain">${seats.map(
    (seat) => html`<li key=${seat} style=${part(seat)}><span>${who(seat)}</span>
      <b>${totals[seat] === null ? say("ending.unknown") : say(words, { n: totals[seat] })}</b></li>`,
  )}</ol>`;
}
