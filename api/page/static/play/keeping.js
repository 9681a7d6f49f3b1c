/** Starting, resuming, opening and leaving games. */
import { batch } from "../core/html.js";
import { Refused } from "../core/ask.js";
import { recall } from "../core/kept.js";
import { go } from "../core/session.js";
import { say } from "../core/words.js";
import { chosen } from "../games/index.js";
import { SAVED, refused, takers } from "../table/taking.js";
import { optionsOf, readOptions, writeOptions, writeRounds } from "./codec.js";
import { standing } from "./match.js";

/** @typedef {import("./codec.js").Options} Options */

/**
 * Set the address to a game and nothing else.
 *
 * @param {string} game its options @param {string} [made] its moves @param {string} [dealt] its rounds
 */
function enter(game, made = "", dealt = "") {
  batch(() => {
    standing.value = null;
    chosen.value = readOptions(game)?.game ?? chosen.value;
    const others = { taken: "", moves: "", at: "", seat: "", draft: "", look: "" };
    go({ text: "", keys: { ...others, tab: "play", game, made, dealt } });
  });
}

/** @param {Options} chosen */
export function begin(chosen) {
  enter(writeOptions(chosen));
}

/**
 * The last game played in this browser; null if there is none.
 *
 * @returns {{game: string, made: string, dealt: string, count: number, over?: boolean} | null}
 */
export function lastGame() {
  const found = recall("play.last");
  return found && readOptions(String(found.game ?? "")) ? found : null;
}

/** Resume the last game. */
export function goOn() {
  const last = lastGame();
  if (last) enter(last.game, last.made, last.dealt);
}

/** Resume a game saved in a file. @param {any} saved */
export function resume(saved) {
  const rounds = (Array.isArray(saved.moves) ? saved.moves : [])
    .filter(Array.isArray)
    .map((/** @type {any[]} */ moves) => moves.map(String));
  const game = writeOptions(optionsOf(saved));
  if (!readOptions(game)) {
    refused.value = new Refused({ code: "invalid_value", path: "", message: say("play.notKept") });
    return;
  }
  enter(game, writeRounds(rounds), String(Math.max(1, rounds.length)));
}

takers.set(SAVED, (text) => resume(JSON.parse(text)));

/** Leave the game; it can be resumed later. */
export function leave() {
  batch(() => {
    standing.value = null;
    go({ keys: { game: "", made: "", taken: "", dealt: "", look: "" } });
  });
}
