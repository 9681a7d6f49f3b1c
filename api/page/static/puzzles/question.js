/** What a puzzle asks, in words. */
import { isSaid, say } from "../core/words.js";
import { faceOf } from "../cards/faces.js";
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
  const { ask, player, game, model } = puzzle;
  const what = say(ask === "value" && model === "maxn" ? "ask.values" : `ask.${ask}`);
  const how = !onPaper && isSaid(`ask.${ask}.how`) ? say(`ask.${ask}.how`) : "";
  if (onPaper) return player === undefined ? what : `${what} ${say("ask.player", { seat: seatName(player) })}`;
  if (!isOther(puzzle)) return `${what} ${how}`;
  return `${say(`ask.other.${game === "aqua-regia" ? "race" : model}`, { seat: seatName(player ?? 0) })} ${how}`;
}

/** Whether the score that counts is not that of the seat to move. @param {Puzzle} puzzle */
function isOther({ player }) {
  return (player ?? solving.value) !== solving.value;
}

/** How the others play; empty if the question says so. @param {Puzzle} puzzle @param {boolean} [onPaper] */
export function modelOf(puzzle, onPaper = false) {
  const { model } = puzzle;
  if (!model) return "";
  if (onPaper || model === "maxn") {
    return say("labelled", { label: say(`model.${model}`), text: say(`model.${model}.why`) });
  }
  return isOther(puzzle) ? "" : say(`ask.${model}`);
}

/** A solution in words. @param {any} known @param {import("../cards/faces.js").Deck} deck */
export function wordsOf(known, deck) {
  if (known.recipes?.length) {
    const text = known.recipes.map((/** @type {any} */ one) => recipeOf(one, deck)).join(say("comma"));
    return say("labelled", { label: say("seat.points", { n: known.total }), text });
  }
  if (known.recipes) return say("seat.points", { n: known.total });
  if (known.moves) return say("puzzles.matches", { n: known.moves.length });
  if (known.winnable !== undefined) return say(known.winnable ? "puzzles.yes" : "puzzles.no");
  if (known.best) return known.best.join(say("comma"));
  return Array.isArray(known.value) ? known.value.join(" · ") : String(known.value ?? "");
}

/** @param {any} recipe @param {import("../cards/faces.js").Deck} deck */
function recipeOf({ item, card, uses }, deck) {
  const { makes } = faceOf(deck, card).details; // in the page's language
  return say("puzzles.recipe", { item: makes ?? item ?? card, card, uses: uses.join(" ") });
}
