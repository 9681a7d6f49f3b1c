/** Which puzzles there are, which one is asked, and which were solved in this browser. */
import { computed, signal } from "../core/html.js";
import { Refused, ask } from "../core/ask.js";
import { keptSignal, recall } from "../core/kept.js";
import { go, key, open } from "../core/session.js";
import { takeDeck, takers } from "../table/taking.js";

/**
 * @typedef {object} Puzzle as `v1/puzzles` tells it
 * @property {string} id
 * @property {string} title
 * @property {"best-move" | "all-matches" | "value" | "winnable" | "compound"} ask
 * @property {string} game
 * @property {string} [model]
 * @property {number} [player]
 * @property {string} [grade]
 * @property {string} [note]
 * @property {string} text
 * @property {any} position
 * @property {any} [solution]
 */

export const OWN = "own:"; // begins the key of a puzzle of the user's own file

/** Whether the collection has arrived. */
export const arrived = signal(false);
/** The key of a puzzle that there is not. */
export const gone = signal("");

const collection = signal(/** @type {Puzzle[]} */ ([]));
/** The puzzles of the user's file. */
export const own = keptSignal("puzzles.own", /** @type {Puzzle[]} */ ([]));
/** What is wrong with the user's file. @type {import("../vendor/signals.js").Signal<Refused | null>} */
export const faulty = signal(null);
/** The keys of the puzzles that were solved. */
export const solved = keptSignal("puzzles.solved", /** @type {string[]} */ ([]));
/** Which puzzles are listed. */
export const chosen = keptSignal("puzzles.chosen", { game: "", grade: "", unsolved: false, own: false });

/** The collection on its way. @type {Promise<void> | null} */
let coming = null;

/** Fetch the collection, once. */
export function fetchCollection() {
  coming ??= ask("v1/puzzles").then((found) => {
    collection.value = found.puzzles;
    arrived.value = true;
  });
  return coming;
}

/** Fetch the puzzle in the address, without the others: a shared address shows one alone. */
export async function fetchOne() {
  const id = puzzleKey.value;
  if (!id || id.startsWith(OWN) || puzzle.value) return;
  const { puzzles } = await ask(`v1/puzzles?id=${encodeURIComponent(id)}`);
  if (!arrived.value) collection.value = puzzles;
  if (!puzzles.length) gone.value = id;
}

/** @param {Puzzle} puzzle @param {boolean} isOwn */
function keyOf(puzzle, isOwn) {
  return (isOwn ? OWN : "") + puzzle.id;
}

/** The puzzles that are listed, each with its key in the address. */
export const listed = computed(() => {
  const { game, grade, unsolved, own: mine } = chosen.value;
  const from =
    mine && own.value.length
      ? own.value.map((puzzle) => ({ name: keyOf(puzzle, true), puzzle }))
      : collection.value.map((puzzle) => ({ name: keyOf(puzzle, false), puzzle }));
  return from.filter(
    ({ name, puzzle }) =>
      (!game || puzzle.game === game) &&
      (!grade || puzzle.grade === grade) &&
      (!unsolved || !solved.value.includes(name)),
  );
});

/** The key of the puzzle that is asked. */
export const puzzleKey = key("puzzle");
/** The puzzle that is asked; null for none, undefined for one that there is not. */
export const puzzle = computed(() => {
  const name = puzzleKey.value;
  if (!name) return null;
  const from = name.startsWith(OWN) ? own.value : collection.value;
  return from.find((one) => keyOf(one, name.startsWith(OWN)) === name);
});
/** Ask a puzzle. @param {{name: string, puzzle: Puzzle}} one */
export function choose({ name, puzzle: one }) {
  open(one.ask === "compound" ? "" : one.text, { tab: "puzzles", puzzle: name, model: one.model ?? "" });
}

const DAY = 86_400_000; // milliseconds

/** Ask the puzzle of the day: the same for everybody, another one tomorrow. */
export async function chooseDaily() {
  go({ keys: { tab: "puzzles", puzzle: "" } });
  await fetchCollection();
  const all = collection.value.filter((one) => one.ask === "best-move");
  // A step that shares no factor with the length visits every puzzle before one comes again.
  const day = Math.floor(Date.now() / DAY);
  const one = all[(day * 7919) % all.length];
  if (one) choose({ name: keyOf(one, false), puzzle: one });
}

/** Ask the next puzzle of the list. */
export async function next() {
  await fetchCollection();
  const at = listed.value.findIndex((one) => one.name === puzzleKey.value);
  const found = listed.value[at + 1] ?? listed.value[0];
  if (found) choose(found);
}

/** Note that a puzzle is solved, beside what another window of the page has noted. @param {string} name */
export function noteSolved(name) {
  const known = new Set([...(recall("puzzles.solved") ?? []), ...solved.value, name]);
  solved.value = [...known];
}

/** Read puzzles of the user's own. @param {string} text TOML */
export async function takeOwn(text) {
  faulty.value = null;
  try {
    own.value = (await ask("v1/puzzles", text)).puzzles;
    chosen.value = { game: "", grade: "", unsolved: false, own: true };
    open("", { tab: "puzzles" });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    faulty.value = error;
    open("", { tab: "puzzles" });
  }
}

/** Put the user's file away. */
export function forgetOwn() {
  own.value = [];
  chosen.value = { ...chosen.value, own: false };
}

takers.set(".toml", async (text) => {
  if (!(await takeDeck(text))) await takeOwn(text);
});
