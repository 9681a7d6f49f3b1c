/**
 * The answers given in this browser, and the votes. Each is stored under its own key and never changed, so several
 * windows lose nothing, and records of other browsers and of the terminal can be merged.
 */
import { computed, signal } from "../core/html.js";
import { Refused } from "../core/ask.js";
import { say, sentences } from "../core/words.js";
import { takers } from "../table/taking.js";
import { standingOf } from "./record.js";

/** @typedef {import("./record.js").Attempt} Attempt */
/** @typedef {import("./record.js").Vote} Vote */

const SAVED = "athanor train"; // marks a file as a record
const GRADES = ["easy", "medium", "hard", "expert"];
const MOST_RATING = 4000;
const MOMENT = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The result of the last imported file: how many answers and votes are new, or what is wrong. */
export const taken = signal(/** @type {{words: string, fault: Refused | null}} */ ({ words: "", fault: null }));

/** Whether something happened to a puzzle, at a time. @param {any} one */
function isDated(one) {
  const isTime = MOMENT.test(one?.at) && !Number.isNaN(Date.parse(one.at));
  return isTime && typeof one.puzzle === "string" && one.puzzle.length > 0;
}

/** @param {any} one @returns {one is Attempt} */
function isAttempt(one) {
  const isGraded = one?.grade === undefined || one.grade === null || GRADES.includes(one.grade);
  const { rating = null } = one ?? {};
  const isRated = rating === null || (Number.isInteger(rating) && rating >= 0 && rating <= MOST_RATING);
  const isPlaced = one?.game === undefined || one.game === null || (typeof one.game === "string" && one.game);
  const isHelped = one?.helped === undefined || typeof one.helped === "boolean";
  return isDated(one) && isGraded && isRated && isPlaced && isHelped && typeof one.right === "boolean";
}

/** @param {any} one @returns {one is Vote} */
function isVote(one) {
  return isDated(one) && typeof one.good === "boolean";
}

/**
 * A set that is stored, each member under its own key.
 *
 * @template {{at: string, puzzle: string}} T
 * @param {string} prefix of the keys @param {(one: any) => one is T} isOne
 */
function keptSet(prefix, isOne) {
  const keyOf = (/** @type {T} */ { at, puzzle }) => `${prefix}${at} ${puzzle}`;
  const read = (/** @type {string | null} */ key, /** @type {string | null} */ text) => {
    if (!key?.startsWith(prefix) || text === null) return null;
    try {
      const found = JSON.parse(text);
      return isOne(found) && keyOf(found) === key ? found : null;
    } catch {
      return null;
    }
  };
  const found = /** @type {Map<string, T>} */ (new Map());
  try {
    for (let at = 0; at < localStorage.length; at += 1) {
      const key = localStorage.key(at);
      const one = read(key, key && localStorage.getItem(key));
      if (one) found.set(keyOf(one), one);
    }
  } catch {
    // A browser that stores nothing has none.
  }
  const members = signal(found);
  addEventListener("storage", ({ key, newValue }) => {
    const one = read(key, newValue);
    if (one) members.value = new Map(members.value).set(keyOf(one), one);
  });

  /** Store members; return how many are new. @param {T[]} given */
  const add = (given) => {
    const all = new Map(members.value);
    for (const one of given) {
      const key = keyOf(one);
      if (all.has(key)) continue;
      all.set(key, one);
      try {
        localStorage.setItem(key, JSON.stringify(one));
      } catch {
        // It still counts while the page is open.
      }
    }
    const fresh = all.size - members.value.size;
    members.value = all;
    return fresh;
  };
  const list = computed(() => [...members.value.keys()].sort().map((key) => /** @type {T} */ (members.value.get(key))));
  return { list, add };
}

const attempts = keptSet("athanor.attempt.", isAttempt);
const votes = keptSet("athanor.vote.", isVote);

/** Whether there is a vote to give to others. */
export const hasVotes = computed(() => votes.list.value.length > 0);

/** The player's ratings, streak and due puzzles. */
export const standing = computed(() => standingOf(attempts.list.value, votes.list.value));

/**
 * Store the current attempt at a puzzle.
 *
 * @param {string} name @param {{game: string, grade?: string, rating?: number | null} | null} puzzle
 * @param {boolean} right at the first try @param {boolean} helped after a hint
 */
export function note(name, puzzle, right, helped) {
  const { game, grade, rating } = puzzle ?? {};
  const rated = { ...(grade ? { grade } : {}), ...(typeof rating === "number" ? { rating } : {}) };
  const of = { ...(game ? { game } : {}), ...(helped ? { helped } : {}) };
  attempts.add([{ at: new Date().toISOString(), puzzle: name, ...rated, ...of, right }]);
}

/** Store whether a puzzle was good. @param {string} puzzle @param {boolean} good */
export function vote(puzzle, good) {
  votes.add([{ at: new Date().toISOString(), puzzle, good }]);
}

/** Save the record as a file, which `athanor train --import` and the page can read. */
export function save() {
  download("athanor-train.json", attempts.list.value);
}

/** Save only the votes as such a file, to give to others. */
export function saveVotes() {
  download("athanor-votes.json", []);
}

/** @param {string} name @param {Attempt[]} listed */
function download(name, listed) {
  const link = document.createElement("a");
  const text = JSON.stringify({ saved: SAVED, attempts: listed, votes: votes.list.value }, null, 1);
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Merge the record in a file. @param {string} text */
export function take(text) {
  const bad = new Refused({ code: "invalid_value", path: "", message: say("puzzles.notRecord") });
  taken.value = { words: "", fault: bad };
  try {
    const { saved, attempts: answers, votes: opinions = [] } = JSON.parse(text);
    if (saved !== SAVED || !Array.isArray(answers) || !answers.every(isAttempt)) return;
    if (!Array.isArray(opinions) || !opinions.every(isVote)) return;
    const counts = [
      { n: answers.length, fresh: attempts.add(answers), key: "puzzles.taken" },
      { n: opinions.length, fresh: votes.add(opinions), key: "puzzles.votesTaken" },
    ];
    const told = counts.filter(({ n }, at) => n > 0 || (at === 0 && !opinions.length));
    taken.value = { words: sentences(...told.map(({ key, ...numbers }) => say(key, numbers))), fault: null };
  } catch {
    // Not JSON: reported below.
  }
}

takers.set("training", take);
