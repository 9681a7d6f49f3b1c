/** A card: drawn from its face by the look that its game gives it, and a button where it can be clicked. */
import { html } from "../core/html.js";
import { lookOf } from "../games/index.js";
import { say } from "../core/words.js";
import { codeOf, faceOf, nameOf } from "./faces.js";
import { Sign } from "./signs.js";

/**
 * @typedef {object} Look how a game's card is drawn
 * @property {string} ink the name of a colour: a class `ink-…`
 * @property {string} rank what stands in the corner
 * @property {string} [sign] the name of a symbol
 * @property {string} [small] a second symbol, under the rank
 * @property {string} [middle] a text in the middle, in place of a sign
 * @property {string} [foot] a line at the foot
 * @property {{sign: string, count: number}[]} [marks] small signs along the foot, each with so many dots
 */

/**
 * @param {object} props
 * @param {import("./faces.js").Deck} props.deck
 * @param {string} props.card as a position writes it
 * @param {() => void} [props.onPick] makes the card a button
 * @param {boolean} [props.pressed] a chosen card
 * @param {boolean} [props.disabled] cannot be clicked now; it keeps the focus all the same
 * @param {string} [props.mark] a word below the card, such as its value; also read out
 * @param {string} [props.tone] a class that colours the card's edge: "best", "wrong", "legal"
 * @param {string} [props.label] what a screen reader says besides the name
 * @param {string} [props.title]
 */
export function Card({ deck, card, onPick, pressed, disabled, mark, tone = "", label = "", title }) {
  const face = faceOf(deck, card);
  const name = nameOf(deck, card);
  const said = [name, label, mark].filter(Boolean).join(", ");
  const drawing = html`<${Drawing} deck=${deck} card=${card} />`;
  const below = mark === undefined ? null : html`<span class="card-mark" aria-hidden="true">${mark}</span>`;
  const told = title ?? [name, ...Object.entries(face.details).map(([what, value]) => `${what}: ${value}`)].join("\n");
  if (!onPick) {
    return html`<span class=${`card ${tone}`} role="img" aria-label=${said} title=${told}>${drawing}${below}</span>`;
  }
  return html`<button type="button" class=${`card ${tone}`} aria-label=${said} aria-pressed=${pressed ?? undefined}
    aria-disabled=${disabled || undefined} title=${told} data-card=${codeOf(card)} onClick=${disabled ? undefined : onPick}>${drawing}${below}</button>`;
}

/** A card that lies face down, or an empty place. @param {{label: string, onPick?: () => void, empty?: boolean}} props */
export function Back({ label, onPick, empty = false }) {
  const kind = empty ? "card empty" : "card back";
  const drawing = html`<svg viewBox="0 0 50 70" aria-hidden="true"><rect class="paper" x="1" y="1" width="48" height="68" rx="5" />
    ${empty ? onPick && html`<path class="plus" d="M25 28v14M18 35h14" />` : html`<rect class="weave" x="5" y="5" width="40" height="60" rx="3" />`}</svg>`;
  if (!onPick) return html`<span class=${kind} role="img" aria-label=${label}>${drawing}</span>`;
  return html`<button type="button" class=${kind} aria-label=${label} onClick=${onPick}>${drawing}</button>`;
}

/** @param {{deck: import("./faces.js").Deck, card: string}} props */
function Drawing({ deck, card }) {
  const look = lookOf(deck, card);
  const long = look.rank.length > 2;
  return html`<svg class=${`ink-${look.ink}`} viewBox="0 0 50 70" aria-hidden="true">
    <rect class="paper" x="1" y="1" width="48" height="68" rx="5" />
    <text class="rank" x="5" y="17" font-size=${long ? 11 : 16}>${look.rank}</text>
    ${look.small && html`<${Sign} name=${look.small} x=${35} y=${5} size=${11} />`}
    ${look.sign && html`<${Sign} name=${look.sign} x=${13} y=${look.foot ? 21 : 26} size=${24} />`}
    ${look.middle && html`<text class="middle" x="25" y="43" text-anchor="middle" font-size=${look.middle.length > 4 ? 9 : look.middle.length > 2 ? 14 : 22}>${look.middle}</text>`}
    ${look.marks ? html`<${Marks} marks=${look.marks} />` : null}
    ${look.foot && html`<${Foot} text=${look.foot} />`}
  </svg>`;
}

/** @param {{text: string}} props */
function Foot({ text }) {
  const lines = text.length > 11 && text.includes(" ") ? halves(text) : [text];
  const fits = Math.max(...lines.map((line) => line.length)) > 9;
  return html`<text class="foot" x="25" text-anchor="middle">
    ${lines.map(
      (line, index) =>
        html`<tspan x="25" y=${65 - 7 * (lines.length - 1 - index)} textLength=${fits && line.length > 9 ? 44 : undefined} lengthAdjust="spacingAndGlyphs">${line}</tspan>`,
    )}
  </text>`;
}

/** @param {string} text @returns {string[]} */
function halves(text) {
  const words = text.split(" ");
  const cut = Math.ceil(words.length / 2);
  return [words.slice(0, cut).join(" "), words.slice(cut).join(" ")];
}

/** @param {{marks: {sign: string, count: number}[]}} props */
function Marks({ marks }) {
  return marks.map(({ sign, count }, index) => {
    const x = 4 + index * 11;
    return html`<g class=${count ? "mark" : "mark none"}>
      <${Sign} name=${sign} x=${x} y=${51} size=${8} />
      ${[0, 1, 2].slice(0, Math.min(count, 3)).map((dot) => html`<circle cx=${x + 1.5 + dot * 2.6} cy="63" r="1.100" fill="currentColor" />`)}
    </g>`;
  });
}

/** Several cards as words, for a sentence. @param {import("./faces.js").Deck} deck @param {string[]} cards */
export function spoken(deck, cards) {
  return cards.length ? cards.map((card) => nameOf(deck, card)).join(", ") : say("cards.none");
}
