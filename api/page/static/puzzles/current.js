/** The puzzle in the address, as far as the page knows it before it loads what it has for puzzles. */
import { computed, effect, signal } from "../core/html.js";
import { keptSignal } from "../core/kept.js";
import { fetchLater, loaded } from "../core/later.js";
import { key, open, tab } from "../core/session.js";
import { onMove } from "../table/picking.js";
import { make } from "../table/telling.js";

/** The key of the current puzzle. */
export const puzzleKey = key("puzzle");
/** The key of the puzzle whose answer is known, or whose player agreed to see what gives it away. */
export const revealed = signal("");
/** Whether that is still to be asked. */
export const isSecret = computed(() => Boolean(puzzleKey.value) && revealed.value !== puzzleKey.value);

/** What is chosen on the table before it is known that it is an answer, is one. @param {string} move */
async function wait(move) {
  await fetchLater();
  await onMove.value(move);
}

effect(() => {
  if (tab.value === "puzzles" && puzzleKey.value && !loaded.value) onMove.value = wait;
  else if (onMove.peek() === wait) onMove.value = make;
});

/** Leave the puzzle for the list. */
export function list() {
  open("", { tab: "puzzles" });
}

/** The days whose puzzle was solved in this browser, such as 2026-11-27. */
export const solvedDays = keptSignal("puzzles.days", /** @type {string[]} */ ([]));

/** The player's own day, or one before it. @param {number} [back] by how many days */
export function today(back = 0) {
  const now = new Date();
  const then = new Date(now.getFullYear(), now.getMonth(), now.getDate() - back);
  return [then.getFullYear(), then.getMonth() + 1, then.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
}

/** Whether today's puzzle is solved. */
export function isDayDone() {
  return solvedDays.value.includes(today());
}

/** On how many days in a row the puzzle was solved, up to today or yesterday. */
export function daysInRow() {
  let back = isDayDone() ? 0 : 1;
  const first = back;
  while (solvedDays.value.includes(today(back))) back += 1;
  return back - first;
}

/** Open the puzzle of the day, the same for everybody. */
export async function chooseDaily() {
  const { chooseDaily: choose } = await fetchLater();
  await choose();
}
