/** The table while a position is set up: the seats round the middle, each with its places to be filled. */
import { html, useEffect, useRef } from "../core/html.js";
import { toSight, wide } from "../core/panel.js";
import { isSaid, say } from "../core/words.js";
import { Back, Card, spoken } from "../cards/card.js";
import { deckOf } from "../cards/faces.js";
import { Word } from "../cards/told.js";
import { Chips } from "../parts/chips.js";
import { DeckChoice, sent } from "../parts/options.js";
import { gameOf, marked, startOf } from "../games/index.js";
import { isFollowed, ownSeat, seatName } from "../games/shared.js";
import { addPast, countOf, draft, dropPast, faults, fields, lacking, missing } from "./draft.js";
import { restart, setField, target, zones } from "./draft.js";
import { Fields, wordOf } from "./fields.js";
import { Head, around, nearby } from "./seat.js";
import { Voids } from "./voids.js";
import { isWithin, titleOf } from "./zone.js";

/** @typedef {import("../games/index.js").Zone} Zone */
/** @typedef {import("../games/index.js").Field} Field */

/**
 * @typedef {object} Shared properties that every part of the table gets
 * @property {any} position
 * @property {import("../cards/faces.js").Deck} deck
 * @property {Zone[]} all
 */

export const MORE = "more-fields";

export function Editor() {
  const position = draft.value;
  const game = gameOf(position?.game);
  const board = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const around = board.current?.parentElement;
    if (!around) return undefined;
    // The sheet below takes more room as it fills.
    const sight = new ResizeObserver(() => toSight(around.querySelector('.spot[aria-pressed="true"]')));
    sight.observe(around);
    return () => sight.disconnect();
  }, [target.value, position]);
  if (!game) return null;
  const all = zones.value;
  const more = game.fields(position).filter((field) => field.more);
  const shared = { position, deck: deckOf(position), all };
  const players = game.players(position);
  const mine = ownSeat(position);
  return html`<div class="board editor" ...${marked(game)} ref=${board}>
    <p class="hinted how">${say(taskOf(position))}</p>
    <div class="row kinds"><${Kinds} game=${game} position=${position} />
      ${more.length > 0 && html`<${More} fields=${more} position=${position} />`}</div>
    <div class=${`felt others-${players - 1}`}>
      ${
        players > 1 &&
        html`<div class="seats">
        ${around(mine, players).map(
          ({ seat, place }) => html`<${Seat} key=${seat} seat=${seat} place=${`seat at-${place}`} ...${shared} />`,
        )}
      </div>`
      }
      <div class="middle">
        <${Spots} which=${(/** @type {Zone | Field} */ one) => one.seat === undefined && !("past" in one)}
          ...${shared} />
        ${isLate(position) && html`<button type="button" class="spot to-earlier" onClick=${toEarlier}>
          <span class="spot-name">${say("past.brief")}</span></button>`}
      </div>
    </div>
    ${players > 1 && html`<${Seat} seat=${mine} place="mine" ...${shared} />`}
    <div class="board-foot">
      <${Earlier} ...${shared} />
    </div>
  </div>`;
}

/** The next thing to do, as the key of a sentence. @param {any} position */
function taskOf(position) {
  const start = startOf(position);
  const own = (/** @type {string} */ key, /** @type {string} */ other) => (isSaid(key) ? key : other);
  if ("hands" in position) return own(`known.${position.game}`, "mine.known");
  if (start?.name === "free") return "mine.known";
  return start && start.name !== "seen" ? own(`mine.${position.game}`, "mine.other") : "mine.late";
}

/**
 * What is set up, and for how many players; both can be changed on the way.
 *
 * @param {{game: import("../games/index.js").Drawn, position: any}} props
 */
function Kinds({ game, position }) {
  const now = startOf(position);
  if (!now) return null;
  const [least, most] = now.players;
  const players = game.players(position);
  const starts = game.starts.filter((start) => !start.rare || start === now);
  const counts = Array.from({ length: most - least + 1 }, (_, at) => least + at);
  return html`<${Chips} label=${say("setup.kind")} options=${starts.map((start) => [start, start.title])} value=${now}
      onChange=${(/** @type {any} */ start) => restart(start, players)} />
    ${
      counts.length > 1 &&
      html`<${Chips} label=${say("setup.players")} labelled options=${counts.map((count) => [count, count])}
      value=${players} onChange=${(/** @type {number} */ count) => restart(now, count)} />`
    }`;
}

/**
 * What is rarely needed: the deck, then such as the match and disputed rules. It opens over the table and, on a phone,
 * the sheet. Who follows "Use mine" to it finds the deck at its top.
 *
 * @param {{fields: Field[], position: any}} props
 */
function More(props) {
  return html`<button type="button" class="chip more" popovertarget=${MORE} aria-label=${say("fields.more")}>
      <span aria-hidden="true">⋯</span> <span class="more-words">${say("fields.more")}</span></button>
    <div class="opened fields" id=${MORE} popover onBeforeToggle=${nearby}>
      <${Cards} position=${props.position} /> <${Fields} ...${props} /></div>`;
}

/** The deck of what is set up: cards that another one has too stay where they lie. @param {{position: any}} props */
function Cards({ position: { game, deck = "" } }) {
  const agreed = { rules: [], deck: typeof deck === "string" ? deck : JSON.stringify(deck) };
  const change = (/** @type {import("../parts/options.js").Agreed} */ next) => setField("deck", sent(next).deck);
  return html`<${DeckChoice} game=${game} agreed=${agreed} onChange=${change} isOpen />`;
}

/**
 * A seat with its places; a click on it chooses the first one.
 *
 * @param {Shared & {seat: number, place: string}} props
 */
