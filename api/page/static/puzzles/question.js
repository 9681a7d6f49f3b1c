/** What a puzzle asks, in words. */
import { arePartners, isRace } from "../core/catalogue.js";
import { inAscii } from "../core/typed.js";
import { isSaid, percent, saidOf, say, sentences } from "../core/words.js";
import { faceOf } from "../cards/faces.js";
import { countsPoints } from "../games/index.js";
import { isView, playersOf, seatName } from "../games/shared.js";

/** @typedef {import("./store.js").Puzzle} Puzzle */

/**
 * The question, including how the others play.
 *
 * @param {Puzzle} puzzle @param {boolean} [onPaper] where nothing can be clicked
 */
export function question(puzzle, onPaper = false) {
  return sentences(asked(puzzle, onPaper ? taken(puzzle) : undefined), modelOf(puzzle));
}

/** The question alone, and how it is answered. @param {Puzzle} puzzle @param {string} [how] */
export function asked(puzzle, how = howOf(puzzle)) {
  const { ask, player, game, model, position } = puzzle;
  const key = keyOf(puzzle);
  if (isOther(puzzle)) {
    const seat = seatName(player ?? 0, position);
    return sentences(saidOf(game, `ask.other.${isRace(game) ? "race" : model}`, { seat }), how);
  }
  const goal = `${key}.${position.objective ?? position.variant}`; // what a match is to be best at
  if (isSaid(goal)) return say(goal); // how to choose it stands on the table
  return sentences(saidOf(game, ask === "best-move" ? moveOf(puzzle) : key), ...wishesOf(puzzle), how);
}

/** @param {Puzzle} puzzle */
function keyOf(puzzle) {
  return puzzle.ask === "value" ? worthOf(puzzle) : `ask.${puzzle.ask}`;
}

/** @param {Puzzle} puzzle */
function howOf(puzzle) {
  const how = `${keyOf(puzzle)}.how`;
  return isSaid(how) ? say(how, { seats: seatsOf(puzzle.position).join(say("comma")) }) : "";
}

/** The question for a move, as a key: what it is to bring to whom, by when. @param {Puzzle} puzzle */
function moveOf({ game, model, position }) {
  if (isSolitaire(position)) return `ask.best-move.${"unseen" in position ? "chance" : "solitaire"}`;
  const isHidden = isView(position);
  if (isRace(game)) return `ask.best-move.race.${isHidden && !model ? "average" : model}`;
  if (isHidden && countsPoints(game)) return `ask.best-move.${model ? "sure" : "average"}`;
  return countsPoints(game) ? "ask.best-move.points" : "ask.best-move";
}

/** @param {any} position */
function isSolitaire({ cap }) {
  return cap !== undefined;
}

/** Which cards recipes use, and which they don't. @param {Puzzle} puzzle */
function wishesOf(puzzle) {
  const names = /** @type {const} */ (["must", "without"]).filter((name) => puzzle[name]?.length);
  return names.map((name) => say(`ask.compound.${name}`, { cards: puzzle[name]?.join(say("comma")) ?? "" }));
}

/** What is to be done with a trick that is full; empty if the puzzle asks for something else. @param {Puzzle} puzzle */
function taken({ ask, position, derived: open }) {
  if (ask !== "best-move" || !isTrickFull(position)) return "";
  return open ? say("ask.takeGive", { seat: seatName(open.bottom, position) }) : say("ask.take");
}

/** Whether a trick is full, and its winner is to take cards of it. @param {any} position */
export function isTrickFull(position) {
  return position.trick?.length === playersOf(position);
}

/** The seat that solves a puzzle, which is "you"; null for none. @param {Puzzle} puzzle @returns {number | null} */
export function solverOf({ ask, player, to_move: mover }) {
  return (ask === "value" ? player : undefined) ?? mover ?? null;
}

/** A solitaire's kind, and how many misses are left; empty for other puzzles. @param {Puzzle} puzzle */
export function kindOf({ position, derived: open }) {
  if (open?.misses === undefined) return "";
  return say("ask.solitaire", { kind: say(`start.${position.variant}`), misses: open.misses });
}

/** The question for what a position is worth, as a key. @param {Puzzle} puzzle */
function worthOf(puzzle) {
  const { model, position } = puzzle;
  if (model && isAlone(puzzle)) return "ask.value.race.alone";
  if (model) return isRace(puzzle.game) ? `ask.value.race.${model}` : `ask.value.${model}`;
  if (position.variant === "free") return `ask.value.${position.objective ?? "matches"}`;
  if (position.variant === "duel") return "ask.value.duel";
  return isChance(puzzle) ? "ask.value.chance" : "ask.winnable";
}

/** Whether a race is against one opponent, of whom nothing needs to be said. @param {Puzzle} puzzle */
function isAlone({ model, position }) {
  return model === "paranoid" && playersOf(position) === 2;
}

/** Whether the worth of a position is the chance to win it. @param {Puzzle} puzzle */
function isChance({ ask, position }) {
  return ask === "value" && "unseen" in position;
}

/**
 * The answers to choose from, in the service's words and in the page's; none if the answer is typed.
 *
 * @param {Puzzle} puzzle @param {any} known its solution @returns {[string, string][]}
 */
