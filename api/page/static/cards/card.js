/** A card: drawn from its face in its game's look; a button if it can be clicked. */
import { html, render, useLayoutEffect, useRef } from "../core/html.js";
import { lookOf } from "../games/index.js";
import { say } from "../core/words.js";
import { Art, arrivalOf, isArt, isWaiting } from "./art.js";
import { looking, wasHeld } from "./looking.js";
import { codeOf, nameOf } from "./faces.js";
import { Tile, onPaper } from "./paper.js";
import { Sign } from "./signs.js";

/**
 * @typedef {object} Look how a game's card is drawn
 * @property {string} ink the name of a colour: a class `ink-…`
 * @property {string} rank the text in both corners
 * @property {string} [glyph] a character for the suit, in games that have no picture of it
 * @property {string} [under] a word below the rank, instead of the suit
 * @property {string} [code] the suit's letter in codes, for which the sign alone stands
 * @property {string} [letter] the suit's letter in codes: before the rank, or on cards with names below the sign
 * @property {string} [suit] the name of a sign below the rank
 * @property {string} [picture] the name of the sign in the middle
 * @property {string} [over] the name of a sign beside the picture, such as a kirin's arrow
 * @property {string} [art] the name of its illustration, which takes the place of the picture or text in the middle
 * @property {string} [makes] what its recipe makes
 * @property {string[]} [of] the ingredients of its recipe
 * @property {string} [middle] a text in the middle, instead of a picture
 * @property {string} [foot] the card's name
 * @property {number} [points] crowns
 * @property {string} [bonus] the points of its recipe
 * @property {{sign: string, count: number}[]} [marks] small signs in a column, each with `count` dots
 */

/**
 * @param {object} props
 * @param {import("./faces.js").Deck} props.deck
 * @param {string} props.card the card's code in a position
 * @param {(event: MouseEvent) => void} [props.onPick] called on a click; makes the card a button
 * @param {boolean} [props.pressed] a chosen card
 * @param {boolean} [props.busy] its move is being made
 * @param {boolean} [props.held] a card of the hand: a button even while nothing can be done with it, so that the
 *    browser need not draw the whole hand anew whenever the turn passes
 * @param {(event: MouseEvent) => void} [props.onWhy] called on a click while the card can't be chosen: says why
 * @param {string} [props.mark] a word below the card, such as its value; screen readers read it too
 * @param {string} [props.tone] a class that colours the card's edge: "best", "wrong", "legal"
 * @param {string} [props.label] what screen readers add to the name
 * @param {string} [props.title]
 */
export function Card(props) {
  const { deck, card, onPick, onWhy, pressed, busy, held = false } = props;
  const disabled = Boolean(onWhy) || !onPick;
  const { mark, tone = "", label = "", title } = props;
  if (onPaper.value) return html`<${Printed} deck=${deck} card=${card} />`;
  const name = nameOf(deck, card);
  const said = [name, label, mark].filter(Boolean).join(say("comma"));
  const drawing = html`<${Drawing} deck=${deck} card=${card} />`;
  const below = mark === undefined ? null : html`<span class="card-mark" aria-hidden="true">${signedOf(mark)}</span>`;
  const look = looking(deck, card);
  if (!onPick && !onWhy && !held) {
    return html`<span class=${`card ${tone}`} role="img" aria-label=${said} title=${title} ...${look}>
      ${drawing}${below}</span
    >`;
  }
  const pick = (/** @type {MouseEvent} */ event) => {
    if (!wasHeld()) (disabled ? onWhy : onPick)?.(event);
  };
  return html`<button
    type="button"
    class=${`card ${tone} ${onPick || onWhy ? "" : "idle"}`}
    aria-label=${title ?? said}
    aria-pressed=${pressed ?? undefined}
    aria-disabled=${disabled || undefined}
    aria-busy=${busy || undefined}
    data-card=${codeOf(card)}
    onClick=${pick}
    ...${look}
  >
    ${drawing}${below}
  </button>`;
}

/**
 * A card on paper, with its code unless the drawing shows it.
 *
 * @param {{deck: import("./faces.js").Deck, card: string}} props
 */
function Printed({ deck, card }) {
  const { points, rank } = lookOf(deck, card);
  if (points !== undefined) return html`<${Tile} deck=${deck} card=${card} />`;
  return html`<span class="card" role="img" aria-label=${nameOf(deck, card)}>
    <${Drawing} deck=${deck} card=${card} />${rank !== card && html`<span class="card-mark">${card}</span>`}</span>`;
}

