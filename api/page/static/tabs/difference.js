/** What a worse move changes, as its line and the best one show. */
import { isRace } from "../core/catalogue.js";
import { say } from "../core/words.js";
import { seatName, seatWithin } from "../games/shared.js";
import { staged } from "../table/film.js";

const LATER = 2; // so many tricks on, and more, are called later ones

/**
 * What a seat gets of each trick of a line that counts for it.
 *
 * @param {import("../table/film.js").Staged[]} stages @param {string[]} moves @param {number} seat
 */
function tricksOf(stages, moves, seat) {
  return stages.flatMap(({ ends, winner, before, after }, at) => {
    if (!ends || !after.won) return [];
    const players = after.won.length;
    const cards = before.trick.length < players ? [...before.trick, moves[at]] : before.trick;
    const card = winner === null ? "" : cards[(winner - before.leader + players) % players];
    const colour = after.declared?.[seat][0] ?? "";
    const had = before.won?.[seat] ?? []; // piles without cards may be left out
    const isNew = (/** @type {string} */ one) => !had.includes(one) && one.startsWith(colour);
    return [{ winner, card, until: at + 1, gains: after.won[seat].filter(isNew) }];
  });
}

/**
 * The trick that brings a seat less after a move than after the best one, or who goes out first, in a sentence;
 * undefined if the lines show neither.
 *
 * @param {string} from @param {string[]} line @param {string[]} best @param {number} seat whose result counts
 * @param {boolean} [alone] whether to say nothing of what the best move brings
 * @returns {Promise<import("../table/film.js").Note | undefined>}
 */
export async function difference(from, line, best, seat, alone = false) {
  const lines = [line, best];
  const [stages, others] = await Promise.all(lines.map((moves) => staged(from, moves)));
  const position = stages[0].before; // the table may show another one by now
  const named = (/** @type {any} */ who) => seatWithin(who, position);
  const [tricks, instead] = [stages, others].map((one, at) => tricksOf(one, lines[at], seat));
  const places = [...tricks.keys()].filter((at) => instead[at]);
  const at =
    places.find((place) => tricks[place].gains.length < instead[place].gains.length) ??
    places.find((place) => tricks[place].gains.join() !== instead[place].gains.join());
  if (at === undefined) {
    const [one, other] = [stages, others].map((all) => all.at(-1));
    if (alone || !isRace(position.game) || !one?.over || !other?.over || one.seat === other.seat) return undefined;
    const [who, better] = [one, other].map(({ seat: first }) => seatName(first, position));
    const told = { move: line[0], best: best[0], who, other: better };
    return { words: () => say("why.first", told) };
  }
  const { winner, card, until } = tricks[at];
  const better = instead[at];
  const goes =
    winner !== null && better.winner !== null && winner !== better.winner && [winner, better.winner].includes(seat);
  const listed = (/** @type {any} */ one, /** @type {any} */ other) =>
    one.gains.filter((/** @type {string} */ gain) => alone || !other.gains.includes(gain)).join(say("comma")) ||
    say("why.nothing");
  const [cards, more] = [listed(tricks[at], better), listed(better, tricks[at])];
  const words = (/** @type {number} */ now) => {
    if (now > at) return "";
    const trick = say(`why.trick.${Math.min(at - now, LATER)}`);
    const [who, other] = [winner, better.winner].map(named);
    if (goes) return say(alone ? "why.goes.alone" : "why.goes", { trick, card, who, other, better: better.card });
    return say(alone ? "why.brings.alone" : "why.brings", { trick, who: named(seat), cards, better: more });
  };
  return { words, until };
}
