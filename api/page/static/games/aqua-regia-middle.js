/** The middle of a table of Aqua Regia: its fields, the metals and the stock. */
import { html, useLayoutEffect, useRef } from "../core/html.js";
import { say } from "../core/words.js";
import { Icon } from "../cards/signs.js";
import { FIELDS, SIGNS } from "./aqua-regia.js";

/** @typedef {import("../table/seat.js").Shared} Shared */

const LONG = 320; // milliseconds
const quiet = matchMedia("(prefers-reduced-motion: reduce)");

/** The liquid of the field before, which that of the next one displaces from below. @param {{field: string}} props */
function Displaced({ field }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const before = useRef(field);
  useLayoutEffect(() => {
    const liquid = place.current;
    const last = before.current;
    before.current = field;
    if (!liquid || last === field || quiet.matches) return;
    liquid.dataset.field = last;
    const gone = { opacity: 1, transform: "translate(60px, -110%)" };
    liquid.animate([{ opacity: 1, transform: "none" }, gone], { duration: LONG, easing: "ease-in-out" });
  }, [field]);
  return html`<div class="liquids" aria-hidden="true"><div class="liquid" ref=${place}></div></div>`;
}

/** Aqua Regia's fields in order, the metals with the play to beat, and the stock. @param {Shared} props */
export function Fields({ position, deck }) {
  const at = FIELDS.indexOf(position.field);
  const step = position.reversed ? -1 : 1;
  const next = [1, 2, 3].map((far) => FIELDS[(at + step * far + 4) % 4]);
  const stock = position.stock_count ?? position.stock?.length;
  const top = position.table?.at(-1);
  return html`<${Displaced} field=${position.field} />
  <div class="fields">
    <p class="in-force">
      <span class="field now"><${Icon} name=${SIGNS[position.field]} /> <strong>
        ${say(`fieldname.${position.field}`)}</strong></span>
      <span class="unseen">${say(`order.${Boolean(position.reversed)}`)}: </span>
      ${next.map(
        (field, far) => html`<span class=${`field far-${far}`}>
          <span aria-hidden="true">›</span> <${Icon} name=${SIGNS[field]} /> <span class="field-name">
            ${say(`fieldname.${field}`)}</span></span
        >`,
      )}
      ${stock !== undefined && html`<span class="stock">${say("stock.left", { n: stock })}</span>`}
    </p>
    <p class="ladder" aria-label=${say("ladder")} role="img">
      ${deck.cards.map(({ card, details }) => {
        const kind = Number(details[position.field]) > 0 ? "" : "inert";
        return html`<span key=${card} class=${card === top ? "lit" : kind}>${card}</span>`;
      })}
    </p>
    <p class="hinted dots">${say("ladder.dots")}</p>
  </div>`;
}
