/** A sentence with card codes: cards, and matches, are drawn, and read out by name. */
import { html } from "../core/html.js";
import { gameOf, lookOf } from "../games/index.js";
import { codeOf, nameOf } from "./faces.js";
import { spokenMove, wordOf } from "./moves.js";
import { Named, onPaper } from "./paper.js";
import { Icon } from "./signs.js";

/** @typedef {import("./faces.js").Deck} Deck */

const MOVED = new Set(["take", "give", "pass"]); // words in moves, the same in every language

/**
 * Split a sentence into card codes and words. Words of moves that begin a sentence are capitalized.
 *
 * @param {Deck} deck @param {string} text
 */
function partsOf(deck, text) {
  return spokenParts(deck, text.replaceAll(/take - (?=give)/g, "")).map((part, at, all) => {
    const isFirst = /(^|[.?!] )$/.test(all.slice(0, at).map(({ words }) => words).join(""));
    if (part.card || !isFirst) return part;
    return { ...part, words: part.words.replace(/^\p{Ll}/u, (one) => one.toUpperCase()) };
  });
}

/** @param {Deck} deck @param {string} text */
function spokenParts(deck, text) {
  const isSums = gameOf(deck.game)?.sums;
  return text.split(/([\w+=-]+(?::[A-Z]\b)?)/).flatMap((word, at, all) => { // D:A is the Dancer played as Wind
    if (isSums && word.includes("=")) return [{ card: word, words: word }]; // a match
    const code = word.replace(/-$/, (dash) => (deck.byCode.has(word) ? dash : ""));
    if (word === "give" && deck.byCode.has(all[at - 2])) return [{ card: "", words: wordOf("and give") }];
    if (word === "pass" && all[at + 3] === ">") return [{ card: "", words: wordOf("exchange") }];
    if (word === ">") return [{ card: "", words: " → " }];
    const isNone = word === "none" && at === 1 && !all[0]; // a move that begins a sentence
    const isDiscard = word === "discard" && isSums && deck.byCode.has(all[at + 2]);
    if (isDiscard || MOVED.has(word) || (isNone && isSums)) return [{ card: "", words: wordOf(word) }];
    if (at % 2 === 0 || isSums || !deck.byCode.has(codeOf(code))) return [{ card: "", words: word }];
    return [
      { card: code, words: code },
      { card: "", words: word.slice(code.length) },
    ];
  });
}

/** @param {{deck: Deck, text: string}} props */
export function Told({ deck, text }) {
  return partsOf(deck, text).map(({ card, words }) =>
    card ? html`<${Word} deck=${deck} card=${card} />` : words.replaceAll(/第(?=\d)/g, "第\u2060"), // no break
  );
}

/** The sentence, as screen readers read it. @param {Deck} deck @param {string} text */
export function aloud(deck, text) {
  return partsOf(deck, text)
    .map(({ card, words }) => (card ? named(deck, card) : words))
    .join("");
}

/** @param {Deck} deck @param {string} card a card or a match */
function named(deck, card) {
  return card.includes("=") ? spokenMove(deck, card) : nameOf(deck, card);
}

/** @param {{deck: Deck, card: string}} props */
export function Word({ deck, card }) {
  if (onPaper.value && !card.includes("=")) return html`<${Named} deck=${deck} card=${card} />`;
  const name = named(deck, card);
  const { ink, suit, picture, under, glyph = "", letter = "", code = "", rank } = card.includes("=")
    ? { ink: "plain", rank: card }
    : lookOf(deck, card);
  const sign = suit ?? (under && picture); // a Dancer has a suit only by name
  return html`<span class=${`card-word ink-${ink}`} role="img" aria-label=${name} title=${name}>
    ${sign && html`<${Icon} name=${sign} />`}${code && html`<span class="code">${code}</span>`}${glyph}${letter}${rank}
    ${under && html`<span class="code">${under}</span>`}
  </span>`;
}
