/** A sentence in which cards are drawn where it names them. */
import { html } from "../core/html.js";
import { lookOf } from "../games/index.js";
import { nameOf } from "./faces.js";
import { Named, onPaper } from "./paper.js";
import { Icon } from "./signs.js";

/** @param {{deck: import("./faces.js").Deck, text: string}} props */
export function Told({ deck, text }) {
  return text.split(/([\w+-]+)/).map((word, at) => {
    const code = word.replace(/-$/, (dash) => (deck.byCode.has(word) ? dash : ""));
    if (at % 2 === 0 || !isCard(deck, code)) return word;
    return html`<${onPaper.value ? Named : Word} deck=${deck} card=${code} />${word.slice(code.length)}`;
  });
}

/**
 * Whether a word is a card's code and not a word that looks like one.
 *
 * @param {import("./faces.js").Deck} deck @param {string} word
 */
function isCard(deck, word) {
  return deck.game !== "alchemy" && deck.byCode.has(word) && (word.length > 1 || deck.game === "aqua-regia");
}

/** A card as a word: its sign and its rank. @param {{deck: import("./faces.js").Deck, card: string}} props */
export function Word({ deck, card }) {
  const look = lookOf(deck, card);
  const name = nameOf(deck, card);
  return html`<span class=${`card-word ink-${look.ink}`} role="img" aria-label=${name} title=${name}>
    ${look.suit && html`<${Icon} name=${look.suit} />`}${look.rank}
  </span>`;
}
