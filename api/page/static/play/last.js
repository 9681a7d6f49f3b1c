/** The games that were played in this browser: they can be continued, or reviewed. */
import { keep, recall } from "../core/kept.js";
import { gameTitle, isRace } from "../core/catalogue.js";
import { isSaid, say } from "../core/words.js";
import { isAlone } from "../games/match.js";
import { readOptions, readRounds } from "./codec.js";

/**
 * @typedef {object} Last a game in the forms of the address
 * @property {string} game its options
 * @property {string} made its moves
 * @property {string} dealt its rounds
 * @property {string} taken the moves to redo
 * @property {boolean} over
 * @property {number} round
 * @property {number[] | null} totals each player's points before this round; null in a game without points
 */

const NAME = "play.games";
const MOST = 12; // games that are kept

/** The games, the latest first. @returns {Last[]} */
export function lastGames() {
  const found = recall(NAME);
  return Array.isArray(found) ? found.filter(({ game }) => readOptions(String(game ?? ""))) : [];
}

/** @param {Last} one */
const kindOf = ({ game }) => readOptions(game)?.game;

/**
 * Keep a game: all that are not over, and of those that are, the last one of each kind. A game without a
 * move is kept until there is another of its kind.
 *
 * @param {Last} last
 */
export function keepGame(last) {
  const others = lastGames().filter((one) => {
    const isNothing = !one.made && !one.taken;
    const isReplaced = kindOf(one) === kindOf(last) && (isNothing || (one.over && last.over));
    return one.game !== last.game && !isReplaced;
  });
  keep(NAME, [last, ...others].slice(0, MOST));
}

/** @param {string} game its options */
export function forgetGame(game) {
  keep(
    NAME,
    lastGames().filter((one) => one.game !== game),
  );
}

/** What can be done with a game, in words. @param {Last} last */
export function wordsOf({ game, made, over, round, totals }) {
  const options = readOptions(game);
  const kind = `variant.${options?.variant}`;
  const title = isSaid(kind) ? say(kind) : gameTitle(options?.game ?? "");
  if (over) return say("play.lookAt", { game: title });
  const moves = readRounds(made).at(-1)?.length ?? 0;
  const standing = [
    !isAlone(options) && !isRace(options?.game) && options?.rounds !== 1 && say("play.inRound", { round }),
    totals?.some(Boolean) ? totals.join("–") : say("play.moves", { n: moves }),
  ];
  return say("play.goOn", { game: [title, ...standing.filter(Boolean)].join(say("comma")) });
}

/** A game as kept after more moves than these; undefined if it was not. @param {string} game @param {string} made */
export function further(game, made) {
  const moves = readRounds(made).flat();
  return lastGames().find((kept) => {
    const later = readRounds(kept.made).flat();
    return kept.game === game && later.length > moves.length && moves.every((move, at) => move === later[at]);
  });
}
