/** The current puzzle: its solution, the answers given, and their verdicts. */
import { computed, effect, signal, untracked } from "../core/html.js";
import { Refused, ask, isAborted, load, stream } from "../core/ask.js";
import { announce } from "../core/live.js";
import { path, tab } from "../core/session.js";
import { EMPTY, instead } from "../core/table.js";
import { say, sentences } from "../core/words.js";
import { codeOf, deckOf } from "../cards/faces.js";
import { aloud } from "../cards/told.js";
import { NONE, onMove, picked, solved as solvedBy } from "../table/picking.js";
import { keysOf, mark, remark, signed } from "../table/marks.js";
import { make } from "../table/telling.js";
import { isView, solving } from "../games/shared.js";
import { vote } from "./attempts.js";
import { change, count, countHint, counted, isNew } from "./counting.js";
import { puzzleKey, revealed, solvedDays } from "./current.js";
import { answersTo, expected, isNumbers, plain, solverOf, wordsOf } from "./question.js";
import { OWN, dayKey, missing, puzzle } from "./store.js";

const SECONDS = 20; // to solve a puzzle of the user's own

/** The result for a puzzle of the user's own: its proved solution, or null if nothing could be proved. */
const proved = signal(/** @type {{name: string, found: any, status: string} | null} */ (null));
/**
 * The verdict on the last answer: whether it was right (null if unknown, or not known yet), in words, and the service's
 * `reply` about a move.
 *
 * @type {import("../vendor/signals.js").Signal<{right: boolean | null, words: string, reply?: any} | null>}
 */
export const verdict = signal(null);
/** The matches found so far, if the puzzle asks for all. */
export const found = signal(/** @type {string[]} */ ([]));
/** The last move given as an answer. */
export const last = signal("");
/** The number of hints taken. */
export const hints = signal(0);
/** The puzzle's note, and what of it may be shown before the answer. */
export const note = signal("");
export const helping = signal("");
export const shown = signal(false);
const solved = signal(false);
/** Whether the answer is known. What is clicked then is no answer any more: its worth is said. */
export const answered = computed(() => solved.value || shown.value);
/** Whether the player is asked if the puzzle was good: after the first attempt at one of the collection, once. */
export const asksVote = computed(() => answered.value && isNew.value);

/** Store whether the puzzle was good. @param {boolean} good */
export function giveVote(good) {
  vote(puzzleKey.value, good);
  isNew.value = false;
}

/** Whether the stated solution counts: in the collection, and where hands are hidden, so that nothing is proved. */
const isTrusted = computed(() => {
  const now = puzzle.value;
  return !puzzleKey.value.startsWith(OWN) || Boolean(now?.solution && isView(now.position));
});

/** The solution; null while it is being searched for, or if none could be proved. */
export const solution = computed(() => {
  const now = puzzle.value;
  if (!now) return null;
  if (isTrusted.value) return now.solution ?? null;
  return proved.value?.name === puzzleKey.value ? proved.value.found : null;
});
/** The outcome of solving a puzzle of the user's own; empty during the search. */
export const status = computed(() => {
  if (isTrusted.value) return "confirmed";
  return proved.value?.name === puzzleKey.value ? proved.value.status : "";
});

/** @type {AbortController | null} */
let running = null;
/** A move that was chosen before the puzzle's solution was known, to be judged then. */
let early = { name: "", move: "" };
/** The cards of wrong answers of one card, which stay marked until the puzzle is solved. @type {string[]} */
let wrongs = [];

effect(() => {
  const name = puzzleKey.value;
  const now = puzzle.value;
  untracked(() => {
    running?.abort();
    counted.value = false;
    change.value = null;
    isNew.value = false;
    verdict.value = null;
    found.value = [];
    last.value = "";
    hints.value = 0;
    shown.value = false;
    solved.value = false;
    wrongs = [];
    mark(new Map());
    if (now && isTrusted.value) restore();
    else if (now) solve(name, now);
  });
});

effect(() => {
  revealed.value = answered.value ? puzzleKey.value : "";
});

/** The day whose puzzle is solved is remembered. */
effect(() => {
  const day = solved.value && dayKey.value;
  if (day && !solvedDays.peek().includes(day)) solvedDays.value = [...solvedDays.peek(), day];
});

/** The answer is kept with the address in the browser's history: a reload, as for another language, keeps it. */
effect(() => {
  if (answered.value) untracked(() => history.replaceState({ answer: shown.value ? "" : last.value }, ""));
});

/** Show the answer again that was given here before, or take the one that was given while the puzzle was loading. */
function restore() {
  const text = history.state?.answer;
  const { name, move } = early;
  early = { name: "", move: "" };
  if (!solution.value) return;
  if (text === undefined) {
    if (move && name === puzzleKey.value && isAnswer.value) answerMove(move);
    return;
  }
  counted.value = true;
  if (text) answer(text);
  else showSolution();
}

