/**
 * A position that is being set up. It stands in the address as JSON until it is whole: then it becomes a line of
 * text. The service says at every step what is still wrong with it.
 */
import { computed, effect, signal, untracked } from "../core/html.js";
import { Refused, isAborted } from "../core/ask.js";
import { valueAt, withValue } from "../core/paths.js";
import { address, go, open } from "../core/session.js";
import { EMPTY, after } from "../core/table.js";
import { gameOf } from "../games/index.js";
import { isWithin } from "./zone.js";

/** The position as it is so far; null where none is being set up. */
export const draft = computed(() => {
  const text = address.value.keys.draft;
  if (!text) return null;
  try {
    const found = JSON.parse(text);
    return gameOf(found?.game) ? found : null;
  } catch {
    return null;
  }
});
/** Where the next card goes. */
export const target = signal("");
/** The draft as a table, once nothing is wrong with it. */
export const whole = signal(EMPTY);
/** What is wrong with it. @type {import("../vendor/signals.js").Signal<Refused | null>} */
export const wrong = signal(null);

/** Whether the last change put a card down. */
let justPut = false;
/** @type {AbortController | null} */
let running = null;

effect(() => {
  check(draft.value);
});

// A draft that comes with the address, as after a reload, has no place chosen yet.
effect(() => {
  const zones = gameOf(draft.value?.game)?.zones(draft.value) ?? [];
  untracked(() => {
    if (zones.length && !zones.some((zone) => zone.path === target.value)) target.value = firstTarget(draft.value);
  });
});

/** @param {any} position */
async function check(position) {
  running?.abort();
  running = new AbortController();
  if (!position) {
    whole.value = EMPTY;
    wrong.value = null;
    return;
  }
  try {
    whole.value = await after(sent(position), [], running.signal);
    wrong.value = null;
  } catch (error) {
    if (isAborted(error)) return;
    if (!(error instanceof Refused)) throw error;
    whole.value = EMPTY;
    wrong.value = error;
    if (justPut) advance(position, error);
  }
}

/**
 * Go on to the place that is still wrong, once nothing is wrong where cards were put. While something is missing the
 * service tells nothing else: a hand may still want cards then, and is left only by hand.
 *
 * @param {any} position @param {Refused} error
 */
function advance(position, error) {
  const zones = gameOf(position.game)?.zones(position) ?? [];
  const at = (/** @type {string} */ path) => zones.find((zone) => isWithin(path, zone.path))?.path;
  const places = error.faults.map((fault) => at(fault.path));
  const next = places.find((path) => path !== undefined);
  const hidden = error.code === "missing_key" && zones.find((zone) => zone.path === target.value)?.kind !== "single";
  if (next && !hidden && !places.includes(target.value)) target.value = next;
}

/** A draft without the cards that are not chosen yet. @param {any} position */
function sent(position) {
  const chosen = (/** @type {any} */ part) => Object.fromEntries(Object.entries(part).filter(([, value]) => value !== ""));
  const told = gameOf(position.game)?.sent?.(position) ?? position;
  return chosen(Array.isArray(told.history) ? { ...told, history: told.history.map(chosen) } : told);
}

/** Begin to set up a position. @param {any} position */
export function begin(position) {
  target.value = firstTarget(position);
  go({ keys: { draft: JSON.stringify(position), tab: "setup" } });
}

/** @param {any} position @param {boolean} [adds] */
function change(position, adds = false) {
  justPut = adds;
  go({ keys: { draft: JSON.stringify(position) } }, { replace: true });
}

/** @param {any} position */
function firstTarget(position) {
  const zones = gameOf(position.game)?.zones(position) ?? [];
  return (zones.find((zone) => zone.kind === "hand" || zone.kind === "line") ?? zones[0])?.path ?? "";
}

/** Set a field. @param {string} path @param {unknown} value */
export function setField(path, value) {
  if (draft.value) change(withValue(draft.value, path, value));
}

/** Put a card where the next one goes. A place of one card gets this one instead. @param {string} card */
export function put(card) {
  const position = draft.value;
  const zone = gameOf(position?.game)?.zones(position).find((one) => one.path === target.value);
  if (!zone) return;
  change(withValue(position, zone.path, zone.kind === "single" ? card : [...zone.cards, card]), true);
}

/** Take a card off the board. @param {string} path @param {number} index */
export function take(path, index) {
  const found = valueAt(draft.value, path);
  change(withValue(draft.value, path, Array.isArray(found) ? found.filter((_, at) => at !== index) : ""));
}

/** Play on from the draft, which is whole. @param {string} tab */
export function useDraft(tab) {
  if (whole.value.text) open(whole.value.text, { tab });
}

/** Add a finished trick, whose cards come next. @param {any} past */
export function addPast(past) {
  const history = draft.value.history ?? [];
  target.value = `history[${history.length}].cards`;
  change({ ...draft.value, history: [...history, past] });
}

/** Drop a finished trick. @param {number} index */
export function dropPast(index) {
  change({ ...draft.value, history: draft.value.history.filter((/** @type {any} */ _, /** @type {number} */ at) => at !== index) });
}

/** Give the draft up. */
export function drop() {
  go({ keys: { draft: "" } });
}
