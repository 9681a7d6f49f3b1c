/**
 * The tree of moves tried from a position, written as `D4;S3(S5;B2)*note;G1`. A branch in parentheses is an alternative
 * to the move before it; a note follows its move after a star.
 */

/** @typedef {{move: string, note: string, next: Branch[]}} Branch */
/** @typedef {number[]} Path which branch is taken at each move, from the root */

/** Separates the texts of one step: an own move and the cards turned up after it. */
export const TOGETHER = " | ";

/** @returns {Branch} a tree without moves */
export function root() {
  return { move: "", note: "", next: [] };
}

/** Escape only the tree's own marks and what an address would escape again. @param {string} text */
const encoded = (text) =>
  text.replace(/[^\w:+=>,/|.-]|_/g, (mark) => {
    if (mark === " ") return "_";
    return /[_()*!'~;]/.test(mark) ? `%${mark.charCodeAt(0).toString(16)}` : encodeURIComponent(mark);
  });
/** @param {string} text */
const decoded = (text) => decodeURIComponent(text.replace(/_/g, "%20"));

/** @param {Branch} tree @returns {string} */
export function write(tree) {
  const [first, ...others] = tree.next;
  if (!first) return "";
  const aside = others.map((one) => `(${item(one)}${rest(one)})`).join("");
  return item(first) + aside + rest(first);
}

/** @param {Branch} branch */
function item(branch) {
  return encoded(branch.move) + (branch.note ? `*${encoded(branch.note)}` : "");
}

/** @param {Branch} branch */
function rest(branch) {
  return branch.next.length ? `;${write(branch)}` : "";
}

/** @param {string} text @returns {Branch} a tree of as much as can be read */
export function read(text) {
  const tokens = text.match(/[();*]|[^();*]+/g) ?? [];
  let at = 0;
  const tree = root();
  /** @param {Branch} parent */
  function sequence(parent) {
    while (at < tokens.length && tokens[at] !== ")") {
      if (/^[;(*]$/.test(tokens[at])) {
        at += 1;
        continue;
      }
      const branch = { move: safe(tokens[at++]), note: "", next: [] };
      if (tokens[at] === "*") {
        branch.note = safe(tokens[at + 1] ?? "");
        at += 2;
      }
      parent.next.push(branch);
      while (tokens[at] === "(") {
        at += 1;
        sequence(parent);
        at += 1;
      }
      parent = branch;
    }
  }
  sequence(tree);
  return tree;
}

/** @param {string} text */
function safe(text) {
  try {
    return decoded(text);
  } catch {
    return text;
  }
}

/** The branches along a path, without the root, as far as the path exists. @param {Branch} tree @param {Path} path */
export function along(tree, path) {
  const found = [];
  let branch = tree;
  for (const which of path) {
    if (!branch.next[which]) break;
    branch = branch.next[which];
    found.push(branch);
  }
  return found;
}

/**
 * The tree with a move added after `path`, unless it is there already; and the path to it.
 *
 * @param {Branch} tree @param {Path} path @param {string} move
 * @returns {{tree: Branch, path: Path}}
 */
export function added(tree, path, move) {
  const copy = structuredClone(tree);
  const branch = along(copy, path).at(-1) ?? copy;
  let which = branch.next.findIndex((one) => one.move === move);
  if (which < 0) which = branch.next.push({ move, note: "", next: [] }) - 1;
  return { tree: copy, path: [...path, which] };
}

/** The path from `path` to the end of the first branches. @param {Branch} tree @param {Path} path @returns {Path} */
export function toEnd(tree, path) {
  const found = [...path];
  let branch = along(tree, path).at(-1) ?? tree;
  while (branch.next.length) {
    branch = branch.next[0];
    found.push(0);
  }
  return found;
}

/** A path as `a3b1a2`: three first branches, a branch 1, two first branches. @param {Path} path */
export function writePath(path) {
  let text = "";
  let firsts = 0;
  for (const which of [...path, -1]) {
    if (which === 0) {
      firsts += 1;
      continue;
    }
    if (firsts) text += `a${firsts}`;
    firsts = 0;
    if (which > 0) text += `b${which}`;
  }
  return text;
}

/** @param {string} text @returns {Path} */
export function readPath(text) {
  const path = [];
  for (const [, kind, number] of text.matchAll(/([ab])(\d{1,4})/g)) {
    if (kind === "b") path.push(Number(number));
    else path.push(...Array(Number(number)).fill(0));
  }
  return path;
}

/**
 * A copy of the tree with a note at a path's end.
 *
 * @param {Branch} tree @param {Path} path @param {string} note @returns {Branch}
 */
export function noted(tree, path, note) {
  const copy = structuredClone(tree);
  const branch = along(copy, path).at(-1);
  if (branch) branch.note = note;
  return copy;
}

/** A copy of the tree without the branch at a path's end. @param {Branch} tree @param {Path} path @returns {Branch} */
export function cut(tree, path) {
  const copy = structuredClone(tree);
  const parent = along(copy, path.slice(0, -1)).at(-1) ?? copy;
  parent.next.splice(path[path.length - 1], 1);
  return copy;
}

/**
 * A copy of the tree in which the branch at a path's end comes before its siblings.
 *
 * @param {Branch} tree @param {Path} path @returns {Branch}
 */
export function promoted(tree, path) {
  const copy = structuredClone(tree);
  const parent = along(copy, path.slice(0, -1)).at(-1) ?? copy;
  parent.next.unshift(...parent.next.splice(path[path.length - 1], 1));
  return copy;
}
