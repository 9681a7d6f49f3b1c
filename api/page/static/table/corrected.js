/** Cards that were corrected in a draft: the moves made before stay, with the same cards corrected in them. */
import { Refused } from "../core/ask.js";
import { after } from "../core/table.js";
import { TOGETHER, along, read, readPath, write } from "../core/tree.js";

/** @typedef {import("../core/address.js").Address} Address */
/** @typedef {import("../core/tree.js").Branch} Branch */

/**
 * An address with the cards of a draft, whose steps still lead to its position.
 *
 * @param {Address} address where the draft began @param {any} begun the draft as it was then @param {any} draft
 * @param {string} line the position of the draft
 * @returns {Promise<Address | null>} null if it is not a matter of cards that took the place of others
 */
export async function corrected({ text, keys: { moves = "", at = "" } }, begun, draft, line) {
  const cards = new Map(changes(begun, draft));
  const put = (/** @type {string} */ words) =>
    words.replace(/[^\s,=/:|+>]+/g, (word) => cards.get(word) ?? word);
  /** @type {(branch: Branch) => Branch} */
  const putAll = (branch) => ({ ...branch, move: put(branch.move), next: branch.next.map(putAll) });
  const tree = putAll(read(moves));
  const made = along(tree, readPath(at)).flatMap(({ move }) => move.split(TOGETHER));
  try {
    const found = made.length ? await after(put(text), made) : null;
    return found?.text === line ? { text: put(text), keys: { moves: write(tree), at } } : null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return null;
  }
}

/**
 * The cards of each place that were replaced, and by which.
 *
 * @param {any} old @param {any} now @returns {[string, string][]}
 */
function changes(old, now) {
  if (typeof old === "string" && typeof now === "string") return old === now ? [] : [[old, now]];
  if (typeof old !== "object" || typeof now !== "object" || !old || !now) return [];
  if (typeof now[0] !== "string") return Object.keys(now).flatMap((key) => changes(old[key], now[key]));
  const come = now.filter((/** @type {string} */ card) => !old.includes(card));
  const gone = old.filter((/** @type {string} */ card) => !now.includes(card));
  return gone.slice(0, come.length).map((/** @type {string} */ card, /** @type {number} */ at) => [card, come[at]]);
}
