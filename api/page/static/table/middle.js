/** The middle of the table, by game: the trick in play order, and what is in force. */
import { html } from "../core/html.js";
import { figure, say } from "../core/words.js";
import { Back, Card, Drawing } from "../cards/card.js";
import { faceOf, suitOf } from "../cards/faces.js";
import { Icon } from "../cards/signs.js";
import { FIELDS, SIGNS } from "../games/aqua-regia.js";
import { gameOf, setsAside } from "../games/index.js";
import { isYou, ownSeat, playing, seatName, suitsOf } from "../games/shared.js";
import { board, film } from "./film.js";
import { lined, lingering } from "./lingering.js";
import { Pile, around } from "./seat.js";
import { question } from "./telling.js";
import { useTravel } from "./travel.js";
import { ZoneView } from "./zone.js";

/** @typedef {import("./seat.js").Shared} Shared */
/** @typedef {import("../games/index.js").Zone} Zone */
/** @typedef {import("./lingering.js").Finished} Finished */

/** @param {Shared} shared */
export function Middle(shared) {
  const { position, zones } = shared;
  const isOver = board.value.toMove === null;
  const inForce = isOver && !position.stage ? Over : (IN_FORCE[position.game] ?? Ruled);
  const isEmpty = !zones.some(({ kind, cards }) => kind === "trick" && cards.length);
  const held = (isEmpty && lingering.value?.position) || position; // of the trick that is seen
  const aside = zones.filter((zone) => zone.lies === "aside" && zone.cards.length);
  const isLine = zones.some((zone) => zone.kind === "line");
  return html`<div class="middle">
    ${inForce && html`<${inForce} ...${shared} position=${held} />`}
    ${position.notes?.map((/** @type {string} */ sentence) => html`<p class="hinted">${sentence}</p>`)}
    ${isLine ? html`<${Line} ...${shared} />` : html`<${Trick} ...${shared} />`}
    ${
      aside.length > 0 &&
      html`<div class="asides">
      ${aside.map((zone) => html`<${Pile} zone=${zone} ...${shared} />`)}</div>`
    }
  </div>`;
}

