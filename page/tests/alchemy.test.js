/** What a table of Alchemy shows while cards are turned up. */
import assert from "node:assert/strict";
import { test } from "node:test";

Object.assign(globalThis, {
  document: { documentElement: { lang: "en", dataset: {} } },
  location: { hash: "", pathname: "/" },
  addEventListener() {},
});
const { ALCHEMY } = await import("../../api/page/static/games/alchemy.js");
const underway = /** @type {(position: any, move: string) => any} */ (ALCHEMY.underway);

const duel = {
  game: "alchemy",
  variant: "duel",
  line: ["4", "6", "7", "Q", "2", "2"],
  hand: "9",
  opponent_hand: "4",
  grabbed: "1:4=2+2",
  pile: ["A", "A", "A", "K"],
  opponent_pile: ["5", "5"],
  discarded: ["J"],
  points: [5, 5],
};

test("who matched second in a duel has the cards and their points at once", () => {
  const now = underway(duel, "9+4=6+7");
  assert.deepEqual(now.pile, ["A", "A", "A", "K", "9", "4", "6", "7"]);
  assert.deepEqual(now.opponent_pile, ["5", "5", "4", "2", "2"]);
  assert.deepEqual(now.points, [9, 5]);
  assert.deepEqual([now.line, now.discarded], [["Q"], ["J"]]);
});

test("the four aces are worth ten together", () => {
  const { points } = underway({ ...duel, hand: "6", line: ["A", "5", "2", "2"] }, "6=A+5");
  assert.deepEqual(points, [14, 5]);
});

test("cards without a match are discarded, and a drawn Joker goes to its match", () => {
  const now = underway({ ...duel, grabbed: "0:none", opponent_hand: "X" }, "1:2+2+6+7=4+K anyway");
  assert.deepEqual(now.opponent_pile, ["5", "5", "2", "2", "6", "7", "4", "K", "X"]);
  assert.deepEqual(now.discarded, ["J", "9"]);
});

test("Jokers set aside go to the match, and what it leaves in the line is discarded", () => {
  const now = underway({ ...duel, grabbed: "1:none", table_jokers: 1 }, "9+4+2=6+7+2");
  assert.deepEqual(now.pile.slice(4), ["9", "4", "2", "6", "7", "2", "X"]);
  assert.deepEqual([now.line, now.discarded, now.table_jokers], [[], ["J", "4", "Q"], 0]);
});

test("a solitaire's cards are gone once the move is made", () => {
  const solo = { game: "alchemy", variant: "solo", line: ["2", "5", "7", "J"], hand: "K", discarded: ["3"] };
  assert.deepEqual(underway(solo, "K+J=7+5").discarded, ["3", "K", "J", "7", "5"]);
  assert.deepEqual(underway(solo, "discard J").discarded, ["3", "J", "K"]);
});

test("what a match brings counts the aces before it, and Jokers", () => {
  const gains = /** @type {(position: any, move: string, toMove: number) => number | null} */ (ALCHEMY.gains);
  assert.equal(gains(duel, "9+A=4+6", 0), 10);
  assert.equal(gains(duel, "1:4=2+2", 0), 3);
  assert.equal(gains({ ...duel, hand: "X", table_jokers: 1 }, "2+2+6+7=4+K", 0), 27);
  assert.equal(gains(duel, "none", 0), null);
  assert.equal(gains({ ...duel, variant: "solo" }, "9+4=6+7", 0), null);
});
