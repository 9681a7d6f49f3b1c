/** The row of tabs, which arrow keys walk, and the panel of the one that is open. */
import { html } from "../core/html.js";
import { go, tab, text } from "../core/session.js";
import { draft } from "../board/draft.js";
import { TABS } from "../tabs/index.js";

/** The tab that is shown: the one in the address, if it is of use. */
export function openTab() {
  const wanted = TABS.find((one) => one.name === tab.value);
  if (wanted && (wanted.bare || text.value)) return wanted;
  return text.value && !draft.value ? TABS[1] : TABS[0];
}

/** Whether a position is being set up on the board: not beside a tab that is about the one on the table. */
export function isEditing() {
  return Boolean(draft.value && openTab().bare);
}

/** @param {string} name */
function show(name) {
  go({ keys: { tab: name } });
}

/** @param {KeyboardEvent} event */
function walk(event) {
  const steps = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowLeft: -1 });
  const step = steps[event.key];
  if (!step) return;
  event.preventDefault();
  const usable = TABS.filter((one) => one.bare || text.value);
  const next = usable[(usable.indexOf(openTab()) + step + usable.length) % usable.length];
  show(next.name);
  document.getElementById(`tab-${next.name}`)?.focus();
}

export function Tabs() {
  const now = openTab();
  return html`<div class="panel-side">
    <div class="tabs" role="tablist" onKeyDown=${walk}>
      ${TABS.map(
        (one) => html`<button type="button" role="tab" id=${`tab-${one.name}`} key=${one.name} aria-selected=${one === now} aria-controls="panel"
          tabindex=${one === now ? 0 : -1} disabled=${!one.bare && !text.value} onClick=${() => show(one.name)}>${one.title}</button>`,
      )}
    </div>
    <section class="panel" id="panel" role="tabpanel" aria-labelledby=${`tab-${now.name}`} tabindex="-1"><${now.panel} key=${now.name} /></section>
  </div>`;
}
