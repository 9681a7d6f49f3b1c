/**
 * An analysis repeated with more and more time, so that the bounds tighten visibly. Stopping keeps the last answer. It
 * ends when everything is proved or the longest search is done.
 */
import { computed, effect, signal, untracked } from "./html.js";
import { search } from "./search.js";

/** Time limits of the first searches, in seconds; each further one is three times as long. */
const RUNGS = [0.2, 1, 3];
const LONGEST = 60;

/**
 * Ladders waiting for their turn. Searches share the service's cores, and waiting there counts towards their time, so
 * only one ladder asks at a time.
 *
 * @type {(() => void)[]}
 */
const queue = [];
let busy = false;

function next() {
  busy = queue.length > 0;
  queue.shift()?.();
}

/**
 * @typedef {object} Climb
 * @property {import("./search.js").Found} found the current search, or the last one
 * @property {any} answer the newest answer
 * @property {any} bounds the proved bounds of the position's value; null if there are none
 * @property {string | null} best the best move so far
 * @property {boolean} running
 * @property {boolean} patient whether more time could prove more
 * @property {number} next the seconds of the next search
 */

/** @param {string} path such as "v1/analyze" */
export function ladder(path) {
  const one = search();
  const answer = signal(/** @type {any} */ (null));
  const rung = signal(0);
  const until = signal(0);
  const waiting = signal(false);
  /** @type {any} */
  let body = null;

  let asking = false;

  effect(() => {
    const { status, answer: found } = one.found.value;
    if (status === "running") return;
    untracked(release);
    if (status !== "done") return;
    untracked(() => {
      answer.value = found;
      if (!found.exact && secondsOf(rung.value) < until.value) {
        rung.value += 1;
        ask();
      }
    });
  });

  function turn() {
    waiting.value = false;
    asking = true;
    one.start(path, { ...body, limit: { seconds: secondsOf(rung.value) } });
  }

  function ask() {
    withdraw();
    waiting.value = true;
    queue.push(turn);
    if (!busy) next();
  }

  function release() {
    if (!asking) return;
    asking = false;
    next();
  }

  function withdraw() {
    waiting.value = false;
    const at = queue.indexOf(turn);
    if (at >= 0) queue.splice(at, 1);
  }

  /** End the search; the last answer stays. */
  function stop() {
    withdraw();
    until.value = 0;
    one.stop();
  }

  /** Start with a question. @param {any} question without a limit @param {number} patience longest limit in seconds */
  function start(question, patience) {
    clear();
    body = question;
    rung.value = 0;
    until.value = patience;
    ask();
  }

  /** Continue with longer searches. */
  function more() {
    rung.value += 1;
    until.value = secondsOf(rung.value);
    ask();
  }

  function clear() {
    answer.value = null;
    withdraw();
    one.clear();
  }

  /** @type {import("../vendor/signals.js").ReadonlySignal<Climb>} */
  const state = computed(() => {
    const found = one.found.value;
    const stopped = found.status === "stopped";
    const progress = found.status === "running" || stopped ? found.progress : null;
    const running = waiting.value || found.status === "running";
    return {
      found,
      answer: tightened(answer.value, progress?.moves),
      bounds: both(answer.value?.bounds, progress?.bounds),
      best: progress?.best ?? answer.value?.best ?? null,
      running,
      patient:
        !running &&
        found.status !== "refused" &&
        (stopped || Boolean(answer.value)) &&
        !answer.value?.exact &&
        secondsOf(rung.value) < LONGEST,
      next: secondsOf(rung.value + 1),
    };
  });
  return { state, start, more, stop, clear };
}

/**
 * An answer, with the bounds of its moves tightened by what the next search has proved so far.
 *
 * @param {any} answer @param {{move: string, bounds: any}[] | null | undefined} proved
 */
export function tightened(answer, proved) {
  if (!answer || !proved) return answer;
  const now = new Map(proved.map(({ move, bounds }) => [move, bounds]));
  const moves = answer.moves.map((/** @type {any} */ move) => {
    const found = now.get(move.move);
    if (move.exact || !found) return move;
    const bounds = both(move.bounds, found);
    const exact = String(bounds[0]) === String(bounds[1]);
    return { ...move, bounds, exact, value: exact ? bounds[0] : null };
  });
  return { ...answer, moves };
}

/** The bounds of one value that two searches have proved together. @param {any} one @param {any} other */
function both(one, other) {
  return one && other
    ? [closer(Math.max, one[0], other[0]), closer(Math.min, one[1], other[1])]
    : (one ?? other ?? null);
}

const OUTCOMES = ["lost", "won"];

/**
 * The tighter of two bounds: numbers, outcomes, or one number per seat.
 *
 * @param {(...bounds: number[]) => number} of @param {any} one @param {any} other @returns {any}
 */
function closer(of, one, other) {
  if (Array.isArray(one)) return one.map((bound, seat) => of(bound, other[seat]));
  return typeof one === "number"
    ? of(one, other)
    : OUTCOMES[of(OUTCOMES.indexOf(one), OUTCOMES.indexOf(other))];
}

/** @param {number} rung */
export function secondsOf(rung) {
  const last = RUNGS.length - 1;
  return rung <= last ? RUNGS[rung] : Math.min(LONGEST, RUNGS[last] * 3 ** (rung - last));
}
