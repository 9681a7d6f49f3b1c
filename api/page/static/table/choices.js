/** Moves to choose from: the player's moves that need more than one click, and what another seat did. */
import { computed, html, useEffect, useState } from "../core/html.js";
import { later } from "../core/later.js";
import { wide } from "../core/panel.js";
import { path, tab, tree } from "../core/session.js";
import { table } from "../core/table.js";
import { toEnd } from "../core/tree.js";
import { say } from "../core/words.js";
import { gameOf } from "../games/index.js";
import { isYou, ownSeat, seatName } from "../games/shared.js";
import { Card } from "../cards/card.js";
import { codeOf, deckOf } from "../cards/faces.js";
import { Move, cardsOf, deedOf } from "../cards/moves.js";
import { Told } from "../cards/told.js";
import { Anyway, Refusal, Typed } from "./anyway.js";
import { lined } from "./lingering.js";
import { NONE, canBeFirst, candidates, choices, deed, deeds, impliedBy, isBeingMade, isTheirs } from "./picking.js";
import { made, onMove, pick, pickOf, picked, quicker, racing, solved } from "./picking.js";
import { explain, forget, isTelling, make, told, wanted } from "./telling.js";
import { Offered } from "./suits.js";
import { Sums, summed } from "./sums.js";

/** @typedef {import("../cards/faces.js").Deck} Deck */

const Race = later("Race");
const Turned = later("Turned");
const MOST = 48; // shown at most: a list of thousands of picks in King × Alchemy is useless
const FEW = 6; // more moves than that have a heading
const NEAR = 4; // this few moves are shown beside the hand

/** Whether cards of a move are chosen whose others are still to be chosen. A whole sum has its button beside it. */
export const isChoosing = computed(() => {
  const { position, moves } = table.value;
  if (!picked.value.length || !moves.length || isRiddle() || isAsked()) return false;
  return !(gameOf(position.game)?.sums && summed(deckOf(position), position).move);
});
/** The moves with the chosen cards, if they are few and there is room for them beside the hand. */
export const near = computed(() => {
  const { position } = table.value;
  if (!isChoosing.value || !wide.value || gameOf(position.game)?.sums) return [];
  const found = candidates(deckOf(position), impliedBy(position));
  return found.length > NEAR ? [] : found;
});

/**
 * The choices beside the table. The Hint tab asks for others' moves itself.
 *
 * @param {{deck: Deck, position: any, byHand: boolean}} props whether what is wanted stands with the hand
 */
export function Choices({ deck, position, byHand }) {
  const { moves } = table.value;
  if (!deck.game || lined.value) return null; // Before the deck is loaded, codes of cards look like words.
  if (racing.value) return html`<div class="choices"><${Race} /></div>`;
  if (isAsked()) return null;
  if (!moves.length || told.value.length || isTheirs.value) {
    const isKnown = tab.value === "play" && toEnd(tree.value, path.value).length > path.value.length;
    if (isKnown) return null; // The moves of a game that was written down are stepped through.
    return tab.value === "hint" ? null : html`<${Observing} deck=${deck} position=${position} />`;
  }
  return html`<div class="choices">
    ${!byHand && html`<${Refusal} />`}
    ${gameOf(position.game)?.sums && !isIdle() && html`<${Sums} deck=${deck} position=${position} />`}
    ${!byHand && html`<${AtHand} moves=${moves} deck=${deck} />`}
  </div>`;
}

/** Whether the tab asks for the sum of another seat, which is worked out there. */
function isAsked() {
  const { position, toMove } = table.value;
  const isOthers = isTheirs.value || !isYou(toMove ?? 0, position);
  return tab.value === "hint" && gameOf(position.game)?.sums && isOthers;
}

/** Whether the moves are not to be listed: to find the matches is what a game or a puzzle of sums is about. */
export function isRiddle() {
  const isAsked = tab.value === "play" || (tab.value === "puzzles" && !path.value.length);
  return gameOf(table.value.position?.game)?.sums && isAsked;
}

/** Whether a puzzle does not ask for a move, and there is no match to work out. */
function isIdle() {
  return isRiddle() && onMove.value === make && !choices.value.some((move) => move.includes("="));
}

/** The moves with the chosen cards, or else those without cards. @param {{moves: string[], deck: Deck}} props */
export function AtHand({ moves, deck }) {
  if (isTheirs.value || told.value.length) return null; // something else is asked for
  if (near.value.length) return html`<${Buttons} moves=${near.value} deck=${deck} />`;
  return html`<${Bare} moves=${moves} deck=${deck} />`;
}

