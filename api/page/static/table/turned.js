/** Asks for the cards that a move still needs. */
import { html, useEffect } from "../core/html.js";
import { without } from "../core/lists.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { codeOf, nameOf } from "../cards/faces.js";
import { Back, Card } from "../cards/card.js";
import { Move } from "../cards/moves.js";
import { gameOf } from "../games/index.js";
import { isYou, seatName } from "../games/shared.js";
import { Offered } from "./suits.js";
import { again, isBack, isByItself, make, question, takeBack, told, wanted } from "./telling.js";

/** @param {{deck: import("../cards/faces.js").Deck, position: any}} props */
export function Turned({ deck, position }) {
  const game = gameOf(position.game);
  const [move, ...given] = told.value;
  const seen = new Map();
  const zones = game?.zones(position).filter((zone) => zone.path !== "unseen") ?? [];
  for (const card of [...zones.flatMap((zone) => zone.cards), ...given].map(codeOf))
    seen.set(card, (seen.get(card) ?? 0) + 1);
  const copiesOf = (/** @type {import("../cards/faces.js").Face} */ { card, copies }) =>
    game?.copies?.(position, card) ?? copies;
  const isGone = (/** @type {import("../cards/faces.js").Face} */ face) => {
    const copies = copiesOf(face);
    return copies !== null && copies <= (seen.get(face.card) ?? 0);
  };
  const draw = (/** @type {import("../cards/faces.js").Face} */ face) => {
    const { card } = face;
    const isSeen = isGone(face);
    const add = () => make(card); // of a card that all have seen, the service says why it can't be
    const how = isSeen ? { tone: "dimmed", label: say("card.dimmed"), onWhy: add } : { onPick: add };
    return html`<${Card} key=${card} deck=${deck} card=${card} ...${how} />`;
  };
  const places = game?.turned?.(position, move, given);
  const { toMove } = table.value;
  const possible = position.unseen ?? deck.cards.filter((face) => !isGone(face)).map(({ card }) => card);
  const [only, ...others] = new Set(without(possible, position.unseen ? given : []));
  useEffect(() => {
    if (places && only && !others.length && !isBack.value) make(only); // nothing else can lie there
  }, [told.value]);
  const asked = again.value ? say("turned.instead", { card: nameOf(deck, told.value[again.value]) }) : question.value;
  return html`<section class=${`choices observing offers ${places ? "placed" : ""}`} aria-label=${asked}>
    <h2 role="status">${asked}</h2>
    <p class="row">${!places && told.value.map((text) => html`<${Move} deck=${deck} move=${text} />`)}
      <button type="button" class="quiet" onClick=${takeBack}>${say("undo")}</button></p>
    ${places && html`<${Places} deck=${deck} places=${places} given=${given} />`}
    <${Offered} deck=${deck} has=${(/** @type {any} */ face) => copiesOf(face) !== 0} draw=${draw} />
    ${isByItself.value && html`<p class="hinted">${say(isYou(toMove ?? 0, position) ? "sums.none" : "sums.noneOf", {
      seat: seatName(toMove ?? 0, position),
    })}</p>`}
    ${wanted.value && html`<p class="fault other" role="alert">${wanted}</p>`}
  </section>`;
}

/**
 * The places of all the cards that are asked for: one that was given wrongly is chosen, and given anew.
 *
 * @param {{deck: import("../cards/faces.js").Deck, places: string[], given: string[]}} props
 */
function Places({ deck, places, given }) {
  const choose = (/** @type {number} */ at) => (again.value = again.value === at ? 0 : at);
  return html`<div class="given" style=${{ "--n": places.length }}>
    ${places.map((title, index) => {
      const at = index + 1; // the move stands before them
      const isNext = index === given.length && !again.value;
      return html`<div class="slot" key=${index}>
        <span class="slot-seat">${title !== places[index - 1] && title}</span>
        ${
          index < given.length
            ? html`<${Card} deck=${deck} card=${given[index]} pressed=${again.value === at}
              label=${`${title}${say("comma")}${say("turned.change")}`} onPick=${() => choose(at)} />`
            : html`<${Back} empty next=${isNext} label=${say("zone.empty", { zone: title })} />`
        }
      </div>`;
    })}
  </div>`;
}
