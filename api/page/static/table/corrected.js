/** Cards that were corrected in a draft: the moves made before stay, with the same cards corrected in them. */
import { Refused } from "../core/ask.js";
import { without } from "../core/lists.js";
import { after } from "../core/table.js";
import { TOGETHER, added, along, read, readPath, root, write, writePath } from "../core/tree.js";

/** @typedef {import("../core/address.js").Address} Address */
/** @typedef {import("../core/tree.js").Branch} Branch */

const WORD = /([^\s,=/:|+>]+)/;
const MOST = 32; // tries

/**
 * An address with the cards of a draft, whose steps still lead to its position.
 *
 * @param {Address} address where the draft began @param {any} begun the draft as it was then @param {any} draft
 * @param {string} line the position of the draft
 * @returns {Promise<Address | null>} null if it is not a matter of cards that took the place of others
 */
export async function corrected({ text, keys: { moves = "", at = "" } }, begun, draft, line) {
  const changed = changes(begun, draft);
  const tree = read(moves);
  const steps = along(tree, readPath(at)).map(({ move }) => move);
  const leads = (/** @type {string} */ from, /** @type {string[]} */ made) => isAt(line, from, made);
  if (!steps.length || !changed.length) return null;
  const cards = new Map(changed);
  const put = (/** @type {string} */ words) =>
    words.replace(new RegExp(WORD, "g"), (word) => cards.get(word) ?? word);
  /** @type {(branch: Branch) => Branch} */
  const putAll = (branch) => ({ ...branch, move: put(branch.move), next: branch.next.map(putAll) });
  if (await leads(put(text), steps.map(put))) return { text: put(text), keys: { moves: write(putAll(tree)), at } };
  let tries = 0;
  for (const [from, ...made] of places([text, ...steps], changed)) {
    if (await leads(from, made)) {
      let found = { tree: root(), path: /** @type {number[]} */ ([]) };
      for (const move of made) found = added(found.tree, found.path, move);
      return { text: from, keys: { moves: write(found.tree), at: writePath(found.path) } };
    }
    tries += 1;
    if (tries === MOST) break;
  }
  return null;
}

/** Whether steps lead from a line of text to a position. @param {string} line @param {string} from */
async function isAt(line, from, /** @type {string[]} */ steps) {
  try {
    return (await after(from, steps.flatMap((step) => step.split(TOGETHER)))).text === line;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return false;
  }
}

/**
 * Texts in which each change is made at one place: of cards that are alike, any may be the wrong one. What was turned
 * up last is tried first.
 *
 * @param {string[]} texts @param {[string, string][]} changed @returns {Generator<string[]>}
 */
function* places(texts, changed) {
  const [[from, to] = [], ...others] = changed;
  if (from === undefined || to === undefined) {
    yield texts;
    return;
  }
  for (let at = texts.length - 1; at >= 0; at -= 1) {
    const words = texts[at].split(WORD);
    for (let word = words.length - 1; word >= 0; word -= 1) {
      if (words[word] === from) yield* places(texts.with(at, words.with(word, to).join("")), others);
    }
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
  const [come, gone] = [without(now, old), without(old, now)];
  return gone.slice(0, come.length).map((card, at) => [card, come[at]]);
}