/** Those of some moves that have no cards, such as a pass. @param {{moves: string[], deck: Deck}} props */
export function Bare({ moves, deck }) {
  const bare = moves.filter((move) => !cardsOf(deck, move).length);
  if (!deck.game || !bare.length) return null; // Before the deck is loaded, codes of cards look like words.
  if (solved.value && gameOf(deck.game)?.sums) return null; // the answer stands in place of the sum
  return html`<${Buttons} moves=${bare} deck=${deck} />`;
}

/** A move as it is drawn: in Aqua Regia, to pass after a pass and a draw exchanges nothing. @param {string} move */
export function doneIn(move) {
  return move === "pass" && table.value.position?.drawn ? "keep" : move;
}

/** How many cards a move plays, all equal; empty of other moves. @param {Deck} deck @param {string} move */
function manyOf(deck, move) {
  const cards = cardsOf(deck, move);
  const isAlike = cards.join(" ") === move && cards.every((card) => card === cards[0]);
  return isAlike ? say("choices.many", { n: cards.length }) : "";
}

/** Enter the first match of a duel's exchange for the other player. */
function turnRound() {
  picked.value = NONE;
  forget();
  quicker.value = !quicker.value;
}

/** @param {{moves: string[], deck: Deck}} props */
function Buttons({ moves, deck }) {
  const mayBeFirst = canBeFirst.value && !told.value.length;
  return html`<div class=${mayBeFirst ? "row bare paired" : "row bare"}>
    ${moves.map(
      (move) => html`<button type="button" class="big move-button" key=${move}
        aria-busy=${isBeingMade(move) || undefined} onClick=${() => made(move)}>
        <${Move} deck=${deck} move=${doneIn(move)} /> ${manyOf(deck, move)}
      </button>`,
    )}
    ${
      mayBeFirst &&
      html`<button type="button" class="big first" onClick=${turnRound}>
      ${say("choices.first", { seat: seatName(1 - ownSeat(table.value.position), table.value.position) })}</button>`
    }
  </div>`;
}

/** The moves that contain the chosen cards. @param {{deck: Deck, position: any}} props */
export function Chosen({ deck, position }) {
  const found = candidates(deck, impliedBy(position));
  const trade = say(picked.value[0].half ? "choices.give" : "choices.trade");
  const isDancer = !gameOf(position.game)?.sums && found.every((move) => move.includes(":"));
  const many = isDancer ? "choices.named" : "choices.chosen";
  const several = found.length ? many : "choices.noneWith";
  return html`<div class="chosen">
    <p class="hinted">
      ${position.drawn ? trade : say(found.length === 1 ? "choices.only" : several, { n: picked.value.length })}
      <button type="button" class="quiet small" onClick=${() => (picked.value = NONE)}>${say("choices.clear")}</button>
    </p>
    <${List} found=${found} deck=${deck} />
  </div>`;
}

/** All moves as a list, closed at first. @param {{deck: Deck, position: any}} props */
export function All({ deck, position }) {
  const { toMove, moves } = table.value;
  if (!moves.length || told.value.length || isRiddle() || near.value.length) return null;
  const found = candidates(deck, impliedBy(position)).filter((move) => cardsOf(deck, move).length);
  if (!found.some((move) => cardsOf(deck, move).length > 1)) return null;
  const yours = gameOf(position.game)?.sums ? "choices.plain" : "choices.yours";
  const title = isYou(toMove ?? 0, position) || gameOf(position.game)?.sums ? yours : "choices.of";
  return html`<details class="all">
    <summary>${say(title, { seat: seatName(toMove ?? 0, position) })} <span class="count">${found.length}</span>
      </summary>
    <${List} found=${found} deck=${deck} />
  </details>`;
}

/** Whether a click ends a double click, which was meant for what lay there before. @param {MouseEvent} event */
function isSecond({ detail }) {
  return detail > 1;
}

/** @param {{found: string[], deck: Deck}} props */
function List({ found, deck }) {
  const [all, showAll] = useState(false);
  const { position, toMove } = table.value;
  const gained = gameOf(deck.game)?.gains;
  const points = new Map(gained && found.map((move) => [move, gained(position, move, toMove ?? 0)]));
  const worth = (/** @type {string} */ move) => points.get(move) ?? 0;
  const sorted = points.size ? found.toSorted((one, other) => worth(other) - worth(one)) : found;
  const shown = all ? sorted : sorted.slice(0, MOST);
  const hasExchange = found.some((move) => deedOf(move).deed === "exchange"); // else all of them are plays
  return html`<ul class="move-list">
      ${shown.map(
        (move) => html`<li key=${move}>
          <button type="button" class="move-button" aria-busy=${isBeingMade(move) || undefined}
            onClick=${(/** @type {MouseEvent} */ event) => isSecond(event) || made(move)}>
            <${Move} deck=${deck} move=${move} /> ${hasExchange && manyOf(deck, move)}
            ${worth(move) > 0 && html`<small>${say("seat.points", { n: worth(move) })}</small>`}
          </button>
        </li>`,
      )}
    </ul>
    ${
      found.length > shown.length &&
      html`<button type="button" class="quiet" onClick=${() => showAll(true)}>
      ${say("choices.more", { n: found.length - shown.length })}
    </button>`
    }
    ${found.length > MOST && html`<${Typed} />`}`;
}

