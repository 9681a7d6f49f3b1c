/** Whether the service is reachable, and whether its games are ready. */
import { signal } from "./html.js";

/** @type {import("../vendor/signals.js").Signal<"here" | "away">} */
export const connection = signal("here");
/** The service's message while a game compiles or the service is busy; otherwise empty. */
export const notice = signal("");

const PAUSE = 1000; // milliseconds between two checks whether the service is back

/** @type {Promise<void> | null} */
let waiting = null;

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
