/** What each move of a finished round gave away: given what the seat knew, and in the actual deal. */
import { computed, effect, html, untracked, useEffect, useRef } from "../core/html.js";
import { keptSignal } from "../core/kept.js";
import { later } from "../core/later.js";
import { announce } from "../core/live.js";
import { keepInSight, toPart } from "../core/panel.js";
import { search } from "../core/search.js";
import { go, key, seenToo, tab } from "../core/session.js";
import { language, say } from "../core/words.js";
import { table } from "../core/table.js";
import { Faults } from "../table/faults.js";
import { isAlone } from "../games/match.js";
import { seatName } from "../games/shared.js";
import { Progress } from "../parts/progress.js";
import { lookAt, stepOf, tableEnd } from "./following.js";
import { lookedAt, mistakesOf, placeOf } from "./looked.js";
import { ended, happened, look, options, standing, whose } from "./match.js";

/** A review as it is read, which few visitors see: it is loaded then. */
export const Told = later("Told");

const review = search();
const mine = keptSignal("play.reviewMine", true);
/** Whether a review was shared. */
const sent = key("review");
/** The last review that was finished, in the language of its reasons. */
const last = keptSignal("play.review", { asked: "", language: "", answer: /** @type {any} */ (null) });
/** The review, whose moves have the numbers that the steps of a table have, which is followed. */
const numbered = computed(() => {
  const { answer } = review.found.value;
  if (!answer || !untracked(() => tableEnd.value)) return answer;
  const moves = answer.moves.map((/** @type {any} */ move) => ({ ...move, step: untracked(() => stepOf(move)) }));
  return { ...answer, moves };
});
/** The move of the review that is looked at; undefined for none. */
export const looking = computed(() => lookedAt(numbered.value));
/** Whether there is a review. */
export const reviewed = computed(() => Boolean(review.found.value.answer));

/** What to ask for a review of the round that is over, in a game or at a table that is followed; null while none is. */
const question = computed(() => {
  const { match, recorded_round: number, seat } = tableEnd.value ?? {};
  if (match) return { match, round: number, seat }; // what the others knew was not seen
  if (!ended.value) return null;
  const own = mine.value ? { seat: options.value?.seat ?? 0 } : {};
  return { match: standing.value.match, round: ended.value.round, ...own };
});

/** Whether a round is over. */
const isOver = computed(() => question.value !== null);

effect(() => {
  if (!isOver.value) untracked(review.clear);
});

effect(() => {
  const { asked, answer } = review.found.value;
  if (!answer?.complete) return;
  untracked(() => {
    last.value = { asked, language, answer };
    announce(say("review.done", { n: mistakesOf(answer.moves).length }));
  });
});

effect(() => {
  const isShown = (tab.value === "play" || tableEnd.value) && review.found.value.answer;
  seenToo.value = { ...seenToo.peek(), review: isShown ? "1" : "" };
});

/** Show what was reviewed before a reload; review again what is shared as a review, or as a move of one. */
effect(() => {
  const { status, answer } = review.found.value;
  if (!isOver.value) return;
  untracked(() => {
    if (status === "idle" && (look.value || sent.value || isKnown())) start();
    else if (look.value && answer?.complete && !looking.value) startForAll();
  });
});

/** Whether the round was reviewed last. */
function isKnown() {
  return last.value.asked === JSON.stringify(question.value) && last.value.language === language;
}

/** Review the round; the same round gets the same answer, although it is an estimate within a time limit. */
function start() {
  go({ keys: { review: "" } }, { replace: true });
  if (!question.value) return;
  if (isKnown()) review.show(question.value, last.value.answer);
  else review.start("v1/match/review", question.value);
}

/** Look for the move in the address among those of all seats. */
function startForAll() {
  if (!mine.value || tableEnd.value) go({ keys: { look: "" } }, { replace: true });
  else {
    mine.value = false;
    start();
  }
}

/** The button that starts the review. */
export function ToReview() {
  return html`<button type="button" onClick=${start}>${say("play.review")}</button>`;
}

/** The progress of the review, which comes into sight when it begins. */
export function Reviewing() {
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
export function Review({ next }) {
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
      html`<${Told} answer=${answer} who=${who} mine=${isFollowed || mine.value} won=${winnerOf}
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
