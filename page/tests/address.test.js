import assert from "node:assert/strict";
import { test } from "node:test";
import { read, shared, write } from "../../api/page/static/core/address.js";
import { valueAt, withValue } from "../../api/page/static/core/paths.js";

test("a bare line of text is an address", () => {
  assert.deepEqual(read("#kirin&seat=2&hand=S1,S4,BT&declared=B+"), {
    text: "kirin seat=2 hand=S1,S4,BT declared=B+",
    keys: {},
  });
});

test("a fragment that a program escaped as a whole is read", () => {
  const fragment = "#kirin&seat=2&hand=S1,B+&~tab=hint";
  assert.deepEqual(read(`#${encodeURIComponent(fragment.slice(1))}`), read(fragment));
});

test("keys of the page are read back, whatever is in them", () => {
  const address = {
    text: "kirin seat=2",
    keys: { tab: "hint", moves: "D6;S1(B2)*a%20b", draft: '{"a": "é&~#"}' },
  };
  const fragment = write(address);
  assert.deepEqual(read(fragment), address);
  assert.doesNotMatch(fragment.slice(1), /[#"\s{}]/);
});

test("an escaped blank parts words, but belongs to a name in quotes", () => {
  const deck = "deck=%7B%22item%22:%22Red%20Calx%22%7D";
  assert.equal(read("#king%20seat=2%20hand=F1").text, "king seat=2 hand=F1");
  assert.equal(write(read(`#king&${deck}&hand=F1`)), `#king&${deck}&hand=F1`);
});

test("empty keys are left out", () => {
  assert.equal(write({ text: "", keys: { tab: "", seat: "0" } }), "#~seat=0");
});

test("broken escapes are no error", () => {
  assert.equal(read("#~tab=%E0%A4%A").keys.tab, "%E0%A4%A");
});

test("an address that was shared is known from other texts", () => {
  const kirin = { text: "kirin seat=2 hand=S1,B+", keys: {} };
  assert.deepEqual(shared("http://127.0.0.1:8000/p/kirin&seat=2&hand=S1,B+"), kirin);
  assert.deepEqual(shared("https://cards.example/athanor/p/kirin%26seat=2&hand=S1,B%2B#~tab=hint"), {
    ...kirin,
    keys: { tab: "hint" },
  });
  assert.deepEqual(shared("#kirin&seat=2&hand=S1,B+"), kirin);
  for (const text of ["", "kirin seat=2", "# puzzles\n[[puzzle]]", "http://a/ b"]) assert.equal(shared(text), null);
});

test("values at paths of faults", () => {
  const data = { hands: [["a"], ["b", "c"]], history: [{ cards: ["d"] }] };
  assert.equal(valueAt(data, "hands[1][1]"), "c");
  assert.equal(valueAt(data, "history[0].cards[0]"), "d");
  assert.equal(valueAt(data, "none[3].x"), undefined);
  assert.deepEqual(withValue(data, "hands[0]", []).hands, [[], ["b", "c"]]);
  assert.deepEqual(data.hands[0], ["a"]);
});
