/**
 * The guided first minute: a hand, from the last missing card to the second move. The step is derived from the
 * state of the page, so every way of doing it works, including going back.
 */
import { computed, effect, html, untracked } from "../core/html.js";
import { announce } from "../core/live.js";
import { go, key, moves, text } from "../core/session.js";
import { say } from "../core/words.js";
import { begin, draft, whole } from "../table/draft.js";
import { GAMES } from "../games/index.js";
import { openTab } from "./tabs.js";

const on = key("guide");
const STEPS = ["card", "use", "aside", "hint", "others", "end"];
/** The step by the number of moves; setting a card aside is the first one. */
const AFTER = ["aside", "hint", "others"];

/** The current step, one of `STEPS`; empty if the guide is off. */
export const step = computed(() => {
  if (!on.value) return "";
  if (draft.value) return whole.value.text ? "use" : "card";
  if (!text.value) return "";
  const now = AFTER[moves.value.length] ?? "end";
  return now === "others" || now === "end" || openTab.value.name === "hint" ? now : "back";
});

effect(() => {
  if (step.value) untracked(() => announce(say(`guide.step.${step.value}`)));
});

export function guide() {
  go({ keys: { guide: "1" } });
  begin(GAMES.find(({ lesson }) => lesson)?.lesson);
}

/** End the guide; the page stays as it is. */
function end() {
  go({ keys: { guide: "" } }, { replace: true });
}

/** The instruction for the current step, above the page. */
export function Guide() {
  const at = STEPS.indexOf(step.value);
  if (!step.value) return null;
  return html`<section class="guide" aria-label=${say("guide.title")}>
    <p>${
      at < 0
        ? null
        : html`<span class="badge">${say("guide.at", { at: at + 1, all: STEPS.length })}
      </span> `
    }${say(`guide.step.${step.value}`)}</p>
    <button type="button" class=${step.value === "end" ? "primary" : "quiet"} onClick=${end}>
      ${say(step.value === "end" ? "guide.done" : "guide.leave")}</button>
  </section>`;
}
