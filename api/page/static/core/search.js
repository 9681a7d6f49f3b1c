/** A question that takes time: it is asked, tells how far it is, can be stopped, and is answered or refused. */
import { signal } from "./html.js";
import { Refused, isAborted, stream } from "./ask.js";

/**
 * @typedef {object} Found
 * @property {"idle" | "running" | "done" | "stopped" | "refused"} status
 * @property {string} asked what was asked, to tell whether it still is the question
 * @property {any} progress the last line of progress
 * @property {any} answer
 * @property {Refused | null} fault
 */

/** @type {Found} */
const IDLE = { status: "idle", asked: "", progress: null, answer: null, fault: null };

/** One question at a time: asking another ends the one before. */
export function search() {
  const found = signal(IDLE);
  /** @type {AbortController | null} */
  let running = null;

  /** Ask `v1/hint` or `v1/analyze`. @param {string} path @param {object} body */
  async function start(path, body) {
    running?.abort();
    running = new AbortController();
    const { signal: aborted } = running;
    const asked = JSON.stringify(body);
    found.value = { ...IDLE, status: "running", asked };
    try {
      await stream(
        path,
        body,
        (line) => {
          if (aborted.aborted) return;
          if (line.progress) found.value = { ...found.value, progress: line.progress };
          else found.value = { ...found.value, status: "done", answer: line };
        },
        aborted,
      );
    } catch (error) {
      if (aborted.aborted || isAborted(error)) return;
      if (error instanceof Refused) {
        found.value = { ...found.value, status: "refused", fault: error };
        return;
      }
      // The service went away in the middle: the same is asked again, and waits until it is back.
      start(path, body);
    }
  }

  /** End the search; what it told stays. */
  function stop() {
    running?.abort();
    if (found.value.status === "running") found.value = { ...found.value, status: "stopped" };
  }

  /** Tell that the question could not even be asked. @param {Refused} fault */
  function refuse(fault) {
    running?.abort();
    found.value = { ...IDLE, status: "refused", fault };
  }

  /** Forget the question and its answer. */
  function clear() {
    running?.abort();
    found.value = IDLE;
  }

  return { found, start, stop, clear, refuse };
}
