/** Where the keyboard is: arrows and letters walk among cards, and a card that is gone hands the focus on. */

const CARDS = ".cards, .move-list";
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
 * The next card whose code begins with a letter; after the last one comes the first again.
 *
 * @param {HTMLElement[]} buttons @param {string} letter @param {number} from
 */
export function lettered(buttons, letter, from) {
  if (!/^[a-z]$/i.test(letter)) return undefined;
  const begins = (/** @type {HTMLElement} */ one) => one.dataset.card?.[0].toUpperCase() === letter.toUpperCase();
  return [...buttons.slice(from), ...buttons.slice(0, from)].find(begins);
}

/** Let one button of a group be a stop of the Tab key: the one used last, or the first. @param {Element} group */
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

/** Look at all groups once the page is drawn. */
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

/** What had the focus last. @type {Element | null} */
let last = null;

addEventListener("focusin", (event) => {
  last = /** @type {Element} */ (event.target);
});

// Who clicks beside everything wants no focus.
addEventListener("pointerdown", () => (last = null), true);

/** Where the keyboard goes on, the first that is there, when what had the focus is gone. */
const NEXT = [
  ".palette .card:not([aria-disabled])",
  ".film button:not(:disabled)",
  ".hand .card.legal",
  ".board .card.legal",
  ".choices .card",
  ".choices button",
  ".panel button, .panel input",
  "#panel",
];
const DRAWN = 60; // milliseconds until what comes instead is drawn

/** Whether the focus was lost: what had it is gone, or was disabled for a while. */
function isLost() {
  return last && document.activeElement === document.body;
}

/** Hand the focus on, if what had it is gone. */
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
