/** A game in progress in the address. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  optionsOf,
  readMoves,
  readOptions,
  readRounds,
  sentOptions,
  writeMoves,
  writeOptions,
  writeRounds,
} from "../../api/page/static/play/codec.js";

test("moves come back as they were, whatever is in them", () => {
  const rounds = [["F3", "take F3 W1 give E9", "D:F"], ["4+3=7", "pass Zn>Pb", "火1"], []];
  assert.deepEqual(readRounds(writeRounds(rounds)), rounds);
  const moves = ["take - give W7", "S3"];
  assert.deepEqual(readMoves(writeMoves(moves)), moves);
  assert.match(writeMoves(moves), /^[\w-]+$/); // what others set aside is not to be read by accident
  assert.deepEqual(readMoves(""), []);
  assert.deepEqual(readRounds("G2;G+/D4"), []);
});

test("options come back, numbers as numbers", () => {
  const options = { game: "alchemy", variant: "duel", seed: 4294967295, seat: 1, rounds: 1, seconds: 0.3 };
  assert.equal(writeOptions(options), "alchemy,variant=duel,seed=4294967295,seat=1,rounds=1,seconds=0.3");
  assert.deepEqual(readOptions(writeOptions(options)), options);
});

test("a seed that a number of JavaScript can't hold is no seed", () => {
  assert.equal(readOptions("kirin,seed=9007199254740991,seconds=1")?.seed, 9007199254740991);
  assert.equal(readOptions("kirin,seed=9007199254740993,seconds=1"), null);
});

test("a table's readings and its own deck are in the options", () => {
  const options = {
    game: "king",
    seed: 1,
    seconds: 1,
    rules: "no_bottom_when_trumped late_trump_does_not_lift",
    deck: '{"card":[{"name":"A, B=%2c"}]}',
  };
  assert.deepEqual(readOptions(writeOptions(options)), options);
  const sent = sentOptions(options);
  assert.deepEqual(sent.rules, { no_bottom_when_trumped: true, late_trump_does_not_lift: true });
  assert.deepEqual(sent.deck, { card: [{ name: "A, B=%2c" }] });
  assert.equal(sentOptions({ ...options, deck: "house" }).deck, "house");
  assert.deepEqual(
    readOptions(writeOptions(optionsOf({ ...sent, saved: "athanor play", moves: [] }))),
    options,
  );
});

test("that hints go by the match is in the address, and comes from a file", () => {
  const saved = { saved: "athanor play", game: "kirin", seed: 3, seconds: 0.3, for_match: true, moves: [] };
  assert.equal(writeOptions(optionsOf(saved)), "kirin,seed=3,seconds=0.3,for_match=1");
  const options = readOptions("kirin,seed=3,seconds=0.3,for_match=1");
  assert.ok(options);
  assert.equal(sentOptions(options).for_match, true);
  assert.equal("for_match" in sentOptions({ game: "kirin", seed: 3, seconds: 1 }), false);
  assert.equal(writeOptions(optionsOf({ ...saved, for_match: null })), "kirin,seed=3,seconds=0.3");
});

test("what is no game is none", () => {
  for (const text of ["", "kirin", "kirin,seed=x,seconds=1", "kirin,seed=1"])
    assert.equal(readOptions(text), null);
});
