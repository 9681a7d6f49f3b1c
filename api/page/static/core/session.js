/** What is looked at: the address as signals, and the ways to change it. Every other signal follows from these. */
import { computed, signal } from "./html.js";
import { read, write } from "./address.js";
import { keep, recall } from "./kept.js";
import { takeToken } from "./token.js";
import { TOGETHER, added, along, read as readTree, readPath, write as writeTree, writePath } from "./tree.js";

/** @typedef {import("./address.js").Address} Address */

const LAST = "last";

/**
 * The fragment that the page begins with: what its address says, or else the last one. At `/p/POSITION` the address
 * becomes that of the page itself, so that every path from here on begins there.
 */
function begun() {
  const { root = "", position = "" } = document.documentElement.dataset;
  const brought = takeToken(location.hash);
  const fragment = position ? write({ text: position, keys: read(brought).keys }) : brought;
  if (fragment !== location.hash) history.replaceState(null, "", root + fragment);
  return fragment.length > 1 ? fragment : (recall(LAST) ?? "");
}

/** The whole address. Set it with `go` alone. */
export const address = signal(read(begun()));
/** The line of text that everything began with; empty where there is no position yet. */
export const text = computed(() => address.value.text);
/** The tab that is open. */
export const tab = computed(() => address.value.keys.tab ?? "");
/** The moves that were tried, and where among them the table is. */
export const tree = computed(() => readTree(address.value.keys.moves ?? ""));
export const path = computed(() => readPath(address.value.keys.at ?? ""));
/** The moves from the position in `text` to the one on the table. */
export const moves = computed(() =>
  along(tree.value, path.value).flatMap((branch) => branch.move.split(TOGETHER)),
);

/** A key of the address as a signal; empty where it is not there. @param {string} name */
export function key(name) {
  return computed(() => address.value.keys[name] ?? "");
}

/**
 * Go to another address. A browser's back button comes back from there, unless it replaces the one before.
 *
 * @param {{text?: string, keys?: Record<string, string>}} change keys that are empty are left out
 * @param {{replace?: boolean}} [how]
 */
export function go(change, { replace = false } = {}) {
  const before = address.value;
  const next = { text: change.text ?? before.text, keys: { ...before.keys, ...change.keys } };
  const fragment = write(next);
  if (fragment === write(before)) return;
  if (replace) history.replaceState(null, "", fragment);
  else history.pushState(null, "", fragment);
  arrived(fragment);
}

/**
 * Put another position on the table; what belonged to the old one is dropped.
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

/** Make a move on the table; one that was made there before is taken again. @param {string} move */
export function play(move) {
  const found = added(tree.value, path.value, move);
  go({ keys: { moves: writeTree(found.tree), at: writePath(found.path) } });
}

/** Make several moves, from where the table is or another place. @param {string[]} made @param {number[]} [from] */
export function playAll(made, from = path.value) {
  let found = { tree: tree.value, path: from };
  for (const move of made) found = added(found.tree, found.path, move);
  go({ keys: { moves: writeTree(found.tree), at: writePath(found.path) } });
}

/** Go to a place among the moves that were tried. @param {number[]} where */
export function goTo(where) {
  go({ keys: { at: writePath(where) } });
}

/**
 * Replace the tree, when a branch is cut or a note is written.
 *
 * @param {import("./tree.js").Branch} changed @param {number[]} where
 */
export function setTree(changed, where) {
  go({ keys: { moves: writeTree(changed), at: writePath(where) } });
}

/** @param {string} fragment */
function arrived(fragment) {
  keep(LAST, fragment);
  address.value = read(fragment);
}

addEventListener("popstate", () => arrived(location.hash));
addEventListener("hashchange", () => arrived(location.hash));
if (!location.hash && address.value.text) history.replaceState(null, "", write(address.value));

/**
 * An address for others, of which messengers show a picture: servers are sent no fragment, so that the position stands
 * before it. A game in progress and moves that were tried come along as keys.
 *
 * @param {string} line the position that it shows
 */
export function shareable(line) {
  const tail = write({ text: "", keys: { ...address.value.keys, draft: "" } });
  const path = encodeURI(line.split(" ").join("&")).replace(/[?#]/g, encodeURIComponent);
  return line ? new URL(`p/${path}`, location.href).href + (tail.length > 1 ? tail : "") : location.href;
}
