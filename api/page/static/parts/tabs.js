/** The row of tabs, with arrow keys, and the panel of the open tab: a sheet on a phone. */
import { computed, effect, html, untracked, useEffect } from "../core/html.js";
import { SIZES, sheet, toTop, wide } from "../core/panel.js";
import { address, go, tab, text } from "../core/session.js";
import { isKnown, table } from "../core/table.js";
import { say } from "../core/words.js";
import { beginKnown, draft, useDraft } from "../table/draft.js";
import { Foot } from "../table/foot.js";
import { Foremost, isBusy, showsFilm } from "../table/foremost.js";
import { TABS } from "../tabs/index.js";
import { hintInGame } from "../tabs/play.js";
import { Setup } from "../tabs/setup.js";

/** The tab to show: the one in the address, or else the one for what is there. */
export const openTab = computed(() => {
  const setup = /** @type {import("../tabs/index.js").Tab} */ (TABS.find((one) => one.name === "setup"));
  return TABS.find((one) => one.name === tab.value) ?? setup;
});
/** Whether it is about a position, and there is none yet. */
const isWaiting = computed(() => !openTab.value.bare && !text.value);
/** Whether to show the editor: while a position is being set up, unless the tab is about something else. */
export const isEditing = computed(() => Boolean(draft.value && (openTab.value.name === "setup" || isWaiting.value)));

/** The size that its sheet has at first: it keeps the one that it is given. */
const wanted = computed(() => (openTab.value.tall?.() ? "full" : "part"));
effect(() => {
  if (openTab.value) sheet.value = wanted.value;
});
const shown = computed(() => table.value.text);
// What was read about one position makes way for the next.
effect(() => {
  if (shown.value && untracked(() => sheet.value) === "full") sheet.value = untracked(() => wanted.value);
});
const asked = computed(() => openTab.value.asks?.() ?? "");
// A question brings its sheet up.
effect(() => {
  if (asked.value && untracked(() => sheet.value) === "down") sheet.value = untracked(() => wanted.value);
});

/** The size that it has now: what comes first takes a part. */
export const size = computed(() => (isBusy.value ? "part" : sheet.value));

/**
 * Open a tab; the open one goes to its start. What is set up is used by a tab about positions, and left by the tab
 * Position.
 *
 * @param {string} name
 */
export async function show(name) {
  if (name === "hint" && hintInGame()) return;
  const to = TABS.find((one) => one.name === name);
  const isEmpty = !text.value && !address.value.keys.game;
  if (name === "analysis" && isEmpty && !(draft.value && isKnown(draft.value))) beginKnown();
  else if (isEditing.value && !to?.bare && (await useDraft(name))) return;
  const keys = /** @type {Record<string, string>} */ ({ tab: name, review: "", rules: "" });
  if (isEditing.value && name === "setup") keys.draft = "";
  if (name === tab.value && sheet.value !== "down") to?.start?.();
  go({ keys });
  if (sheet.value === "down") sheet.value = wanted.value;
}

/** @param {KeyboardEvent} event */
function walk(event) {
  const steps = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowLeft: -1 });
  const step = steps[event.key];
  if (!step) return;
  event.preventDefault();
  const next = TABS[(TABS.indexOf(openTab.value) + step + TABS.length) % TABS.length];
  show(next.name);
  document.getElementById(`tab-${next.name}`)?.focus();
}

/** @param {{kind: string}} props what is shown: "both", "bare" or "welcome" */
export function Tabs({ kind }) {
  const now = openTab.value;
  const waits = kind === "both" && isBusy.value;
  useEffect(toTop, [now.name]);
  return html`<div class=${`panel-side ${size.value} ${showsFilm.value ? "filming" : ""}`}>
    <div class="tabs" role="tablist" aria-label=${say("tabs")} onKeyDown=${walk}>
      ${TABS.map((one) => html`<${Tab} key=${one.name} one=${one} now=${kind === "welcome" ? null : now} />`)}
    </div>
    ${kind === "both" && html`<${Handle} />`}
    ${
      kind !== "welcome" &&
      html`<section class=${waits ? "panel waits" : "panel"} id="panel" role="tabpanel"
      aria-labelledby=${`tab-${now.name}`} tabindex="-1">
      ${kind === "both" && html`<${Foremost} />`}
      ${isWaiting.value ? html`<${Waiting} />` : html`<${now.panel} key=${now.name} />`}
      ${kind === "both" && !wide.value && !isEditing.value && !now.tall?.() && html`<${Foot} />`}
    </section>`
    }
  </div>`;
}

/** What a tab about a position shows before there is one. */
function Waiting() {
  return html`<div class="stack">
    ${!draft.value && html`<p class="hinted">${say("tabs.waiting")}</p>`}
    <${Setup} />
  </div>`;
}

/** @param {{one: import("../tabs/index.js").Tab, now: import("../tabs/index.js").Tab | null}} props */
function Tab({ one, now }) {
  const first = now === one || (!now && one.name === "play");
  return html`<button
    type="button"
    role="tab"
    id=${`tab-${one.name}`}
    class=${one.rare ? "rare" : ""}
    aria-selected=${one === now}
    aria-controls=${now ? "panel" : undefined}
    tabindex=${first ? 0 : -1}
    onClick=${() => show(one.name)}
  >
    ${one.title}
  </button>`;
}

const FAR = 36; // pixels that a finger drags the sheet to its next size
let held = 0; // where the finger is that drags
let dragged = false;

/** @param {number} by 1 for more of the sheet, -1 for less */
function resize(by) {
  sheet.value = SIZES[SIZES.indexOf(sheet.value) + by] ?? sheet.value;
}

/** @param {any} event */
function take(event) {
  held = event.clientY;
  dragged = false;
  event.currentTarget.setPointerCapture(event.pointerId);
}

/** @param {any} event */
function drag(event) {
  const far = held - event.clientY;
  if (Math.abs(far) < FAR || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
  held = event.clientY;
  dragged = true;
  resize(Math.sign(far));
}

/** Give the sheet its next size; after the largest, lower it. */
function tap() {
  if (!dragged) sheet.value = SIZES[(SIZES.indexOf(sheet.value) + 1) % SIZES.length];
  dragged = false;
}

/** On a phone: makes the sheet larger, or lowers it, so that only the table is visible. */
function Handle() {
  return html`<button
    type="button"
    class="handle"
    aria-expanded=${sheet.value !== "down"}
    aria-label=${say(`sheet.${sheet.value}`)}
    onPointerDown=${take}
    onPointerMove=${drag}
    onClick=${tap}
  ></button>`;
}
