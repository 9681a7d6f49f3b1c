/**
 * A table that one follows: how its rounds end, and the match. The address has the round on the table and, in one key,
 * those before it.
 */
import { computed, effect, signal, untracked } from "../core/html.js";
import { Refused, ask } from "../core/ask.js";
import { go, key, path, tab, text, tree } from "../core/session.js";
import { table } from "../core/table.js";
import { TOGETHER, along, readPath, writePath } from "../core/tree.js";
import { GAMES } from "../games/index.js";
import { begin } from "../table/draft.js";
import { hidden, shown } from "./codec.js";
import { placeOf } from "./looked.js";
import { look } from "./match.js";

const ALL = / (free|set|hands=|stock=)/; // in a line that nobody at a table sees

/** @typedef {{dealt: string[], moves: string[][], shown: string[][][]}} Rounds as a match has them */

/** The rounds before the one on the table, as the address has them. */
export const before = key("before");
/** What the others showed at the end of the round: cards by seats, such as `D6/S3/-/B2`. */
const showedKey = key("showed");
/** The path to the end of the round, while a move of its review is looked at. */
const end = key("end");
const game = key("game");
const puzzle = key("puzzle");

/** @param {string} text @returns {Rounds} */
function readRounds(text) {
  try {
    return JSON.parse(shown(text));
  } catch {
    return { dealt: [], moves: [], shown: [] };
  }
}

/** The rounds before the one on the table. */
export const roundsBefore = computed(() => readRounds(before.value));

/** Whether the line in the address is what somebody at a real table sees. */
export const isTable = computed(
  () => text.value !== "" && !ALL.test(text.value) && !game.value && !puzzle.value,
);

/** The path to the end of the round that is over; null if none is, or no table is followed. */
const over = computed(() => {
  if (tab.value !== "hint" || !isTable.value) return null;
  if (look.value) return end.value ? readPath(end.value) : null;
  const { position, toMove, from } = table.value;
  const isOver = position && toMove === null && from === text.value;
  return isOver && path.value.length ? path.value : null;
});

/** The match with all rounds, as text; empty if the round is not over. */
const asked = computed(() => {
  if (!over.value) return "";
  const rounds = roundsBefore.value;
  const moves = along(tree.value, over.value).flatMap(({ move }) => move.split(TOGETHER));
  const showed = showedKey.value ? showedKey.value.split("/").map((cards) => cards.split(",").filter(isCard)) : [];
  return JSON.stringify({
    game: text.value.split(" ")[0],
    dealt: [...rounds.dealt, text.value],
    moves: [...rounds.moves, moves],
    shown: [...rounds.shown, showed],
  });
});

/** @param {string} card */
function isCard(card) {
  return card !== "" && card !== "-";
}

/** How the round ended, with the match, from the service; null while it is not over, or can't be scored. */
export const tableEnd = signal(/** @type {any} */ (null));
/**
 * Why the cards that the others showed can't be right, or the round can't be scored.
 *
 * @type {import("../vendor/signals.js").Signal<Refused | null>}
 */
export const wrong = signal(null);

effect(() => {
  const text = asked.value;
  untracked(async () => {
    if (!text) {
      tableEnd.value = null;
      return;
    }
    const match = JSON.parse(text);
    try {
      const found = await ask("v1/match/ended", { match });
      if (asked.value !== text) return;
      tableEnd.value = { ...found, match };
      wrong.value = null;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (asked.value !== text) return;
      wrong.value = error;
      if (showedKey.value) go({ keys: { showed: "" } }, { replace: true });
    }
  });
});

/** From a move of the review back to the end of the round. */
effect(() => {
  if (end.value && !look.value) untracked(() => go({ keys: { at: end.value, end: "" } }, { replace: true }));
});

/** Put the table before a move of the review. @param {any} move */
export function lookAt(move) {
  const whole = /** @type {number[]} */ (over.value);
  go({ keys: { look: placeOf(move), at: writePath(whole.slice(0, stepOf(move) - 1)), end: writePath(whole) } });
}

/** The step of the table that has a move of the review: a step has what is turned up after a move, too. */
export function stepOf(/** @type {any} */ move) {
  let made = 0;
  const at = along(tree.value, over.value ?? []).findIndex((branch) => {
    made += branch.move.split(TOGETHER).length;
    return made >= move.number;
  });
  return at + 1;
}

/** Tell what the others showed at the end. @param {string[][]} cards of each seat; empty to tell it anew */
export function tell(cards) {
  go({ keys: { showed: cards.map((one) => one.join(",") || "-").join("/"), showing: "" } });
}

/**
 * The next round at the same table, with its rules, its deck and the points so far, but no cards yet; null after the
 * last round, and in a game that the page does not draw.
 */
const following = computed(() => {
  const { players = 0, ...given } = tableEnd.value?.next_round ?? {};
  const drafts = GAMES.flatMap(({ starts }) => starts.map((start) => start.draft(players)));
  const draft = drafts.find(({ game, variant }) => game === given.game && variant === given.variant);
  return draft ? { ...draft, ...given } : null;
});

/** Whether there is a next round. */
export const hasNext = computed(() => following.value !== null);

/** Begin the next round. */
export function nextRound() {
  const { game: _, ...rounds } = tableEnd.value.match;
  begin(following.value, "setup", hidden(JSON.stringify(rounds)));
}
