/** What the others still had at the end of a round at a real table: asked for seat by seat, or left out. */
import { html } from "../core/html.js";
import { without } from "../core/lists.js";
import { go, key } from "../core/session.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { Card } from "../cards/card.js";
import { deckOf } from "../cards/faces.js";
import { Told } from "../cards/told.js";
import { seatName, seatsFrom } from "../games/shared.js";
import { Faults } from "../table/faults.js";
import { SuitRows } from "../table/suits.js";
import { tableEnd, tell, wrong } from "./following.js";

const FEW = 6; // cards that stand in one row

/** What is entered so far, which a reload keeps: cards by seats, as in `showed`. */
const entering = key("showing");

/** @param {string[][]} cards of each seat */
function setCards(cards) {
  const showing = cards.flat().length ? cards.map((one) => one.join(",")).join("/") : "";
  go({ keys: { showing } }, { replace: true });
}

/**
 * The cards that are entered so far, of each seat; none if they are of another round.
 *
 * @param {any} rest @returns {string[][]}
 */
function entered({ counts, possible_cards: possible }) {
  const found = entering.value.split("/").map((one) => one.split(",").filter(Boolean));
  const all = found.flat();
  const isOf = all.length && found.length === counts.length && without(all, possible).length === 0;
  return isOf ? found : counts.map(() => []);
}

export function Showing() {
  const { left_over: rest, match, seat, totals } = tableEnd.value;
  const cards = entered(rest);
  const { position } = table.value;
  const deck = deckOf(position);
  const others = seatsFrom(position).filter((one) => one !== seat && rest.counts[one] > 0);
  const showed = match.shown.at(-1);
  if (!others.length) return null;
  if (showed.length) {
    return html`<section class="stack" aria-label=${say("ending.showed")}>
      <h4>${say("ending.showed")}</h4>
      ${others.map(
        (one) => html`<p key=${one}><${Told} deck=${deck}
          text=${say("labelled", { label: seatName(one, position), text: showed[one].join(" ") })} /></p>`,
      )}
      <div class="row"><button type="button" class="quiet small" onClick=${() => tell([])}>
        ${say("ending.again")}</button></div>
    </section>`;
  }
  const now = /** @type {number} */ (others.find((one) => cards[one].length < rest.counts[one]) ?? others.at(-1));
  const left = without(rest.possible_cards, cards.flat());
  const put = (/** @type {string} */ card) => {
    let next = cards.map((own, one) => (one === now ? [...own, card] : own));
    const open = others.filter((one) => next[one].length < rest.counts[one]);
    const unused = without(left, [card]);
    const isClear = open.length === 1 && unused.length === rest.counts[open[0]] - next[open[0]].length;
    if (isClear) next = next.map((own, one) => (one === open[0] ? [...own, ...unused] : own)); // what is left
    if (open.length && !isClear) setCards(next);
    else tell(next.map((own, one) => (one === seat ? rest.own_cards : own)));
  };
  const draw = (/** @type {string} */ card) => html`<${Card} key=${card} deck=${deck} card=${card}
    onPick=${() => put(card)} />`;
  const kinds = [...new Set(left)];
  const isNeeded = totals?.includes(null);
  const form = html`<${Faults} found=${wrong.value} />
    <p>${say(isNeeded ? "ending.aside" : "ending.left", {
      seat: seatName(now, position),
      n: cards[now].length,
      size: rest.counts[now],
    })}</p>
    <div class="palette">${
      kinds.length > FEW
        ? html`<${SuitRows} deck=${deck} has=${(/** @type {any} */ face) => kinds.includes(face.card)}
          draw=${(/** @type {any} */ face) => draw(face.card)} />`
        : html`<div class="cards suit-row" style=${{ "--n": FEW }}>${kinds.map(draw)}</div>`
    }</div>
    <div class="row">
      ${
        cards.flat().length > 0 &&
        html`<button type="button" class="quiet small"
        onClick=${() => setCards(cards.map(() => []))}>${say("ending.again")}</button>`
      }
      <span class="hinted">${say(isNeeded ? "ending.without" : "ending.review")}</span>
    </div>`;
  if (isNeeded) return html`<section class="stack box" aria-label=${say("ending.ask")}>${form}</section>`;
  return html`<details><summary>${say("ending.ask")}</summary><div class="stack">${form}</div></details>`;
}