/** The cards of the trick, each below the name of its player. @param {Shared} props */
function Trick({ position, deck, zones, card }) {
  const zone = zones.find((one) => one.kind === "trick");
  const { toMove } = board.value;
  const last = toMove === null ? lastOf(position) : lingering.value;
  const lies = Boolean(zone?.cards.length || !last);
  const shown = lies ? zone : last?.zone;
  if (!shown) return null;
  const won = { tone: "deed", mark: say("board.won") };
  const draw = lies ? card(shown) : (/** @type {number} */ at) => (last?.winner === at ? won : {});
  const run = position.game === "aqua-regia" ? topRun(shown.cards) : shown.cards.length;
  return html`<section class=${`trick zone-trick ${lies ? "" : "over"}`} aria-label=${shown.title}>
    <div class=${`cards ${shown.seats && position.game !== "aqua-regia" ? "round" : ""}`}>
      ${shown.cards.map((one, at) => {
        const lit = !lies && last?.winner === at ? "won" : "";
        const under = at < shown.cards.length - run ? "under" : "";
        return html`<${Slot} key=${`${at}-${one}`} card=${one} seat=${shown.seats?.[at] ?? position.owner}
          position=${position} isLast=${at === shown.cards.length - 1} states=${`${lit} ${under}`}>
          <span class="slot-seat">${whoPlayed(shown, at, position)}</span>
          <${Card} deck=${deck} card=${one} ...${draw(at)} />
        <//>`;
      })}
      ${
        !shown.cards.length &&
        toMove !== null &&
        html`<p class="hinted waiting">
        ${say(asked(toMove, position), { seat: seatName(toMove, position) })}</p>`
      }
    </div>
  </section>`;
}

/**
 * A card's place in the trick, in front of its player's seat.
 *
 * @param {{card: string, seat?: number, position: any, isLast: boolean, states: string, children: any}} props
 */
function Slot({ card, seat, position, isLast, states, children }) {
  const mine = ownSeat(position);
  const others = around(mine, gameOf(position.game)?.players(position) ?? 0);
  const from = others.find((one) => one.seat === seat)?.place ?? "mine";
  const place = useTravel(card, seat, seat === mine, isLast);
  return html`<div class=${`slot from-${from} ${states}`} ref=${place}>${children}</div>`;
}

/** The trick before, small, in a corner that no seat has. @param {Shared} props */
export function Before({ position, deck }) {
  const last = lastOf(position);
  if (!last || lingering.value || board.value.toMove === null) return null;
  return html`<div class="before" aria-hidden="true" data-title=${last.zone.title}>
    ${last.zone.cards.map(
      (one, at) => html`<span key=${`${at}-${one}`} class=${`card ${at === last.winner ? "taken" : ""}`}>
        <${Drawing} deck=${deck} card=${one} /></span>`,
    )}
  </div>`;
}

/** The last trick that is over; that of a round stays on the table. @param {any} position @returns {Finished | null} */
function lastOf(position) {
  const zone = gameOf(position.game)?.zones(position).findLast((one) => one.past && one.kind === "trick");
  return zone ? { zone, winner: zone.winner ?? -1 } : null;
}

/** What a seat has to do, in a word. @param {number} toMove @param {any} position */
function asked(toMove, position) {
  // Others set a card aside or pick one before the leader leads.
  const leads = !setsAside(position) && (position.leader ?? toMove) === toMove;
  if (!isYou(toMove, position)) return leads ? "trick.leads" : "board.turn";
  return leads ? "trick.youLead" : "trick.setAside";
}

const BLANK = "\u00a0";

/**
 * The seat that played a card of the trick; of a field, only the owner of the top cards is known.
 *
 * @param {Zone} zone @param {number} at @param {any} position
 */
function whoPlayed(zone, at, position) {
  if (zone.seats) return zone.seats[at] < 0 ? BLANK : seatName(zone.seats[at], position);
  const isTop = at === zone.cards.length - 1 && typeof position.owner === "number";
  return isTop ? seatName(position.owner, position) : BLANK;
}

/** How many cards of one metal lie on top. @param {string[]} cards */
function topRun(cards) {
  const top = cards.at(-1);
  let run = 0;
  while (run < cards.length && cards[cards.length - 1 - run] === top) run += 1;
  return run;
}

/** In force is nothing any more; of a game that is played, the panel says so. */
function Over() {
  return playing.value === null && html`<p class="in-force"><strong>${say("board.over")}</strong></p>`;
}

/** The rules in force of a game that the page knows from the service alone. @param {Shared} props */
function Ruled({ position }) {
  const ruled = gameOf(position.game)?.ruled?.(position) ?? [];
  return (
    ruled.length > 0 &&
    html`<p class="in-force">${ruled.map(
      ([label, word]) => html`<span key=${label}>${label} <strong>${word}</strong></span> `,
    )}</p>`
  );
}

/** Kirin's direction: which numbers are stronger now and, of equal ones, which colours. @param {Shared} props */
function Direction({ position, deck }) {
  const direction = setsAside(position) ? "ascending" : position.direction; // every round begins so
  if (!direction) return null;
  const rising = direction === "ascending";
  const turns = position.next_direction && position.next_direction !== direction;
  const colours = ["dragon", "bird", "tiger", "tortoise"];
  const inks = ["azure", "vermilion", "amber", "black"];
  const order = rising ? [0, 1, 2, 3] : [3, 2, 1, 0];
  const suits = suitsOf(deck);
  return html`<p class="in-force" title=${say(`direction.${direction}.why`)}>
    <span class=${`marker ${direction}`}><${Icon} name="rising" /></span>
    <strong>${say(`direction.${direction}`)}</strong>
    <span aria-hidden="true">${say("direction.equal", { ranks: say(`direction.${direction}.ranks`) })}</span>
    <span class="order" role="img" aria-label=${say(`direction.${direction}.why`)}>
      ${order.map(
        (at, place) =>
          html`<span class="order-step">${place > 0 && "> "}<span class=${`sign-${inks[at]}`}>
            <${Icon} name=${colours[at]} /> <span class="suit-name">${suits[at]?.join(" ")}</span></span></span> `,
      )}
    </span>
    ${turns && html`<${Turning} to=${position.next_direction} />`}
  </p>`;
}

/** What a kirin in the trick changes. @param {{to: string}} props the direction from the next trick on */
function Turning({ to }) {
  const words = say("direction.next", { ranks: say(`direction.${to}.ranks`) });
  return html`<span class="turning" title=${words}>
    › <${Icon} name=${to === "ascending" ? "rising" : "falling"} /> <span>${words}</span></span>`;
}

/** The lead suit of a trick of King × Alchemy, and what beats it. @param {Shared} props */
function Led({ position, deck }) {
  const { toMove } = board.value;
  const picks = position.stage === "pick";
  const asks = picks && !film.value && question.value; // what the others picked
  const own = isYou(toMove ?? -1, position) || position.stage === "set";
  const others = picks && say("king.othersPick");
  const task = asks || (own ? gameOf("king")?.task?.({ ...board.value, position }, deck) : others);
  if (task) return html`<p class="in-force"><strong>${task}</strong></p>`;
  const [first] = position.trick ?? [];
  if (!first) return html`<p class="in-force"><${Icon} name="sun" /> ${say("king.trumps")}</p>`;
  const face = faceOf(deck, first);
  const suit = suitOf(deck, first);
  const sign = gameOf("king")?.look(deck.cards.find((one) => one.suit === suit) ?? face, first).suit;
  return html`<p class="in-force">
    ${sign && html`<${Icon} name=${sign} />`} <strong>${say("king.led", { suit: suit ?? face.name })}</strong>
    <span class="order"><${Icon} name="sun" /> ${say("king.trumps")}</span>
  </p>`;
}

/** Aqua Regia's fields in order, the metals with the play to beat, and the stock. @param {Shared} props */
function Fields({ position, deck }) {
  const at = FIELDS.indexOf(position.field);
  const step = position.reversed ? -1 : 1;
  const next = [1, 2, 3].map((far) => FIELDS[(at + step * far + 4) % 4]);
  const stock = position.stock_count ?? position.stock?.length;
  const top = position.table?.at(-1);
  return html`<div class="fields">
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

const IN_SIGHT = 24; // cards of a known stock that are shown without being asked for

/** Alchemy's line and the stock and, where no seat has it, the drawn card. @param {Shared} props */
function Line({ position, deck, zones, card }) {
  const of = (/** @type {(zone: Zone) => boolean} */ which) =>
    zones.filter((zone) => which(zone) && zone.cards.length);
  const drawn = of((zone) => zone.lies === "drawn" && zone.seat === undefined);
  const stock = position.stock?.length ?? position.unseen?.length;
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
  const most = position.cap && !said.length && say("cap", { n: position.cap });
  const facts = [most, !isPile && left].filter(Boolean).join(" · ");
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

const IN_FORCE = /** @type {Record<string, any>} */ ({ kirin: Direction, king: Led, "aqua-regia": Fields });
