/** The token of a service that wants one. */
import assert from "node:assert/strict";
import { test } from "node:test";

/** @type {Map<string, string>} */
const kept = new Map();
globalThis.sessionStorage = /** @type {any} */ ({
  getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
  setItem: (/** @type {string} */ key, /** @type {string} */ value) => kept.set(key, value),
});
/** @type {(string | null)[]} */
const answers = [];
let asked = 0;
globalThis.prompt = () => {
  asked += 1;
  return answers.shift() ?? null;
};
const { anotherToken, takeToken, tokenHeader } = await import("../../api/page/static/core/token.js");

test("a person is asked once for a token, however many requests were refused", () => {
  assert.deepEqual(tokenHeader(), {});
  answers.push(" one ", "two");
  assert.equal(anotherToken({}, "why"), true);
  assert.equal(anotherToken({}, "why"), true);
  assert.deepEqual([asked, tokenHeader()], [1, { Authorization: "Bearer one" }]);
  assert.equal(anotherToken({ Authorization: "Bearer one" }, "why"), true);
  assert.deepEqual([asked, tokenHeader()], [2, { Authorization: "Bearer two" }]);
});

test("who gives no token is not asked again", () => {
  assert.equal(anotherToken(tokenHeader(), "why"), false);
  assert.equal(anotherToken(tokenHeader(), "why"), false);
  assert.deepEqual([asked, tokenHeader()], [3, {}]);
});

test("the token of an address is kept, and taken out of it", () => {
  assert.equal(takeToken("#kirin&seat=2&~tab=hint&~token=three"), "#kirin&seat=2&~tab=hint");
  assert.deepEqual(tokenHeader(), { Authorization: "Bearer three" });
  assert.equal(takeToken("#kirin&seat=2"), "#kirin&seat=2");
  assert.deepEqual(tokenHeader(), { Authorization: "Bearer three" });
});
