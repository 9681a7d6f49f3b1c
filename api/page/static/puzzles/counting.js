/** What counts of the answers to the current puzzle: the first one, after a hint half. */
import { computed, signal } from "../core/html.js";
import { keptSignal } from "../core/kept.js";
import { note, standing } from "./attempts.js";
import { puzzleKey } from "./current.js";
import { isDue, ratingIn } from "./record.js";
import { OWN, puzzle } from "./store.js";

/** Whether this attempt is already in the record: the first answer counts, or looking at the solution. */
export const counted = signal(false);
/** Whether the next answer or help counts. A solved puzzle that is not due, and is only looked at again, does not. */
export const counts = computed(() => {
  const name = puzzleKey.value;
  const again = standing.value.puzzles.get(name)?.solved && !isDue(standing.value, name, new Date().toISOString());
  return !counted.value && !again;
});
/** Whether this was the first attempt at a puzzle of the collection. */
export const isNew = signal(false);
/**
 * What the answer that counted changed: the rating in the game before and after, and whether it counted half; null if
 * nothing was counted here.
 *
 * @typedef {{game: string, from: number, to: number, isFirst: boolean, isRight: boolean, isHalf: boolean}} Change
 * @type {import("../vendor/signals.js").Signal<Change | null>}
 */
export const change = signal(null);

/** The puzzles whose hint was read before the first answer, also in an earlier visit. */
const hinted = keptSignal("puzzles.hinted", /** @type {string[]} */ ([]));
/** Whether solving the current puzzle counts half. */
export const isHalf = computed(() => counts.value && hinted.value.includes(puzzleKey.value));

/** Note that the hint of the current puzzle is read. */
export function countHint() {
  if (counts.value && !isHalf.value) hinted.value = [...hinted.value, puzzleKey.value];
}

/** Record the attempt, once. @param {boolean} right at the first try */
export function count(right) {
  const name = puzzleKey.value;
  const helped = isHalf.value;
  if (counts.value) {
    const game = puzzle.value?.game ?? "";
    const isFirst = !standing.value.puzzles.has(name);
    const from = ratingIn(standing.value, game).points;
    if (!name.startsWith(OWN)) isNew.value = isFirst;
    note(name, puzzle.value ?? null, right, helped);
    const to = ratingIn(standing.value, game).points;
    change.value = { game, from, to, isFirst, isRight: right, isHalf: helped };
  }
  if (helped) hinted.value = hinted.value.filter((one) => one !== name);
  counted.value = true;
}
