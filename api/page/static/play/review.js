/** What each move of the finished rounds gave away: given what the seat knew, and in the actual deal. */
import { computed, effect, html, signal, untracked, useEffect, useLayoutEffect, useRef } from "../core/html.js";
import { keptSignal } from "../core/kept.js";
import { announce } from "../core/live.js";
import { scrollBack, scrolled, toPart, toSight } from "../core/panel.js";
import { search } from "../core/search.js";
import { go, key, seenToo, tab } from "../core/session.js";
import { language, say } from "../core/words.js";
import { Faults } from "../table/faults.js";
import { isAlone } from "../games/match.js";
import { Progress } from "../parts/progress.js";
import { Mistakes } from "./mistakes.js";
import { Place, lookedAt, placeOf } from "./place.js";
import { Account, Legend, Rows, Walk, graphOf, isTold, mistakesOf } from "./rows.js";
import { ended, happened, look, options, standing, whose } from "./match.js";
import { Worst } from "./worst.js";

const review = search();
const mine = keptSignal("play.reviewMine", true);
/** Whether a review was shared. */
const sent = key("review");
/** Whether all numbers are shown. */
const isOpen = signal(false);
/** The last review that was finished, in the language of its reasons. */
const last = keptSignal("play.review", { asked: "", language: "", answer: /** @type {any} */ (null) });
/** The move of the review that is looked at; undefined for none. */
export const looking = computed(() => lookedAt(review.found.value.answer));
/** Whether there is a review. */
export const reviewed = computed(() => Boolean(review.found.value.answer));

effect(() => {
  if (!ended.value) untracked(review.clear);
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
  const isShown = tab.value === "play" && review.found.value.answer;
  seenToo.value = { ...seenToo.peek(), review: isShown ? "1" : "" };
});

/** Show what was reviewed before a reload; review again what is shared as a review, or as a move of one. */
effect(() => {
  const { status, answer } = review.found.value;
  if (!ended.value) return;
  untracked(() => {
    if (status === "idle" && (look.value || sent.value || isKnown())) start();
    else if (look.value && answer?.complete && !looking.value) startForAll();
  });
});

/** What to ask for a review of the round. */
function question() {
  const { match, ended: over } = standing.value;
  return { match, round: over.round, ...(mine.value ? { seat: options.value?.seat ?? 0 } : {}) };
}

/** Whether the round was reviewed last. */
function isKnown() {
  return last.value.asked === JSON.stringify(question()) && last.value.language === language;
}

/** Review the round; the same round gets the same answer, although it is an estimate within a time limit. */
function start() {
  go({ keys: { review: "" } }, { replace: true });
  if (isKnown()) review.show(question(), last.value.answer);
  else review.start("v1/match/review", question());
}

/** Look for the move in the address among those of all seats. */
function startForAll() {
  if (!mine.value) go({ keys: { look: "" } }, { replace: true });
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

/** The review, which comes into sight when it is finished. */
export function Review() {
  const found = review.found.value;
  const { answer } = found;
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (answer?.complete && !look.value) toSight(place.current);
  }, [answer?.complete]);
  const choose = (/** @type {any} */ event) => (mine.value = event.target.checked);
  return html`<div class="stack" ref=${place}>
    ${
      !looking.value &&
      !isAlone(options.value) &&
      html`<label><input type="checkbox" checked=${mine.value} onChange=${choose} /> ${say("play.reviewMine")}</label>`
    }
    <${Faults} found=${found.fault} />
    ${answer && html`<${Told} answer=${answer} who=${whose} mine=${mine.value} won=${winnerOf} onShow=${show} />`}
  </div>`;
}

/**
 * A review: what each seat gave away, where, and each move.
 *
 * @param {object} props
 * @param {any} props.answer
 * @param {(seat: number) => string} props.who
 * @param {boolean} props.mine
 * @param {(move: any) => number | null} [props.won]
 * @param {(move: any) => void} props.onShow
 */
export function Told({ answer, who, mine, won = () => null, onShow }) {
  const seats = answer.seats.filter((/** @type {any} */ seat) => seat.decisions);
  const place = useRef(scrolled());
  const move = lookedAt(answer);
  useLayoutEffect(() => {
    if (!move) scrollBack(place.current);
  }, [!move]);
  /** @param {any} chosen */
  const onLook = (chosen) => {
    if (!move) place.current = scrolled();
    onShow(chosen);
  };
  const toggle = (/** @type {any} */ { currentTarget: part }) => {
    if (part.open && !isOpen.value) toPart(part);
    isOpen.value = part.open;
  };
  if (move) return html`<${Place} answer=${answer} move=${move} who=${who} onShow=${onLook} />`;
  return html`<section class="stack" aria-label=${say("play.reviewTitle")}>
    <h3>${say("play.reviewTitle")}</h3>
    <p class="hinted">${say(`play.reviewUnit.${answer.unit}`)}</p>
    <${Worst} answer=${answer} who=${who} onShow=${onLook} />
    <${Mistakes} review=${answer} />
    ${seats.some((/** @type {any} */ seat) => isTold(seat.mistakes)) && html`<${Legend} seats=${seats} />`}
    ${walksOf(answer, seats, who).map(
      ({ seat, of, moves }) => html`<figure class="graph">
      <figcaption>${[...of, graphOf(seat, answer.unit)].join(" · ")}</figcaption>
      <${Walk} moves=${moves} seat=${seat} unit=${answer.unit} onShow=${onLook} /></figure>`,
    )}
    <details class="numbers" open=${isOpen.value} onToggle=${toggle}>
      <summary>${say("play.reviewAll")}</summary>
      <p class="hinted">${say("play.reviewWhy")}</p>
      <${Account} seats=${seats} unit=${answer.unit} who=${who} />
      <${Rows} moves=${answer.moves} unit=${answer.unit} who=${who} mine=${mine} won=${won} onShow=${onLook} />
    </details>
  </section>`;
}

/** The winner of a move's trick, from the log. @param {any} move @returns {number | null} */
function winnerOf({ round, trick }) {
  const last = happened.value.findLast((one) => one.round === round && one.trick === trick);
  return last?.won_by ?? null;
}

/**
 * The moves of each seat in each round, and `of` which seat and round they are, where there are several. With several
 * rounds, the result is their total and is not shown.
 *
 * @param {any} answer @param {any[]} seats @param {(seat: number) => string} who
 */
function walksOf(answer, seats, who) {
  const rounds = [...new Set(answer.moves.map((/** @type {any} */ move) => move.round))];
  return rounds.flatMap((round) =>
    seats.map((seat) => ({
      seat: rounds.length > 1 ? { ...seat, finished: false } : seat,
      of: [seats.length > 1 && who(seat.seat), rounds.length > 1 && say("play.round", { round })].filter(Boolean),
      moves: answer.moves.filter((/** @type {any} */ move) => move.round === round && move.seat === seat.seat),
    })),
  );
}

/** Put on the table what the seat saw before a move, if it can be written as a line. @param {any} move */
function show(move) {
  const { variant, seat = 0 } = options.value ?? {};
  const isOurs = variant !== "duel" || move.seat === seat; // a line of a duel does not say whose it is
  go({ text: (isOurs && move.view) || "", keys: { look: placeOf(move), tab: "play", moves: "", at: "", seat: "" } });
}
