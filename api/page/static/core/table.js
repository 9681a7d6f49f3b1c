/** The position on the table, always as computed by the service. */
import { computed, effect, signal, untracked } from "./html.js";
import { Refused, ask, isAborted, verify } from "./ask.js";
import { key, moves, text } from "./session.js";

/**
 * @typedef {object} Table
 * @property {string} text the position as a line of text; empty if there is none
 * @property {any} position the same position as JSON
 * @property {number | null} toMove the seat to move; null when the round is over
 * @property {string[]} moves its legal moves, if its cards are known
 * @property {string[]} possible in a view: the possible moves of another seat
 * @property {boolean} known whether every card is known, which an analysis needs
 * @property {boolean} views whether every card is known, and also what each seat sees of them
 * @property {any} seen the view of the seat in the address; null if all cards are shown
 * @property {string} seenText
 * @property {any} laid the position shown, with the other open cards on the table
 * @property {string} from the line of text before its moves
 * @property {number | null} first the seat to move in that line
 */

/** @type {Table} */
export const EMPTY = {
  text: "",
  position: null,
  toMove: null,
  moves: [],
  possible: [],
  known: false,
  views: false,
  seen: null,
  seenText: "",
  laid: null,
  from: "",
  first: null,
};

/** The seat whose view of a known position is shown; empty to show all cards. */
export const seat = key("seat");
/**
 * A table that a tab shows instead of the position in the address, such as a game in progress.
 *
 * @type {import("../vendor/signals.js").Signal<Table | null>}
 */
export const instead = signal(null);
const loaded = signal(EMPTY);
/** The other open cards on that table. */
const opened = signal(/** @type {any} */ (null));
export const table = computed(() =>
  instead.value ? { ...instead.value, laid: laid(instead.value.position, opened.value) } : loaded.value,
);
/** Its line of text, which does not change when the other open cards arrive. */
export const line = computed(() => table.value.text);
/** The faults of the position in the address. @type {import("../vendor/signals.js").Signal<Refused | null>} */
export const fault = signal(null);

/** A position with the other open cards, as the service returns them. @param {any} position @param {any} open */
function laid(position, open) {
  return position && { ...position, ...open };
}

effect(() => {
  const text = instead.value?.text ?? "";
  // A position that can't be written as a line has the moves made as its text, and a blank.
  if (!text || text.endsWith(" ")) {
    opened.value = null;
    return;
  }
  ask("v1/play", { position: text, moves: [] }).then(
    (found) => {
      if (untracked(() => instead.value)?.text === text) opened.value = found.derived;
    },
    () => (opened.value = null),
  );
});

/** Whether every card of a position is known. @param {any} position */
export function isKnown(position) {
  if ("line" in position)
    return "stock" in position || position.variant === "duel" || position.variant === "free";
  return "hands" in position;
}

/** Whether players ask for a hint about it, rather than for an analysis: of a duel, too, whose cards lie open. */
export function isHinted(/** @type {any} */ position) {
  return !isKnown(position) || position.variant === "duel";
}

/**
 * The table after these moves, with the possible next ones.
 *
 * @param {string | object} position @param {string[]} made @param {AbortSignal} [signal]
 * @returns {Promise<Table>}
 */
export async function after(position, made, signal) {
  return shown(await verify({ position, moves: made, after: true }, signal));
}

/**
 * The table of an answer of `verify`: a puzzle has none of its moves if they are more than the service lists.
 *
 * @param {any} found @returns {Table}
 */
function shown({ after: { text, position, to_move: toMove, derived }, next_moves: next, can_view: views }) {
  const known = isKnown(position);
  const { legal_moves: moves, possible_moves: possible } = next;
  return { ...EMPTY, text, position, toMove, moves, possible, known, views, laid: laid(position, derived) };
}

/** The service's answer about the moves about to be made, which saves a request. */
let foretold = { line: "", moves: "", answer: /** @type {any} */ (null) };

/**
 * Keep the answer of `verify` about `next`, the moves that are made immediately afterwards.
 *
 * @param {string[]} next @param {any} answer
 */
export function foretell(next, answer) {
  foretold = { line: text.value, moves: JSON.stringify([...moves.value, ...next]), answer };
}

/** @type {AbortController | null} */
let running = null;

/**
 * @param {string} line @param {string[]} made @param {any} known the service's earlier answer, or null
 * @param {AbortSignal} signal
 */
async function loadedAt(line, made, known, signal) {
  if (!line) return { ...EMPTY };
  return known ? shown(known) : after(line, made, signal);
}

/**
 * The seat to move in a line of text, before any move.
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
        laid: laid(view.position, view.derived),
      });
    }
    loaded.value = found;
    fault.value = null;
  } catch (error) {
    if (isAborted(error)) return;
    if (!(error instanceof Refused)) throw error;
    if (loaded.value.from !== line) loaded.value = EMPTY; // The fault is not about the position shown.
    fault.value = error;
  }
}

/**
 * What to request, as text, so that other changes of the address, such as another tab, cause no request.
 */
const asked = computed(() => JSON.stringify([text.value, moves.value, seat.value]));
effect(() => {
  if (!instead.value) load(.../** @type {[string, string[], string]} */ (JSON.parse(asked.value)));
});
