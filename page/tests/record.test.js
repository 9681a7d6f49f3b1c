import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { digest } from "../../api/page/static/play/digest.js";
import { nextOf, rated, standingOf } from "../../api/page/static/puzzles/record.js";

/** @type {any} */ (globalThis).games = ["alchemy", "king", "kirin", "aqua-regia"].map((name) => ({ name }));

/** What the terminal makes of the same record. */
const CASES = JSON.parse(readFileSync(new URL("../../tests/data/training.json", import.meta.url), "utf8"));

/** @param {number} found @param {number} wanted @param {number} [within] */
const near = (found, wanted, within = 1e-6) => assert.ok(Math.abs(found - wanted) < within, `${found}`);

/** @param {any} found @param {any} wanted */
const same = (found, wanted) => {
  for (const name of ["points", "deviation", "volatility"]) near(found[name], wanted[name]);
};

test("Glickman's worked example", () => {
  const one = (/** @type {number} */ points, /** @type {number} */ deviation) => ({
    points,
    deviation,
    volatility: 0.06,
  });
  const found = rated(one(1500, 200), [
    [one(1400, 30), 1],
    [one(1550, 100), 0],
    [one(1700, 300), 0],
  ]);
  near(found.points, 1464.06, 0.011); // the paper rounds on its way
  near(found.deviation, 151.52, 0.005);
  near(found.volatility, 0.05999, 0.00001);
});

test("ratings, streak and what comes back are those of the terminal", () => {
  const { ratings, streak, longest, puzzles } = CASES.standing;
  for (const attempts of [CASES.attempts, [...CASES.attempts].reverse()]) {
    const found = standingOf(attempts, CASES.votes);
    assert.deepEqual([...found.ratings.keys()].sort(), Object.keys(ratings).sort());
    for (const [game, one] of found.ratings) same(one, ratings[game]);
    assert.deepEqual([found.streak, found.longest], [streak, longest]);
    assert.deepEqual([...found.puzzles.keys()].sort(), Object.keys(puzzles).sort());
    for (const [name, one] of found.puzzles) {
      same(one.rating, puzzles[name].rating);
      assert.deepEqual([one.solved, one.due], [puzzles[name].solved, puzzles[name].due], name);
    }
  }
});

test("the next puzzle is that of the terminal", () => {
  const standing = standingOf(CASES.attempts, CASES.votes);
  for (const { now, puzzles, name } of CASES.next) {
    const listed = puzzles.map((/** @type {[string, string, string]} */ [one, grade, game]) => ({
      name: one,
      puzzle: { grade, game },
    }));
    assert.equal(nextOf(listed, standing, now)?.name ?? null, name);
  }
});

test("a theme that was missed comes sooner", () => {
  const listed = ["a", "b", "c"].map((name) => ({
    name,
    puzzle: { game: "kirin", grade: "easy", themes: [`of ${name}`] },
  }));
  for (const { name } of listed) {
    assert.equal(nextOf(listed, standingOf([], []), "2026", new Set([`of ${name}`]))?.name, name);
  }
});

test("a digest is the CRC-32 that the terminal takes", () => {
  assert.equal(digest("123456789"), "cbf43926");
});
