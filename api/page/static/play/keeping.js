/** Games that are begun, gone on with, opened from a file, and left. */
import { batch } from "../core/html.js";
import { Refused } from "../core/ask.js";
import { recall } from "../core/kept.js";
import { go } from "../core/session.js";
import { say } from "../core/words.js";
import { SAVED, refused, takers } from "../table/taking.js";
import { optionsOf, readOptions, writeOptions, writeRounds } from "./codec.js";
import { standing } from "./match.js";

/** @typedef {import("./codec.js").Options} Options */

/** Begin a game. @param {Options} chosen */
export function begin(chosen) {
  batch(() => {
    standing.value = null;
    go({
      text: "",
      keys: {
        tab: "play",
        game: writeOptions(chosen),
        made: "",
        taken: "",
        dealt: "",
        moves: "",
        at: "",
        seat: "",
        draft: "",
      },
    });
  });
}

/**
 * The game that was played last in this browser; null where there is none.
 *
 * @returns {{game: string, made: string, dealt: string, count: number} | null}
 */
export function lastGame() {
  const found = recall("play.last");
  return found && readOptions(String(found.game ?? "")) ? found : null;
}

/** Go on with the game that was played last. */
export function goOn() {
  const last = lastGame();
  if (last)
    go({
      keys: {
        tab: "play",
        game: last.game,
        made: last.made,
        taken: "",
        dealt: last.dealt,
        moves: "",
        at: "",
        seat: "",
        draft: "",
      },
    });
}

/** Go on with a game that was kept in a file. @param {any} saved */
export function resume(saved) {
  const rounds = (Array.isArray(saved.moves) ? saved.moves : [])
    .filter(Array.isArray)
    .map((/** @type {any[]} */ moves) => moves.map(String));
  const game = writeOptions(optionsOf(saved));
  if (!readOptions(game)) {
    refused.value = new Refused({ code: "invalid_value", path: "", message: say("play.notKept") });
    return;
  }
  batch(() => {
    standing.value = null;
    go({
      text: "",
      keys: {
        tab: "play",
        game,
        made: writeRounds(rounds),
        taken: "",
        dealt: String(Math.max(1, rounds.length)),
        moves: "",
        at: "",
        seat: "",
        draft: "",
      },
    });
  });
}

takers.set(SAVED, (text) => resume(JSON.parse(text)));

/** Leave the game; it can be gone on with. */
export function leave() {
  batch(() => {
    standing.value = null;
    go({ keys: { game: "", made: "", taken: "", dealt: "" } });
  });
}
