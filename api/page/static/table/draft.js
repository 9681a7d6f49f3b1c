/**
 * A position being set up. It is stored in the address as JSON until it is complete, then as a line of text. The number
 * of cards in each place follows from a deal of the same game; the service checks for faults.
 */
import { batch, computed, effect, signal, untracked } from "../core/html.js";
import { Refused, ask, isAborted } from "../core/ask.js";
import { keptSignal } from "../core/kept.js";
import { fetchLater } from "../core/later.js";
import { valueAt, withValue } from "../core/paths.js";
import { address, go, open, text } from "../core/session.js";
import { say } from "../core/words.js";
import { EMPTY, after } from "../core/table.js";
import { chosen, gameOf, startOf } from "../games/index.js";
import { asDraft, hasPlayed, isFollowed } from "../games/shared.js";
import { isOpen } from "./faults.js";
import { isWithin } from "./zone.js";

/** @param {string} [text] JSON @returns {any} a position of a known game, or null */
function read(text) {
  try {
    const found = JSON.parse(text || "null");
    return gameOf(found?.game) ? found : null;
  } catch {
    return null;
  }
}

/** The incomplete position; null if none is being set up. */
export const draft = computed(() => read(address.value.keys.draft));
const kept = keptSignal("draft", "");
/** The last draft that was neither used nor discarded, to be continued; null for none. */
export const left = computed(() => {
  const found = read(kept.value);
  const lists = Object.values(found ?? {}).filter(Array.isArray);
  return lists.some((all) => all.flat().some((one) => typeof one !== "number")) ? found : null; // points are no cards
});
/** The places of the draft. */
export const zones = computed(() => {
  const position = draft.value;
  const game = gameOf(position?.game);
  return game ? game.zones(position).filter((zone) => valueAt(position, zone.path) !== undefined) : [];
});
/** The fields that are asked for at the table, beside its places. */
export const fields = computed(() => {
  const position = draft.value;
  return (gameOf(position?.game)?.fields(position) ?? []).filter((field) => !field.more);
});
/** The path of the place that the next card goes to, or of the field that is asked for. */
export const target = signal("");
/** The draft as a table, once it has no faults. */
export const whole = signal(EMPTY);
/** The faults of the draft. @type {import("../vendor/signals.js").Signal<Refused | null>} */
export const wrong = signal(null);
/** The faults without those that only mean that something is missing. */
export const faults = computed(() => (wrong.value?.faults ?? []).filter((fault) => !isOpen(fault)));
/** Earlier versions of the draft and what was being filled, for undo; the latest one last. */
const before = signal(/** @type {{text: string, path: string}[]} */ ([]));
export const canUndo = computed(() => before.value.length > 0);

/** @type {AbortController | null} */
let running = null;
/** The check of the draft as it is now. */
let checking = Promise.resolve();

/** A deal of the draft's game, for the sizes of its places. */
const dealt = signal(/** @type {{of: string, position: any}} */ ({ of: "", position: null }));
const wanted = computed(() => {
  const position = draft.value;
  if (!position || position.variant === "free") return "";
  const game = gameOf(position.game);
  const kind = position.variant ? { variant: position.variant } : { players: game?.players(position) };
  const seat = position.variant === "duel" ? {} : { seat: 0 };
  const deck = position.deck ? { deck: position.deck } : {};
  return JSON.stringify({ game: position.game, ...kind, ...seat, ...deck });
});

effect(() => {
  const of = wanted.value;
  if (!of || untracked(() => dealt.value.of) === of) return;
  ask("v1/deal", JSON.parse(of)).then(
    ({ position }) => (dealt.value = { of, position }),
    () => (dealt.value = { of, position: null }),
  );
});

/**
 * The number of cards for each place; null until it is known.
 *
 * @type {import("../vendor/signals.js").ReadonlySignal<Partial<Record<string, number>> | null>}
 */
export const sizes = computed(() => {
  if (!wanted.value) return {};
  if (dealt.value.of !== wanted.value) return null;
  return dealt.value.position
    ? (gameOf(draft.value?.game)?.sizes(dealt.value.position, draft.value) ?? {})
    : {};
});

/** The number of the trick of one who joined late, which only the size of the hand shows; 0 for none. */
export const trickNow = computed(() => {
  const { hand, gone } = draft.value ?? {};
  const game = gameOf(draft.value?.game);
  if (!gone || !hand?.length || !game?.past || dealt.value.of !== wanted.value) return 0;
  const most = dealt.value.position?.hand.length ?? 0;
  return Math.max(0, most - hand.length + (hasPlayed(draft.value, game.players(draft.value)) ? 0 : 1));
});

/** The place that the next card goes to; undefined for none. */
export const goal = computed(() => zones.value.find((zone) => zone.path === target.value));
/** The field that is asked for; undefined for none. */
export const asked = computed(() => fields.value.find((field) => field.path === target.value));

