/** What the drawings of several games share. */
import { readingsOf } from "../core/catalogue.js";
import { say } from "../core/words.js";

/** @typedef {import("./index.js").Zone} Zone */

/** A key of one card as a list. @param {string | null | undefined} card */
export function flat(card) {
  return card ? [card] : [];
}

/** Whether a seat is that of the player whose view a position is. @param {number} seat @param {any} [position] */
export function isYou(seat, position) {
  return Boolean(position && position.seat === seat && !("hands" in position));
}

/** @param {number} seat @param {any} [position] */
export function seatName(seat, position) {
  return say(isYou(seat, position) ? "seat.you" : "seat.name", { seat });
}

/** The trick that is being played. @param {any} position @param {number} players @returns {Zone} */
export function trick(position, players) {
  const cards = position.trick ?? [];
  const seats = cards.map((/** @type {string} */ _, /** @type {number} */ at) => (position.leader + at) % players);
  return { path: "trick", title: say("zone.trick"), cards, kind: "trick", seats, moves: true };
}

/** What each seat has won. @param {any} position @returns {Zone[]} */
export function piles(position) {
  return (position.won ?? []).map((/** @type {string[]} */ cards, /** @type {number} */ seat) => ({
    path: `won[${seat}]`, title: say("zone.won"), cards, kind: "pile", seat, quiet: true,
  }));
}

/** The finished tricks that a view tells. @param {any} position @param {number} players @returns {Zone[]} */
export function history(position, players) {
  return (position.history ?? []).flatMap((/** @type {any} */ past, /** @type {number} */ index) => {
    const shared = { quiet: true, past: true };
    const at = index + 1;
    const seats = (past.cards ?? []).map((/** @type {string} */ _, /** @type {number} */ place) => (past.leader + place) % players);
    const zones = [{ ...shared, path: `history[${index}].cards`, title: say("zone.past", { at }), cards: past.cards ?? [], kind: "trick", seats }];
    if (past.taken) zones.push({ ...shared, path: `history[${index}].taken`, title: say("zone.pastTaken", { at }), cards: past.taken, kind: "pile", seats: undefined });
    if (past.given !== undefined) zones.push({ ...shared, path: `history[${index}].given`, title: say("zone.pastGiven", { at }), cards: flat(past.given), kind: "single", seats: undefined });
    return zones;
  });
}

/** So many empty lists. @param {number} players @returns {string[][]} */
export function lists(players) {
  return Array.from({ length: players }, () => []);
}

/** Readings of the rules that tables dispute, as boxes to tick. @param {any} position @returns {import("./index.js").Field[]} */
export function readings(position) {
  const words = Object.entries(readingsOf(position.game));
  return words.map(([name, title]) => ({ path: `rules.${name}`, title, kind: "flag", value: Boolean(position.rules?.[name]) }));
}

/** The readings in force, as facts. @param {any} position @returns {[string, string][]} */
export function inForce(position) {
  const names = Object.keys(position.rules ?? {}).filter((name) => position.rules[name]);
  return names.map((name) => [say("reading"), readingsOf(position.game)[name] ?? name]);
}
