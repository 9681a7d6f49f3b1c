/**
 * The tabs, in their order. A tab is one entry here and one module that draws its panel. What a first visit does not
 * need is loaded when its tab is opened, or when the browser has nothing else to do.
 */
import { signal } from "../core/html.js";
import { untilBack } from "../core/connection.js";
import { say } from "../core/words.js";
import { Hint } from "./hint.js";
import { Setup } from "./setup.js";

/**
 * @typedef {object} Tab
 * @property {string} name as it stands in the address
 * @property {string} title
 * @property {() => any} [panel] the component that draws it, or
 * @property {() => Promise<() => any>} [load] what loads the module with it
 * @property {boolean} [bare] whether it can be used without a position
 */

/** @type {Tab[]} */
export const TABS = [
  { name: "setup", title: say("tab.setup"), panel: Setup, bare: true },
  { name: "hint", title: say("tab.hint"), panel: Hint },
  { name: "analysis", title: say("tab.analysis"), load: async () => (await import("./analysis.js")).Analysis },
  { name: "tree", title: say("tab.tree"), load: async () => (await import("./tree.js")).Tree },
  { name: "play", title: say("tab.play"), load: async () => (await import("./play.js")).Play, bare: true },
  { name: "puzzles", title: say("tab.puzzles"), load: async () => (await import("./puzzles.js")).Puzzles, bare: true },
  { name: "rules", title: say("tab.rules"), load: async () => (await import("./rules.js")).Rules, bare: true },
];

const panels = signal(/** @type {Record<string, () => any>} */ ({}));
const asked = new Set();

/** The component of a tab; nothing while it is loaded, after which the page is drawn anew. @param {Tab} tab @returns {(() => any) | undefined} */
export function panelOf(tab) {
  const found = tab.panel ?? panels.value[tab.name];
  if (!found) fetchPanel(tab);
  return found;
}

/** @param {Tab} tab */
async function fetchPanel(tab) {
  if (!tab.load || asked.has(tab.name)) return;
  asked.add(tab.name);
  try {
    const panel = await tab.load();
    panels.value = { ...panels.value, [tab.name]: panel };
  } catch {
    await untilBack();
    asked.delete(tab.name);
    fetchPanel(tab);
  }
}

/** Load what is left, so that it is there when the service is not. */
export function loadRest() {
  TABS.forEach(fetchPanel);
}
