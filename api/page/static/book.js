/** A printed book: draws its positions, moves, sentences and sheets as HTML, for `api/page/book.py`. */
import { signs } from "./core/alone.js";
import { html } from "./core/html.js";
import { escaped, markup as written } from "./core/markup.js";
import { deckWith } from "./cards/faces.js";
import { Drawing, Drawn } from "./cards/card.js";
import { Move } from "./cards/moves.js";
import { onPaper } from "./cards/paper.js";
import { Told } from "./cards/told.js";
import { gameOf, lookOf } from "./games/index.js";
import { numbered } from "./games/shared.js";
import { Markdown } from "./parts/markdown.js";
import { Laid } from "./puzzles/laid.js";
import { Key, Whole } from "./puzzles/reference.js";

/** @typedef {import("./cards/faces.js").Deck} Deck */

/** The drawings of cards so far, by deck and card: each stands in the book once. @type {Map<string, string>} */
const drawings = new Map();
/** @type {Deck[]} */
let decks = [];

/** A card, as a reference to its drawing. @param {{deck: Deck, card: string}} props */
function Referred({ deck, card }) {
  const look = lookOf(deck, card);
  const key = `${decks.indexOf(deck)} ${card}`;
  if (!drawings.has(key)) {
    const drawn = markup(html`<${Drawn} look=${look} />`).replace(/^<svg>|<\/svg>$/g, "");
    drawings.set(key, `<symbol id="card-${drawings.size}" viewBox="0 0 50 70"><g class="card">${drawn}</g></symbol>`);
  }
  const href = `#card-${[...drawings.keys()].indexOf(key)}`;
  return html`<svg class=${`ink-${look.ink}`} viewBox="0 0 50 70" aria-hidden="true"><use href=${href} /></svg>`;
}

/** @param {any} node */
function markup(node) {
  return written(node, (type) => (type === Drawing ? Referred : type));
}

/**
 * @typedef {object} Entry a puzzle of the book
 * @property {import("./puzzles/store.js").Puzzle} puzzle
 * @property {number} deck its index
 * @property {string[]} moves those of its solution
 * @property {[string, string][]} line how play continues: who moves, and the move
 * @property {string[]} told sentences
 */

/**
 * @typedef {object} Book
 * @property {{game: string, cards: import("./cards/faces.js").Face[]}[]} decks
 * @property {string} signs the signs and illustrations on cards
 * @property {Entry[]} puzzles
 * @property {{text: string, deck: number}[]} rules
 */

/** Draw everything in a book. Positions and decks of games that the page can't draw are empty. @param {Book} book */
function draw(book) {
  signs.text = book.signs;
  decks = book.decks.map(({ game, cards }) => deckWith(game, cards));
  const whole = decks.map((deck) => (gameOf(deck.game) ? markup(html`<${Whole} deck=${deck} />`) : ""));
  const keys = decks.map((deck) => (gameOf(deck.game) ? markup(html`<${Key} deck=${deck} />`) : ""));
  const puzzles = book.puzzles.map(entry);
  const rules = book.rules.map(({ text, deck }) => markup(html`<${Markdown} text=${text} deck=${decks[deck]} />`));
  return { whole, keys, puzzles, rules, cards: [...drawings.values()].join("\n") };
}

/** @param {Entry} entry */
function entry({ puzzle, deck: at, moves, line, told }) {
  const deck = decks[at];
  const isDrawn = gameOf(puzzle.game);
  const move = (/** @type {string} */ text) => (isDrawn ? html`<${Move} deck=${deck} move=${text} />` : text);
  return {
    position: isDrawn ? markup(html`<${Laid} puzzle=${puzzle} deck=${deck} />`) : "",
    moves: moves.map((text) => markup(move(text))),
    line: line.map(([seat, text]) => [escaped(seat), markup(move(text))]),
    told: told.map((text) => markup(html`<${Told} deck=${deck} text=${text} />`)),
  };
}

onPaper.value = true;
numbered.value = true;
/** @type {any} */ (globalThis).draw = (/** @type {string} */ data) => JSON.stringify(draw(JSON.parse(data)));