function Seat({ seat, place, ...shared }) {
  const { position, deck, all } = shared;
  const own = all.filter((zone) => zone.seat === seat && !zone.past);
  const choose = (/** @type {any} */ event) =>
    own.length && !event.target.closest("button, label") && (target.value = own[0].path);
  return html`<section class=${place} aria-label=${seatName(seat, position)} onClick=${choose}>
    <${Head} seat=${seat} position=${position} deck=${deck} zones=${[]} />
    <${Spots} which=${(/** @type {Zone | Field} */ one) => one.seat === seat && !("past" in one)} ...${shared} />
  </section>`;
}

/** Some of the places and fields. @param {Shared & {which: (one: Zone | Field) => boolean}} props */
function Spots({ which, all, ...shared }) {
  return html`<div class="spots">
    ${all.filter(which).map((zone) => html`<${Spot} key=${zone.path} zone=${zone} ...${shared} />`)}
    ${fields.value.filter(which).map((field) => html`<${Asked} key=${field.path} field=${field} ...${shared} />`)}
  </div>`;
}

/** A field with its value, to be chosen. @param {{field: Field, position: any}} props */
function Asked({ field, position }) {
  const { path, title, kind } = field;
  const word = wordOf(field, position);
  const text = word || say("place.missing");
  return html`<button type="button" class=${`spot spot-${kind} ${missing.value.includes(path) ? "missing" : ""}`}
    aria-pressed=${target.value === path} aria-label=${say("labelled", { label: titleOf(field, position), text })}
    onClick=${() => (target.value = path)}>
    <span class="spot-name">${title} <b>${word || "?"}</b></span>
  </button>`;
}

/** A place with its cards, to be chosen. @param {Omit<Shared, "all"> & {zone: Zone}} props */
function Spot({ zone, position, deck }) {
  const { path, kind, cards, seats } = zone;
  const on = target.value === path;
  const isWrong = faults.value.some((fault) => isWithin(fault.path, path));
  const isMissing = missing.value.includes(path);
  const state = `${isWrong ? "wrong" : ""} ${isMissing ? "missing" : ""}`;
  const word = cards.length ? html`<${Word} deck=${deck} card=${cards[0]} />` : isMissing && "?";
  const held = kind === "trick" && cards.length ? "" : countOf(zone) || word; // else "Trick 2" is the second
  return html`<button type="button" class=${`spot spot-${kind} ${state}`} aria-pressed=${on}
    aria-label=${say("labelled", { label: titleOf(zone, position), text: spoken(deck, cards) })}
    onClick=${() => (target.value = path)}>
    <span class="spot-name">${zone.title} <b>${held}</b></span>
    <span class="spot-cards" style=${{ "--n": cards.length }}>
      ${cards.map(
        (card, at) => html`<span class="slot" key=${`${at}-${card}`}>
          ${seats && html`<span class="slot-seat">${seatName(seats[at], position)}</span>`}
          <${Card} deck=${deck} card=${card} /></span>`,
      )}
      ${(!cards.length || lacking(zone) > 0) && html`<${Back} empty next=${on} label=${zone.title} />`}
    </span>
  </button>`;
}

/** Whether a draft is of one who joined late, and may remember some of what was played. @param {any} position */
function isLate(position) {
  return "gone" in position;
}

/** Open what is remembered of earlier tricks, which on a phone lies below the table. */
function toEarlier() {
  const earlier = /** @type {HTMLDetailsElement} */ (document.querySelector(".earlier"));
  earlier.open = true;
  toSight(earlier);
}

/** What is rarely known of earlier tricks: what others can't hold, and whole tricks. @param {Shared} shared */
function Earlier(shared) {
  const { position, deck } = shared;
  const { history, voids = {} } = position;
  const game = gameOf(position.game);
  const kinds = isLate(position) ? (game?.kinds?.(deck) ?? []) : [];
  const hasTricks = game?.past && Array.isArray(history);
  if (!kinds.length && !hasTricks) return null;
  const isTold = Object.keys(voids).length + (history ?? []).length > 0;
  const shown = (/** @type {any} */ { currentTarget }) => currentTarget.open && !wide.value && toSight(currentTarget);
  return html`<details class="earlier" open=${isLate(position) && (isTold || wide.value)} onToggle=${shown}>
    <summary>${say("past.title")}</summary>
    ${kinds.length > 0 && html`<${Voids} position=${position} kinds=${kinds} />`}
    ${hasTricks && html`<${Tricks} ...${shared} />`}
  </details>`;
}

/** The finished tricks: who led each, its places, and buttons to add or remove one. @param {Shared} shared */
function Tricks(shared) {
  const { position } = shared;
  const { history } = position;
  const game = /** @type {import("../games/index.js").Drawn} */ (gameOf(position.game));
  return html`<p class="hinted">${say("past.why")}</p>
    ${history.map((/** @type {any} */ past, /** @type {number} */ at) => {
      const title = say("past.leader", { at: at + 1 });
      const field = {
        path: `history[${at}].leader`,
        title,
        kind: "seat",
        value: past.leader,
        most: game.players(position),
      };
      return html`<div class="row" key=${at}>
        ${(at === 0 || !isFollowed(position)) && html`<${Fields} fields=${[field]} position=${position} />`}
        <button type="button" class="quiet small" onClick=${() => dropPast(at)}>
          ${say("past.drop", { at: at + 1 })}</button>
        <${Spots} ...${shared} which=${(/** @type {Zone} */ zone) => zone.past === at + 1} />
      </div>`;
    })}
    <button type="button" onClick=${() => addPast(game.past?.(position.leader))}>${say("past.add")}</button>`;
}
