/** The address as signals, and the functions that change it. All other signals derive from these. */
import { computed, signal } from "./html.js";
import { opened, read, unfolded, write } from "./address.js";
import { keptSignal } from "./kept.js";
import { takeToken } from "./token.js";
import { TOGETHER, added, along, read as readTree, readPath, write as writeTree, writePath } from "./tree.js";

/** @typedef {import("./address.js").Address} Address */

/** Of each game and variant, the last fragment with a real table or position: no puzzle or game in play. */
export const last = keptSignal("last", /** @type {Record<string, string>} */ ({}));

/**
 * The fragment at the start. At `/p/POSITION` the address is replaced by that of the page itself, so that relative
 * paths work.
 */
function begun() {
  const { root = "", position = "" } = document.documentElement.dataset;
  const brought = takeToken(location.hash);
  const packed = unfolded(location.pathname);
  const fragment = packed || (position ? write(opened(position, read(brought).keys)) : brought);
  if (packed || position || fragment !== location.hash) history.replaceState(null, "", root + fragment);
  return fragment;
}

/** Whether the page shows what another person shared, until the first step from there. */
export const shared = signal(Boolean(document.documentElement.dataset.position));
/** What a shared address says besides: how many deals the hint had that its sender saw, or that it was a review. */
export const seenToo = signal(/** @type {Record<string, string>} */ ({}));
/** The whole address. Change it only with `go`. */
export const address = signal(read(begun()));
/** The starting position as a line of text; empty if there is none yet. */
export const text = computed(() => address.value.text);
/** The open tab: of a position it is the hint, if the address names none and nothing is being set up. */
export const tab = computed(() => {
  const { tab: named, draft } = address.value.keys;
  return named ?? (text.value && !draft ? "hint" : "");
});
/** The tree of moves tried; `path` is the place of the table in it. */
export const tree = computed(() => readTree(address.value.keys.moves ?? ""));
export const path = computed(() => readPath(address.value.keys.at ?? ""));
/** The moves from the position in `text` to the one on the table. */
export const moves = computed(() =>
  along(tree.value, path.value).flatMap((branch) => branch.move.split(TOGETHER)),
);

/** A key of the address as a signal; empty if it is missing. @param {string} name */
export function key(name) {
  return computed(() => address.value.keys[name] ?? "");
}

/**
 * Change the address. The back button returns to the previous one, unless it is replaced.
 *
 * @param {{text?: string, keys?: Record<string, string>}} change empty keys are left out
 * @param {{replace?: boolean}} [how]
 */
export function go(change, { replace = false } = {}) {
  const before = address.value;
  const isMoved = (change.text ?? change.keys?.at) !== undefined; // what is told is of the table where it is
  const keys = { ...before.keys, ...(isMoved && { told: "" }), ...change.keys };
  const next = { text: change.text ?? before.text, keys };
  const fragment = write(next);
  if (fragment === write(before)) return;
  if (replace) history.replaceState(null, "", fragment);
  else {
    history.pushState(null, "", fragment);
    shared.value = false;
  }
  arrived(fragment);
}

/**
 * Put another position on the table and drop everything that belonged to the old one.
 *
 * @param {string} line @param {Record<string, string>} [keys]
 */
export function open(line, keys = {}) {
  const dropped = Object.fromEntries(Object.keys(address.value.keys).map((name) => [name, ""]));
  go({
    text: line,
    keys: {
      ...dropped,
      tab: tab.value,
      model: address.value.keys.model ?? "",
      guide: address.value.keys.guide ?? "",
      ...keys,
    },
  });
}

/** Make a move on the table, reusing its branch if it was made here before. @param {string} move */
export function play(move) {
  const found = added(tree.value, path.value, move);
  go({ keys: { moves: writeTree(found.tree), at: writePath(found.path) } });
}

/** Make several moves, from the table's place by default. @param {string[]} made @param {number[]} [from] */
export function playAll(made, from = path.value) {
  let found = { tree: tree.value, path: from };
  for (const move of made) found = added(found.tree, found.path, move);
  go({ keys: { moves: writeTree(found.tree), at: writePath(found.path) } });
}

/** Go to a place in the tree of moves. @param {number[]} where */
export function goTo(where) {
  go({ keys: { at: writePath(where) } });
}

/**
 * Replace the tree, after a branch was cut or a note was written.
 *
 * @param {import("./tree.js").Branch} changed @param {number[]} where
 */
export function setTree(changed, where) {
  go({ keys: { moves: writeTree(changed), at: writePath(where) } });
}

/** @param {string} fragment */
function arrived(fragment) {
  address.value = read(fragment);
  const { keys } = address.value;
  const [game, ...position] = text.value.split(" ");
  const kind = position[0]?.includes("=") ? game : `${game} ${position[0]}`;
  // Games and puzzles have lists of their own.
  const isApart = keys.game || keys.puzzle || ["rules", "puzzles", "play"].includes(tab.value);
  if (position.length && !isApart) last.value = { ...last.value, [kind]: fragment };
}

addEventListener("popstate", () => arrived(location.hash));
addEventListener("hashchange", () => arrived(location.hash));

/**
 * An address to share, of which messengers show a preview. Servers receive no fragment, so the position is in the
 * path. A game in progress and the tree of moves, with where it begins, are added as keys.
 *
 * @param {string} line the position to show
 */
export function shareable(line) {
  const { text: from, keys } = address.value;
  const own = { ...keys, ...seenToo.value, draft: "", told: "" };
  const tail = write({ text: "", keys: { ...own, from: keys.moves ? from : "" } });
  const path = encodeURI(line.split(" ").join("&")).replace(/[?#]/g, encodeURIComponent);
  return line ? new URL(`p/${path}`, location.href).href + (tail.length > 1 ? tail : "") : location.href;
}
