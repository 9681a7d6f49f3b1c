/**
 * The game in progress: the address contains it; the service returns its state and the others' moves (`v1/match`). The
 * page only waits, displays and stores.
 */
import { batch, computed, effect, signal, untracked } from "../core/html.js";
import { Refused, ask, isAborted } from "../core/ask.js";
import { keptSignal } from "../core/kept.js";
import { announce } from "../core/live.js";
import { address, go, key, shared, tab } from "../core/session.js";
import { EMPTY, instead } from "../core/table.js";
import { say } from "../core/words.js";
import { codeOf, deckOf } from "../cards/faces.js";
import { wordOf } from "../cards/moves.js";
import { aloud } from "../cards/told.js";
import { remark } from "../table/marks.js";
import { onMove, racing } from "../table/picking.js";
import { hasGone } from "../table/lingering.js";
import { make } from "../table/telling.js";
import { gameOf } from "../games/index.js";
import { playing } from "../games/shared.js";
import { readMoves, readOptions, readRounds, sentOptions, writeMoves, writeRounds } from "./codec.js";
import { further, keepGame } from "./last.js";

/** @typedef {import("./codec.js").Options} Options */
/**
 * @typedef {object} Happened a move as returned by the service, with its reason
 * @property {number} made the number of moves made, including this one
 * @property {number} round
 * @property {number} seat
 * @property {string} announcement
 * @property {string | null} move
 * @property {number | null} trick
 * @property {number | null} won_by
 * @property {string | null} reason
 * @property {boolean} [forced] whether the player had no other move
 */

const LOOK = 2000; // milliseconds before a game's first move and before a forced one of one's own, to see the hand

/** Milliseconds between two moves of others, so that each is visible. */
export const pace = keptSignal("play.pace", 500);

/** The move of a review that is looked at; empty for none. */
export const look = key("look");
const gameKey = key("game");
const madeKey = key("made");
const takenKey = key("taken");
const dealtKey = key("dealt");

/** The options of the game in the address. */
export const options = computed(() => readOptions(gameKey.value));
/** The service's state of the game; null before it answered. @type {import("../vendor/signals.js").Signal<any>} */
export const standing = signal(null);
/** Whether the service's answer is about the game in the address. */
const current = computed(
  () => standing.value && gameKey.value === standing.value.of && madeKey.value === standing.value.line,
);
/** Why the game in the address can't be continued. @type {import("../vendor/signals.js").Signal<Refused | null>} */
export const trouble = signal(null);
/** The seat that is thinking, or the player's own while its only move is made; null for none. */
export const thinking = signal(/** @type {number | null} */ (null));
/** Whether there are moves to redo. */
export const canRedo = computed(() => takenKey.value !== "");
/** The moves that happened in the game `of`. */
const told = keptSignal("play.told", { of: "", list: /** @type {Happened[]} */ ([]) });
export const happened = computed(() => {
  const { of, list } = told.value;
  return of === gameKey.value ? list.filter((one) => one.made <= (standing.value?.move_count ?? 0)) : [];
});
/** The finished round that waits for a click; null while a round is played, or another game is on its way. */
export const ended = computed(() => (current.value ? endedOf(standing.value, dealtKey.value) : null));

/** Whether the cards drawn in a race are turned up. */
export const isUp = signal(false);

/**
 * Whether the player is to move: nobody plays a card for them, though it is the only one that they can play. What
 * leaves no choice and plays no card of theirs, such as a pass, is made for them.
 */
export const deciding = computed(() => {
  const { has_choice: chooses, to_move: toMove, legal_moves: moves, position } = standing.value ?? {};
  if (options.value?.race) return Boolean(chooses && isUp.value);
  if (chooses || toMove !== (options.value?.seat ?? 0)) return Boolean(chooses);
  return moves.some((/** @type {string} */ one) => position?.hand?.includes(codeOf(one.split(" ")[0])));
});

/** @param {any} now the service's state of a game @param {string} dealt the rounds that the player has begun */
function endedOf(now, dealt) {
  return now.to_move === null || Number(dealt || 1) < now.round ? now.ended : null;
}

/**
 * What the table does not show of the last moves, in a sentence: what the player's seat did without a choice, and what
 * the opponent of a duel took.
 */
export const news = computed(() => {
  const last = happened.value.at(-1);
  if (!last || ended.value || last.round !== standing.value.round) return "";
  const own = happened.value.findLast(({ seat }) => seat === (options.value?.seat ?? 0));
  const { drawn } = standing.value.position ?? {};
  if (drawn) return say(own?.forced ? "play.drew" : "play.passed", { card: drawn });
  if (own?.forced && own.round === last.round) return say("play.forced", { told: wordOf(own.announcement) });
  return last !== own && options.value?.variant === "duel" ? did("play.took", last) : "";
});

