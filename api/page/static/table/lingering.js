/**
 * The trick that has just been finished: it stays for a moment, with its winner lit, and moves to who won it. In a duel
 * the line stays, with the cards lit that the opponent took.
 */
import { effect, signal, untracked } from "../core/html.js";
import { moves } from "../core/session.js";
import { cardsOf, deedOf } from "../cards/moves.js";
import { codeOf, deckOf } from "../cards/faces.js";
import { board, film } from "./film.js";
import { gameOf } from "../games/index.js";
import { leaves } from "./travel.js";

/** @typedef {import("../games/index.js").Zone} Zone */
/** @typedef {{zone: Zone, winner: number, deeds?: Record<string, string>}} Finished a trick, the index of its winning
 *    card, and what was done with its other cards, by their codes */
/** @typedef {Finished & {position: any}} Lingering with what was in force while it was played */
/** @typedef {{zones: Zone[], taken: Set<string>}} Lined places of a duel before a match, and its cards (`spotOf`) */

const STAY = 1500; // milliseconds: time to see who won it
const COUNT = 2500; // and to see a sum
const MOVING = 280;

/** Null for none; the last trick of a round stays without it. */
export const lingering = signal(/** @type {Lingering | null} */ (null));
/** Null for none. */
export const lined = signal(/** @type {Lined | null} */ (null));

const quiet = matchMedia("(prefers-reduced-motion: reduce)");
/** @typedef {{text: string, from: string, zones: Zone[], made: number, position?: any}} Before */
/** The table before the last change. @type {Before} */
let before = { text: "", from: "", zones: [], made: 0 };
let timer = 0;

effect(() => {
  const { laid: position, text, from, toMove } = board.value;
  const zones = gameOf(position?.game)?.zones(position) ?? [];
  untracked(() => {
    const now = { text, from, zones, made: made(position), position };
    const last = before;
    before = now;
    if (text === last.text) return; // Only more of the same table has become known.
    clearTimeout(timer);
    lingering.value = null;
    lined.value = null;
    if (quiet.matches) return;
    const taken = last.from === from && matchOf(last.zones, zones);
    if (taken) {
      lined.value = { zones: last.zones, taken };
      timer = window.setTimeout(() => (lined.value = null), COUNT);
    }
    const forward = last.from === from && now.made > last.made; // not undone, nor back from a film
    const [held, rest] = [last.zones, zones].map(heldIn);
    if (forward) leaves(rest.length < held.length ? rest : null);
    const [trick, next] = [last.zones, zones].map((all) => all.find((one) => one.kind === "trick" && !one.past));
    if (forward && trick?.cards.length && next && !next.cards.length && toMove !== null) {
      linger(position, trick, last.position);
    }
  });
});

/** The cards of hands that are known. @param {Zone[]} zones */
function heldIn(zones) {
  return zones.filter(({ kind }) => kind === "hand").flatMap(({ cards }) => cards);
}

/** A number that grows with each move, as far as they are known: to take from a trick is one. @param {any} position */
function made(position) {
  const tricks = position?.history;
  if (!tricks) return moves.value.length + (film.value?.at ?? 0);
  const plays = tricks.flatMap((/** @type {any} */ one) => one.cards ?? one.moves);
  return plays.length + tricks.length + (position.trick?.length ?? 0);
}

/** A card of a place. @param {Zone} zone @param {number} index */
export function spotOf({ path }, index) {
  return `${path}-${index}`;
}

/**
 * The cards of the match that the opponent of a duel has just taken; null for none, or if they did not lie there.
 *
 * @param {Zone[]} last the places before @param {Zone[]} now
 */
function matchOf(last, now) {
  const [pile, next] = [last, now].map((all) => all.find(({ path }) => path === "opponent_pile")?.cards ?? []);
  const grown = [...next];
  for (const card of pile) if (grown.includes(card)) grown.splice(grown.indexOf(card), 1);
  const taken = /** @type {Set<string>} */ (new Set());
  for (const zone of last.filter(({ path }) => path === "line" || path === "opponent_hand")) {
    zone.cards.forEach((card, at) => {
      if (!grown.includes(card)) return;
      grown.splice(grown.indexOf(card), 1);
      taken.add(spotOf(zone, at));
    });
  }
  return taken.size && !grown.length ? taken : null;
}

/** Wait until nothing stays any more. @returns {Promise<void>} */
export function hasGone() {
  return new Promise((done) => {
    const stop = effect(() => {
      if (lingering.value || lined.value) return;
      done();
      queueMicrotask(() => stop());
    });
  });
}

/** The last card that was played. */
function lastPlay() {
  const made = film.value ? film.value.moves.slice(0, film.value.at) : moves.value;
  return made.findLast((move) => deedOf(move).deed === "play") ?? "";
}

/**
 * @param {any} position @param {Zone} trick as it lay before its last card, or before it was taken
 * @param {any} before the position then: in Aqua Regia, `owner` made the last play
 */
function linger(position, trick, before) {
  const { owner } = before;
  const inForce = { ...before, next_direction: position.direction };
  if (typeof owner === "number") {
    const top = trick.cards.length - 1;
    return stay({ ...trick, seats: trick.cards.map((_, at) => (at === top ? owner : -1)) }, top, owner, inForce);
  }
  const past = position.history?.at(-1);
  const [last] = cardsOf(deckOf(position), lastPlay());
  const players = gameOf(position.game)?.players(position) ?? 0;
  const cards = past?.cards ?? (trick.cards.length < players && last ? [...trick.cards, last] : trick.cards);
  if (typeof position.leader !== "number" || cards.length < trick.cards.length) return;
  const seats = cards.map(
    (/** @type {string} */ _, /** @type {number} */ at) => ((trick.seats?.[0] ?? 0) + at) % players,
  );
  const deeds = /** @type {Record<string, string>} */ ({});
  for (const card of past?.taken ?? []) deeds[codeOf(card)] = "take";
  if (past?.given) deeds[codeOf(past.given)] = "give";
  if (gameOf(position.game)?.compounds) {
    for (const card of cards) deeds[codeOf(card)] ??= "discard"; // but for the winner's own
  }
  stay({ ...trick, cards, seats }, seats.indexOf(position.leader), position.leader, inForce, deeds);
}

/**
 * @param {Zone} zone @param {number} winner the index of its winning card @param {number} seat whose it is
 * @param {any} position what was in force while it was played @param {Record<string, string>} [deeds]
 */
function stay(zone, winner, seat, position, deeds = {}) {
  const stays = { zone, winner, position, deeds };
  lingering.value = stays;
  timer = window.setTimeout(async () => {
    await moved(seat);
    if (lingering.value === stays) lingering.value = null;
  }, STAY);
}

/** Move the cards of the finished trick to a seat. @param {number} seat */
async function moved(seat) {
  const pile = document.querySelector(`.board [data-seat="${seat}"]`)?.getBoundingClientRect();
  if (!pile) return;
  const moving = [...document.querySelectorAll(".trick.over .slot")].map((slot) => {
    const { x, y, width } = slot.getBoundingClientRect();
    const [right, down] = [pile.x + pile.width / 2 - x - width / 2, pile.y - y];
    const there = { transform: `translate(${right}px, ${down}px) scale(0.4)`, opacity: 0 };
    return slot.animate(there, { duration: MOVING, easing: "ease-in", fill: "forwards" }).finished;
  });
  await Promise.allSettled(moving); // a card that is taken off the table meanwhile moves no further
}
