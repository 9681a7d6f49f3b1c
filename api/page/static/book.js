/** A printed book: its positions, which the file tells in words, and the moves of its solutions are drawn. */
import { html, render } from "./core/html.js";
import { learn } from "./core/catalogue.js";
import { Signs } from "./cards/signs.js";
import { Move } from "./cards/moves.js";
import { gameOf } from "./games/index.js";
import { Laid } from "./puzzles/laid.js";
import { question } from "./puzzles/question.js";

/** @param {string} id @returns {any} */
const told = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

const { games, decks, puzzles } = told("told");
learn(games);
const known = decks.map((/** @type {any} */ { game, cards }) => ({
  game,
  cards,
  byCode: new Map(cards.map((/** @type {any} */ face) => [face.card, face])),
}));

for (const place of document.querySelectorAll("[data-puzzle]")) {
  const { puzzle, deck } = puzzles[Number(place.getAttribute("data-puzzle"))];
  if (!gameOf(puzzle.game)) continue; // a game of somebody's own stays in words
  place.replaceChildren();
  render(
    html`<${Laid} puzzle=${puzzle} deck=${known[deck]} /><p class="asked">${question(puzzle, true)}</p>`,
    place,
  );
}
for (const place of document.querySelectorAll("[data-moves-of]")) {
  const { puzzle, deck } = puzzles[Number(place.getAttribute("data-moves-of"))];
  if (!gameOf(puzzle.game)) continue;
  const moves = [...place.children].map((move) => move.textContent ?? "");
  place.replaceChildren();
  render(
    html`${moves.map((move) => html`<span class="best-move"><${Move} deck=${known[deck]} move=${move} /></span>`)}`,
    place,
  );
}
const signs = document.createElement("div");
document.body.append(signs);
render(html`<${Signs} />`, signs);
