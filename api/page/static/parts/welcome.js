/** The welcome page: choose a game, then one tap for each job. */
import { effect, html, untracked } from "../core/html.js";
import { ask } from "../core/ask.js";
import { aboutOf } from "../core/catalogue.js";
import { wide } from "../core/panel.js";
import { go, last, open, tab, text } from "../core/session.js";
import { table } from "../core/table.js";
import { saidOf, say } from "../core/words.js";
import { begin, beginAs, draft, left } from "../table/draft.js";
import { GAMES, chosen, gameOf, startOf } from "../games/index.js";
import { readOptions } from "../play/codec.js";
import { enter } from "../play/keeping.js";
import { lastGames, wordsOf } from "../play/last.js";
import { chooseDaily, daysInRow, isDayDone } from "../puzzles/current.js";
import { Games } from "./games.js";
import { guide } from "./guide.js";
import { show } from "./tabs.js";

/** An address may name only a game. */
effect(() => {
  const game = gameOf(text.value);
  if (!game) return;
  chosen.value = game.name;
  untracked(() => go({ text: "" }, { replace: true }));
});

/** Whether the page shows only the welcome page. */
export function isWelcome() {
  return !tab.value && !text.value && !table.value.position && !draft.value;
}

export function Welcome() {
  const game = gameOf(chosen.value) ?? GAMES[0];
  const [first, second] = game.starts;
  const begun = left.value?.game === game.name && left.value;
  const isSecond = begun && startOf(begun) === second;
  const played = lastGames().find((one) => !one.over && readOptions(one.game)?.game === game.name);
  const ofGame = (/** @type {string} */ key) => saidOf(game.name, key);
  const kinds = Object.keys(last.value).filter((kind) => kind.split(" ")[0] === game.name);
  return html`<section class="jobs" id="panel" tabindex="-1">
    <h2>${say("welcome.title")}</h2>
    <${Games} value=${game.name} onChange=${(/** @type {string} */ name) => (chosen.value = name)} />
    <p class="hinted">${aboutOf(game.name)}</p>
    <div class="job-list">
      <${Job} name="mine" first title=${ofGame("job.mine")} 
        why=${begun && !isSecond ? say("job.mine.left") : ofGame("job.mine.why")}
        run=${() => begin((!isSecond && begun) || first.draft(game.usual))} />
      <${Job} name=${second.name} title=${second.title} why=${isSecond && say("job.mine.left")}
        run=${() => beginAs(second, second.draft(game.usual))} />
      <${Job} name="play" why=${played ? wordsOf(played) : ofGame("job.play.why")}
        run=${() => (played ? enter(played) : go({ keys: { tab: "play", review: "" } }))} />
      <${Job} name="daily" why=${wordsOfDays()} run=${chooseDaily} />
      <${Job} name="review" run=${() => go({ keys: { tab: "play", review: "1" } })} />
      <${Job} name="rules" run=${() => go({ keys: { tab: "rules", rules: game.name } })} />
    </div>
    <p class="row">
      <button type="button" class="quiet" onClick=${() => example(game.name)}>${say("welcome.example")}</button>
      ${
        wide.value &&
        html`<button type="button" class="quiet" onClick=${() => show("analysis")}>${say("job.known")}</button>
          <button type="button" class="quiet" onClick=${() => show("puzzles")}>${say("puzzles.list")}</button>`
      }
      <button type="button" class="quiet" onClick=${() => show("setup")}>${say("job.setup")}</button>
      <button type="button" class="quiet" style=${seenIf(game === GAMES[0])}
        onClick=${guide}>${say("welcome.guide")}</button>
      ${(kinds.length ? kinds : [""]).map(
        (kind) => html`<button type="button" class="quiet" style=${seenIf(kind)}
        onClick=${() => (location.hash = last.value[kind])}>${backTo(kind)}</button>`,
      )}
    </p>
  </section>`;
}

/** Whether the puzzle of the day is solved, and for how many days in a row; empty if there is nothing to say. */
function wordsOfDays() {
  const n = daysInRow();
  return n > 0 ? say(isDayDone() ? "job.daily.done" : "job.daily.row", { n }) : "";
}

/** @param {string} kind a game and perhaps its variant */
function backTo(kind) {
  const words = say("welcome.goOn");
  const [, variant] = kind.split(" ");
  return variant ? say("labelled", { label: words, text: say(`variant.${variant}`) }) : words;
}

/** The style of a link that keeps its place, so that nothing moves when another game is chosen. */
function seenIf(/** @type {any} */ there) {
  return there ? {} : { visibility: "hidden" };
}

/** @param {{name: string, run: () => void, title?: string, first?: boolean, why?: string | false}} props */
function Job({ name, run, title = say(`job.${name}`), first = false, why }) {
  return html`<button type="button" class=${first ? "job primary" : "job"} onClick=${run}>
    <strong>${title}</strong>
    <span>${why || say(`job.${name}.why`)}</span>
  </button>`;
}

/** Open a new deal as seen from the first seat. @param {string} game */
async function example(game) {
  open((await ask("v1/deal", { game, seat: 0 })).text, { tab: "hint" });
}