/**
 * Prove the solution of a puzzle of the user's own, whatever solution it states.
 *
 * @param {string} name @param {import("./store.js").Puzzle} one
 */
async function solve(name, one) {
  running = new AbortController();
  try {
    await stream(
      "v1/solve",
      { puzzle: [sent(one)], limit: { seconds: SECONDS } },
      (line) => (proved.value = { name, found: line.found ?? null, status: line.status }),
      running.signal,
    );
  } catch (error) {
    if (isAborted(error)) return;
    if (!(error instanceof Refused)) throw error;
    proved.value = { name, found: null, status: "error" };
  }
  restore();
}

/** A puzzle in the format of puzzle files. @param {import("./store.js").Puzzle} one */
function sent(one) {
  const keys = ["id", "title", "ask", "model", "player", "must", "without", "position", "solution"];
  return Object.fromEntries(Object.entries(one).filter(([name]) => keys.includes(name)));
}

const isOpen = computed(() => tab.value === "puzzles" && Boolean(puzzle.value));
/** Whether a move counts as an answer; also while the puzzle is still loading. */
const isAnswer = computed(() => {
  if (tab.value !== "puzzles" || !puzzleKey.value || missing.value) return false;
  return !puzzle.value || ["best-move", "all-matches"].includes(puzzle.value.ask);
});

effect(() => {
  solving.value = (isOpen.value || tab.value === "rules") && puzzle.value ? solverOf(puzzle.value) : null;
});

/** While a puzzle is open, treat clicks on the board as answers. */
effect(() => {
  if (isAnswer.value) onMove.value = answerMove;
  else if (untracked(() => onMove.value) === answerMove) onMove.value = make;
});

/** The set of cards that is displayed; empty for none. */
let lastDrawn = "";

/** A set of cards is not a position to play from, so display it as a hand. */
effect(() => {
  const now = puzzle.value;
  const drawn = isOpen.value && now?.ask === "compound";
  const before = untracked(() => instead.value);
  if (drawn) {
    const { deck, cards } = now.position;
    instead.value = {
      ...EMPTY,
      text: now.text,
      position: {
        game: now.game,
        ...(deck ? { deck } : {}),
        stage: "set",
        seat: 0,
        hand: cards,
        won: [[]], // there are no other seats
      },
    };
  } else if (before && before.text === lastDrawn) instead.value = null;
  lastDrawn = drawn ? now.text : "";
});

/** @param {boolean | null} right @param {string} words @param {any} [reply] */
function tell(right, words, reply) {
  verdict.value = { right, words, reply };
  announce(aloud(deckOf(puzzle.value?.position), words));
  if (right === null) return;
  count(right);
  if (right) solved.value = true;
}

/** Ask for the note, now that it is known what the seats are called. */
async function loadNote() {
  const name = puzzleKey.value;
  const address = `v1/puzzles?solutions=true&id=${encodeURIComponent(name)}`;
  const one = name.startsWith(OWN) ? puzzle.value : (await load(address)).puzzles[0];
  if (name !== puzzleKey.value) return;
  note.value = one?.note ?? "";
  helping.value = one?.hint ?? note.value;
}

/** Show a hint, or as many at once: solving the puzzle then counts half. @param {number} [n] */
export async function takeHint(n = 1) {
  const name = puzzleKey.value;
  countHint();
  await loadNote();
  if (name === puzzleKey.value) hints.value += n;
}

/** The note belongs to the solution. */
effect(() => {
  note.value = "";
  helping.value = "";
  if (isOpen.value && answered.value) untracked(loadNote);
});

/** Let the answer be given away, which counts as help. */
export function reveal() {
  count(false);
  revealed.value = puzzleKey.value;
}

/** Show the solution, which counts as help, and why a move is it. */
export function showSolution() {
  const [one, known] = [puzzle.value, solution.value];
  count(false);
  shown.value = true;
  if (!one) return;
  if (one.ask === "all-matches") {
    found.value = known.moves;
    tell(null, say("puzzles.solution", { answer: wordsOf(known, deckOf(one.position), one) }));
  } else judge(one, known, one.ask === "best-move" ? known.best[0] : expected(one, known), true);
}

/** Show the answer on the table, once it is known: the one that was given, if there are several. */
effect(() => {
  const isKnown = isOpen.value && answered.value && !path.value.length && puzzle.value?.ask === "best-move";
  const best = isKnown ? (solution.value?.best ?? []) : [];
  solvedBy.value = best.find((/** @type {string} */ move) => move === last.value) ?? best[0] ?? "";
  if (best.length) picked.value = NONE;
});

effect(() => {
  const said = isOpen.value && !path.value.length ? verdict.value : null;
  const tone = said?.right ? "good" : "bad";
  remark.value = { words: said?.words ?? "", tone: said?.right === null ? "" : tone };
});

/** The request that tells whether an answer is right; null for none. @type {AbortSignal | null} */
let judging = null;

/**
 * Judge an answer, with reasons. An answer in the solution is known to be right immediately.
 *
 * @param {import("./store.js").Puzzle} one @param {any} known @param {string} move @param {boolean} listed
 */
