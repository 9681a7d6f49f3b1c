/** Whether the service is reachable, and whether its games are ready. */
import { signal } from "./html.js";

/** @type {import("../vendor/signals.js").Signal<"here" | "away">} */
export const connection = signal("here");
/** The service's message while a game compiles or the service is busy; otherwise empty. */
export const notice = signal("");

const PAUSE = 1000; // milliseconds between two checks whether the service is back

const REST = 10_000; // milliseconds until what was refused is asked for again

/** Why something could not be loaded or done, and what tries it again at once, if the page does so by itself. */
export const failed = signal(/** @type {{why: string, again?: () => void} | null} */ (null));

/** @type {Promise<void> | null} */
let waiting = null;
/** @type {Promise<void> | null} */
let resting = null;

/** Say why something could not be loaded, and wait until it is to be tried again: soon, or when the user wants. */
export function untilAgain(/** @type {string} */ why) {
  resting ??= new Promise((ready) => {
    const again = () => {
      clearTimeout(timer);
      resting = null;
      failed.value = null;
      ready();
    };
    const timer = setTimeout(again, REST);
    failed.value = { why, again };
  });
  return resting;
}

/** Wait until the service answers again; meanwhile `connection` is "away". */
export function untilBack() {
  waiting ??= look().finally(() => {
    waiting = null;
    connection.value = "here";
  });
  connection.value = "away";
  return waiting;
}

async function look() {
  for (;;) {
    await pause(PAUSE);
    try {
      await fetch("healthz", { cache: "no-store" });
      return;
    } catch {
      // Still unreachable.
    }
  }
}

/** @param {number} milliseconds @param {AbortSignal} [signal] @returns {Promise<void>} */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
