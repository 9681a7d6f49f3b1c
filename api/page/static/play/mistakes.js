/** The clear mistakes of a review as puzzles for training: those where another move is proved best. */
import { html, signal } from "../core/html.js";
import { Refused, ask, isAborted, stream } from "../core/ask.js";
import { say } from "../core/words.js";
import { addOwn } from "../puzzles/store.js";
import { digest } from "./digest.js";

const SURE = 1.96; // standard errors
const SECONDS = 5; // to prove a puzzle's solution

/** The progress of making them; empty if not started. */
const state = signal("");

/** Whether a move was clearly a mistake, both given what was known and in the actual deal. @param {any} move */
function isClear(move) {
  const { verdict, text, true_lost: lost, true_stderr: error } = move;
  return verdict === "worse" && text && lost !== null && error !== null && lost > SURE * error;
}

/** @param {any} answer a review */
function puzzlesOf({ game, moves }) {
  return moves.filter(isClear).map((/** @type {any} */ { round, number, move, text, reason }) => ({
    move,
    puzzle: {
      id: `${game}-${round}-${number}-${digest(text)}`,
      title: say("mistakes.title", { move }),
      ask: "best-move",
      position: text,
      note: reason,
      ...(game === "alchemy" ? {} : { model: "paranoid" }),
    },
  }));
}

/** Prove the best move at each clear mistake, and list these puzzles. @param {any} review */
async function make(review) {
  const asked = new Map(puzzlesOf(review).map((/** @type {any} */ one) => [one.puzzle.id, one]));
  const made = /** @type {any[]} */ ([]);
  state.value = say("mistakes.making");
  try {
    const puzzle = [...asked.values()].map((one) => one.puzzle);
    await stream(`v1/solve?seconds=${SECONDS}`, { puzzle }, ({ id, found, answer }) => {
      const { move, puzzle: one } = asked.get(id);
      const isMove = answer?.moves.some((/** @type {any} */ other) => other.move === move); // not half a move
      if (isMove && found?.best?.length && !found.best.includes(move)) made.push({ ...one, solution: found });
    });
    state.value = made.length ? "" : say("mistakes.none");
    if (made.length) addOwn((await ask("v1/puzzles", { puzzle: made })).puzzles);
  } catch (error) {
    if (isAborted(error)) return;
    if (!(error instanceof Refused)) throw error;
    state.value = error.message;
  }
}

/** The button that makes the puzzles. @param {{review: any}} props */
export function Mistakes({ review }) {
  const n = review.moves.filter(isClear).length;
  if (!n) return null;
  return html`<div class="row">
    <button type="button" onClick=${() => make(review)}>${say("mistakes.train", { n })}</button>
    <span class="hinted" role="status">${state}</span>
  </div>`;
}
