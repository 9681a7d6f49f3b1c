/** What the answer that counted did to the rating, and how far one is in a series. */
import { html } from "../core/html.js";
import { gameTitle } from "../core/catalogue.js";
import { figure, say } from "../core/words.js";
import { answered } from "./asking.js";
import { change } from "./counting.js";
import { puzzleKey } from "./current.js";
import { series } from "./store.js";

/** The rating's change, the new rating, and why it is no more; nothing if no answer counted here. */
export function Counted() {
  const now = change.value;
  if (!now) return null;
  const [from, to] = [now.from, now.to].map(Math.round);
  const by = to - from;
  const words = wordsOf(now, by > 0);
  if (!now.isFirst) return html`<div class="counted hinted">${words}</div>`;
  return html`<div class=${`counted ${now.isRight ? "good" : "bad"}`} role="status">
    <b>${by < 0 ? figure(by, 0) : `+${figure(by, 0)}`}</b>${" "}
    <span>${say("puzzles.counted", { game: gameTitle(now.game), from: figure(from, 0), to: figure(to, 0) })}</span>
    ${" "}
    ${words && html`<span class="hinted">${words}</span>`}
  </div>`;
}

/**
 * Why an answer counts as it does; empty for one that is right at once.
 *
 * @param {import("./counting.js").Change} now @param {boolean} isMore whether the rating rises
 */
function wordsOf({ isFirst, isRight, isHalf }, isMore) {
  if (!isFirst) return say("puzzles.counted.again");
  if (isRight && isHalf) return say(isMore ? "puzzles.counted.half" : "puzzles.counted.none");
  if (isRight) return "";
  return answered.value ? "" : say("puzzles.counted.wrong");
}

/** The chosen series, and where in it the current puzzle is; nothing for others. */
export function Within() {
  const one = series.value;
  const at = one?.puzzles.indexOf(puzzleKey.value) ?? -1;
  if (!one || at < 0) return null;
  const place = say("puzzles.inSeries", { at: at + 1, all: one.puzzles.length });
  return html`<span class="badge">${say("labelled", { label: one.title, text: place })}</span>`;
}