/**
 * A card that lies face down, or an empty place.
 *
 * @param {{label: string, onPick?: () => void, empty?: boolean, next?: boolean, count?: number}} props
 */
export function Back({ label, onPick, empty = false, next = false, count }) {
  const kind = `card ${empty ? "empty" : "back"} ${next ? "next" : ""}`;
  const drawing = html`<svg viewBox="0 0 50 70" aria-hidden="true">
    <rect class="paper" x="1" y="1" width="48" height="68" rx="5" />
    ${
      empty
        ? onPick && html`<path class="plus" d="M25 28v14M18 35h14" />`
        : html`<${Sign} name="back" x=${-10} y=${0} size=${70} />`
    }
    ${
      count !== undefined &&
      html`<text class="middle" x="25" y="42" text-anchor="middle" font-size="20">
      ${count}</text>`
    }
  </svg>`;
  if (!onPick) return html`<span class=${kind} role="img" aria-label=${label}>${drawing}</span>`;
  return html`<button type="button" class=${kind} aria-label=${label} onClick=${onPick}>${drawing}</button>`;
}

/**
 * The drawings made so far, and whether their illustrations were late: to copy one takes a tenth of the time.
 *
 * @type {WeakMap<object, {late: boolean, drawings: Map<string, Element>}>}
 */
const made = new WeakMap();

export const idle = globalThis.requestIdleCallback ?? setTimeout; // Safari has none

/** Draw a deck's other cards one by one while nothing else is to be done. @param {import("./faces.js").Deck} deck */
function drawAhead(deck) {
  const drawings = drawingsOf(deck);
  const next = deck.cards.find(({ card }) => !drawings.has(card));
  if (!next || made.get(deck)?.late) return;
  drawingOf(deck, next.card);
  idle(() => drawAhead(deck));
}

/** The drawings of a deck's cards by their codes; none of those without their illustrations, once these are here. */
function drawingsOf(/** @type {import("./faces.js").Deck} */ deck) {
  const late = arrivalOf(deck.game) !== "here";
  let all = made.get(deck);
  if (all?.late !== late) {
    all = { late, drawings: new Map() };
    made.set(deck, all);
    idle(() => drawAhead(deck));
  }
  return all.drawings;
}

/** @param {import("./faces.js").Deck} deck @param {string} card @returns {Element} */
function drawingOf(deck, card) {
  const drawings = drawingsOf(deck);
  if (!drawings.has(card)) {
    const place = document.createElement("div");
    render(html`<${Drawn} look=${lookOf(deck, card)} />`, place);
    drawings.set(card, /** @type {Element} */ (place.firstElementChild));
  }
  return /** @type {Element} */ (drawings.get(card));
}

const AT_ONCE = 12; // new drawings
/**
 * Cards to be drawn: a whole table of new ones would keep the page from answering.
 *
 * @type {{isMade: () => boolean, draw: () => void}[]}
 */
let waiting = [];

/** Whether cards are still to be drawn. */
export function isDrawing() {
  return waiting.length > 0 || isWaiting();
}

/** Draw the cards that came last, which are the own hand's, and all like them; then go on with the others. */
function draw() {
  let left = AT_ONCE;
  waiting = waiting
    .reverse()
    .filter((one) => {
      if (!one.isMade() && left-- <= 0) return true;
      one.draw();
      return false;
    })
    .reverse();
  if (waiting.length) setTimeout(draw);
}

/** A card, as soon as its illustration is there or known to be late. @param {import("./paper.js").Shown} props */
export function Drawing({ deck, card }) {
  const place = useRef(/** @type {Element | null} */ (null));
  const arrival = arrivalOf(deck.game);
  useLayoutEffect(() => {
    if (arrival === "soon") return;
    const one = {
      isMade: () => drawingsOf(deck).has(card),
      draw: () => place.current?.replaceChildren(...drawingOf(deck, card).cloneNode(true).childNodes),
    };
    if (one.isMade()) return void one.draw();
    if (!waiting.length) queueMicrotask(draw);
    waiting.push(one);
    return () => (waiting = waiting.filter((other) => other !== one));
  }, [deck, card, arrival]);
  return html`<svg class=${`ink-${lookOf(deck, card).ink}`} viewBox="0 0 50 70" aria-hidden="true" ref=${place} />`;
}

