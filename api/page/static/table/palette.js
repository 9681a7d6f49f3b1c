/** The cards of the deck that have no place yet. */
import { effect, html, signal } from "../core/html.js";
import { valueAt } from "../core/paths.js";
import { say } from "../core/words.js";
import { codeOf, deckOf } from "../cards/faces.js";
import { Card } from "../cards/card.js";
import { gameOf } from "../games/index.js";
import { draft, goal, isFilled, put, take, zones } from "./draft.js";
import { SuitRows } from "./suits.js";
import { titleOf } from "./zone.js";

/** @typedef {import("../games/index.js").Zone} Zone */

/** Why the card that was clicked last can't be put into the chosen place; empty if it can. */
export const refusal = signal("");
effect(() => {
  if (draft.value && goal.value !== undefined) refusal.value = "";
});

export function Palette() {
  const position = draft.value;
  if (!gameOf(position?.game)) return null;
  const deck = deckOf(position);
  const used = usedBeside(goal.value);
  const has = (/** @type {any} */ { card }) => copiesOf(card) !== 0 || Boolean(used.get(card));
  const draw = (/** @type {any} */ one) => html`<${Offered} key=${one.card} face=${one} deck=${deck} used=${used} />`;
  return html`<section class="palette" aria-label=${say("palette.title")}>
    <${SuitRows} deck=${deck} has=${has} draw=${draw} />
  </section>`;
}

/** How many of a card the options of the rules leave in the deck; undefined where they say nothing of it. */
const copiesOf = (/** @type {string} */ card) => gameOf(draft.value.game)?.copies?.(draft.value, card);

/** A card of the deck. @param {{face: any, deck: any, used: Map<string, number>}} props */
function Offered({ face, deck, used }) {
  const copies = copiesOf(face.card) ?? face.copies;
  const left = copies === null ? Infinity : copies - (used.get(face.card) ?? 0);
  const many = face.copies !== 1 && copies !== null;
  const { path = "", cards = [], from } = goal.value ?? {};
  const at = cards.map(codeOf).lastIndexOf(face.card);
  const back = (/** @type {MouseEvent} */ { detail }) => detail > 1 || take(path, at); // no double click takes it back
  const isOut = left <= 0 || !goal.value || isFilled(goal.value) || (from && !from.includes(face.card));
  const isHeld = isOut && at >= 0;
  return html`<${Card}
    deck=${deck}
    card=${face.card}
    mark=${many ? `×${Math.max(0, left)}` : undefined}
    pressed=${isHeld || undefined}
    onPick=${isHeld ? back : () => put(face.card)}
    onWhy=${isOut && !isHeld ? () => (refusal.value = whyNot(face.card, left)) : undefined}
  />`;
}

/** Why a card can't be put into the chosen place now. @param {string} card @param {number} left copies of it */
function whyNot(card, left) {
  if (goal.value && isFilled(goal.value)) return say("palette.full");
  const there = zones.value.find((zone) => excludes(zone, goal.value) && zone.cards.map(codeOf).includes(card));
  return there && left <= 0 ? say("palette.there", { place: titleOf(there, draft.value) }) : "";
}

/** How many copies of each card are in places that exclude a place. @param {Zone | undefined} place */
function usedBeside(place) {
  const used = /** @type {Map<string, number>} */ (new Map());
  for (const zone of zones.value.filter((one) => excludes(one, place))) {
    for (const card of zone.cards.map(codeOf)) used.set(card, (used.get(card) ?? 0) + 1);
    for (const [card, number] of Object.entries(zone.counted ?? {})) {
      used.set(card, (used.get(card) ?? 0) + (valueAt(draft.value, number) ?? 0));
    }
  }
  return used;
}

/** Whether a card in a place can't be in another place too. @param {Zone} zone @param {Zone | undefined} place */
function excludes(zone, place) {
  if (zone === place) return true;
  const layers = [zone.layer, place?.layer];
  if (layers.includes("named")) return false;
  return !layers[0] || !layers[1] || layers[0] === layers[1];
}
