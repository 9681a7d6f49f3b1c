/** The listed puzzles on paper: each with its cards and its question; the solutions are on a separate page. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { deckOf } from "../cards/faces.js";
import { Laid } from "./laid.js";
import { question, wordsOf } from "./question.js";
import { nameOf } from "./store.js";

/** @param {{list: {name: string, puzzle: import("./store.js").Puzzle}[]}} props */
export function Sheet({ list }) {
  return html`<section class="sheet">
    ${list.map(
      ({ name, puzzle }, at) => html`<article key=${puzzle.id}>
      <h3>${at + 1}. ${nameOf(name, puzzle, false)} <span class="hinted">${say(`game.${puzzle.game}`)}
        ${puzzle.grade ? `, ${say(`grade.${puzzle.grade}`)}` : ""}</span></h3>
      <${Laid} puzzle=${puzzle} deck=${deckOf(puzzle.position)} />
      <p>${question(puzzle, true)}</p>
    </article>`,
    )}
    <article class="solutions"><h3>${say("puzzles.solutions")}</h3>
      <ol>${list.map(
        ({ puzzle: one }) => html`<li>${say("labelled", {
          label: one.title,
          text: one.solution ? wordsOf(one.solution, deckOf(one.position), one) : "–",
        })}</li>`,
      )}</ol></article>
  </section>`;
}
