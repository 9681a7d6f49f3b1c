/** Cards that are found by letters. */
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.addEventListener = () => {};
globalThis.MutationObserver = /** @type {any} */ (class {
  observe() {}
});
globalThis.document = /** @type {any} */ ({ documentElement: {} });
const { beyond, lettered, ranked } = await import("../../api/page/static/core/focus.js");

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

test("an arrow up or down goes to the nearest card of the next row", () => {
  const row = (/** @type {number} */ top, /** @type {number} */ from) =>
    [0, 50, 100].map((left) => ({ getBoundingClientRect: () => ({ left: left + from, top, height: 70 }) }));
  const [high, middle, low] = /** @type {any[][]} */ ([row(0, 0), row(76, 20), row(152, 0)]);
  const all = [...high, ...middle, ...low];
  assert.equal(beyond(all, high[1], 1), middle[1]);
  assert.equal(beyond(all, low[2], -1), middle[2]);
  assert.equal(beyond(all, low[0], 1), undefined);
});
