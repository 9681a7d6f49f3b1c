/** Whether the service is there, and whether its games are ready. */
import { signal } from "./html.js";

/** @type {import("../vendor/signals.js").Signal<"here" | "away">} */
export const connection = signal("here");
/** What the service says while a game compiles, or while it is busy; empty otherwise. */
export const notice = signal("");

const PAUSE = 1000; // milliseconds between two looks whether the service is back

/** @type {Promise<void> | null} */
let waiting = null;

/** Wait until the service answers again, and tell the page meanwhile that it is away. */
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
      // Still away.
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
