/** The middle of a table of Alchemy: the line, the stock and the drawn card. */
import { html } from "../core/html.js";
import { figure, say } from "../core/words.js";
import { Back } from "../cards/card.js";
import { faceOf } from "../cards/faces.js";
import { lined } from "../table/lingering.js";
import { ZoneView } from "../table/zone.js";
import { seatName } from "./shared.js";

/** @typedef {import("../table/seat.js").Shared} Shared */
/** @typedef {import("./index.js").Zone} Zone */

const IN_SIGHT = 24; // cards of a known stock that are shown without being asked for

/** Alchemy's line and the stock and, where no seat has it, the drawn card. @param {Shared} props */
export function Line({ position, deck, zones, card }) {
  const of = (/** @type {(zone: Zone) => boolean} */ which) =>
    zones.filter((zone) => which(zone) && zone.cards.length);
  const drawn = of((zone) => zone.lies === "drawn" && zone.seat === undefined);
  const stock = position.stock?.length ?? position.unseen?.length ?? position.stock_count;
  const draw = (/** @type {Zone} */ zone) =>
    html`<${ZoneView} key=${zone.path} zone=${zone} deck=${deck} position=${position} card=${card(zone)} />`;
  const left = stock !== undefined && say("stock.left", { n: stock });
  const aside = lined.value ? 0 : (position.table_jokers ?? 0);
  const cards = Array.from({ length: aside }, () => "X");
  const jokers = /** @type {Zone[]} */ (
    aside ? [{ path: "table_jokers", title: say("field.table_jokers"), cards, kind: "line" }] : []
  );
  const drawers = lined.value ? [] : zones.filter(({ lies, cards: held }) => lies === "drawn" && held.includes("X"));
  const said = [
    ...(aside ? [say("jokers.aside", { n: aside, points: aside * Number(faceOf(deck, "X").details.points) })] : []),
    ...drawers.map(({ seat = 0 }) => say("jokers.drawn", { seat: seatName(seat, position), n: aside ? 5 : 4 })),
  ];
  const isPile = left && stock > 0 && drawn.length > 0; // drawn beside the card that came from it
  const isDuel = position.variant === "duel"; // whose line always has as many
  const most = position.cap && !said.length && (isDuel ? say("duel.points") : say("cap", { n: position.cap }));
  const facts = [most, !isPile && left].filter(Boolean).join("\u00a0· ");
  const caption = lined.value ? say("board.takes", { seat: seatName(1, position) }) : facts;
  return html`${
    drawn.length > 0 &&
    html`<div class="line-row">
      ${drawn.map(draw)}
      ${
        isPile &&
        html`<div class="zone">
        <h2 class="zone-title">${say("zone.stock")}</h2>
        <${Back} label=${left} count=${figure(stock)} />
      </div>`
      }
    </div>`
  }
    <div class="line-row">${[...of((zone) => zone.kind === "line"), ...jokers].map(draw)}</div>
    ${said.map((words) => html`<p class="hinted" key=${words}>${words}</p>`)}
    ${of((zone) => zone.path === "stock").map(
      (zone) => html`<details class="stock-order" key="stock" open=${zone.cards.length <= IN_SIGHT}>
        <summary>${say("zone.stock.paper")}</summary>${draw(zone)}</details>`,
    )}
    ${caption && html`<p class="hinted">${caption}</p>`}`;
}
