/** Values stored in the browser between visits. A browser that stores nothing is not an error. */
import { effect, signal } from "./html.js";

const PREFIX = "athanor.";

/** @param {string} name @returns {any} what was kept, or null */
export function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} name @param {unknown} value null forgets it */
export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Private windows may refuse: then nothing is stored.
  }
}

/**
 * A signal stored in the browser: it starts with the stored value, saves every change, and follows other windows.
 *
 * @template T
 * @param {string} name
 * @param {T} usual
 * @returns {import("../vendor/signals.js").Signal<T>}
 */
export function keptSignal(name, usual) {
  const is = (/** @type {any} */ found) => found !== null && typeof found === typeof usual;
  const before = recall(name);
  const value = signal(is(before) ? before : usual);
  let last = value.peek(); // as it is stored, or the usual value, which need not be
  effect(() => {
    if (value.value === last) return;
    last = value.value;
    keep(name, last);
  });
  addEventListener("storage", (event) => {
    const now = recall(name);
    if (event.key === PREFIX + name && is(now)) value.value = now;
  });
  return value;
}
