/** What people type where numbers are expected: digits of any script. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SEED, inAscii, numberOf } from "../../api/page/static/core/typed.js";

test("digits of other scripts", () => {
  for (const text of ["１２0", "١٢٠", "१२०", "𝟙𝟚𝟘", "۱۲۰"]) {
    assert.equal(numberOf(text), 120);
    assert.ok(new RegExp(`^${SEED}$`, "v").test(text));
  }
  assert.equal(inAscii("Ｄ６−٣"), "D6-3");
});
