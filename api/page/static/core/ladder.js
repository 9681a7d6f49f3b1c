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
 * @typedef {object} Climb
 * @property {import("./search.js").Found} found the search that runs now, or the last
 * @property {any} answer the newest answer
 * @property {boolean} running
 * @property {boolean} patient whether more time could prove more
 */

/** @param {string} path such as "v1/analyze" */
export function ladder(path) {
  const one = search();
  const answer = signal(/** @type {any} */ (null));
  const rung = signal(0);
  const until = signal(0);
  /** @type {any} */
  let body = null;

  effect(() => {
    const { status, answer: found } = one.found.value;
    if (status !== "done") return;
    untracked(() => {
      answer.value = found;
      if (!found.exact && secondsOf(rung.value) < until.value) {
        rung.value += 1;
        ask();
      }
    });
  });

  function ask() {
    one.start(path, { ...body, limit: { seconds: secondsOf(rung.value) } });
  }

  /** Begin with a question. @param {any} question without a limit @param {number} patience seconds of the last rung */
  function start(question, patience) {
    body = question;
    answer.value = null;
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
    one.clear();
  }

  /** @type {import("../vendor/signals.js").ReadonlySignal<Climb>} */
  const state = computed(() => {
    const found = one.found.value;
    const running = found.status === "running";
    return {
      found,
      answer: answer.value,
      running,
      patient: !running && found.status !== "refused" && Boolean(answer.value) && !answer.value.exact && secondsOf(rung.value) < LONGEST,
    };
  });
  return { state, start, more, stop: one.stop, clear };
}

/** @param {number} rung */
export function secondsOf(rung) {
  const last = RUNGS.length - 1;
  return rung <= last ? RUNGS[rung] : Math.min(LONGEST, RUNGS[last] * 3 ** (rung - last));
}
