/** The tabs, in order. A tab is one entry here and one module that draws its panel. */
import { later } from "../core/later.js";
import { say } from "../core/words.js";
import { leave } from "../play/keeping.js";
import { tableEnd } from "../play/following.js";
import { ended, look, options, standing } from "../play/match.js";
import { reviewed } from "../play/review.js";
import { list } from "../puzzles/current.js";
import { Hint, asks } from "./hint.js";
import { Play } from "./play.js";
import { Setup } from "./setup.js";

/**
 * @typedef {object} Tab
 * @property {string} name its name in the address
 * @property {string} title
 * @property {(props?: any) => any} panel the component that draws it
 * @property {boolean} [bare] whether it can be used without a position
 * @property {() => boolean} [tall] whether it needs most of a phone's screen, to be read or filled in
 * @property {() => string} [asks] what is asked in it, or has ended, other words each time; empty for nothing
 * @property {() => void} [start] goes to where the tab begins, from a game or a puzzle that is open in it
 * @property {boolean} [rare] whether a phone shows it in the menu instead of the row
 */

/** Whether there is a form or a review to read; a move of it is looked at on the table. */
function isLong() {
  return !look.value && (!options.value || reviewed.value);
}

/** Whether the review of a table that is followed is to be read. */
function isRead() {
  return !look.value && tableEnd.value !== null && reviewed.value;
}

/** Which round of a game has ended. */
function result() {
  return ended.value ? `${standing.value?.round}` : "";
}

/** Leave a game for another, unless it is under way. */
function leaveEnded() {
  if (ended.value || !standing.value) leave();
}

/** @type {Tab[]} */
export const TABS = [
  { name: "hint", title: say("tab.hint"), panel: Hint, tall: isRead, asks },
  { name: "play", title: say("tab.play"), panel: Play, bare: true, tall: isLong, asks: result, start: leaveEnded },
  { name: "puzzles", title: say("tab.puzzles"), panel: later("Puzzles"), bare: true, start: list },
  { name: "analysis", title: say("tab.analysis"), panel: later("Analysis") },
  { name: "tree", title: say("tab.tree"), panel: later("Tree"), rare: true },
  { name: "setup", title: say("tab.setup"), panel: Setup, bare: true, rare: true },
  { name: "rules", title: say("tab.rules"), panel: later("Rules"), bare: true, tall: () => true },
];
