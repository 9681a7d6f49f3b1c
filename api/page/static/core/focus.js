/** Where the keyboard is: arrow keys walk among cards, and a card that is gone hands the focus on. */

const CARDS = ".cards, .move-list";
const STEPS = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowLeft: -1 });

addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const group = target.matches?.("button") ? target.closest(CARDS) : null;
  if (!group || event.ctrlKey || event.metaKey || event.altKey) return;
  const buttons = /** @type {HTMLElement[]} */ ([...group.querySelectorAll("button:not(:disabled)")]);
  const ends = /** @type {Record<string, number>} */ ({ Home: 0, End: buttons.length - 1 });
  const at = event.key in ends ? ends[event.key] : buttons.indexOf(target) + (STEPS[event.key] ?? NaN);
  if (!buttons[at]) return;
  event.preventDefault();
  buttons[at].focus();
});

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
  });
}

new MutationObserver(look).observe(document.documentElement, { childList: true, subtree: true });
addEventListener("focusin", look);

/** What had the focus last. @type {Element | null} */
let last = null;

addEventListener("focusin", (event) => {
  last = /** @type {Element} */ (event.target);
});

/**
 * Give the focus to the first of some places that is there, if what had it is gone.
 *
 * @param {string[]} places selectors
 */
export function refocus(places) {
  if (!last || last.isConnected) return;
  for (const place of places) {
    const found = /** @type {HTMLElement | null} */ (document.querySelector(place));
    if (found) {
      found.focus({ preventScroll: true });
      return;
    }
  }
}
