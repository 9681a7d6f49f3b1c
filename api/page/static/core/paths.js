/** Paths into JSON, in the form used by the service's faults: `hands[2][4]`. */

/** @param {string} path @returns {(string | number)[]} */
function steps(path) {
  return [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) =>
    index === undefined ? name : Number(index),
  );
}

/** @param {any} data @param {string} path */
export function valueAt(data, path) {
  return steps(path).reduce((found, step) => found?.[step], data);
}

/**
 * A copy of data with another value at a path; missing objects are created.
 *
 * @template T @param {T} data @param {string} path @param {unknown} value @returns {T}
 */
export function withValue(data, path, value) {
  const copy = structuredClone(data);
  const way = steps(path);
  const last = /** @type {string | number} */ (way.pop());
  const place = way.reduce((/** @type {any} */ found, step) => (found[step] ??= {}), copy);
  place[last] = value;
  return copy;
}
