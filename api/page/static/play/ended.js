/** The end of a round, in a game against the page's players or at a table that is followed: result, review, ways on. */
import { html, useEffect, useLayoutEffect, useRef } from "../core/html.js";
import { keepInSight, toPart, toTop } from "../core/panel.js";
import { go } from "../core/session.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { Card } from "../cards/card.js";
import { deckOf } from "../cards/faces.js";
import { Told } from "../cards/told.js";
import { Faults } from "../table/faults.js";
import { gameOf } from "../games/index.js";
import { isAlone } from "../games/match.js";
import { isYou, seatName } from "../games/shared.js";
import { Brewed } from "../parts/brews.js";
import { Progress } from "../parts/progress.js";
import { lookAt, tableEnd } from "./following.js";
import { placeOf } from "./looked.js";
import { happened, look, options, whose } from "./match.js";
import { looking, mine, numbered, review, reviewed, start } from "./review.js";
import { Told as Reviewed } from "./told.js";

/** @typedef {(seat: number) => string} Who */

/**
 * @param {object} props
 * @param {{totals: any, won: boolean | null}} props.end the points so far, null in a solitaire, which is `won`
 * @param {number | null} props.round the round that is over; null if the game is
 * @param {number} props.own the player's seat
 * @param {boolean} props.ranked whether the players are ranked
 * @param {string} [props.words] the key of what they have
 * @param {{words: string, run: () => void} | null} props.next what most go on with, at the review's foot once there is
 *   one; null for nothing
 * @param {any} props.back further buttons
 * @param {any} [props.early] what stands before the result
 * @param {any} [props.asking] what stands behind it
 * @param {string[]} props.summary
 * @param {string | null} props.decided what decided the round, in a sentence
 * @param {Who} props.who
 */
export function Ended({ end, round, own, ranked, words: unit, next, back, early, asking, summary, decided, who }) {
  const { position } = table.value;
  const deck = deckOf(position);
  const makes = position && gameOf(position.game)?.compounds; // recipes, which are drawn
  const [first, ...others] = decided ? [decided, ...summary] : summary;
  const words = others.map((text) => html`<p><${Told} deck=${deck} text=${text} /></p>`);
  useEffect(toTop, []);
  return html`${
    !look.value &&
    html`<div class="row steps-back ending">
      <h3>${round === null ? wonBy(end, who, own) : say("play.ended", { round })}</h3>
      ${
        next &&
        !reviewed.value &&
        html`<button type="button" class="primary" onClick=${next.run}>${say(next.words)}</button>`
      }
      <button type="button" onClick=${start}>${say("play.review")}</button>
      ${back}
    </div>
    ${early}`
  }
    <${Reviewing} />
    ${
  !look.value &&
      html`${ranked && html`<${Ranks} totals=${end.totals} who=${who} words=${unit} />`}
      <section class="stack result" role="status">
      ${first && html`<p class="reason"><${Told} deck=${deck} text=${first} /></p>`}
      ${makes && html`<${Brewed} position=${position} deck=${deck} who=${who} />`}
      ${makes && others.length > 0 ? html`<details><summary>${say("ending.words")}</summary>${words}</details>` : words}
    </section>
    ${asking}`
    }
    <${Review} next=${next} />`;
}

/** The progress of the review, which comes into sight when it begins. */
function Reviewing() {
  const found = review.found.value;
  useEffect(() => {
    if (found.status === "running") toPart(document.querySelector(".panel .progress"));
  }, [found.status]);
  return html`<${Progress} found=${found} stop=${review.stop} />`;
}

/**
 * The review, which comes into sight when it is finished, and what most go on with at its foot.
 *
 * @param {{next: {words: string, run: () => void} | null}} props
 */
function Review({ next }) {
  const found = review.found.value;
  const answer = numbered.value;
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    return answer?.complete && !look.value ? keepInSight(place.current) : undefined;
  }, [answer?.complete]);
  const choose = (/** @type {any} */ event) => (mine.value = event.target.checked);
  const isFollowed = tableEnd.value !== null;
  const who = isFollowed ? (/** @type {number} */ seat) => seatName(seat, table.value.position) : whose;
  return html`<div class="stack" ref=${place}>
    ${
      !looking.value &&
      !isFollowed &&
      !isAlone(options.value) &&
      html`<label><input type="checkbox" checked=${mine.value} onChange=${choose} /> ${say("play.reviewMine")}</label>`
    }
    <${Faults} found=${found.fault} />
    ${
      answer &&
      html`<${Reviewed} answer=${answer} who=${who} mine=${isFollowed || mine.value} won=${winnerOf}
        onShow=${isFollowed ? lookAt : show} />`
    }
    ${
      answer &&
      next &&
      !looking.value &&
      html`<div class="row"><button type="button" class="primary" onClick=${next.run}>${say(next.words)}</button></div>`
    }
  </div>`;
}

/** The winner of a move's trick, from the log. @param {any} move @returns {number | null} */
function winnerOf({ round, trick }) {
  const last = happened.value.findLast((one) => one.round === round && one.trick === trick);
  return last?.won_by ?? null;
}

/** Put on the table what the seat saw before a move, if it can be written as a line. @param {any} move */
function show(move) {
  const { variant, seat = 0 } = options.value ?? {};
  const isOurs = variant !== "duel" || move.seat === seat; // a line of a duel does not say whose it is
  go({ text: (isOurs && move.view) || "", keys: { look: placeOf(move), tab: "play", moves: "", at: "", seat: "" } });
}

/**
 * Who has won a game, in a sentence.
 *
 * @param {{totals: number[] | null, won: boolean | null}} end the service's answer: a solitaire is `won`, and has no
 *   totals
 * @param {Who} who @param {number} own the player's seat
 */
function wonBy({ totals, won }, who, own) {
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
function Ranks({ totals, who, words = "seat.points" }) {
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