/** A move in words. @param {string} key @param {{seat: number, announcement: string}} one */
export function did(key, { seat, announcement }) {
  return say(key, { who: whose(seat), told: wordOf(announcement) });
}

/** The game in the form that the service accepts. */
const match = computed(() =>
  options.value ? { ...sentOptions(options.value), moves: readRounds(madeKey.value) } : null,
);
const open = computed(() => tab.value === "play" && match.value !== null);

/** What is known of another game is not this one's: the address may lead anywhere. */
effect(() => {
  const of = gameKey.value;
  untracked(() => {
    if (standing.value && standing.value.of !== of) standing.value = null;
  });
});

/** Players keep their names wherever the game is looked at. */
effect(() => {
  playing.value = options.value && tab.value !== "setup" ? (options.value.seat ?? 0) : null;
});

/** @type {AbortController | null} */
let running = null;

/**
 * Send a request about the game; null if it was aborted or refused.
 *
 * @param {string} path @param {object} body @returns {Promise<any>}
 */
async function asked(path, body) {
  running?.abort();
  running = new AbortController();
  const { signal: aborted } = running;
  try {
    const found = await ask(path, body, aborted);
    trouble.value = null;
    return aborted.aborted ? null : found;
  } catch (error) {
    if (isAborted(error)) return null;
    if (!(error instanceof Refused)) throw error;
    trouble.value = error;
    return null;
  }
}

/**
 * Store the service's answer about the game, and update the address. A game is one step of the browser's history:
 * going back leaves the table, and Undo takes back moves.
 *
 * @param {any} found @param {Record<string, string>} keys
 */
function arrive(found, keys) {
  const line = writeRounds(found.match.moves);
  const { text } = endedOf(found, keys.dealt ?? dealtKey.value) ?? found; // not yet the next round's deal
  keepGame({
    game: gameKey.value,
    made: line,
    taken: keys.taken ?? takenKey.value,
    dealt: keys.dealt ?? dealtKey.value,
    over: found.to_move === null,
    round: found.round,
    totals: found.position?.totals ?? null,
  });
  // Both at once: in between, the answer and the address would be about different games.
  batch(() => {
    standing.value = { ...found, of: gameKey.value, line };
    go(
      {
        text: keys.look ? address.value.text : (text ?? address.value.text),
        keys: { made: line, moves: "", at: "", seat: "", draft: "", look: "", ...keys },
      },
      { replace: true },
    );
  });
}

effect(() => {
  if (!open.value) {
    untracked(() => {
      running?.abort();
      thinking.value = null;
    });
    return;
  }
  if (current.value) return;
  const body = { match: match.value };
  untracked(async () => {
    await null; // the page's other modules say what the seats are called
    // The browser's history leads to the game as it stands, and takes no move back.
    const kept = look.value ? null : further(gameKey.value, madeKey.value);
    if (kept) return go({ keys: { made: kept.made, taken: kept.taken, dealt: kept.dealt } }, { replace: true });
    const found = await asked("v1/match", body);
    // A shared or reloaded address may be of a move of the review.
    if (found && body.match === match.value) arrive(found, { look: look.value });
  });
});

/** Let the others move one after another, until the player decides or a round is over. */
effect(() => {
  if (!open.value || !current.value || ended.value) return;
  const now = standing.value;
  if (deciding.value || now.to_move === null || options.value?.race) return;
  untracked(() => turn(now));
});

/** The player's only move, before it is made; empty for none. */
export const only = signal("");

/** @param {any} now */
async function turn(now) {
  const own = now.to_move === (options.value?.seat ?? 0); // which has only one move
  thinking.value = now.to_move;
  const least = now.move_count && !own ? pace.value : Math.max(pace.value, LOOK);
  const paced = new Promise((done) => setTimeout(done, pace.value && least));
  const found = await asked("v1/match/turn", { match: match.value });
  only.value = (own && found?.last_move.move) || "";
  if (found) await paced;
  if (found && pace.value) await hasGone();
  // Meanwhile another game may have been opened, whose state is still on its way.
  if (!found || standing.value !== now || !open.value || !current.value) {
    thinking.value = null;
    return;
  }
  note(found, found.reason, own);
  announce(aloud(deckOf(now.position), did("play.did", found.last_move)));
  thinking.value = null;
  arrive(found, {});
}

let isPicking = false;
let isTurnedUp = false; // whether picks were turned up since the log was loaded

