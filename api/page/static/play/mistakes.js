/** The mistakes of a review as puzzles for training: what the player saw, where a longer hint prefers another move. */
import { html, signal } from "../core/html.js";
import { Refused, ask, isAborted, stream } from "../core/ask.js";
import { say } from "../core/words.js";
import { gameOf } from "../games/index.js";
import { addOwn } from "../puzzles/store.js";
import { digest } from "./digest.js";
import { mistakesOf } from "./looked.js";

const SECONDS = 5; // to judge a puzzle's moves

/** The progress of making them; empty if not started. */
const state = signal("");

/** The mistakes that can be written as positions. @param {any} review */
function writable({ moves }) {
  return mistakesOf(moves).filter(({ view, text }) => view && text);
}

/** @param {any} review */
function puzzlesOf(review) {
  const { game } = review;
  return writable(review).map(({ round, number, move, view, text, reason }) => {
    const position = gameOf(game)?.sums ? text : view; // with its stock known, the best match is proved
    const id = `${game}-${round}-${number}-${digest(position)}`;
    return { move, puzzle: { id, title: say("mistakes.title", { move }), ask: "best-move", position, note: reason } };
  });
}

/** Find the best moves at each mistake, and begin with the puzzle of the worst. @param {any} review */
async function make(review) {
  const asked = new Map(puzzlesOf(review).map((/** @type {any} */ one) => [one.puzzle.id, one]));
  const made = /** @type {any[]} */ ([]);
  state.value = say("mistakes.making");
  try {
    const puzzle = [...asked.values()].map((one) => one.puzzle);
    await stream("v1/solve", { puzzle, limit: { seconds: SECONDS } }, ({ id, found, answer }) => {
      const { move, puzzle: one } = asked.get(id);
      const isMove = answer?.moves.some((/** @type {any} */ other) => other.move === move); // not half a move
      if (isMove && found?.best?.length && !found.best.includes(move)) made.push({ ...one, solution: found });
    });
    state.value = made.length ? "" : say("mistakes.none");
    const worst = puzzle.flatMap(({ id }) => made.filter((one) => one.id === id));
    if (made.length) addOwn((await ask("v1/puzzles", { puzzle: worst })).puzzles);
  } catch (error) {
    if (isAborted(error)) return;
    if (!(error instanceof Refused)) throw error;
    state.value = error.message;
  }
}

/** The button that makes the puzzles. @param {{review: any}} props */
export function Mistakes({ review }) {
  const n = writable(review).length;
  if (!n) return null;
  return html`<div class="row">
    <button type="button" onClick=${() => make(review)}>${say("mistakes.train", { n })}</button>
    <span class="hinted" role="status">${state}</span>
  </div>`;
}
