/** Cards that are found by letters. */
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.addEventListener = () => {};
globalThis.MutationObserver = /** @type {any} */ (class {
  observe() {}
});
globalThis.document = /** @type {any} */ ({ documentElement: {} });
const { lettered, ranked } = await import("../../api/page/static/core/focus.js");

/** @param {string[]} codes @returns {any[]} */
const cards = (codes) => codes.map((card) => ({ dataset: { card } }));

test("a letter goes to the next card that begins with it, and round", () => {
  const hand = cards(["D2", "S3", "S5", "B2"]);
  assert.equal(lettered(hand, "s", 0), hand[1]);
  assert.equal(lettered(hand, "S", 2), hand[2]);
  assert.equal(lettered(hand, "s", 3), hand[1]);
});

test("a digit is the rank of a card, whole", () => {
  const row = cards(["F11", "F1", "F10", "F2"]);
  assert.equal(ranked(row, "1"), row[1]);
  assert.equal(ranked(row, "0"), undefined);
  assert.equal(ranked(cards(["A", "7", "10"]), "7")?.dataset.card, "7");
});

test("other keys and letters of no card go nowhere", () => {
  const hand = cards(["D2", "S3"]);
  assert.equal(lettered(hand, "g", 0), undefined);
  assert.equal(lettered(hand, "2", 0), undefined);
  assert.equal(lettered(hand, "Enter", 0), undefined);
  assert.equal(lettered(/** @type {any} */ ([{ dataset: {} }]), "d", 0), undefined);
});
