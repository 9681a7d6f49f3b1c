/** The end of a round, in a game against the page's players or at a table that is followed: result, review, ways on. */
import { html, useEffect, useLayoutEffect, useRef } from "../core/html.js";
import { later } from "../core/later.js";
import { toTop } from "../core/panel.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { Card } from "../cards/card.js";
import { deckOf } from "../cards/faces.js";
import { Told } from "../cards/told.js";
import { gameOf } from "../games/index.js";
import { isYou } from "../games/shared.js";
import { look } from "./match.js";
import { Review, Reviewing, ToReview, reviewed } from "./review.js";

/** @typedef {(seat: number) => string} Who */

/** What the seats have made, as pictures. */
const Brewed = later("Brewed");

/**
 * @param {object} props
 * @param {string} props.title
 * @param {{words: string, run: () => void} | null} props.next what most go on with, at the review's foot once there is
 *   one; null for nothing
 * @param {any} props.back further buttons
 * @param {any} [props.early] what stands before the result
 * @param {any} [props.asking] what stands behind it
 * @param {any} props.ranks
 * @param {string[]} props.summary
 * @param {string | null} props.decided what decided the round, in a sentence
 * @param {Who} props.who
 */
export function Ended({ title, next, back, early, asking, ranks, summary, decided, who }) {
  const { position } = table.value;
  const deck = deckOf(position);
  const makes = position && gameOf(position.game)?.compounds; // recipes, which are drawn
  const [first, ...others] = decided ? [decided, ...summary] : summary;
  const words = others.map((text) => html`<p><${Told} deck=${deck} text=${text} /></p>`);
  useEffect(toTop, []);
  return html`${
    !look.value &&
    html`<div class="row steps-back ending">
      <h3>${title}</h3>
      ${
        next &&
        !reviewed.value &&
        html`<button type="button" class="primary" onClick=${next.run}>${say(next.words)}</button>`
      }
      <${ToReview} />
      ${back}
    </div>
    ${early}`
  }
    <${Reviewing} />
    ${
  !look.value &&
      html`${ranks}
      <section class="stack result" role="status">
      ${first && html`<p class="reason"><${Told} deck=${deck} text=${first} /></p>`}
      ${makes && html`<${Brewed} position=${position} deck=${deck} who=${who} />`}
      ${makes && others.length > 0 ? html`<details><summary>${say("ending.words")}</summary>${words}</details>` : words}
    </section>
    ${asking}`
    }
    <${Review} next=${next} />`;
}

/**
 * Who has won a game, in a sentence.
 *
 * @param {{totals: number[] | null, won: boolean | null}} end the service's answer: a solitaire is `won`, and has no
 *   totals
 * @param {Who} who @param {number} own the player's seat
 */
export function wonBy({ totals, won }, who, own) {
  if (!totals) return say(won === null ? "play.over" : `play.alone.${won}`);
  const most = Math.max(...totals);
  const first = [...totals.keys()].filter((seat) => totals[seat] === most);
  if (first.length > 1) return say("play.wins.shared", { who: first.map(who).join(say("comma")) });
  return first[0] === own ? say("play.wins.you") : say("play.wins", { who: who(first[0]) });
}

/**
 * The players by their points in the match so far, the most first, and those whose points are unknown last; with what
 * the others turned up at the end.
 *
 * @param {{totals: (number | null)[], who: Who, words?: string}} props the key of what they have
 */
export function Ranks({ totals, who, words = "seat.points" }) {
  const { laid, position } = table.value;
  const deck = deckOf(position);
  const zones = position ? (gameOf(position.game)?.zones(laid) ?? []) : []; // no cards lie before the next deal
  const shown = (/** @type {number} */ seat) => {
    const own = zones.filter((one) => one.kind === "single" && one.seat === seat && !isYou(seat, position));
    return own.flatMap(({ cards }) => cards);
  };
  const seats = [...totals.keys()].sort((one, other) => (totals[other] ?? -1) - (totals[one] ?? -1));
  const most = Math.max(1, ...totals.map((total) => total ?? 0));
  const part = (/** @type {number} */ seat) => ({ "--part": Math.max(0, totals[seat] ?? 0) / most });
  const isFirst = (/** @type {number} */ seat) => totals[seat] !== null && totals[seat] === totals[seats[0]];
  return html`<ol class="ranks plain">${seats.map(
    (seat) => html`<li key=${seat} class=${isFirst(seat) ? "first" : ""} style=${part(seat)}><span>${who(seat)}</span>
      ${shown(seat).map((card) => html`<${Card} key=${card} deck=${deck} card=${card} />`)}
      <b>${totals[seat] === null ? say("ending.unknown") : html`<${Counted} total=${totals[seat]} words=${words} />`}
      </b></li>`,
  )}</ol>`;
}

const COUNTING = 700; // milliseconds
/** A number with its words, counted up unless motion is reduced. @param {{total: number, words: string}} props */
function Counted({ total, words }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    let frame = 0;
    const begun = performance.now();
    const count = () => {
      const part = Math.min(1, (performance.now() - begun) / COUNTING);
      const text = place.current?.firstChild;
      if (text) text.nodeValue = say(words, { n: Math.round(total * part) });
      if (part < 1) frame = requestAnimationFrame(count);
    };
    count();
    return () => cancelAnimationFrame(frame);
  }, [total]);
  return html`<span ref=${place}>${say(words, { n: total })}</span>`;
}
