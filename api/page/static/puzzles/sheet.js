/** The listed puzzles on paper: each with its cards and its question, the solutions on a page of their own. */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { ZoneView } from "../board/zone.js";
import { Card } from "../cards/card.js";
import { deckOf } from "../cards/faces.js";
import { gameOf } from "../games/index.js";
import { wordsOf } from "./asking.js";
import { question } from "./question.js";

/** @param {{puzzles: import("./store.js").Puzzle[]}} props */
export function Sheet({ puzzles }) {
  return html`<section class="sheet">
    ${puzzles.map((puzzle, at) => html`<article key=${puzzle.id}>
      <h3>${at + 1}. ${puzzle.title} <span class="hinted">${say(`game.${puzzle.game}`)}${puzzle.grade ? `, ${say(`grade.${puzzle.grade}`)}` : ""}</span></h3>
      <${Position} puzzle=${puzzle} />
      <p>${question(puzzle, true)}</p>
    </article>`)}
    <article class="solutions"><h3>${say("puzzles.solutions")}</h3>
      <ol>${puzzles.map((puzzle) => html`<li>${puzzle.title}: ${puzzle.solution ? wordsOf(puzzle.solution) : "–"}</li>`)}</ol></article>
  </section>`;
}

/** @param {{puzzle: import("./store.js").Puzzle}} props */
function Position({ puzzle }) {
  const { position } = puzzle;
  const deck = deckOf(position);
  if (puzzle.ask === "compound") return html`<div class="cards">${position.cards.map((/** @type {string} */ card) => html`<${Card} deck=${deck} card=${card} />`)}</div>`;
  const game = gameOf(puzzle.game);
  const zones = game?.zones(position).filter((zone) => zone.cards.length && !zone.past) ?? [];
  return html`<dl class="facts">${game?.facts(position).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    <div class="seat-zones">${zones.map((zone) => html`<${ZoneView} key=${zone.path} zone=${{ ...zone, title: zone.seat === undefined ? zone.title : `${zone.title} ${zone.seat}` }} deck=${deck} position=${position} />`)}</div>`;
}