/** How many cards a place holds and needs, in words; empty for none. @param {import("../games/index.js").Zone} zone */
export function countOf(zone) {
  const { path, cards, kind } = zone;
  const n = cards.length;
  const size = sizes.value?.[path] ?? (lacking(zone) > 0 ? n + lacking(zone) : 0);
  if (kind === "single" || (size === 1 && !n)) return "";
  if (size) return say("place.of", { n, size });
  return n ? say("cards", { n }) : "";
}

/** How many cards a place still needs. @param {import("../games/index.js").Zone} zone */
export function lacking(zone) {
  return Math.max(0, (sizes.value?.[zone.path] ?? zone.least ?? 0) - zone.cards.length);
}

/** The places that still need cards. */
export const short = computed(() => zones.value.filter((zone) => lacking(zone) > 0));

/** The paths of the places and fields that still have to be filled, the next one first. */
export const missing = computed(() => {
  const open = (wrong.value?.faults ?? []).filter(isOpen);
  const isMissing = (/** @type {{path: string, value?: any}} */ one) =>
    ("value" in one && one.value === undefined) || open.some((fault) => isWithin(fault.path, one.path));
  return [...new Set([...short.value, ...[...zones.value, ...fields.value].filter(isMissing)])].map(({ path }) => path);
});

effect(() => {
  const position = draft.value;
  const ready = sizes.value !== null && !short.value.length;
  untracked(() => {
    checking = check(ready ? position : null);
  });
});

// Choose a place for a draft from the address, and the next one once a place is full.
effect(() => {
  const all = zones.value;
  const now = goal.value;
  if (!all.length || !sizes.value) return;
  const isFull = now && target.value in sizes.value && !lacking(now);
  if (asked.value || (now && !isFull)) return;
  const next = missing.value[0] ?? (now ?? all.find(isFirst) ?? all[0]).path;
  untracked(() => (target.value = next));
});

/** Move the frame on to what is still missing; if nothing is, it stays. */
export function advance() {
  target.value = missing.value.find((path) => path !== target.value) ?? target.value;
}

/** @param {import("../games/index.js").Zone} zone */
function isFirst({ kind }) {
  return kind === "hand" || kind === "line";
}

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
    const { signal } = running;
    whole.value = await after(sent(position), [], signal);
    wrong.value = null;
    if (isFollowed(position)) learn(position, whole.value.position);
  } catch (error) {
    if (isAborted(error)) return;
    if (!(error instanceof Refused)) throw error;
    whole.value = EMPTY;
    wrong.value = error;
  }
}

/** Write into a draft who led each trick, as the service has found. @param {any} position @param {any} found */
function learn(position, { leader, history }) {
  const told = position.history.map((/** @type {any} */ past, /** @type {number} */ at) => ({
    ...past,
    leader: history[at].leader,
  }));
  const text = JSON.stringify({ ...position, leader, history: told });
  if (text === address.value.keys.draft) return;
  kept.value = text;
  go({ keys: { draft: text } }, { replace: true });
}

/** The draft in the service's form, without places that are still empty. @param {any} position */
function sent(position) {
  const chosen = (/** @type {any} */ part) =>
    Object.fromEntries(Object.entries(part).filter(([, value]) => value !== ""));
  const told = gameOf(position.game)?.sent?.(position) ?? position;
  return chosen(Array.isArray(told.history) ? { ...told, history: told.history.map(chosen) } : told);
}

/** The address of the position on the table that the draft took the place of; null for none. */
let replaced = /** @type {import("../core/session.js").Address | null} */ (null);

/** The draft as it was begun. @type {any} */
let begun = null;

/**
 * Start setting up a position.
 *
 * @param {any} position @param {string} [tab] @param {string} [rounds] the rounds before it at a table that is followed
 */
export function begin(position, tab = "setup", rounds = "") {
  replaced = text.value ? address.value : null;
  begun = asDraft(position);
  target.value = "";
  before.value = [];
  chosen.value = position.game;
  go({
    text: "",
    keys: { draft: JSON.stringify(begun), tab, before: rounds, moves: "", at: "", game: "", puzzle: "", showed: "" },
  });
}

/**
 * Set up a position of a kind, or go on with the one of that kind that was left.
 *
 * @param {import("../games/index.js").Start} start @param {any} position an empty one
 */
export function beginAs(start, position) {
  begin(left.value && startOf(left.value) === start ? left.value : position);
}

/** Take all cards off the draft. */
export function empty() {
  const { game, deck, rules } = draft.value;
  const start = /** @type {import("../games/index.js").Start} */ (startOf(draft.value));
  change({ ...start.draft(gameOf(game)?.players(draft.value) ?? 0), ...(deck && { deck }), ...(rules && { rules }) });
  target.value = "";
}

/** @param {any} position */
function change(position) {
  before.value = [...before.value, { text: address.value.keys.draft, path: target.value }];
  kept.value = JSON.stringify(position);
  go({ keys: { draft: kept.value } }, { replace: true });
}

