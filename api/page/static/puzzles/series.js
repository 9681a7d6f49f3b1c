/** The series of the collection, which teach an idea each: what there is, and how many of their puzzles are solved. */
import { html } from "../core/html.js";
import { gameTitle } from "../core/catalogue.js";
import { say } from "../core/words.js";
import { standing } from "./attempts.js";
import { ALL, allSeries, chosen, gamesOf, isSeriesDone, listGame, series } from "./store.js";

/** @typedef {import("./store.js").Series} Series */

/** List a series, whatever was chosen before. @param {string} name */
function choose(name) {
  chosen.value = { ...chosen.value, ...ALL, series: name };
}

/** The series of the chosen game to choose from, those of several games first; or the chosen one, with its lesson. */
export function AllSeries() {
  const one = series.value;
  if (one) {
    return html`<section class="stack">
      <div class="row">
        <h2>${one.title}</h2>
        <button type="button" class="quiet small" onClick=${() => listGame("")}>${say("puzzles.allSeries")}</button>
      </div>
      <p class="reason">${one.lesson}</p>
      ${isSeriesDone.value && html`<${Done} one=${one} />`}
    </section>`;
  }
  const { game } = chosen.value;
  const of = allSeries.value.filter((each) => !game || gamesOf(each).includes(game));
  if (!of.length) return null;
  of.sort((each, other) => gamesOf(other).length - gamesOf(each).length);
  return html`<section class="stack">
    <h2>${say("puzzles.series")}</h2>
    <div class="series-list">${of.map((each) => html`<${Choice} key=${each.name} one=${each} />`)}</div>
  </section>`;
}

/** What follows a series of which all puzzles are solved. @param {{one: Series}} props */
function Done({ one }) {
  const n = one.puzzles.length;
  const isOpen = (/** @type {Series} */ { puzzles }) => !puzzles.every((id) => standing.value.puzzles.get(id)?.solved);
  const games = gamesOf(one);
  const open = allSeries.value.filter(isOpen);
  const following = open.find((each) => gamesOf(each).some((game) => games.includes(game))) ?? open[0];
  return html`<p class="good" role="status"><strong>✓ ${say("puzzles.seriesDone", { n })}</strong></p>
    ${
      following &&
      html`<div class="row"><button type="button" onClick=${() => choose(following.name)}>
      ${say("labelled", { label: say("puzzles.nextSeries"), text: following.title })}</button></div>`
    }`;
}

/** @param {{one: Series}} props */
function Choice({ one }) {
  const all = one.puzzles.length;
  const solved = one.puzzles.filter((id) => standing.value.puzzles.get(id)?.solved).length;
  const [game, ...others] = gamesOf(one);
  const of = others.length ? say("puzzles.allOf") : gameTitle(game);
  return html`<button type="button" class="series-choice" onClick=${() => choose(one.name)}>
    <strong>${solved === all ? "✓ " : ""}${one.title}</strong>
    <span class="hinted">${of}</span>
    <span class="hinted">${say("puzzles.solvedOf", { solved, all })}</span>
    <progress max=${all} value=${solved} aria-hidden="true"></progress>
  </button>`;
}
