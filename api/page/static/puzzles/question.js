/** What a puzzle asks, in words. */
import { say } from "../core/words.js";
import { seatName } from "../games/shared.js";

/** @param {import("./store.js").Puzzle} puzzle @param {boolean} [onPaper] where nothing can be clicked */
export function question(puzzle, onPaper = false) {
  const values = puzzle.ask === "value" && puzzle.model === "maxn";
  const clicked = puzzle.ask === "best-move" || puzzle.ask === "all-matches";
  const model = puzzle.model ? `${say(`model.${puzzle.model}`)}: ${say(`model.${puzzle.model}.why`)}` : "";
  const player = puzzle.player === undefined ? "" : `${seatName(puzzle.player)}.`;
  return [player, say(values ? "ask.values" : onPaper && clicked ? `ask.${puzzle.ask}.paper` : `ask.${puzzle.ask}`), model].filter(Boolean).join(" ");
}