/** Undo the last change. */
export function undo() {
  const last = before.value.at(-1);
  if (!last) return;
  // At once: a place that is still full would hand over to the next one.
  batch(() => {
    before.value = before.value.slice(0, -1);
    target.value = last.path;
    kept.value = last.text;
    go({ keys: { draft: last.text } }, { replace: true });
  });
}

/** @param {string} path @param {unknown} value */
export function setField(path, value) {
  if (draft.value) change(withValue(draft.value, path, value));
}

/**
 * Change the kind of position or the number of players. Cards stay where the new draft has the same place.
 *
 * @param {import("../games/index.js").Start} start @param {number} players
 */
export function restart(start, players) {
  const old = draft.value;
  const { deck, rules } = old;
  const others = gameOf(old.game)?.players(old) === players ? [] : ["trick", "history"]; // seats sit elsewhere
  const fresh = start.draft(players);
  for (const [name, empty] of Object.entries(fresh)) {
    if (!others.includes(name)) fresh[name] = carried(name, empty, old);
  }
  change({ ...fresh, ...(deck ? { deck } : {}), ...(rules ? { rules } : {}) });
}

/** Let all cards be set up, as an analysis needs them: cards that lie already stay. */
export function beginKnown() {
  const old = draft.value;
  const game = /** @type {import("../games/index.js").Drawn} */ (gameOf(old?.game ?? chosen.value));
  const { variant } = old ?? game.starts[0].draft(game.usual);
  const isOne = (/** @type {any} */ start) => start.known && start.draft(game.usual).variant === variant;
  const start = /** @type {import("../games/index.js").Start} */ (game.starts.find(isOne));
  if (old) restart(start, game.players(old));
  else begin(start.draft(game.usual), "analysis");
}

/** The cards for a key of a new draft. @param {string} name @param {any} empty @param {any} old */
function carried(name, empty, old) {
  const own = name === "hand" ? (old.hand ?? old.hands?.[0]) : old[name];
  if (name === "hands" && !own) return empty.with(0, old.hand ?? []);
  if (!Array.isArray(own) || !Array.isArray(empty)) return name === "hand" && typeof own === typeof empty ? own : empty;
  if (!empty.length) return own;
  return empty.map((none, at) => (Array.isArray(none) ? (own[at] ?? none) : none));
}

/** Put a card into the chosen place. In a place for one card, it replaces that card. @param {string} card */
export function put(card) {
  const zone = goal.value;
  if (!zone || isFilled(zone)) return;
  const number = zone.counted?.[card];
  if (number) {
    setField(number, valueAt(draft.value, number) + 1);
    return;
  }
  const isLast = lacking(zone) === 1 && (zone.kind === "single" || (zone.least ?? 0) > 1);
  change(withValue(draft.value, zone.path, zone.kind === "single" ? card : [...zone.cards, card]));
  if (isLast) advance();
}

/** Whether a place is full. @param {import("../games/index.js").Zone} zone */
export function isFilled(zone) {
  return zone.kind !== "single" && zone.path in (sizes.value ?? {}) && !lacking(zone);
}

/** Take a card off the table. @param {string} path @param {number} index */
export function take(path, index) {
  const found = valueAt(draft.value, path);
  target.value = path;
  change(withValue(draft.value, path, Array.isArray(found) ? found.filter((_, at) => at !== index) : ""));
}

/**
 * Use the complete draft as the position: as it is now, not as it was checked last. Where only cards were corrected,
 * the steps to earlier moves stay.
 *
 * @param {string} tab
 */
export async function useDraft(tab) {
  await checking;
  if (!whole.value.text) return false;
  const { text: line } = whole.value;
  const position = draft.value;
  const { corrected } = replaced ? await fetchLater() : {};
  const found = await corrected?.(replaced, begun, position, line);
  kept.value = "";
  open(found?.text ?? asLaid(line, position), { ...found?.keys, tab, before: address.value.keys.before ?? "" });
  return true;
}

/** A position's line of text with the cards of the line as they lie on the table. @param {string} text */
function asLaid(text, /** @type {any} */ { line }) {
  return line?.length ? text.replace(/ line=\S+/, ` line=${line.join(",")}`) : text;
}

/** Add a finished trick, to be filled next. @param {any} past */
export function addPast(past) {
  const history = draft.value.history ?? [];
  change({ ...draft.value, history: [...history, past] });
  target.value = `history[${history.length}].cards`;
}

/** @param {number} index */
export function dropPast(index) {
  const history = draft.value.history.filter(
    (/** @type {any} */ _, /** @type {number} */ at) => at !== index,
  );
  const { leader, ...others } = draft.value;
  const isFound = "gone" in draft.value && !history.length; // who leads followed from the tricks
  change({ ...others, ...(isFound ? {} : { leader }), history });
}

/** Discard the draft, for the position that was on the table before. */
export function drop() {
  kept.value = "";
  go({ text: replaced?.text ?? "", keys: { tab: "", before: "", ...replaced?.keys, draft: "" } });
}
