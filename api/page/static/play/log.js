/** The log of the game, trick by trick, the last one first: who played what and why, and who won. */
import { html, signal } from "../core/html.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { deckOf } from "../cards/faces.js";
import { Move } from "../cards/moves.js";
import { Told } from "../cards/told.js";
import { gameOf } from "../games/index.js";
import { isAlone } from "../games/match.js";
import { ended, happened, options, standing, whose } from "./match.js";

/** @typedef {import("./match.js").Happened} Happened */
/** @typedef {import("../cards/faces.js").Deck} Deck */

const SHOWN = 8; // moves of a round in play that are shown unless all are unfolded

const whyOpen = signal(false);
const allOpen = signal(false);

/** Whether a move's round is over; until then, its reason would reveal the seat's cards. @param {Happened} one */
function isOver({ round }) {
  return ended.value !== null || round < standing.value.round;
}

export function Log() {
  const round = ended.value?.round ?? standing.value.round;
  const all = inExchanges(happened.value).map((one) => (isOver(one) ? one : { ...one, reason: null }));
  const ofRound = all.filter((one) => one.round === round);
  const few = ended.value ? ofRound : lastOf(ofRound);
  const list = allOpen.value ? all : few;
  const deck = deckOf(table.value.position);
  return html`<section class="stack">
    <div class="row">
      <h3>${say("play.log")}</h3>
      ${list.some((one) => one.reason) && html`<${Why} />`}
    </div>
    ${!list.length && html`<p class="hinted">${say("play.none")}</p>`}
    <div class="log">
      ${tricksOf(list)
        .toReversed()
        .map((moves) => html`<${Trick} key=${moves[0].made} moves=${moves} deck=${deck} />`)}
    </div>
    ${
      all.length > few.length &&
      html`<button type="button" class="quiet small" aria-pressed=${allOpen.value}
        onClick=${() => (allOpen.value = !allOpen.value)}>${say("play.logAll", { n: all.length })}</button>`
    }
  </section>`;
}

/** In a duel, both players' moves of an exchange belong together, as those of a trick do. @param {Happened[]} list */
function inExchanges(list) {
  if (options.value?.variant !== "duel") return list;
  const before = (/** @type {Happened} */ one) => list.findIndex(({ round }) => round === one.round);
  return list.map((one, at) => ({ ...one, trick: Math.floor((at - before(one)) / 2) + 1 }));
}

/** A button that unfolds the reasons. */
function Why() {
  const toggle = () => (whyOpen.value = !whyOpen.value);
  return html`<button type="button" class="small" aria-pressed=${whyOpen.value} title=${say("play.whyLong")}
    onClick=${toggle}>${say("play.why")}</button>`;
}

/** The last moves, from the beginning of a trick on. @param {Happened[]} list */
function lastOf(list) {
  const [first] = list.slice(-SHOWN);
  const isFirst = (/** @type {Happened} */ one) => one.round === first.round && one.trick === first.trick;
  return list.slice(first?.trick === null ? -SHOWN : list.findIndex(isFirst));
}

/**
 * The moves grouped by trick; moves between tricks have groups of their own, and so has each move of a solitaire.
 *
 * @param {Happened[]} list
 */
function tricksOf(list) {
  if (isAlone(options.value)) return list.map((one) => [one]);
  /** @type {Happened[][]} */
  const found = [];
  for (const one of list) {
    const [before] = found.at(-1) ?? [];
    if (before && before.round === one.round && before.trick === one.trick) found.at(-1)?.push(one);
    else found.push([one]);
  }
  return found;
}

/** @param {{moves: Happened[], deck: Deck}} props */
function Trick({ moves, deck }) {
  const { trick } = moves[0];
  const winner = moves.at(-1)?.won_by ?? null;
  const named = winner !== null && !gameOf(deck.game)?.heaps; // where no move's sentence names the winner first
  return html`<section class="log-trick">
    ${
      trick !== null &&
      html`<h4>${say(gameOf(deck.game)?.sums ? "log.exchange" : "zone.past", { at: trick })}
      ${winner !== null && html` · ${say("play.won", { who: whose(winner) })}`}</h4>`
    }
    <ol class="plain">
      ${moves.map((one, at) => {
        const keeps = one.move === "pass" && moves[at - 1]?.seat === one.seat; // who has drawn exchanges nothing
        const shown = keeps ? { ...one, move: null, announcement: say("move.keep") } : one;
        return html`<${Line} key=${one.made} one=${shown} deck=${deck} named=${named} />`;
      })}
    </ol>
  </section>`;
}

/**
 * What follows the move in its sentence, as one of its own; without who won the trick if that is `named` above.
 *
 * @param {string} rest @param {boolean} named
 */
function sentence(rest, named) {
  const more = named ? rest.replace(/^[;。][^;。]*(?:。$)?/, "") : rest;
  return more.replace(/^[;。]\s*(.)/, (_, first) => first.toUpperCase());
}

/**
 * A move: its cards, and what else everybody saw of it.
 *
 * @param {{one: Happened, deck: Deck, named: boolean}} props whether the winner of its trick is named above
 */
function Line({ one, deck, named }) {
  const { move, announcement, reason } = one;
  // A move within its sentence, such as "picks E3" of another language, is drawn with the sentence.
  const shown = move !== null && announcement.startsWith(move) && !/^[^;。]/.test(announcement.slice(move.length));
  const more = shown && sentence(announcement.slice(move.length), named).trim();
  return html`<li>
    <span class="log-move">
      ${!isAlone(options.value) && html`<strong>${say("play.who", { who: whose(one.seat) })}</strong> `}
      <span>${shown ? html`<${Move} deck=${deck} move=${move} />` : html`<${Told} deck=${deck} text=${announcement} />`}
      </span></span>
    ${more && html` <span class="log-more"><${Told} deck=${deck} text=${more} /></span>`}
    ${whyOpen.value && reason && html`<p class="hinted"><${Told} deck=${deck} text=${reason} /></p>`}
  </li>`;
}