/** Load the moves that this browser did not see: in a game from a shared address or a file, and picks turned up. */
effect(() => {
  const now = standing.value;
  if (!open.value || !current.value) return;
  if (now.position) {
    isTurnedUp ||= isPicking && now.position.stage !== "pick";
    isPicking = now.position.stage === "pick";
  }
  if (!isTurnedUp && happened.value.length >= now.move_count) return;
  untracked(() => recount(now));
});

/** @param {any} now */
async function recount(now) {
  const { log } = await ask("v1/match/log", { match: now.match });
  if (standing.value !== now) return;
  isTurnedUp = false;
  const reasons = new Map(happened.value.map((one) => [one.made, one.reason]));
  const list = log.map((/** @type {any} */ one, /** @type {number} */ at) => ({
    ...one,
    made: at + 1,
    reason: reasons.get(at + 1) ?? null,
  }));
  told.value = { of: gameKey.value, list };
}

/**
 * Add the last move to the log.
 *
 * @param {any} now the state of the game after it @param {string | null} reason
 * @param {boolean} [isForced] whether the player had no other move
 */
function note({ move_count: made, last_move: last }, reason, isForced = false) {
  const list = told.value.of === gameKey.value ? told.value.list.filter((other) => other.made < made) : [];
  told.value = { of: gameKey.value, list: [...list, { ...last, made, reason, forced: isForced }] };
}

/** The name of a seat, for the player. @param {number} seat */
export function whose(seat) {
  return say(seat === (options.value?.seat ?? 0) ? "seat.you" : `player.${seat}`);
}

effect(() => {
  racing.value = open.value && Boolean(options.value?.race) && !ended.value;
});
effect(() => {
  remark.value = { words: open.value ? news.value : "", tone: "" };
});
/** Show the game on the board while its tab is open. */
effect(() => {
  const now = standing.value;
  const over = ended.value;
  if (!open.value || !current.value) {
    if (!open.value) instead.value = null;
    return;
  }
  if (over && look.value && address.value.text) {
    instead.value = null; // a move of its review is on the table
    return;
  }
  instead.value = {
    ...EMPTY,
    position:
      (over ? over.position : turnedDown(now.position)) ?? underway(now, untracked(() => instead.value)?.position),
    text: (over ? over.text : now.text) ?? `${now.line} `,
    toMove: over ? null : now.to_move,
    first: options.value?.seat ?? 0,
    moves: deciding.value && !over && !racing.value ? now.legal_moves : [],
  };
});

/** The position without the cards drawn in a race, until they are turned up. @param {any} position */
function turnedDown(position) {
  return options.value?.race && !isUp.value ? { ...position, hand: "", opponent_hand: "" } : position;
}

/** The last position, with the player's move, while no other can be written. @param {any} now @param {any} before */
function underway({ last_move: last }, before = null) {
  const isOwn = before && last?.seat === before.seat;
  return isOwn ? (gameOf(before.game)?.underway?.(before, last.move) ?? before) : before;
}

/** Treat clicks on the board as moves of the game while its tab is open. */
effect(() => {
  if (open.value && !look.value) onMove.value = move;
  else if (untracked(() => onMove.value) === move) onMove.value = make;
});

/** Make the player's move. @param {string} text */
async function move(text) {
  if (deciding.value) await send([text]);
}

/** Make moves of whichever seat, and return the last one; null if that failed. @param {string[]} moves */
export async function send(moves) {
  const found = await asked("v1/match", { match: match.value, moves });
  if (!found) return null;
  note(found, null);
  shared.value = false;
  arrive(found, { taken: "" });
  return found.last_move;
}

/** Go back to the player's last decision. */
export async function undo() {
  if (!open.value) return;
  const found = await asked("v1/match", { match: match.value, undo: 1 });
  if (!found?.undone.length) return;
  const taken = [...found.undone, ...readMoves(takenKey.value)];
  arrive(found, { taken: writeMoves(taken), dealt: String(found.round) });
}

/** Redo moves up to the player's next decision. */
export async function redo() {
  const taken = readMoves(takenKey.value);
  if (!open.value || !taken.length) return;
  const found = await asked("v1/match", { match: match.value, redo: taken });
  if (found) arrive(found, { taken: writeMoves(taken.slice(found.redone_count)) });
}

/** Start the next round. */
export function nextRound() {
  const { to_move: toMove, round, text } = standing.value ?? {};
  if (ended.value && toMove !== null)
    go({ text: text ?? address.value.text, keys: { dealt: String(round) } }, { replace: true });
}
