/** The row of tabs, with arrow keys, and the panel of the open tab: a sheet on a phone. */
import { html, signal } from "../core/html.js";
import { go, tab, text } from "../core/session.js";
import { say } from "../core/words.js";
import { draft } from "../table/draft.js";
import { TABS } from "../tabs/index.js";

/** Whether a phone shows the sheet, or only the table. */
const sheet = signal(true);

/** The tabs that can be opened now. */
export function usableTabs() {
  return TABS.filter((one) => one.bare || text.value);
}

/** The tab to show: the one in the address, if it is usable. */
export function openTab() {
  const setup = /** @type {import("../tabs/index.js").Tab} */ (TABS.find((one) => one.name === "setup"));
  const wanted = TABS.find((one) => one.name === tab.value);
  if (wanted && (wanted.bare || text.value)) return wanted;
  return text.value && !draft.value ? TABS[0] : setup;
}

/** Whether to show the editor: while a position is being set up, unless the tab is about the one on the table. */
export function isEditing() {
  return Boolean(draft.value && openTab().name === "setup");
}

/** @param {string} name */
export function show(name) {
  sheet.value = true;
  go({ keys: { tab: name, review: "", rules: "" } });
}

/** @param {KeyboardEvent} event */
function walk(event) {
  const steps = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowLeft: -1 });
  const step = steps[event.key];
  if (!step) return;
  event.preventDefault();
  const usable = usableTabs();
  const next = usable[(usable.indexOf(openTab()) + step + usable.length) % usable.length];
  show(next.name);
  document.getElementById(`tab-${next.name}`)?.focus();
}

/** @param {{kind: string}} props what is shown: "both", "bare" or "welcome" */
export function Tabs({ kind }) {
  const now = openTab();
  return html`<div class=${`panel-side ${sheet.value ? "" : "down"}`}>
    <div class="tabs" role="tablist" onKeyDown=${walk}>
      ${TABS.map((one) => html`<${Tab} key=${one.name} one=${one} now=${kind === "welcome" ? null : now} />`)}
    </div>
    ${kind === "both" && html`<${Handle} />`}
    ${
      kind !== "welcome" &&
      html`<section class="panel" id="panel" role="tabpanel" aria-labelledby=${`tab-${now.name}`} tabindex="-1">
      <${now.panel} key=${now.name} />
    </section>`
    }
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
    disabled=${!one.bare && !text.value}
    onClick=${() => show(one.name)}
  >
    ${one.title}
  </button>`;
}

/** On a phone: lowers the sheet, so that only the table is visible, and raises it again. */
function Handle() {
  const name = say(sheet.value ? "sheet.down" : "sheet.up");
  return html`<button
    type="button"
    class="handle"
    aria-expanded=${sheet.value}
    aria-label=${name}
    onClick=${() => (sheet.value = !sheet.value)}
  ></button>`;
}
