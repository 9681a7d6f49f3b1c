/** A sum being worked out: the cards on both sides of the equals sign, and each side's total. */
import { html, useEffect, useState } from "../core/html.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { Card } from "../cards/card.js";
import { faceOf } from "../cards/faces.js";
import { Move, cardsOf } from "../cards/moves.js";
import { Told } from "../cards/told.js";
import { gameOf } from "../games/index.js";
import { isYou, seatName } from "../games/shared.js";
import { whyNot } from "./telling.js";
import { addUp, choices, impliedBy, made, picked, solved } from "./picking.js";

/** @typedef {import("../cards/faces.js").Deck} Deck */
/** @typedef {import("./picking.js").Picked} Picked */

/**
 * The sum as far as it has been worked out: the cards on each side, the sides' totals, and the match that it is.
 *
 * @param {Deck} deck @param {any} position
 */
export function summed(deck, position) {
  const worth = (/** @type {string} */ card) => Number(faceOf(deck, card).details.worth ?? 0);
  const implied = impliedBy(position);
  const drawn = implied.filter((card) => worth(card) > 0); // jokers are not part of the sum
  const cards = picked.value;
  const right = cards.filter((one) => one.side === "right");
  const left = cards.filter((one) => one.side === "left");
  const sides = [[...drawn, ...left.map((one) => one.card)], right.map((one) => one.card)];
  const sums = sides.map((side) => side.reduce((total, card) => total + worth(card), 0));
  const equal = sums[0] === sums[1];
  const move = equal ? matchOf(deck, [...drawn, ...cards.map((one) => one.card)], choices.value) : undefined;
  return { implied, drawn, left, right, sides, sums, equal, move };
}

/** @param {{deck: Deck, position: any}} props */
export function Sums({ deck, position }) {
  if (solved.value && !picked.value.length) return html`<${Solved} deck=${deck} />`;
  if (!choices.value.some((move) => move.includes("="))) {
    const lying = gameOf(position.game)?.zones(position).find(({ path }) => path === "line")?.cards;
    const isDuel = choices.value.includes("none");
    const [own] = isDuel ? impliedBy(position) : [position.hand];
    const twin = lying?.find((card) => card === own);
    const { toMove } = table.value;
    const declines = isYou(toMove ?? 0, position) ? "sums.none" : "sums.noneOf";
    return html`<p>${say(isDuel ? declines : "sums.noneAlone", { seat: seatName(toMove ?? 0, position) })}</p>
      ${twin && html`<${WhyNot} sum=${`${twin}=${twin}`} deck=${deck} />`}`;
  }
  const { implied, drawn, left, right, sides, sums, equal, move } = summed(deck, position);
  const isBegun = picked.value.length > 0;
  const compared = `${equal ? "=" : "≠"} ${sums[1]}`;
  const draw = (/** @type {Picked} */ one) => html`<${Card}
    key=${`${one.path}-${one.index}`}
    deck=${deck}
    card=${one.card}
    label=${say(`sums.${one.side}`)}
    onPick=${() => addUp(deck, one, implied)}
  />`;
  return html`<section class="sums" aria-label=${say("sums.title")}>
    <div class="cards">
      <div class="side" style=${{ "--n": sides[0].length }}>
        ${drawn.map((card) => html`<${Card} key=${card} deck=${deck} card=${card} />`)} ${left.map(draw)}
      </div>
      <output class=${equal ? "good" : ""}>${sums[0]} ${isBegun ? compared : "= ?"}</output>
      <div class="side" style=${{ "--n": sides[1].length }}>${right.map(draw)}</div>
    </div>
    <div class="sums-below">
      <p class="hinted">${say("sums.how")}</p>
      ${isBegun && equal && !move && html`<${WhyNot} deck=${deck}
        sum=${sides.map((side) => side.join("+")).join("=")} />`}
      ${move && html`<button type="button" class="primary" onClick=${() => made(move)}>${say("sums.make")}</button>`}
    </div>
  </section>`;
}

/** The answer of a puzzle in place of a sum to work out. @param {{deck: Deck}} props */
function Solved({ deck }) {
  return html`<section class="sums" aria-label=${say("sums.title")}>
    <${Move} deck=${deck} move=${solved.value} />
    <div class="sums-below">
      <p class="hinted">${say("sums.how")}</p>
      <p class="good">${say("puzzles.markShown")}</p>
    </div>
  </section>`;
}

/** Why an equal sum is no match, such as that it has too few cards. @param {{sum: string, deck: Deck}} props */
function WhyNot({ sum, deck }) {
  const [words, setWords] = useState("");
  useEffect(() => {
    let isCurrent = true;
    whyNot(sum).then((found) => isCurrent && setWords(found));
    return () => {
      isCurrent = false;
    };
  }, [sum]);
  const said = words.replaceAll(/'(\S+=\S+)'/g, "$1"); // drawn, a sum needs no quotation marks
  return html`<p class="hinted" role="status"><${Told} deck=${deck} text=${said} /></p>`;
}

/**
 * The legal match of exactly these cards, in whatever notation.
 *
 * @param {Deck} deck @param {string[]} cards @param {string[]} legal
 */
export function matchOf(deck, cards, legal) {
  const wanted = [...cards].sort().join();
  return legal.find((move) => move.includes("=") && [...cardsOf(deck, move)].sort().join() === wanted);
}