/** @param {{look: Look}} props */
export function Drawn({ look }) {
  if (isArt(look.art)) return html`<${Illustrated} look=${look} />`;
  return html`<svg>
    <rect class="paper" x="1" y="1" width="48" height="68" rx="5" />
    <${Corner} look=${look} />
    <g transform="rotate(180 25 35)"><${Corner} look=${look} below /></g>
    ${look.picture && html`<${Picture} look=${look} />`}
    ${look.middle && html`<${Middle} text=${look.middle} marks=${Boolean(look.marks)} />`}
    ${look.marks && html`<${Marks} marks=${look.marks} />`}
    ${look.points ? html`<${Crowns} count=${look.points} />` : null}
    ${look.bonus && html`<${Bonus} text=${look.bonus} />`}
    ${look.foot && html`<${Foot} text=${look.foot} />`}
  </svg>`;
}

/** The place and size of an illustration, and its niche's lower end. @param {Look} look */
function nicheOf({ marks, foot }) {
  if (marks) return [2, 31, 28, 60];
  return foot ? [16, 14.5, 30, 46] : [14.5, 19, 33, 56];
}

/**
 * A card with its illustration in a niche, and what its recipe takes and makes.
 *
 * @param {{look: Look}} props
 */
function Illustrated({ look }) {
  const { art = "", over, of = [], makes, bonus } = look;
  const [x, y, size, bottom] = nicheOf(look);
  const radius = size / 2 + 0.5;
  const arch = `M${x - 0.5} ${bottom}V${y + 12}a${radius} 15 0 0 1 ${size + 1} 0V${bottom}z`;
  const first = (bonus?.length ?? 0) > 2 ? 24 : 20; // behind the pill
  const each = Math.min(10, (48 - first) / of.length);
  return html`<svg>
    <rect class="paper" x="1" y="1" width="48" height="68" rx="5" />
    <path class="ground" d=${arch} />
    <${Art} name=${art} x=${x} y=${y} size=${size} />
    <${Corner} look=${look} />
    ${
      over && art !== look.suit
        ? html`<${Sign} name=${look.suit} x=${28.5} y=${47} size=${19} />`
        : !of.length && html`<g transform="rotate(180 25 35)"><${Corner} look=${look} below alone /></g>`
    }
    ${look.middle === look.rank && !look.marks && html`<${Label} text=${look.rank} x=${x + size / 2} />`}
    ${
      over &&
      html`<circle class="seal" cx="40.500" cy="11" r="7" />
      <${Sign} name=${over} x=${36} y=${6.5} size=${9} />`
    }
    ${look.marks && html`<${Marks} marks=${look.marks} />`}
    ${look.points ? html`<${Crowns} count=${look.points} />` : null}
    ${of.map((name, at) => {
      const left = first + at * each;
      if (isArt(name)) return html`<${Art} name=${name} x=${left} y=${62 - each / 2} size=${each - 0.4} />`;
      return html`<text x=${left + each / 2} y=${62 + each / 3} text-anchor="middle" font-size=${each}>
        ${[...name][0]}</text>`;
    })}
    ${
      isArt(makes) &&
      html`<circle class="seal" cx="41" cy="39.500" r="7" />
      <${Art} name=${makes} x=${36} y=${34.5} size=${10} />`
    }
    ${bonus && html`<${Bonus} text=${bonus} />`}
    ${look.foot && html`<${Foot} text=${look.foot} />`}
  </svg>`;
}

/** A number on an illustration. @param {{text: string, x: number}} props */
function Label({ text, x }) {
  return html`<text class="middle label" x=${x} y="48" text-anchor="middle" font-size="15">${text}</text>`;
}

/**
 * Rank and suit, as in both corners; only the rank if a name is below.
 *
 * @param {{look: Look, below?: boolean, alone?: boolean}} props
 */
function Corner({ look, below = false, alone = Boolean(below && (look.foot || look.marks)) }) {
  const most = alone ? 12 : [17, 17, 14, 10][Math.min(3, look.rank.length)];
  const size = Math.min(most, CORNER / emsOf(look.rank));
  const lettered = Boolean(look.letter && !look.foot);
  const underneath = look.under ?? look.glyph;
  // A long one begins at the edge, however wide its letters are.
  const [start, anchor] = look.rank.length > 1 ? [3.5, "start"] : [10, "middle"];
  const letter = lettered ? { x: 8, y: 17, size: 11 } : { x: 10, y: 37, size: 8 };
  return html`<text class="rank" x=${lettered ? 18 : start} y=${alone ? 13 : 17} font-size=${size}
      text-anchor=${lettered ? "middle" : anchor}>${look.rank}</text>
    ${
      look.letter &&
      !alone &&
      html`<text x=${letter.x} y=${letter.y} text-anchor="middle" font-size=${letter.size}>${look.letter}</text>`
    }
    ${look.suit && !alone && html`<${Sign} name=${look.suit} x=${5.5} y=${20} size=${9} />`}
    ${underneath && !alone && html`<text x="10" y="27" text-anchor="middle" font-size="9">${underneath}</text>`}`;
}

