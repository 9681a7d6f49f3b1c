/**
 * An analysis asked again and again with more time, so that what is proved tightens before one's eyes: the service
 * tells bounds with each answer, and stopping keeps the last. It ends when all is proved or patience runs out.
 */
import { computed, effect, signal, untracked } from "./html.js";
import { search } from "./search.js";

/** Seconds of the first answers; from there each takes three times as long. */
const RUNGS = [0.2, 1, 3];
const LONGEST = 60;

/**
 * Who waits to ask. Searches share the service's cores, and waiting there counts towards their time: so several
 * ladders climb in turn.
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
 * @property {import("./search.js").Found} found the search that runs now, or the last
 * @property {any} answer the newest answer
 * @property {any} bounds what is proved of the value of the whole position; null where nothing is
 * @property {string | null} best the move that seems best by now
 * @property {boolean} running
 * @property {boolean} patient whether more time could prove more
 */

/** @param {string} path such as "v1/analyze" */
export function ladder(path) {
  const one = search();
  const answer = signal(/** @type {any} */ (null));
  const rung = signal(0);
  const until = signal(0);
  /** Whether it waits for its turn. */
  const waiting = signal(false);
  /** @type {any} */
  let body = null;

  /** Whether this ladder has its turn. */
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

  /** Give the turn to the next. */
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

  /** Begin with a question. @param {any} question without a limit @param {number} patience seconds of the last rung */
  function start(question, patience) {
    clear();
    body = question;
    rung.value = 0;
    until.value = patience;
    ask();
  }

  /** Go on for longer. */
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
    };
  });
  return { state, start, more, stop, clear };
}

/**
 * An answer with what the next search has proved of its moves by now, where that is more.
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

/** What two searches have proved of one value, together. @param {any} one @param {any} other */
function both(one, other) {
  return one && other
    ? [closer(Math.max, one[0], other[0]), closer(Math.min, one[1], other[1])]
    : (one ?? other ?? null);
}

const OUTCOMES = ["lost", "won"];

/**
 * The tighter of two bounds: numbers, outcomes, or one for each seat.
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
