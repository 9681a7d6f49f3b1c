/** The listed puzzles on paper: each with its cards and its question; the solutions are on a separate page. */
import { html } from "../core/html.js";
import { gameTitle } from "../core/catalogue.js";
import { say } from "../core/words.js";
import { deckOf } from "../cards/faces.js";
import { Move } from "../cards/moves.js";
import { Told } from "../cards/told.js";
import { Laid } from "./laid.js";
import { question, solverOf, wordsOf } from "./question.js";
import { nameOf } from "./store.js";

/** @typedef {import("./store.js").Puzzle} Puzzle */

/** @param {{list: {name: string, puzzle: Puzzle}[]}} props */
export function Sheet({ list: listed }) {
  const list = listed.map(({ name, puzzle }) => ({ name, puzzle: seated(puzzle) }));
  return html`<section class="sheet">
    ${list.map(
      ({ name, puzzle }, at) => html`<article key=${puzzle.id}>
      <h3>${at + 1}. ${nameOf(name, puzzle, false)} <span class="hinted">${gameTitle(puzzle.game)}
        ${puzzle.grade ? `, ${say(`grade.${puzzle.grade}`)}` : ""}</span></h3>
      <${Laid} puzzle=${puzzle} deck=${deckOf(puzzle.position)} />
      <p>${question(puzzle, true)}</p>
    </article>`,
    )}
    <article class="solutions"><h3>${say("puzzles.solutions")}</h3>
      <ol>${list.map(
        ({ puzzle: one }) => html`<li>
          ${say("labelled", { label: one.title, text: "" })}<${Solution} one=${one} /></li>`,
      )}</ol></article>
  </section>`;
}

/** A puzzle whose seats are named from where its solver sits, as on the page. @param {Puzzle} one @returns {Puzzle} */
function seated(one) {
  return { ...one, position: { ...one.position, first: solverOf(one) ?? undefined } };
}

/** @param {{one: Puzzle}} props */
function Solution({ one }) {
  const deck = deckOf(one.position);
  const known = one.solution;
  const moves = /** @type {string[]} */ (known?.best ?? known?.moves);
  if (moves) return moves.map((move, at) => html`${at > 0 && say("comma")}<${Move} deck=${deck} move=${move} />`);
  return known ? html`<${Told} deck=${deck} text=${wordsOf(known, deck, one)} />` : "–";
}
