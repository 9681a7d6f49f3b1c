/** A move of a review: the table as its player saw it, the move made beside the better one, and why. */
import { html, useEffect, useRef } from "../core/html.js";
import { toTop } from "../core/panel.js";
import { go } from "../core/session.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { deckOf } from "../cards/faces.js";
import { Move, cardsOf } from "../cards/moves.js";
import { Told } from "../cards/told.js";
import { advise, mark } from "../table/marks.js";
import { look } from "./match.js";
import { lost, openAll } from "./rows.js";

// Reviews aren't kept, so after a reload there is nothing to look at.
if (look.value) go({ keys: { look: "" } }, { replace: true });

/** A move's value of the key. @param {{round: number, number: number}} move */
export function placeOf({ round, number }) {
  return `${round}.${number}`;
}

/** The move of a review that is looked at; undefined for none. @param {any} answer */
export function lookedAt(answer) {
  return answer?.moves.find((/** @type {any} */ move) => placeOf(move) === look.value);
}

/**
 * @param {object} props
 * @param {any} props.answer the review
 * @param {any} props.move
 * @param {(seat: number) => string} props.who
 * @param {(move: any) => void} props.onShow
 */
export function Place({ answer, move, who, onShow }) {
  const here = deckOf(table.value.position);
  const deck = useRef(here);
  if (here.cards.length) deck.current = here; // while a table loads there is none
  useEffect(() => {
    toTop();
    const best = move.best ?? move.move;
    const isBest = (/** @type {string} */ card) => cardsOf(deck.current, best).includes(card);
    const played = cardsOf(deck.current, move.move).filter((card) => !isBest(card));
    advise(deck.current, [best]);
    mark(new Map(played.map((card) => [card, say("look.made")])));
    return () => {
      advise(deck.current, []);
      mark(new Map());
    };
  }, [move, deck.current]);
  const at = answer.moves.indexOf(move);
  const missed = (/** @type {any} */ one) => one.verdict === "worse";
  const others = {
    previous: answer.moves.slice(0, at).findLast(missed),
    next: answer.moves.slice(at + 1).find(missed),
  };
  const drawn = (/** @type {string} */ one) => html`<${Move} deck=${deck.current} move=${one} />`;
  const isBest = move.best === null || move.best === move.move;
  const isWorse = missed(move);
  return html`<section class="stack" aria-label=${say("look.title")}>
    <div class="row look-head">
      <h3>${say("look.at", { round: move.round, at: move.number, seat: who(move.seat) })}</h3>
      <button type="button" class="quiet" onClick=${() => go({ keys: { look: "" } })}>${say("look.back")}</button>
    </div>
    <div class="row">
      <span>${say(isBest ? "look.best" : "look.made")}</span> ${drawn(move.move)}
      ${!isBest && html`<span>${say(isWorse ? "look.better" : "hint.best")}</span> ${drawn(move.best)}`}
      <span>${say("labelled", { label: say("play.lost"), text: lost(move, answer.unit) })}
        ${move.verdict === "equal" && html` <span class="hinted">(${say("play.equal")})</span>`}</span>
    </div>
    ${move.reason && html`<p class="reason"><${Told} deck=${deck.current} text=${move.reason} /></p>`}
    <div class="row">
      ${Object.entries(others).map(
        ([name, other]) => html`<button type="button" disabled=${!other}
        onClick=${() => onShow(other)}>${say(`look.${name}`)}</button>`,
      )}
      ${move.view && html`<button type="button" onClick=${toHint}>${say("look.moves")}</button>`}
      ${move.text && html`<button type="button" onClick=${() => openAll(move)}>${say("look.all")}</button>`}
    </div>
  </section>`;
}

function toHint() {
  go({ keys: { tab: "hint" } });
}
