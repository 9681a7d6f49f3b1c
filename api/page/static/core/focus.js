/** Keyboard focus: arrows and letters move among cards, and when a focused card disappears, the focus moves on. */

const CARDS = ".cards, .move-list";
const FOCUSABLE = "button, input, select, textarea, a, summary";
const STEPS = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowLeft: -1 });

addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const group = target.matches?.("button") ? target.closest(CARDS) : null;
  if (!group || event.ctrlKey || event.metaKey || event.altKey) return;
  const buttons = /** @type {HTMLElement[]} */ ([...group.querySelectorAll("button:not(:disabled)")]);
  const ends = /** @type {Record<string, number>} */ ({ Home: 0, End: buttons.length - 1 });
  const at = event.key in ends ? ends[event.key] : buttons.indexOf(target) + (STEPS[event.key] ?? NaN);
  const next = buttons[at] ?? lettered(buttons, event.key, buttons.indexOf(target) + 1);
  if (!next) return;
  event.preventDefault();
  next.focus();
});

/**
 * The next card whose code begins with this letter, starting over after the last one.
 *
 * @param {HTMLElement[]} buttons @param {string} letter @param {number} from
 */
export function lettered(buttons, letter, from) {
  if (!/^[a-z]$/i.test(letter)) return undefined;
  const begins = (/** @type {HTMLElement} */ one) => one.dataset.card?.[0].toUpperCase() === letter.toUpperCase();
  return [...buttons.slice(from), ...buttons.slice(0, from)].find(begins);
}

/** The card with this digit as its rank. @param {HTMLElement[]} cards @param {string} digit */
export function ranked(cards, digit) {
  return cards.find(({ dataset: { card = "" } }) => card === digit || card.slice(1) === digit);
}

/** Make one button of a group a tab stop: the one used last, or the first. @param {Element} group */
function makeOneStop(group) {
  const buttons = /** @type {HTMLElement[]} */ ([...group.querySelectorAll("button:not(:disabled)")]);
  const isOpen = (/** @type {HTMLElement} */ button) => !button.hasAttribute("aria-disabled");
  const stop =
    buttons.find((button) => button === document.activeElement) ??
    buttons.find((button) => button.getAttribute("tabindex") === "0" && isOpen(button)) ??
    buttons.find(isOpen) ??
    buttons[0];
  for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
}

let isDue = false;

/** Set the tab stops of all groups once the page is drawn. */
function look() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    document.querySelectorAll(CARDS).forEach(makeOneStop);
    if (isLost()) setTimeout(handOn, DRAWN);
  });
}

new MutationObserver(look).observe(document.documentElement, { childList: true, subtree: true });
addEventListener("focusin", look);

/** The last element that had the focus. @type {Element | null} */
let last = null;

addEventListener("focusin", (event) => {
  last = /** @type {Element} */ (event.target);
});

// A click beside everything that can have the focus takes it away on purpose.
addEventListener("pointerdown", ({ target }) => (last = /** @type {Element} */ (target).closest(FOCUSABLE)), true);

/** Where the focus goes when its element has disappeared: to the first of these that exists. */
const NEXT = [
  ".palette .card:not([aria-disabled])",
  ".tray .chip",
  ".film button:not(:disabled)",
  ".hand .card.legal",
  ".board .card.legal",
  ".choices .card",
  ".choices button",
  ".panel button, .panel input",
  "#panel",
];
const DRAWN = 60; // milliseconds until the replacement is drawn

/** Whether the focus was lost because its element disappeared or was disabled. */
function isLost() {
  return last && document.activeElement === document.body;
}

/** Move the focus on if it was lost. */
function handOn() {
  if (!isLost()) return;
  for (const place of NEXT) {
    const found = /** @type {HTMLElement | null} */ (document.querySelector(place));
    if (found) {
      found.focus({ preventScroll: true });
      return;
    }
  }
}
