/** The position on the table, as the service tells it: never worked out here. */
import { computed, effect, signal, untracked } from "./html.js";
import { Refused, ask, isAborted } from "./ask.js";
import { key, moves, text } from "./session.js";

/**
 * @typedef {object} Table
 * @property {string} text the position as a line; empty where there is none
 * @property {any} position the same as JSON
 * @property {number | null} toMove the seat that decides next; null when the round is over
 * @property {string[]} moves its legal moves, where its cards are known
 * @property {string[]} possible in a view: what another seat could be seen to do
 * @property {boolean} known whether every card is known, so that it can be analyzed
 * @property {any} seen the same position as the seat in the address sees it; null where all cards are shown
 * @property {string} seenText
 * @property {any} laid the position that is shown, with what lies open on the table besides
 * @property {string} from the line in which its moves began
 * @property {number | null} first the seat that decided there
 */

/** @type {Table} */
export const EMPTY = {
  text: "",
  position: null,
  toMove: null,
  moves: [],
  possible: [],
  known: false,
  seen: null,
  seenText: "",
  laid: null,
  from: "",
  first: null,
};

/** The seat whose view of a known position is shown; empty for all cards. */
export const seat = key("seat");
/**
 * A table that a tab shows in place of the position in the address, as a game in progress does.
 *
 * @type {import("../vendor/signals.js").Signal<Table | null>}
 */
export const instead = signal(null);
const loaded = signal(EMPTY);
/** What lies open on the table that a tab shows instead. */
const opened = signal(/** @type {any} */ (null));
export const table = computed(() =>
  instead.value ? { ...instead.value, laid: laid(instead.value.position, opened.value) } : loaded.value,
);
/** Its line: what lies open beside it may still arrive, and changes nothing of what was begun there. */
export const line = computed(() => table.value.text);
/** What is wrong with the position in the address. @type {import("../vendor/signals.js").Signal<Refused | null>} */
export const fault = signal(null);

/** A position with what lies open besides, as the service tells it. @param {any} position @param {any} open */
function laid(position, open) {
  return position && { ...position, ...open };
}

effect(() => {
  const text = instead.value?.text.trim();
  if (!text) {
    opened.value = null;
    return;
  }
  ask("v1/play", { position: text, moves: [] }).then(
    (found) => {
      if (untracked(() => instead.value)?.text.trim() === text) opened.value = found.on_table;
    },
    () => (opened.value = null),
  );
});

/** Whether every card of a position is known. @param {any} position */
export function isKnown(position) {
  if (position.game === "alchemy")
    return "stock" in position || position.variant === "duel" || position.variant === "free";
  return "hands" in position;
}

/**
 * A position after moves, and what may happen next in it.
 *
 * @param {string | object} position @param {string[]} made @param {AbortSignal} [signal]
 * @returns {Promise<Table>}
 */
export async function after(position, made, signal) {
  return completed(await ask("v1/play", { position, moves: made }, signal), signal);
}

/**
 * A line as it stands, with what may happen next in it: both are asked at once.
 *
 * @param {string} line @param {AbortSignal} signal @returns {Promise<Table>}
 */
async function asItStands(line, signal) {
  // Where there is nothing to tell of moves, or the line is wrong, the other answer says so.
  const next = ask("v1/moves", { position: line }, signal).catch(() => null);
  return completed(await ask("v1/play", { position: line, moves: [] }, signal), signal, await next);
}

const NO_MOVES = { moves: [], possible: [] };

/**
 * What may happen next in a position; nothing, in a puzzle with more moves than the service lists.
 *
 * @param {any} position @param {AbortSignal} [signal]
 */
async function happenings(position, signal) {
  try {
    return await ask("v1/moves", { position }, signal);
  } catch (error) {
    if (error instanceof Refused && error.code === "too_large") return NO_MOVES;
    throw error;
  }
}

/**
 * An answer of `v1/play` with what may happen next in it, unless that is known.
 *
 * @param {any} found @param {AbortSignal} [signal] @param {any} [known] @returns {Promise<Table>}
 */
async function completed(found, signal, known) {
  const next = found.to_move === null ? NO_MOVES : (known ?? (await happenings(found.position, signal)));
  return {
    ...EMPTY,
    text: found.text,
    position: found.position,
    toMove: found.to_move,
    moves: next.moves,
    possible: next.possible,
    known: isKnown(found.position),
    laid: laid(found.position, found.on_table),
  };
}

/** What the service said of the moves that are about to be made, so that it need not be asked again. */
let foretold = { line: "", moves: "", answer: /** @type {any} */ (null) };

/**
 * Keep an answer of `v1/play` about the table after `next`, which will be made now.
 *
 * @param {string[]} next @param {any} answer
 */
export function foretell(next, answer) {
  foretold = { line: text.value, moves: JSON.stringify([...moves.value, ...next]), answer };
}

/** @type {AbortController | null} */
let running = null;

/**
 * @param {string} line @param {string[]} made @param {any} known what the service said of it already, or null
 * @param {AbortSignal} signal
 */
function loadedAt(line, made, known, signal) {
  if (!line) return EMPTY;
  if (known) return completed(known, signal);
  return made.length ? after(line, made, signal) : asItStands(line, signal);
}

/**
 * The seat that decides in a line, before any move.
 *
 * @param {string} line @param {AbortSignal} signal @returns {Promise<number | null>}
 */
async function firstOf(line, signal) {
  if (loaded.value.from === line) return loaded.value.first;
  return (await ask("v1/play", { position: line, moves: [] }, signal)).to_move;
}

/** @param {string} line @param {string[]} made @param {string} viewer */
async function load(line, made, viewer) {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  try {
    const known = foretold.line === line && foretold.moves === JSON.stringify(made) ? foretold.answer : null;
    const found = await loadedAt(line, made, known, signal);
    const first = made.length ? await firstOf(line, signal) : found.toMove;
    Object.assign(found, { from: line, first });
    if (found.known && viewer !== "") {
      const view = await ask("v1/view", { position: found.position, seat: Number(viewer) }, signal);
      Object.assign(found, {
        seen: view.position,
        seenText: view.text,
        laid: laid(view.position, view.on_table),
      });
    }
    loaded.value = found;
    fault.value = null;
  } catch (error) {
    if (isAborted(error)) return;
    if (!(error instanceof Refused)) throw error;
    fault.value = error;
  }
}

/**
 * What the service is asked for, as text: a change of the address that leaves it as it is, such as to another tab,
 * asks nothing.
 */
const asked = computed(() => JSON.stringify([text.value, moves.value, seat.value]));
effect(() => {
  if (!instead.value) load(.../** @type {[string, string[], string]} */ (JSON.parse(asked.value)));
});
