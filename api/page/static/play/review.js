/** What each move of a finished round gave away: given what the seat knew, and in the actual deal. */
import { computed, effect, untracked } from "../core/html.js";
import { keptSignal } from "../core/kept.js";
import { announce } from "../core/live.js";
import { search } from "../core/search.js";
import { go, key, seenToo, tab } from "../core/session.js";
import { language, say } from "../core/words.js";
import { stepOf, tableEnd } from "./following.js";
import { lookedAt, mistakesOf } from "./looked.js";
import { ended, look, options, standing } from "./match.js";

export const review = search();
/** Whether only the player's own moves are reviewed. */
export const mine = keptSignal("play.reviewMine", true);
/** Whether a review was shared. */
const sent = key("review");
/** The last review that was finished, in the language of its reasons. */
const last = keptSignal("play.review", { asked: "", language: "", answer: /** @type {any} */ (null) });
/** The review, whose moves have the numbers that the steps of a table have, which is followed. */
export const numbered = computed(() => {
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
export function start() {
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
