/**
 * The table: the seats around the middle, and the player's own hand below. Hints, analyses, games in progress, puzzles
 * and reviews all show their cards here.
 */
import { computed, effect, html } from "../core/html.js";
import { laid as laidDown } from "../core/feel.js";
import { announce } from "../core/live.js";
import { wide } from "../core/panel.js";
import { text } from "../core/session.js";
import { fault, instead, table } from "../core/table.js";
import { say } from "../core/words.js";
import { spoken } from "../cards/card.js";
import { codeOf, deckOf } from "../cards/faces.js";
import { deedOf } from "../cards/moves.js";
import { Told } from "../cards/told.js";
import { gameOf, marked, setsAside } from "../games/index.js";
import { isYou, nearSeat, seatName, solving } from "../games/shared.js";
import { Otherwise } from "./anyway.js";
import { AtHand, Choices } from "./choices.js";
import { keepStill } from "./dragging.js";
import { Faults } from "./faults.js";
import { board, film } from "./film.js";
import { Foot } from "./foot.js";
import { Hand } from "./hand.js";
import { lined, spotOf } from "./lingering.js";
import { advised, isOn, keysOf, marks, remark, tones } from "./marks.js";
import { Before, Middle } from "./middle.js";
import { addUp, candidates, impliedBy, isBeingMade, isDiscarding, isTraded, pick, pickOf } from "./picking.js";
import { holder, picked, placed, racing, settled, toggle } from "./picking.js";
import { Seat, around } from "./seat.js";
import { Tally } from "./tally.js";
import { explain, told } from "./telling.js";

/** @typedef {import("../games/index.js").Zone} Zone */

let lastTold = "";
let lastSolver = solving.value;
let lastWords = "";

/**
 * Announce the table whenever it changes, and when a puzzle has arrived and one of its seats is "you": once its deck,
 * which names the cards, has come.
 */
effect(() => {
  const { position, laid, toMove, text } = table.value;
  const solver = solving.value;
  const deck = deckOf(position);
  if (!position || !deck.cards.length || (text === lastTold && (solver === null || solver === lastSolver))) return;
  const isNew = text !== lastTold;
  if (lastTold && isNew) laidDown();
  [lastTold, lastSolver] = [text, solver];
  queueMicrotask(() => {
    const zones = gameOf(position.game)?.zones(laid) ?? [];
    const lying = zones.find((zone) => zone.kind === "trick" || zone.kind === "line");
    const cards = lying?.cards.length ? `${lying.title}: ${spoken(deck, lying.cards)}.` : "";
    const words = `${cards} ${turnOf(toMove, position)}`;
    if (isNew || words !== lastWords) announce(words);
    lastWords = words;
  });
});

/** Whose turn it is, in a sentence. @param {number | null} toMove @param {any} position */
export function turnOf(toMove, position) {
  if (position.stage === "set" || position.cards) return say("board.set");
  if (toMove === null) return say("board.over");
  if (isYou(toMove, position)) {
    return say(setsAside(position) ? "trick.setAside" : "board.yourTurn");
  }
  return say("board.turn", { seat: seatName(toMove, position) });
}

/**
 * What every part of the table gets: see `Shared`. It stays while nothing but marks and chosen cards change: these are
 * read where cards are drawn, so that no other part is drawn anew. Null if there is no table to draw.
 */
const parts = computed(() => {
  const { laid: position } = board.value;
  const game = gameOf(position?.game);
  const deck = deckOf(position);
  if (!game || !deck.game) return null;
  const [move] = told.value;
  const drawn = move && !film.value ? (game.underway?.(position, move) ?? position) : position;
  const stays = lined.value;
  const zones = stays?.zones ?? game.zones(drawn).filter((zone) => !zone.past);
  return { deck, position: drawn, zones, card: stays ? lyingIn(stays) : cardOf(deck, position) };
});

/** Whether other seats' hands are known, which takes room. */
export const hasOpen = computed(() => {
  const shared = parts.value;
  const isOpen = (/** @type {Zone} */ { kind, seat, cards }) =>
    kind === "hand" && cards.length > 0 && seat !== undefined && seat !== ownPlace(shared?.position);
  return shared?.zones.some(isOpen) ?? false;
});

/** The seat whose hand lies below the table. @param {any} position */
function ownPlace(position) {
  return Math.min(nearSeat(position), (gameOf(position.game)?.players(position) ?? 1) - 1);
}

