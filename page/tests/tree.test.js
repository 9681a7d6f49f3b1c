import assert from "node:assert/strict";
import { test } from "node:test";
import {
  added,
  along,
  cut,
  noted,
  promoted,
  read,
  readPath,
  root,
  toEnd,
  write,
  writePath,
} from "../../api/page/static/core/tree.js";

/** @param {string[]} moves */
function line(moves) {
  let found = { tree: root(), path: /** @type {number[]} */ ([]) };
  for (const move of moves) found = added(found.tree, found.path, move);
  return found;
}

test("moves of every game are read back", () => {
  const moves = [
    "D6",
    "take F3 W1 give E9",
    "take -",
    "6+7=4+9",
    "pass Zn>Pb",
    "D:F",
    "a;b(c)*d~e_f g",
    "Œ%20",
  ];
  const { tree, path } = line(moves);
  assert.deepEqual(read(write(tree)), tree);
  assert.deepEqual(
    along(read(write(tree)), path).map((branch) => branch.move),
    moves,
  );
});

test("branches stand in parentheses behind the move that they replace", () => {
  const main = line(["a", "b", "c"]);
  const aside = added(main.tree, [0], "x");
  const further = added(aside.tree, aside.path, "y");
  assert.equal(write(further.tree), "a;b(x;y);c");
  assert.deepEqual(read("a;b(x;y);c"), further.tree);
  assert.deepEqual(
    along(further.tree, further.path).map((branch) => branch.move),
    ["a", "x", "y"],
  );
});

test("a move that is there already is not added again", () => {
  const { tree } = line(["a", "b"]);
  const again = added(tree, [0], "b");
  assert.deepEqual(again, { tree, path: [0, 0] });
});

test("notes follow their moves", () => {
  const { tree } = line(["a", "b"]);
  tree.next[0].note = "why; (not)*";
  assert.deepEqual(read(write(tree)), tree);
});

test("what is no tree is read as far as it goes", () => {
  for (const text of ["", ")", "((", "a;;b", "*", "a(b", "%", "a*"]) assert.ok(read(text));
});

test("paths are short and read back", () => {
  for (const path of [[], [0, 0, 0], [0, 2, 0, 0], [1], [3, 3]])
    assert.deepEqual(readPath(writePath(path)), path);
  assert.equal(writePath([0, 0, 0, 1, 0]), "a3b1a1");
});

test("the end follows the first branches", () => {
  const { tree } = line(["a", "b", "c"]);
  assert.deepEqual(toEnd(tree, []), [0, 0, 0]);
});

test("branches are cut, put first and annotated", () => {
  const main = line(["a", "b"]);
  const aside = added(main.tree, [0], "x");
  assert.equal(write(promoted(aside.tree, aside.path)), "a;x(b)");
  assert.equal(write(cut(aside.tree, aside.path)), "a;b");
  assert.equal(write(cut(aside.tree, [0])), "");
  assert.equal(write(noted(aside.tree, aside.path, "no good")), "a;b(x*no_good)");
  assert.equal(write(aside.tree), "a;b(x)");
});
