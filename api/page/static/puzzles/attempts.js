/**
 * The answers given in this browser. Each is stored under its own key and never changed, so several windows lose
 * nothing, and records of other browsers and of the terminal can be merged.
 */
import { computed, signal } from "../core/html.js";
import { Refused } from "../core/ask.js";
import { say } from "../core/words.js";
import { takers } from "../table/taking.js";
import { standingOf } from "./record.js";

/** @typedef {import("./record.js").Attempt} Attempt */

const PREFIX = "athanor.attempt.";
const SAVED = "athanor train"; // marks a file as a record
const GRADES = ["easy", "medium", "hard", "expert"];
const MOMENT = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The result of the last imported file: how many answers are new, or what is wrong. */
export const taken = signal(/** @type {{words: string, fault: Refused | null}} */ ({ words: "", fault: null }));

/** @param {any} one @returns {one is Attempt} */
function isAttempt(one) {
  return (
    MOMENT.test(one?.at) &&
    !Number.isNaN(Date.parse(one.at)) &&
    typeof one.puzzle === "string" &&
    one.puzzle.length > 0 &&
    (one.grade === undefined || one.grade === null || GRADES.includes(one.grade)) &&
    typeof one.right === "boolean"
  );
}

/** @param {Attempt} one */
function keyOf({ at, puzzle }) {
  return `${PREFIX}${at} ${puzzle}`;
}

/** @param {string | null} key @param {string | null} text @returns {Attempt | null} */
function read(key, text) {
  if (!key?.startsWith(PREFIX) || text === null) return null;
  try {
    const found = JSON.parse(text);
    return isAttempt(found) && keyOf(found) === key ? found : null;
  } catch {
    return null;
  }
}

/** All stored attempts, by key. */
function kept() {
  const found = new Map();
  try {
    for (let at = 0; at < localStorage.length; at += 1) {
      const key = localStorage.key(at);
      const one = read(key, key && localStorage.getItem(key));
      if (one) found.set(key, one);
    }
  } catch {
    // A browser that stores nothing has no attempts.
  }
  return found;
}

/** The attempts, by key. */
const attempts = signal(/** @type {Map<string, Attempt>} */ (kept()));
addEventListener("storage", ({ key, newValue }) => {
  const one = read(key, newValue);
  if (one) attempts.value = new Map(attempts.value).set(keyOf(one), one);
});

/** The player's rating, streak and due puzzles. */
export const standing = computed(() => standingOf([...attempts.value.values()]));

/** Store attempts; return how many are new. @param {Attempt[]} given */
function add(given) {
  const found = new Map(attempts.value);
  for (const one of given) {
    const key = keyOf(one);
    if (found.has(key)) continue;
    found.set(key, one);
    try {
      localStorage.setItem(key, JSON.stringify(one));
    } catch {
      // It still counts while the page is open.
    }
  }
  const fresh = found.size - attempts.value.size;
  attempts.value = found;
  return fresh;
}

/**
 * Store the current attempt at a puzzle.
 *
 * @param {string} puzzle @param {string | undefined} grade @param {boolean} right
 */
export function note(puzzle, grade, right) {
  add([{ at: new Date().toISOString(), puzzle, ...(grade ? { grade } : {}), right }]);
}

/** Save the record as a file, which `athanor train --import` and the page can read. */
export function save() {
  const listed = [...attempts.value.keys()].sort().map((key) => attempts.value.get(key));
  const link = document.createElement("a");
  const text = JSON.stringify({ saved: SAVED, attempts: listed }, null, 1);
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = "athanor-train.json";
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Merge the record in a file. @param {string} text */
export function take(text) {
  const bad = new Refused({ code: "invalid_value", path: "", message: say("puzzles.notRecord") });
  taken.value = { words: "", fault: bad };
  try {
    const found = JSON.parse(text);
    if (found?.saved !== SAVED || !Array.isArray(found.attempts) || !found.attempts.every(isAttempt)) return;
    const n = found.attempts.length;
    taken.value = { words: say("puzzles.taken", { n, fresh: add(found.attempts) }), fault: null };
  } catch {
    // Not JSON: reported below.
  }
}

takers.set("training", take);
