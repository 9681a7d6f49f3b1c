/** Any other trick game, drawn from what the service says of it: a game of another package needs nothing here. */
import { say } from "../core/words.js";
import { deckOf } from "../cards/faces.js";
import { handLeft, hands, history, inForce, isView, leaderField, lists, playersOf, readings } from "./shared.js";
import { seatField, seatName, trick, trickCounts, withLeader } from "./shared.js";

/** @typedef {import("./index.js").Zone} Zone */

const USUAL = 4; // players

/**
 * @param {import("../core/catalogue.js").Listed} listed the game, as the service lists it
 * @returns {import("./index.js").Drawn}
 */
export function plain({ name, players: [least, most], variants, fields }) {
  const own = Object.fromEntries(fields.map((field) => [field.name, field.default ?? ""]));
  /** @param {any} position @returns {[string, string][]} */
  const ruled = (position) => fields.map((field) => [field.title, wordOf(field, position)]);
  return {
    name,
    usual: Math.max(least, Math.min(most, USUAL)),
    variants: Object.entries(variants).map(([one, words]) => [one, words.split(":")[0]]),
    own: fields.map((field) => field.name),
    look({ rank, details: { sign, ink = "plain" } }) {
      return { ink, rank, glyph: sign, middle: sign ?? rank };
    },
    starts: [
      {
        name: "mine",
        title: say("start.mine"),
        players: [least, most],
        known: false,
        draft: () => ({ game: name, ...own, seat: 0, hand: [], leader: 0 }),
      },
      {
        name: "known",
        title: say("start.known"),
        players: [least, most],
        known: true,
        draft: (players) => ({ game: name, ...own, leader: 0, trick: [], hands: lists(players) }),
      },
    ],
    zones(position) {
      const players = playersOf(position);
      const past = history(position, players);
      return [trick(position, players), ...hands(position, players), ...won(past, players), ...past];
    },
    fields(position) {
      const players = playersOf(position);
      return [
        ...(isView(position) ? [seatField(position, players)] : []),
        ...fields.map((field) => ({
          path: field.name,
          title: field.title,
          kind: field.choices.length ? /** @type {const} */ ("choice") : /** @type {const} */ ("flag"),
          value: position[field.name] ?? field.default ?? "",
          options: optionsOf(field, position),
        })),
        ...leaderField(position, players),
        ...readings(position),
      ];
    },
    sent: (position) => withLeader(position, playersOf(position)),
    sizes: (dealt, position) => handLeft(dealt, position, playersOf(position)),
    past: (leader) => ({ leader, cards: [] }),
    players: playersOf,
    counts: (position) => trickCounts(position, playersOf(position)),
    notes: () => [],
    ruled,
    extras: inForce,
    facts(position) {
      const leads = /** @type {[string, string]} */ ([say("field.leader"), seatName(position.leader, position)]);
      return [...ruled(position), leads, ...inForce(position)];
    },
  };
}

/**
 * What each seat has won of the finished tricks: who leads the next one took them.
 *
 * @param {Zone[]} past @param {number} players @returns {Zone[]}
 */
function won(past, players) {
  return lists(players).map((_, seat) => ({
    path: `taken[${seat}]`,
    title: say("zone.won"),
    cards: past.filter(({ seats, winner = -1 }) => seats?.[winner] === seat).flatMap(({ cards }) => cards),
    kind: "pile",
    seat,
    quiet: true,
    layer: "won",
  }));
}

/**
 * The values of a field that only this game has, in words: a suit by its name.
 *
 * @param {import("../core/catalogue.js").Asked} field @param {any} position
 */
function optionsOf({ choices, default: usual }, position) {
  if (!choices.length) return [true, false].map((is) => ({ is, word: say(`choice.${is ? "yes" : "no"}`) }));
  const { cards } = deckOf(position);
  const words = choices.map((is) => {
    const { suit, details } = cards.find((face) => face.suit && face.card.startsWith(is)) ?? {};
    return { is, word: suit ? `${details?.sign ?? ""} ${suit}`.trim() : is };
  });
  return usual === null ? [{ is: "", word: say("choice.none") }, ...words] : words;
}

/** @param {import("../core/catalogue.js").Asked} field @param {any} position */
function wordOf(field, position) {
  const value = position[field.name] ?? field.default ?? "";
  return String(optionsOf(field, position).find(({ is }) => is === value)?.word ?? value);
}