/**
 * What another seat did: its cards suit by suit, and moves without cards.
 *
 * @param {{deck: Deck, position: any}} props
 */
export function Observing({ deck, position }) {
  const { toMove, text } = table.value;
  if (told.value.length) return html`<${Turned} deck=${deck} position=${position} />`;
  if (toMove === null || !choices.value.length || isTelling.value) return null;
  const found = candidates(deck, impliedBy(position));
  const bare = choices.value.filter((move) => !cardsOf(deck, move).length);
  const taking = (position.trick ?? []).map(codeOf);
  const cards = new Set(choices.value.map((move) => codeOf(cardsOf(deck, move)[0] ?? "")));
  const first = [...cards].some((card) => card && !taking.includes(card));
  const seen = say("choices.seen", { seat: seatName(isTheirs.value ? 1 - toMove : toMove, position) });
  if (gameOf(position.game)?.sums) {
    return html`<section class="choices observing" aria-label=${seen}>
      <h2>${seen}</h2>
      <${Refusal} />
      <${Sums} deck=${deck} position=${position} />
      <${Bare} moves=${bare} deck=${deck} />
      ${isTheirs.value && html`<p class="row"><button type="button" class="quiet" onClick=${turnRound}>
        ${say("choices.firstYou")}</button></p>`}
    </section>`;
  }
  if (deeds.value.length && !deed.value) {
    return html`<section class="choices observing" aria-label=${seen}>
      <h2>${seen}</h2><${Refusal} /><${Deeds} />
    </section>`;
  }
  const usual = deed.value === "exchanged" ? "deed.exchanged" : "choices.other";
  return html`<section class=${first ? "choices observing offers" : "choices observing"} aria-label=${seen}>
    <h2>${seen}</h2>
    ${
      deed.value &&
      html`<div class="row bare"><button type="button" class="quiet small" onClick=${() => choose("")}>
        ${say("deed.other")}</button></div>`
    }
    ${
      choices.value.some((move) => move.includes("give ")) &&
      html`<p class="hinted">${say("choices.bottom", { seat: seatName(position.bottom, position) })}</p>`
    }
    ${!first && html`<${Refusal} />`}
    <${Bare} key=${text} moves=${bare} deck=${deck} />
    ${first && html`<${Played} deck=${deck} cards=${cards} />`}
    ${picked.value.length > 0 && html`<${Chosen} deck=${deck} position=${position} />`}
    ${
      first &&
      html`<p class=${`hinted other ${wanted.value ? "reason" : ""}`} role="status">
          <${Told} deck=${deck} text=${wanted.value || say(usual)} /></p>
        <${Anyway} />`
    }
    ${
      !picked.value.length &&
      !first &&
      found.length > bare.length &&
      html`${found.length > FEW && html`<p class="hinted">${say("choices.take")}</p>`}
        <${List} found=${found.filter((move) => !bare.includes(move))} deck=${deck} />`
    }
  </section>`;
}

/** @param {string} one of `deeds`, or nothing to choose anew */
function choose(one) {
  picked.value = NONE;
  if (one === "passed") made("pass");
  else deed.value = one;
}

/** What another seat may have done, before its cards. */
function Deeds() {
  return html`<div class="row deeds">
    ${deeds.value.map(
      (one) => html`<button type="button" key=${one} onClick=${() => choose(one)}>
        ${say(`deed.${one}`)}</button>`,
    )}
  </div>`;
}

/**
 * The cards of the deck, each always in its place: those that another seat may have played, and the others, which say
 * why not. They are drawn once what the last click has changed on the table is shown: so many take a while.
 *
 * @param {{deck: Deck, cards: Set<string>}} props
 */
function Played({ deck, cards }) {
  const [isShown, show] = useState(false);
  useEffect(() => show(true), []);
  const draw = (/** @type {import("../cards/faces.js").Face} */ face) => {
    const { card } = face;
    if (!isShown) return html`<i key=${card} />`;
    const one = { path: "palette", index: deck.cards.indexOf(face), card };
    const how = cards.has(card)
      ? { onPick: (/** @type {MouseEvent} */ event) => isSecond(event) || pick(deck, one, []) }
      : { tone: "dimmed", label: say("card.dimmed"), onWhy: () => explain(card) };
    const pressed = Boolean(pickOf(one)) || undefined;
    return html`<${Card} key=${card} deck=${deck} card=${card} pressed=${pressed} ...${how} />`;
  };
  return html`<${Offered} deck=${deck} draw=${draw} />`;
}
