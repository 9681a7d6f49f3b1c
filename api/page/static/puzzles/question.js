/** What a puzzle asks, in words. */
import { say } from "../core/words.js";
import { seatName } from "../games/shared.js";

/** @param {import("./store.js").Puzzle} puzzle */
export function question(puzzle) {
  const values = puzzle.ask === "value" && puzzle.model === "maxn";
  const model = puzzle.model ? `${say(`model.${puzzle.model}`)}: ${say(`model.${puzzle.model}.why`)}` : "";
  const player = puzzle.player === undefined ? "" : `${seatName(puzzle.player)}.`;
  return [player, say(values ? "ask.values" : `ask.${puzzle.ask}`), model].filter(Boolean).join(" ");
}
