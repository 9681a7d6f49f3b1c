/** Keys that do something on the whole page, and the list of them that `?` shows. */

/** @typedef {{key: string, label: string, run: () => void}} Shortcut */

/** @type {Shortcut[]} */
export const shortcuts = [];

/** Bind a key, as `KeyboardEvent.key` names it. @param {string} key @param {string} label @param {() => void} run */
export function bind(key, label, run) {
  shortcuts.push({ key, label, run });
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest("input, textarea, select, dialog")) return;
  const found = shortcuts.find((one) => one.key === event.key) ?? byNumber(event.key);
  if (!found) return;
  event.preventDefault();
  found.run();
});

/** A digit chooses that card of the hand. @param {string} key @returns {{run: () => void} | undefined} */
function byNumber(key) {
  if (!/^[1-9]$/.test(key)) return undefined;
  const card = /** @type {HTMLElement | undefined} */ (document.querySelectorAll(".hand .card")[Number(key) - 1]);
  return card && { run: () => card.click() };
}
