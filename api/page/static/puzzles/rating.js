/** How well puzzles are solved: a rating as in chess, and how many in a row were solved at the first try. */
import { keptSignal, recall } from "../core/kept.js";

const START = 1500;
const STEP = 32; // the most that one puzzle changes the rating
const SCALE = 400; // points that make a puzzle ten times as hard to solve
const GRADES = /** @type {Record<string, number>} */ ({ easy: 1200, medium: 1500, hard: 1800, expert: 2100 });

/** @typedef {{rating: number, streak: number, best: number, tried: string[]}} Score */

/** @type {Score} */
const NEW = { rating: START, streak: 0, best: 0, tried: [] };

export const score = keptSignal("puzzles.score", NEW);

/**
 * What a first try makes of a score.
 *
 * @param {Score} before @param {string} name @param {string} grade @param {boolean} right @returns {Score}
 */
export function rated(before, name, grade, right) {
  if (before.tried.includes(name)) return before;
  const expected = 1 / (1 + 10 ** (((GRADES[grade] ?? START) - before.rating) / SCALE));
  const streak = right ? before.streak + 1 : 0;
  return {
    rating: Math.round(before.rating + STEP * ((right ? 1 : 0) - expected)),
    streak,
    best: Math.max(before.best, streak),
    tried: [...before.tried, name],
  };
}

/**
 * Count a try; only the first of each puzzle counts.
 *
 * @param {string} name @param {string} grade @param {boolean} right
 */
export function count(name, grade, right) {
  score.value = rated(recall("puzzles.score") ?? score.value, name, grade, right);
}
