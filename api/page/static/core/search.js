/** A search on the service: it reports progress, can be stopped, and ends with an answer or a refusal. */
import { signal } from "./html.js";
import { Refused, isAborted, stream } from "./ask.js";

/**
 * @typedef {object} Found
 * @property {"idle" | "running" | "done" | "stopped" | "refused"} status
 * @property {string} asked the question, to check whether it is still current
 * @property {any} progress the last line of progress
 * @property {any} answer
 * @property {Refused | null} fault
 */

/** @type {Found} */
const IDLE = { status: "idle", asked: "", progress: null, answer: null, fault: null };

/** One search at a time: a new one stops the one before. */
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
      // The connection broke: ask again, which waits until the service is back.
      start(path, body);
    }
  }

  /** Stop the search; its progress stays. */
  function stop() {
    running?.abort();
    if (found.value.status === "running") found.value = { ...found.value, status: "stopped" };
  }

  /** Report that the question could not be asked. @param {Refused} fault */
  function refuse(fault) {
    running?.abort();
    found.value = { ...IDLE, status: "refused", fault };
  }

  /** Show an answer that is known already. @param {object} body the question @param {any} answer */
  function show(body, answer) {
    running?.abort();
    found.value = { ...IDLE, status: "done", asked: JSON.stringify(body), answer };
  }

  function clear() {
    running?.abort();
    found.value = IDLE;
  }

  return { found, start, stop, clear, refuse, show };
}
