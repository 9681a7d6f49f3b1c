/** The move of a review that is looked at, and which of its moves were mistakes. */
import { look } from "./match.js";

/** A move's value of the key. @param {{round: number, number: number}} move */
export function placeOf({ round, number }) {
  return `${round}.${number}`;
}

/** The move of a review that is looked at; undefined for none. @param {any} answer */
export function lookedAt(answer) {
  return answer?.moves.find((/** @type {any} */ move) => placeOf(move) === look.value);
}

/** Whether a figure is known. @param {unknown} value */
export function isTold(value) {
  return typeof value === "number";
}

/** Whether a move was a mistake, given what its player knew. @param {any} move */
export function isMistake(move) {
  return move.verdict === "worse" && isTold(move.expected_loss);
}

/** The mistakes, the worst first. @param {any[]} moves @returns {any[]} */
export function mistakesOf(moves) {
  return moves.filter(isMistake).sort((one, other) => other.expected_loss - one.expected_loss);
}
