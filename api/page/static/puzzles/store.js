/** Which puzzles there are, which one is asked, and which were solved in this browser. */
import { computed, signal } from "../core/html.js";
import { Refused, ask } from "../core/ask.js";
import { keptSignal } from "../core/kept.js";
import { key, open } from "../core/session.js";
import { takeDeck, takers } from "../board/taking.js";

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

const collection = signal(/** @type {Puzzle[]} */ ([]));
/** The puzzles of the user's file. */
export const own = keptSignal("puzzles.own", /** @type {Puzzle[]} */ ([]));
/** What is wrong with the user's file. @type {import("../vendor/signals.js").Signal<Refused | null>} */
export const faulty = signal(null);
/** The keys of the puzzles that were solved. */
export const solved = keptSignal("puzzles.solved", /** @type {string[]} */ ([]));
/** Which puzzles are listed. */
export const chosen = keptSignal("puzzles.chosen", { game: "", grade: "", unsolved: false, own: false });

let asked = false;

/** Fetch the collection, once. */
export async function fetchCollection() {
  if (asked) return;
  asked = true;
  collection.value = (await ask("v1/puzzles")).puzzles;
}

/** @param {Puzzle} puzzle @param {boolean} isOwn */
function keyOf(puzzle, isOwn) {
  return (isOwn ? OWN : "") + puzzle.id;
}

/** The puzzles that are listed, each with its key in the address. */
export const listed = computed(() => {
  const { game, grade, unsolved, own: mine } = chosen.value;
  const from = mine && own.value.length ? own.value.map((puzzle) => ({ name: keyOf(puzzle, true), puzzle })) : collection.value.map((puzzle) => ({ name: keyOf(puzzle, false), puzzle }));
  return from.filter(({ name, puzzle }) => (!game || puzzle.game === game) && (!grade || puzzle.grade === grade) && (!unsolved || !solved.value.includes(name)));
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
/** Whether the collection has arrived. */
export const arrived = computed(() => collection.value.length > 0);

/** Ask a puzzle. @param {{name: string, puzzle: Puzzle}} one */
export function choose({ name, puzzle: one }) {
  open(one.ask === "compound" ? "" : one.text, { tab: "puzzles", puzzle: name, model: one.model ?? "" });
}

/** Ask the next puzzle of the list. */
export function next() {
  const at = listed.value.findIndex((one) => one.name === puzzleKey.value);
  const found = listed.value[at + 1] ?? listed.value[0];
  if (found) choose(found);
}

/** Note that a puzzle is solved. @param {string} name */
export function noteSolved(name) {
  if (!solved.value.includes(name)) solved.value = [...solved.value, name];
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
