/** Keyboard focus: keys move among cards and other choices, and when a focused card disappears, the focus moves on. */

const CARDS = ".cards, .move-list, [role=radiogroup]"; // each is one tab stop
const BLOCK = ".palette"; // rows of cards, among which arrows walk
const FOCUSABLE = "button, input, select, textarea, a, summary";
const STEPS = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowLeft: -1 });
const LINES = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowUp: -1 });

addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const group = target.matches?.("button") ? target.closest(CARDS) : null;
  if (!group || event.ctrlKey || event.metaKey || event.altKey) return;
  const within = (/** @type {Element} */ part) =>
    /** @type {HTMLElement[]} */ ([...part.querySelectorAll("button:not(:disabled)")]);
  const [row, buttons] = [within(group), within(target.closest(BLOCK) ?? group)];
  const ends = /** @type {Record<string, HTMLElement | undefined>} */ ({ Home: row[0], End: row.at(-1) });
  const at = buttons.indexOf(target);
  const next =
    ends[event.key] ??
    buttons[at + (STEPS[event.key] ?? NaN)] ??
    (event.key in LINES ? beyond(buttons, target, LINES[event.key]) : lettered(buttons, event.key, at + 1));
  if (!next) return;
  event.preventDefault();
  next.focus();
});

/**
 * The nearest button in the next line of several, below or above one.
 *
 * @param {HTMLElement[]} buttons @param {HTMLElement} from @param {number} down 1 for below, -1 for above
 */
export function beyond(buttons, from, down) {
  const places = buttons.map((one) => ({ one, box: one.getBoundingClientRect() }));
  const here = from.getBoundingClientRect();
  const far = (/** @type {{box: DOMRect}} */ { box }) => down * (box.top - here.top);
  const found = places.filter((place) => far(place) > here.height / 2);
  const nearest = Math.min(...found.map(far)) + here.height / 2;
  const aside = (/** @type {{box: DOMRect}} */ { box }) => Math.abs(box.left - here.left);
  return found.filter((place) => far(place) < nearest).sort((one, other) => aside(one) - aside(other))[0]?.one;
}

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

/** Make one button of a group a tab stop: the chosen one, the one used last, or the first. @param {Element} group */
function makeOneStop(group) {
  const buttons = /** @type {HTMLElement[]} */ ([...group.querySelectorAll("button:not(:disabled)")]);
  const isOpen = (/** @type {HTMLElement} */ button) => !button.hasAttribute("aria-disabled");
  const stop =
    buttons.find((button) => button === document.activeElement) ??
    buttons.find((button) => button.getAttribute("aria-checked") === "true") ??
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
    else if (handed && handed === document.activeElement) onward();
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

const ADVISED = ".hand .card.best";
const OWN = ".hand .card.legal, .mine .bare button"; // the player's own moves
const WAITING = ".mine .hand:has(.card)"; // while others move: there, no key takes a move back
const OFFERED = ".palette .card:not([aria-disabled])";
/** Where the focus goes when its element has disappeared: to the first of these that exists. */
const NEXT = [
  OFFERED,
  ".tray .chip",
  ".film button:not(:disabled)",
  ADVISED,
  OWN,
  ".board .card.legal",
  ".choices .card",
  ".choices button",
  WAITING,
  ".panel :is(button, input):not(:disabled)",
  "#panel",
];
const DRAWN = 60; // milliseconds until the replacement is drawn

/** What the focus was handed on to, while a better place may still appear. @type {Element | null} */
let handed = null;

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
      handed = found;
      return;
    }
  }
}

/** Move the focus on from what it was handed on to: to a card that is advised or offered now, or to one's own turn. */
function onward() {
  const found = handed?.matches(".hand .card") ? ADVISED : handed?.closest(".hand, .panel") && `${OFFERED}, ${OWN}`;
  const next = /** @type {HTMLElement | null} */ (found && document.querySelector(found));
  if (!next || handed?.matches(`${ADVISED}, .palette *, .tray *`)) return;
  handed = next.matches(ADVISED) ? null : next;
  next.focus({ preventScroll: true });
}
