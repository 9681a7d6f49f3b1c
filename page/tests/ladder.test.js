import assert from "node:assert/strict";
import { test } from "node:test";
import { secondsOf, tightened } from "../../api/page/static/core/ladder.js";

const answer = {
  best: "a",
  moves: [
    { move: "a", bounds: [2, 9], exact: false, value: null },
    { move: "b", bounds: [3, 3], exact: true, value: 3 },
  ],
};

test("what is proved by now tightens an answer and never widens it", () => {
  const found = tightened(answer, [
    { move: "a", bounds: [1, 5] },
    { move: "b", bounds: [0, 9] },
    { move: "c", bounds: [0, 1] },
  ]);
  assert.deepEqual(found.moves, [{ move: "a", bounds: [2, 5], exact: false, value: null }, answer.moves[1]]);
  assert.deepEqual(answer.moves[0].bounds, [2, 9]);
});

test("bounds that meet are a value", () => {
  const [move] = tightened(answer, [{ move: "a", bounds: [4, 4] }]).moves;
  assert.deepEqual(move, { move: "a", bounds: [4, 4], exact: true, value: 4 });
});

test("bounds of every seat tighten seat by seat", () => {
  const everybody = {
    moves: [
      {
        move: "a",
        bounds: [
          [0, 1],
          [3, 4],
        ],
        exact: false,
        value: null,
      },
    ],
  };
  const told = (/** @type {number[][]} */ bounds) => tightened(everybody, [{ move: "a", bounds }]).moves[0];
  assert.deepEqual(
    told([
      [1, 0],
      [3, 2],
    ]),
    {
      move: "a",
      bounds: [
        [1, 1],
        [3, 2],
      ],
      exact: false,
      value: null,
    },
  );
  assert.deepEqual(
    told([
      [2, 2],
      [2, 2],
    ]),
    {
      move: "a",
      bounds: [
        [2, 2],
        [2, 2],
      ],
      exact: true,
      value: [2, 2],
    },
  );
});

test("what is won or lost is told as well", () => {
  const solitaire = { moves: [{ move: "a", bounds: ["lost", "won"], exact: false, value: null }] };
  const told = (/** @type {string[]} */ ...bounds) => tightened(solitaire, [{ move: "a", bounds }]).moves[0];
  assert.equal(told("won", "won").value, "won");
  assert.equal(told("lost", "lost").value, "lost");
  assert.deepEqual(told("lost", "won"), solitaire.moves[0]);
});

test("without news the answer is as it was", () => {
  assert.equal(tightened(answer, null), answer);
  assert.equal(tightened(null, []), null);
});

test("each search is longer, up to a minute", () => {
  const seconds = [0, 1, 2, 3, 4, 5, 6, 7].map(secondsOf);
  assert.deepEqual(seconds, [0.2, 1, 3, 9, 27, 60, 60, 60]);
});
