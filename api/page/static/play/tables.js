/** The tables that were followed in this browser: each can be followed further, to its end. */
import { effect, untracked } from "../core/html.js";
import { gameTitle } from "../core/catalogue.js";
import { write } from "../core/address.js";
import { keep, recall } from "../core/kept.js";
import { address, path, tab, text } from "../core/session.js";
import { say } from "../core/words.js";
import { isTable, roundsBefore } from "./following.js";

/**
 * @typedef {object} Kept a table
 * @property {string} first how its first round began, which no two tables share
 * @property {string} game
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
  const rounds = isTable.value && tab.value === "hint" && !keys.look ? roundsBefore.value.dealt : null;
  if (!rounds || !(rounds.length || path.value.length)) return;
  untracked(() => {
    const [first] = [...rounds, text.value];
    const [game] = first.split(" ");
    const now = { first, game, round: rounds.length + 1, moves: path.value.length, address: write(address.value) };
    keep(NAME, [now, ...lastTables().filter((one) => one.first !== first)].slice(0, MOST));
  });
});

/** What can be done with a table, in words. @param {Kept} table */
export function wordsOf({ game, round, moves }) {
  const title = gameTitle(game);
  const place = [title, say("table.real"), say("play.round", { round }), say("play.moves", { n: moves })];
  return say("play.goOn", { game: place.join(say("comma")) });
}