async function judge(one, known, move, listed) {
  running?.abort();
  running = new AbortController();
  const { signal: aborted } = running;
  last.value = move;
  const late = answered.value;
  const deck = deckOf(one.position);
  const listedAll = answersTo(one, known);
  const isDecided = !late && !listed && listedAll.length === 2; // the other answer is right
  const answer = listedAll.find(([text]) => text === move)?.[1] ?? move;
  const said = (/** @type {boolean | null} */ right) => {
    const isMarked = right !== null && one.ask === "best-move";
    const isShown = right && shown.value;
    const worth = isShown ? say("puzzles.markShown") : signed("good", "puzzles.markRight");
    const isCard = (/** @type {string} */ token) => deck.byCode.has(codeOf(token));
    const cards = isMarked ? keysOf(move.split(" ").filter(isCard)) : [];
    const marked = right || late ? cards : [...wrongs, ...cards];
    if (right || late) wrongs = [];
    else if (cards.length === 1) wrongs = marked;
    const bad = signed("bad", "puzzles.markWrong");
    mark(
      new Map(marked.map((card) => [card, right ? worth : bad])),
      new Map(marked.map((card) => [card, right ? "good" : "bad"])),
      true,
    );
    if (right === null) return say("puzzles.judging", { answer });
    const spoken = say("puzzles.solution", { answer: wordsOf(known, deck, one) });
    if (isShown) return spoken;
    if (!right && isDecided) return sentences(say("puzzles.worse", { answer }), spoken);
    const wrong = late ? "puzzles.worse" : wrongOf(move, expected(one, known));
    return say(right ? "puzzles.right" : wrong, { answer });
  };
  const words = said(listed || null);
  if (listed) tell(late ? null : true, words);
  else {
    verdict.value = { right: null, words };
    judging = aborted;
  }
  try {
    const reply = await replyTo(one, known, move, aborted);
    if (listed) verdict.value = { right: late ? null : true, words, reply };
    else if (reply.correct === null) tell(null, say("puzzles.unknown", { answer: move }), reply);
    else {
      // Why a value is wrong would show the right one.
      const why = reply.correct || isDecided || one.ask === "best-move" ? reply : undefined;
      tell(late ? null : reply.correct, said(reply.correct), why);
      if (isDecided) shown.value = true;
    }
  } catch (error) {
    if (isAborted(error)) return;
    if (!(error instanceof Refused)) throw error;
    verdict.value = { right: null, words: error.message };
  } finally {
    if (judging === aborted) judging = null;
  }
}

/** What is said of a wrong answer: which way a number is off. @param {string} answer @param {string} wanted */
function wrongOf(answer, wanted) {
  if (!isNumbers(answer, 1) || !isNumbers(wanted, 1)) return "puzzles.wrong";
  return Number(answer) > Number(wanted) ? "puzzles.tooHigh" : "puzzles.tooLow";
}

/**
 * The service's reply to an answer.
 *
 * @param {import("./store.js").Puzzle} one @param {any} known its solution @param {string} move
 * @param {AbortSignal} [aborted]
 */
export function replyTo(one, known, move, aborted) {
  return ask("v1/puzzles/answer", { puzzle: { ...sent(one), solution: known }, answer: move }, aborted);
}

/** @param {string} move */
function answerMove(move) {
  const known = solution.value;
  if (path.value.length) make(move); // The user is trying out what follows an answer.
  if (path.value.length) return;
  if (!known) {
    early = { name: puzzleKey.value, move };
    return;
  }
  if (puzzle.value?.ask === "best-move") {
    answer(move);
    return;
  }
  if (found.value.includes(move)) {
    verdict.value = { right: null, words: say("puzzles.wrongMatch", { answer: move }) };
    return;
  }
  found.value = [...found.value, move];
  if (found.value.length === allOf(known)) tell(true, progress(known));
  else verdict.value = { right: true, words: say("puzzles.right", { answer: move }) };
}

/** How many matches there are. @param {any} known */
function allOf(known) {
  return Number(known.value ?? known.moves.length);
}

/** How many matches are found, of how many. @param {any} known */
export function progress(known) {
  return say("puzzles.found", { found: found.value.length, all: allOf(known) });
}

/** Take an answer that was typed or chosen. @param {string} text */
export function answer(text) {
  const [one, known] = [puzzle.value, solution.value];
  if (!one || !known || (judging && !judging.aborted)) return; // the first answer counts
  if (!text.trim()) verdict.value = { right: null, words: say("puzzles.empty") };
  else if (one.ask === "best-move") judge(one, known, text, known.best.includes(text));
  else {
    const wanted = expected(one, known);
    const n = wanted.split(" ").length;
    const said = plain(text);
    if (answersTo(one, known).length || isNumbers(said, n)) judge(one, known, said, said === wanted);
    else verdict.value = { right: null, words: say("puzzles.digits", { n }) };
  }
}
