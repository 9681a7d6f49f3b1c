/** The tables that were followed in this browser: each can be followed further, to its end. */
import { effect, untracked } from "../core/html.js";
import { gameTitle } from "../core/catalogue.js";
import { write } from "../core/address.js";
import { keep, recall } from "../core/kept.js";
import { address, path, tab, text } from "../core/session.js";
import { table } from "../core/table.js";
import { isSaid, say } from "../core/words.js";
import { isTable, roundsBefore } from "./following.js";

/**
 * @typedef {object} Kept a table
 * @property {string} first how its first round began, which no two tables share
 * @property {string} game
 * @property {string} [variant]
 * @property {number[]} [score] the points of the match, with those of this round
 * @property {number} round
 * @property {number} moves
 * @property {string} address
 */

const NAME = "tables";
const MOST = 12;

/** The tables, the latest first. @returns {Kept[]} */
export function lastTables() {
  const found = recall(NAME);
  return Array.isArray(found) ? found.filter((one) => typeof one?.address === "string") : [];
}

effect(() => {
  const { keys } = address.value;
  const { laid, from } = table.value;
  const rounds = isTable.value && tab.value === "hint" && !keys.look ? roundsBefore.value.dealt : null;
  if (!rounds || !(rounds.length || path.value.length)) return;
  untracked(() => {
    const [first] = [...rounds, text.value];
    const [game] = first.split(" ");
    const { variant, totals, points } = from === text.value ? laid : {};
    const score = totals?.map((/** @type {number} */ total, /** @type {number} */ at) => total + (points?.[at] ?? 0));
    const at = { round: rounds.length + 1, moves: path.value.length, address: write(address.value) };
    const now = { first, game, variant, score, ...at };
    keep(NAME, [now, ...lastTables().filter((one) => one.first !== first)].slice(0, MOST));
  });
});

/** What can be done with a table, in words. @param {Kept} table */
export function wordsOf({ game, variant, score, round, moves }) {
  const kind = `variant.${variant}`;
  const title = isSaid(kind) ? say(kind) : gameTitle(game);
  const standing = score?.some(Boolean) ? score.join("–") : say("play.moves", { n: moves });
  const place = [title, say("table.real"), say("play.round", { round }), standing];
  return say("play.goOn", { game: place.join(say("comma")) });
}