/** A verdict's word is hidden where there is no room for it: its sign stands alone. @param {string} mark */
function signedOf(mark) {
  const [, sign, word] = /^([✓≈✗])( .+)/.exec(mark) ?? [];
  return sign ? html`${sign}<span class="mark-word">${word}</span>` : mark;
}

/** The place and size of a picture: beside marks, above a name, or in the middle. @param {Look} look */
function placeOf({ marks, foot, over }) {
  if (marks) return [6, 30, 20];
  if (foot) return [over ? 8.5 : 15.5, 17, 25];
  return [over ? 8.5 : 12.5, 22, 25];
}

/** @param {{look: Look}} props */
function Picture({ look }) {
  const [x, y, size] = placeOf(look);
  return html`<circle class="ground" cx=${x + size / 2} cy=${y + size / 2} r=${size * 0.66} />
    <${Sign} name=${look.picture} x=${x} y=${y} size=${size} />
    ${look.over && html`<${Sign} name=${look.over} x=${32} y=${24} size=${15} />`}`;
}

/** @param {{text: string, marks: boolean}} props */
function Middle({ text, marks }) {
  const most = Math.min(marks ? 19 : 24, [24, 24, 19, 14, 14][text.length] ?? 9);
  const size = Math.min(most, (marks ? BESIDE : NAME) / emsOf(text));
  const [x, y] = marks ? [18, 46] : [25, 43];
  return html`<text class="middle" x=${x} y=${y} text-anchor="middle" font-size=${size}>${text}</text>`;
}

/** @param {{count: number}} props */
function Crowns({ count }) {
  return Array.from(
    { length: Math.min(count, 4) },
    (_, at) => html`<${Sign} name="crown" x=${38 - at * 8} y=${4} size=${8} />`,
  );
}

/** @param {{text: string}} props */
function Bonus({ text }) {
  return html`<rect class="pill" x="3" y="57" width=${text.length > 2 ? 19 : 15} height="10" rx="5" />
    <text class="bonus" x=${text.length > 2 ? 12.5 : 10.5} y="65" text-anchor="middle">${text}</text>`;
}

const NAME = 44; // the width for a card's name, and the size of its letters, as in the style sheet
const LETTER = 6.8;
const CORNER = 25; // the widths for letters in a corner, and beside marks
const BESIDE = 23;

/**
 * The width of a text, in heights of its letters: those of Chinese and Japanese are as wide as high.
 *
 * @param {string} text @param {number} [narrow] the width of others
 */
function emsOf(text, narrow = 0.85) {
  return [...text].reduce((sum, one) => sum + (one > "\u2e80" ? 1 : narrow), 0);
}

/**
 * A card's name, in smaller letters if it is long: as an attribute, too, for pictures, which have no such style.
 *
 * @param {{text: string}} props
 */
function Foot({ text }) {
  const size = Math.min(LETTER, NAME / emsOf(text, 0.64));
  const style = { "--size": `${size}px` };
  return html`<text class="foot" x="25" y="53" text-anchor="middle" font-size=${size} style=${style}>${text}</text>`;
}

/** @param {{marks: {sign: string, count: number}[]}} props */
function Marks({ marks }) {
  return marks.map(({ sign, count }, index) => {
    const y = 4 + index * 10.5;
    const dots = [0, 1].slice(0, count); // one, or several at once
    return html`<g class=${count ? "mark" : "mark none"}>
      <${Sign} name=${sign} x=${30} y=${y} size=${8} />
      ${dots.map((dot) => html`<circle cx=${40 + dot * 3} cy=${y + 4.5} r="1.200" fill="currentColor" />`)}
    </g>`;
  });
}

/** The names of several cards, for a sentence. @param {import("./faces.js").Deck} deck @param {string[]} cards */
export function spoken(deck, cards) {
  return cards.length ? cards.map((card) => nameOf(deck, card)).join(say("comma")) : say("cards.none");
}
