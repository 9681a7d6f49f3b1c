/** What a puzzle asks, in words. */
import { say } from "../core/words.js";
import { seatName, solving } from "../games/shared.js";

/** @typedef {import("./store.js").Puzzle} Puzzle */

/**
 * The question, including how the others play.
 *
 * @param {Puzzle} puzzle @param {boolean} [onPaper] where nothing can be clicked
 */
export function question(puzzle, onPaper = false) {
  return [asked(puzzle, onPaper), modelOf(puzzle, onPaper)].filter(Boolean).join(" ");
}

/** The question alone. @param {Puzzle} puzzle @param {boolean} [onPaper] */
export function asked(puzzle, onPaper = false) {
  const { player } = puzzle;
  const others = player !== undefined && (onPaper || player !== solving.value);
  const whose = others ? [say("ask.player", { seat: seatName(player) })] : [];
  return [say(keyOf(puzzle, onPaper)), ...whose].join(" ");
}

/** @param {Puzzle} puzzle @param {boolean} onPaper */
function keyOf({ ask, model }, onPaper) {
  if (ask === "value" && model === "maxn") return "ask.values";
  const clicked = ask === "best-move" || ask === "all-matches";
  return onPaper && clicked ? `ask.${ask}.paper` : `ask.${ask}`;
}

/** How the others play; empty in games without opponents. @param {Puzzle} puzzle @param {boolean} [onPaper] */
export function modelOf({ model, player }, onPaper = false) {
  if (!model) return "";
  if (onPaper || model === "maxn") {
    return say("labelled", { label: say(`model.${model}`), text: say(`model.${model}.why`) });
  }
  return say((player ?? solving.value) === solving.value ? `ask.${model}` : `ask.${model}.other`);
}
