/** A closer look at a card: enlarged, with its text in words. */
import { html } from "../core/html.js";
import { isSaid, say } from "../core/words.js";
import { Drawing } from "./card.js";
import { faceOf, nameOf } from "./faces.js";
import { closer } from "./looking.js";

const WIDTH = 290; // pixels of the box
const HEIGHT = 224;
const ROOM = 8; // pixels between the box and the card, and the window's edge

export function Closer() {
  const found = closer.value;
  if (!found) return null;
  const { deck, card, at } = found;
  const above = at.top > HEIGHT + ROOM;
  const top = above ? at.top - HEIGHT - ROOM : Math.min(at.bottom + ROOM, innerHeight - HEIGHT - ROOM);
  const over = besideTrick(at.left + at.width / 2 - WIDTH / 2, top);
  const left = Math.max(ROOM, Math.min(innerWidth - WIDTH - ROOM, over));
  const style = { left: `${left}px`, top: `${top}px` };
  return html`<div class="closer" popover="manual" ref=${raise} aria-hidden="true" style=${style}>
    <span class="card"><${Drawing} deck=${deck} card=${card} /></span>
    <div>
      <strong>${nameOf(deck, card)}</strong>
      ${wordsOf(faceOf(deck, card)).map((words) => html`<p>${words}</p>`)}
    </div>
  </div>`;
}

/**
 * Where a box begins that would begin at `left`, if it is not to cover the trick.
 *
 * @param {number} left @param {number} top
 */
function besideTrick(left, top) {
  const trick = [...document.querySelectorAll(".trick .slot")].map((slot) => slot.getBoundingClientRect());
  if (!trick.some((slot) => slot.left < left + WIDTH && left < slot.right && top < slot.bottom)) return left;
  const before = trick[0].left - WIDTH - ROOM;
  return before > ROOM ? before : (trick.at(-1)?.right ?? 0) + ROOM;
}

/** Show a box above everything else, the piles that are open too. @param {HTMLElement | null} box */
function raise(box) {
  box?.showPopover();
}

/** The details of a card, one sentence each. @param {import("./faces.js").Face} face */
export function wordsOf({ details }) {
  const found = [];
  if (details.points) found.push(say("card.points", { n: Number(details.points) }));
  if (details.worth) found.push(say("card.worth", { worth: details.worth }));
  if (details.provides) found.push(say("card.provides", { what: details.provides }));
  if (details.makes) {
    const of = details.of.replaceAll(", ", say("comma"));
    found.push(say("card.recipe", { item: details.makes, of, bonus: details.bonus }));
  }
  for (const field of Object.keys(details).filter((name) => isSaid(`fieldname.${name}`))) {
    found.push(say(`card.reacts.${Math.min(2, Number(details[field]))}`, { field: say(`fieldname.${field}`) }));
  }
  return found;
}
