/** The last game of each kind that was played in this browser: it can be continued, or reviewed. */
import { keep, recall } from "../core/kept.js";
import { say } from "../core/words.js";
import { GAMES } from "../games/index.js";
import { readOptions } from "./codec.js";

/**
 * @typedef {object} Last a game in the forms of the address
 * @property {string} game its options
 * @property {string} made its moves
 * @property {string} dealt its rounds
 * @property {string} taken the moves to redo
 * @property {boolean} over
 * @property {number} at when it was kept
 */

/** @param {string} kind */
const nameOf = (kind) => `play.last.${kind}`;

/** Keep the last game of a kind, or forget it. @param {string} kind @param {Last | null} last */
export function keepLast(kind, last) {
  keep(nameOf(kind), last);
}

/** The last game of each kind, the latest first. @returns {Last[]} */
export function lastGames() {
  return GAMES.map(({ name }) => recall(nameOf(name)))
    .filter((found) => found && readOptions(String(found.game ?? "")))
    .sort((one, other) => other.at - one.at);
}

/** What can be done with a game, in words. @param {Last} last */
export function wordsOf({ game, over }) {
  return say(over ? "play.lookAt" : "play.goOn", { game: say(`game.${readOptions(game)?.game}`) });
}

/** A game as kept after more moves than these; undefined if it was not. @param {string} game @param {string} made */
export function further(game, made) {
  const moves = made.split(/[;/]/);
  return lastGames().find((kept) => {
    const later = kept.made.split(/[;/]/);
    const isLater = kept.made.length > made.length && moves.every((move, at) => !move || move === later[at]);
    return kept.game === game && isLater;
  });
}
