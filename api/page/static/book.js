/** A printed book: draws its positions and the moves of its solutions, which the file has as words. */
import { html, render } from "./core/html.js";
import { learn } from "./core/catalogue.js";
import { deckWith } from "./cards/faces.js";
import { Move } from "./cards/moves.js";
import { onPaper } from "./cards/paper.js";
import { Told } from "./cards/told.js";
import { say } from "./core/words.js";
import { gameOf } from "./games/index.js";
import { numbered } from "./games/shared.js";
import { Markdown } from "./parts/markdown.js";
import { Laid } from "./puzzles/laid.js";
import { Key, Whole } from "./puzzles/reference.js";

/** @param {string} id @returns {any} */
const told = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

const { games, decks, puzzles, rules } = told("told");
learn(games);
onPaper.value = true;
numbered.value = true;
const known = decks.map((/** @type {any} */ { game, cards }) => deckWith(game, cards));

/**
 * Replace the words of every element with an attribute by a drawing; games that the page can't draw stay in words.
 *
 * @param {string} name @param {(value: number, place: Element) => any} draw
 */
function fill(name, draw) {
  for (const place of document.querySelectorAll(`[data-${name}]`)) {
    const drawn = draw(Number(place.getAttribute(`data-${name}`)), place);
    if (!drawn) continue;
    place.replaceChildren();
    render(drawn, place);
  }
}

/** @param {Element} place */
const listed = (place) => [...place.children].map((move) => move.textContent ?? "");

fill("puzzle", (at) => {
  const { puzzle, deck } = puzzles[at];
  return gameOf(puzzle.game) && html`<${Laid} puzzle=${puzzle} deck=${known[deck]} />`;
});
fill("moves-of", (at, place) => {
  const { puzzle, deck } = puzzles[at];
  return gameOf(puzzle.game) && listed(place).map((move) => html`<${Move} deck=${known[deck]} move=${move} />`);
});
fill("line-of", (at, place) => {
  const { puzzle, deck } = puzzles[at];
  if (!gameOf(puzzle.game)) return null;
  return html`<span class="soft">${say("book.line")}</span>
    ${listed(place).map((move) => html`<${Move} deck=${known[deck]} move=${move} />`)}`;
});
fill("told-of", (at, place) => html`<${Told} deck=${known[puzzles[at].deck]} text=${place.textContent ?? ""} />`);
fill("key", (at) => gameOf(known[at].game) && html`<${Key} deck=${known[at]} />`);
fill("deck", (at) => gameOf(known[at].game) && html`<${Whole} deck=${known[at]} />`);
fill("rules", (at) => {
  const deck = known.find((/** @type {any} */ { game }) => game === games[at].name);
  return html`<${Markdown} text=${rules[at]} deck=${deck} />`;
});
