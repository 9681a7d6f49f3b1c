/** Which recipes of a pile of King × Alchemy count together. */
import assert from "node:assert/strict";
import { test } from "node:test";

Object.assign(globalThis, {
  document: { documentElement: { lang: "en", dataset: {} } },
  location: { hash: "", pathname: "/" },
  addEventListener() {},
});
const { begun } = await import("../../api/page/static/games/king.js");

/** @param {Record<string, any>} cards their details by code @returns {any} a deck */
const deckOf = (cards) => ({
  byCode: new Map(Object.entries(cards).map(([card, details]) => [card, { card, name: card, rank: "", details }])),
});
const deck = deckOf({
  S1: { provides: "Silver" },
  T1: { provides: "Tin" },
  G1: { provides: "Gold" },
  A: { makes: "Amalgam", of: "Silver, Tin", bonus: "8", provides: "Art" },
  L: { makes: "Lunar Caustic", of: "Silver", bonus: "6" },
  D: { makes: "Double", of: "Gold, Gold", bonus: "5" },
  P: { makes: "Stone", of: "Art, Gold", bonus: "3" },
  M: { makes: "Mirror", of: "Tin", bonus: "4" },
});
/** @param {string} pile @returns {Record<string, boolean | string[]>} by item, whether it counts, or what it needs */
const told = (pile) =>
  Object.fromEntries(begun(pile.split(" "), deck).map((one) => [one.item, one.needs.length ? one.needs : one.counts]));

test("of two recipes with one card between them, the better one counts", () => {
  assert.deepEqual(told("S1 T1 A L"), { Amalgam: true, "Lunar Caustic": false });
});

test("two small recipes count instead of a large one", () => {
  assert.deepEqual(told("S1 T1 A L M"), { Amalgam: false, "Lunar Caustic": true, Mirror: true });
});

test("a card that carries a recipe is used for it or for another one", () => {
  assert.deepEqual(told("S1 T1 G1 A P"), { Amalgam: true, Stone: false });
  assert.deepEqual(told("G1 A P"), { Amalgam: ["Silver", "Tin"], Stone: true });
});

test("a recipe that takes two of a kind needs both", () => {
  assert.deepEqual(told("G1 D"), { Double: ["Gold"] });
});
