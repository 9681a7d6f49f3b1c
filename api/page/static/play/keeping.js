/** Starting, resuming, opening and leaving games. */
import { batch } from "../core/html.js";
import { Refused } from "../core/ask.js";
import { go } from "../core/session.js";
import { say } from "../core/words.js";
import { chosen } from "../games/index.js";
import { refused } from "../table/taking.js";
import { optionsOf, readOptions, writeOptions, writeRounds } from "./codec.js";
import { forgetGame } from "./last.js";
import { standing } from "./match.js";

/** @typedef {import("./codec.js").Options} Options */

/**
 * Set the address to a game and nothing else.
 *
 * @param {{game: string, made?: string, dealt?: string, taken?: string}} put its options, its moves, its rounds,
 *   and the moves to redo
 */
export function enter({ game, made = "", dealt = "", taken = "" }) {
  batch(() => {
    standing.value = null;
    chosen.value = readOptions(game)?.game ?? chosen.value;
    const others = { moves: "", at: "", seat: "", draft: "", look: "" };
    go({ text: "", keys: { ...others, tab: "play", game, made, dealt, taken } });
  });
}

/** @param {Options} chosen */
export function begin(chosen) {
  const game = writeOptions(chosen);
  forgetGame(game); // The same deal may be played anew.
  enter({ game });
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
  forgetGame(game);
  enter({ game, made: writeRounds(rounds), dealt: String(Math.max(1, rounds.length)) });
}

/** Leave the game; it can be resumed later. */
export function leave() {
  batch(() => {
    standing.value = null;
    go({ keys: { game: "", made: "", taken: "", dealt: "", look: "" } });
  });
}