export function Table() {
  const { laid: position, toMove, moves } = board.value;
  const game = gameOf(position?.game);
  const shared = parts.value;
  if (!game || !shared) {
    if (fault.value) {
      const isUnread = fault.value.code !== "proxy"; // else nothing is known of it
      return html`<p>${isUnread && say("board.unread")} <a href="#">${say("board.home")}</a></p>
        <${Faults} found=${fault.value} />`;
    }
    const isUndrawn = position && !game;
    return html`<p class="hinted">${say(isUndrawn ? "board.undrawn" : "board.loading")}</p>
      ${isUndrawn && html`<${Otherwise} />`}`;
  }
  const { deck } = shared;
  const players = game.players(position);
  const mine = ownPlace(position);
  const byHand = mine === toMove && players > 1 && !lined.value;
  const others = around(mine, players);
  const stale = !instead.value && !fault.value && text.value !== board.value.from;
  return html`<div class=${hasOpen.value ? "board open-hands" : "board"} ...${marked(game)} aria-busy=${stale}
    onTouchMove=${keepStill}>
    <${Faults} found=${fault.value} position=${position} />
    <div class=${`felt others-${others.length}`}>
      ${
        others.length > 0 &&
        html`<div class="seats">
        ${others.map(({ seat, place }) => html`<${Seat} key=${seat} seat=${seat} place=${place} ...${shared} />`)}
      </div>`
      }
      <${Middle} ...${shared} />
      ${wide.value && others.length > 1 && others.length < 4 && html`<${Before} ...${shared} />`}
      ${wide.value && html`<${Tally} ...${shared} />`}
    </div>
    <${Remark} deck=${deck} />
    <${Hand} seat=${mine} bare=${byHand && html`<${AtHand} moves=${moves} deck=${deck} />`} ...${shared}>
      ${!film.value && html`<${Choices} deck=${deck} position=${position} byHand=${byHand} />`}
    <//>
    ${wide.value && html`<${Foot} />`}
  </div>`;
}

/** How to draw the cards of a duel's exchange that has ended. @param {import("./lingering.js").Lined} stays */
function lyingIn({ taken }) {
  const lit = { tone: "taken", label: say("board.take") };
  return (/** @type {Zone} */ zone) => (/** @type {number} */ at) => (taken.has(spotOf(zone, at)) ? lit : {});
}

/** The remark next to the cards; its author announces it. @param {{deck: import("../cards/faces.js").Deck}} props */
function Remark({ deck }) {
  const { words, tone } = remark.value;
  return words ? html`<p class=${`remark ${tone}`}><${Told} deck=${deck} text=${words} /></p>` : null;
}

/**
 * How to draw a card of a place: whether it can be clicked or is recommended, and its value.
 *
 * @param {import("../cards/faces.js").Deck} deck @param {any} position
 */
function cardOf(deck, position) {
  const isKnown = deck.cards.length > 0; // else the deck is on its way, and nothing can be said of a card
  const choose = gameOf(position.game)?.sums ? addUp : pick;
  const deeds = computed(() => deedsOf(candidates(deck, impliedBy(position))));
  return (/** @type {Zone} */ zone) => (/** @type {number} */ index) => {
    const { toMove } = table.value;
    const implied = impliedBy(position);
    const one = { path: zone.path, index, card: zone.cards[index] };
    const isFree = !film.value && !told.value.length;
    const isIdle = zone.lies === "drawn" && isDiscarding.value;
    const turn = isFree && zone.moves && !isIdle && (zone.seat === undefined || zone.seat === toMove);
    const chosen = pickOf(one);
    if (turn && zone.kind === "trick" && settled.value.includes(one.card)) {
      return { tone: "deed", mark: say("move.take") };
    }
    const canPick = () => (racing.value ? zone.kind === "line" && holder.value !== null : placed(deck, one, []));
    if (!turn || !(chosen ?? canPick())) {
      const dimmed = isKnown && isFree && zone.kind === "hand" && zone.seat === toMove && table.value.moves.length;
      if (!dimmed) return {};
      return { tone: "dimmed", label: say("card.dimmed"), onWhy: () => explain(codeOf(one.card)) };
    }
    const isImplied = zone.lies === "drawn"; // it is part of every match
    const best = advisedAs(zone, index, implied);
    const traded = isTraded(deck, one);
    const said = [best && say("card.advised"), traded && say("card.traded")];
    const deed = chosen ? deeds.value[chosen.half] : !picked.value.length && best?.deed;
    const key = keysOf(zone.cards.slice(0, index + 1))[index];
    const word = deed ? say(`move.${deed}`) : marks.value.get(key);
    const verdict = deed ? "" : tones.value.get(key);
    const looks = [!isImplied && "legal", best && "best", traded && "traded", verdict && `is-${verdict}`];
    return {
      onPick: isImplied
        ? undefined
        : (/** @type {any} */ { detail }) => (racing.value ? toggle(one) : choose(deck, one, implied, detail.isGiven)),
      pressed: Boolean(chosen),
      busy: isBeingMade(one),
      tone: [...looks, (deed || (word && isOn.value)) && "deed"].filter(Boolean).join(" "),
      label: said.filter(Boolean).join(say("comma")),
      mark: word,
    };
  };
}

/** What all of these moves do with the cards of each half; nothing if they differ. @param {string[]} moves */
function deedsOf(moves) {
  const [first = [], ...others] = moves.map((move) => deedOf(move).halves);
  return others.every((halves) => String(halves) === String(first)) ? first : [];
}

/**
 * The card as a part of the recommended move. Of equal cards as many are as the move has; the drawn one is always among
 * the `implied` ones.
 *
 * @param {Zone} zone @param {number} index @param {string[]} implied
 */
function advisedAs(zone, index, implied) {
  const code = codeOf(zone.cards[index]);
  const before = [...(zone.lies === "drawn" ? [] : implied), ...zone.cards.slice(0, index)];
  const equal = before.filter((card) => codeOf(card) === code).length;
  const isHere = (/** @type {import("./marks.js").Advised} */ one) =>
    one.code === code && (zone.kind === "trick" || one.half === (zone.path === "discard" ? 1 : 0));
  return advised.value.map((cards) => cards.filter(isHere)[equal]).find(Boolean);
}