export function answersTo(puzzle, { value, winnable }) {
  const isWon = winnable !== undefined || typeof value === "string";
  if (!isWon && !(isRace(puzzle.game) && puzzle.ask === "value")) return [];
  if (Array.isArray(value)) return seatsOf(puzzle.position).map((name, seat) => [String(seat), name]);
  return [
    ["yes", say("puzzles.yes")],
    ["no", say("puzzles.no")],
  ];
}

/** The solution as an answer of the service. @param {Puzzle} puzzle @param {any} known */
export function expected(puzzle, known) {
  const { value, total, winnable } = known;
  if (puzzle.ask === "compound") return String(total);
  const isListed = answersTo(puzzle, known).length > 0;
  if (Array.isArray(value)) return isListed ? String(value.indexOf(Math.max(...value))) : value.join(" ");
  if (isListed) return (winnable ?? (value === "won" || value === 1)) ? "yes" : "no";
  return isChance(puzzle) ? String(Math.round(100 * value)) : String(value);
}

/** Whether the score that counts is not that of the seat to move. @param {Puzzle} puzzle */
function isOther(puzzle) {
  const seat = solverOf(puzzle);
  return !arePartners(puzzle.game, puzzle.player ?? seat, seat);
}

/** How the others play; empty if the question says so. @param {Puzzle} puzzle */
export function modelOf(puzzle) {
  const { ask, model, game, position } = puzzle;
  if (!model && ask === "best-move" && isView(position) && !isSolitaire(position)) return say("ask.well");
  if (!model || (ask === "value" && model !== "maxn")) return "";
  if (model === "maxn" && isRace(game)) return ask === "value" ? "" : say("ask.race.maxn");
  if (model === "maxn") {
    return say("labelled", { label: saidOf(game, `model.${model}`), text: saidOf(game, `model.${model}.why`) });
  }
  return isOther(puzzle) || isAlone(puzzle) ? "" : saidOf(game, `ask.${model}`);
}

/** How many of all matches use how many cards of the line. @param {string[]} moves */
export function bySize(moves) {
  const sizes = moves.map((move) => move.split(/[+=]/).length - 1);
  const many = [...new Set(sizes)].sort((one, other) => one - other);
  const list = many.map((n) => say("puzzles.sized", { n, found: sizes.filter((size) => size === n).length }));
  return say("puzzles.bySize", { list: list.join(say("comma")) });
}

/** A solution in words. @param {any} known @param {import("../cards/faces.js").Deck} deck @param {Puzzle} puzzle */
export function wordsOf(known, deck, puzzle) {
  if (known.recipes?.length) {
    const bonusOf = (/** @type {any} */ one) => Number(faceOf(deck, one.card).details.bonus);
    let n = known.total;
    for (const one of known.recipes) n -= bonusOf(one);
    const made = known.recipes.map((/** @type {any} */ one) => recipeOf(one, bonusOf(one), deck));
    const text = [say("puzzles.cards", { n }), ...made].join(" + ");
    return say("puzzles.sum", { text, total: say("seat.points", { n: known.total }) });
  }
  if (known.recipes) return say("seat.points", { n: known.total });
  if (known.moves) return say("puzzles.matches", { n: known.moves.length });
  if (known.best) return known.best.join(say("comma"));
  const listed = answersTo(puzzle, known).find(([text]) => text === expected(puzzle, known));
  if (listed) return listed[1];
  if (isChance(puzzle)) return percent(known.value, 0);
  if (!Array.isArray(known.value)) return String(known.value ?? "");
  return eachOf(known.value, puzzle.position);
}

/** The points of each seat in words. @param {number[]} points @param {any} position */
function eachOf(points, position) {
  const each = seatsOf(position).map((label, seat) => say("labelled", { label, text: points[seat] }));
  return each.join(say("comma"));
}

/** What best play brings, and whom if not the one who solves the puzzle. @param {Puzzle} puzzle @param {any} value */
export function worthIn(puzzle, value) {
  const { player, position } = puzzle;
  if (Array.isArray(value)) return say("puzzles.worth.each", { list: eachOf(value, position) });
  const n = Number(value);
  if (!isOther(puzzle)) return say("puzzles.worth", { value, n });
  return say("puzzles.worth.seat", { seat: seatName(player ?? 0, position), value, n });
}

/** The names of the seats, in the order in which answers have their points. @param {any} position */
function seatsOf(position) {
  return Array.from({ length: playersOf(position) }, (_, seat) => seatName(seat, position));
}

/** @param {any} recipe @param {number} bonus @param {import("../cards/faces.js").Deck} deck */
function recipeOf({ item, card, uses }, bonus, deck) {
  const { makes } = faceOf(deck, card).details; // in the page's language
  return say("puzzles.recipe", { item: makes ?? item ?? card, bonus, card, uses: uses.join(" ") });
}

/** What was typed, with its digits as in the service, and one blank between numbers. @param {string} text */
export function plain(text) {
  return inAscii(text)
    .replace(/[,、%\s]+/g, " ")
    .trim();
}

/** Whether a text has so many numbers, and nothing else. @param {string} text @param {number} n */
export function isNumbers(text, n) {
  const words = text.split(" ");
  return words.length === n && words.every((word) => /^[+-]?\d+(\.\d+)?$/.test(word));
}
