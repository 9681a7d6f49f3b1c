/**
 * A duel as a race: both players look for a match at once. The service says which matches there are, and what the
 * opponent finds after how long; here is the clock.
 */
import { batch, effect, html, signal, untracked } from "../core/html.js";
import { bind } from "../core/keys.js";
import { announce } from "../core/live.js";
import { say } from "../core/words.js";
import { deckOf, faceOf } from "../cards/faces.js";
import { spoken } from "../cards/card.js";
import { Told } from "../cards/told.js";
import { hasGone, lined } from "../table/lingering.js";
import { NONE, holder, picked } from "../table/picking.js";
import { matchOf } from "../table/sums.js";
import { did, ended, isUp, options, send, standing, whose } from "./match.js";

const LIMIT = 20; // seconds to find a match, by the rulebook
const HOLD = 5; // and to take its cards, at one screen, for whoever says to have one
const SLOWER = /** @type {Record<string, number>} */ ({ slow: 2, fast: 0.5 }); // times the seconds of an even pace
const WARNING = [10, 5]; // seconds left, which are announced
const STEP = 100; // milliseconds

/** Seconds left; null while the clock stands. */
const left = signal(/** @type {number | null} */ (null));
/** What happened last, in a sentence, and the moves of which it was the last. */
const said = signal({ line: "", words: "" });
let clock = 0;
let until = { at: 0, late: () => {} };

const isTwo = () => options.value?.race === "two";
const own = () => options.value?.seat ?? 0;

/** A new exchange waits until its cards are turned up; after the first grab, the clock begins anew for the other. */
effect(() => {
  const now = options.value?.race && !ended.value ? standing.value : null;
  untracked(() => {
    stop();
    holder.value = null;
    isUp.value = Boolean(now?.position.grabbed);
    if (isUp.value) hasGone().then(() => standing.value === now && run());
  });
});

function stop() {
  clearInterval(clock);
  left.value = null;
}

/** @param {number} seconds @param {() => void} late what happens after them */
function count(seconds, late) {
  until = { at: performance.now() + 1000 * seconds, late };
  left.value = seconds;
}

/** Let both look for a match, or whoever has not grabbed. */
function run() {
  const { position, to_move: toMove, opponent_match: find } = standing.value;
  const first = !position.grabbed;
  const others = first || toMove !== own();
  if (!isTwo()) holder.value = toMove === own() ? toMove : null;
  else if (!first) holder.value = toMove;
  count(LIMIT, () => act(first ? ["none", "none"] : ["none"]));
  const { race = "" } = options.value ?? {};
  const none = first ? LIMIT : 1; // seconds until an opponent who finds nothing says so
  const seconds = find ? find.seconds * (SLOWER[race] ?? 1) : none;
  const due = !isTwo() && others && seconds < LIMIT ? performance.now() + 1000 * seconds : Infinity;
  clearInterval(clock);
  clock = window.setInterval(() => {
    const now = performance.now();
    if (now >= due) act([by(1 - own(), find?.move ?? "none")]);
    else if (now >= until.at) until.late();
    else {
      const seconds = Math.ceil((until.at - now) / 1000);
      if (seconds !== left.value && WARNING.includes(seconds)) announce(say("race.left", { n: seconds }));
      left.value = seconds;
    }
  }, STEP);
}

/** A move with its seat, where it is not clear who makes it. @param {number} seat @param {string} move */
function by(seat, move) {
  return standing.value.position.grabbed || seat === own() ? move : `${seat}:${move}`;
}

/** @param {string[]} moves */
async function act(moves) {
  stop();
  const last = await send(moves);
  if (last?.seat !== own() && last) announce(did("play.did", last));
}

/** Turn up both cards, and start the clock. */
function turnUp() {
  const { hand, opponent_hand: other } = standing.value.position;
  batch(() => {
    isUp.value = true;
    said.value = { line: "", words: "" };
    run();
  });
  const deck = deckOf(standing.value.position);
  announce(say("race.up", { own: spoken(deck, [hand]), other: spoken(deck, [other]), who: whose(1 - own()) }));
}

/** A player at this screen has seen a match, and is to take its cards. @param {number} seat */
function claim(seat) {
  holder.value = seat;
  count(HOLD, () => take(seat));
}

/** Take the chosen cards: if they are no match, they go back, and the card drawn is gone. @param {number} seat */
function take(seat) {
  const { position, legal_moves: legal } = standing.value;
  const deck = deckOf(position);
  const drawn = seat === own() ? position.hand : position.opponent_hand;
  const cards = [drawn, ...picked.value.map(({ card }) => card)];
  const summed = cards.filter((card) => Number(faceOf(deck, card).details.worth ?? 0) > 0); // no joker
  const mark = by(seat, "");
  const found = matchOf(deck, summed, legal.filter((/** @type {string} */ move) => move.includes(":") === (mark !== ""))
    .map((/** @type {string} */ move) => move.slice(mark.length)));
  const words = found ? "" : say("race.wrong", { who: whose(seat) });
  picked.value = NONE;
  act([by(seat, found ?? "none")]).then(() => {
    said.value = { line: standing.value.line, words };
    if (words) announce(words);
  });
}

/** Go on by a key: turn the cards up, or take those that are chosen. */
bind("f", say("race.key"), () => {
  const { race } = options.value ?? {};
  if (!race || !standing.value || ended.value || lined.value) return;
  if (!isUp.value) turnUp();
  else if (holder.value !== null && picked.value.length) take(holder.value);
});

/** The clock, and what can be done. */
export function Race() {
  const deck = deckOf(standing.value?.position);
  const seat = holder.value;
  const words = said.value.line === standing.value?.line && said.value.words;
  const button = (/** @type {string} */ words, /** @type {() => void} */ act, isMain = true, isOff = false) =>
    html`<button type="button" class=${isMain ? "primary" : ""} disabled=${isOff} onClick=${act}>${words}</button>`;
  const none = isTwo() ? "race.noneOf" : "race.none";
  const n = picked.value.length;
  const seats = [own(), 1 - own()];
  const who = (/** @type {number} */ at) => ({ who: whose(at) });
  return html`<section class="sums race-found" aria-label=${say("race.title")}>
    ${words && html`<p class="reason"><${Told} deck=${deck} text=${words} /></p>`}
    ${
      left.value !== null &&
      html`<p class="race-clock" role="timer">
        <span>${say("race.left", { n: left.value })}</span>
        <meter aria-hidden="true" min="0" max=${LIMIT} low=${HOLD + 1} value=${left.value} /></p>`
    }
    <div class="row">
      ${!isUp.value && button(say("race.turnUp"), turnUp)}
      ${isUp.value && seat !== null && button(say("race.take", { n, ...who(seat) }), () => take(seat), true, !n)}
      ${isUp.value && seat !== null && button(say(none, who(seat)), () => act([by(seat, "none")]), false)}
      ${
        left.value !== null &&
        seat === null &&
        isTwo() && [
          ...seats.map((at) => button(say("race.claim", who(at)), () => claim(at))),
          button(say("race.nobody"), () => act(["none", "none"]), false),
        ]
      }
    </div>
    ${!isUp.value && html`<p class="hinted">${say(isTwo() ? "race.how.two" : "race.how")}</p>`}
  </section>`;
}
