/** King × Alchemy, drawn. */
import { say } from "../core/words.js";
import { matchFacts, matchFields, withMatch } from "./match.js";
import { history, inForce, lists, piles, readings, seatName, trick } from "./shared.js";

const SUITS = /** @type {Record<string, [string, string]>} */ ({
  Fire: ["vermilion", "fire"],
  Water: ["azure", "water"],
  Earth: ["amber", "earth"],
  Wind: ["green", "wind"],
});
const OTHERS = /** @type {Record<string, [string, string]>} */ ({ trump: ["violet", "sun"], dancer: ["rose", "moon"] });

/** @type {import("./index.js").Drawn} */
export const KING = {
  name: "king",
  usual: 4,
  look(face, card) {
    const [ink, sign] = SUITS[face.suit ?? ""] ?? OTHERS[face.details.kind] ?? ["plain", "star"];
    const named = card.includes(":") ? card.split(":")[1] : "";
    return { ink, rank: face.rank + (named ? ` ${named}` : ""), sign, foot: face.name };
  },
  sent: (position) => withMatch(position, playersOf(position)),
  past: (leader) => ({ leader, cards: [], taken: [], given: "" }),
  starts: [
    {
      name: "pick",
      title: say("start.pick"),
      players: [3, 5],
      known: false,
      draft: (players) => ({ game: "king", stage: "pick", seat: 0, hand: [], removed: [], leader: 0, players }),
    },
    {
      name: "seen",
      title: say("start.seen"),
      players: [3, 5],
      known: false,
      draft: (players) => ({
        game: "king", seat: 0, hand: [], won: lists(players), removed: [], leader: 0, trick: [], history: [],
      }),
    },
    {
      name: "known",
      title: say("start.known"),
      players: [3, 5],
      known: true,
      draft: (players) => ({ game: "king", leader: 0, trick: [], removed: [], hands: lists(players), won: lists(players) }),
    },
  ],
  zones(position) {
    const players = playersOf(position);
    const hands = "hands" in position
      ? position.hands.map((/** @type {string[]} */ cards, /** @type {number} */ seat) => hand(`hands[${seat}]`, cards, seat))
      : [hand("hand", position.hand ?? [], position.seat)];
    return [
      ...(position.stage === "pick" ? [] : [trick(position, players)]),
      ...hands,
      ...piles(position).map((zone) => ({ ...zone, quiet: false })),
      { path: "removed", title: say("zone.removed"), cards: position.removed ?? [], kind: "pile", quiet: true },
      ...history(position, players),
    ];
  },
  fields(position) {
    const players = playersOf(position);
    return [
      ...("hands" in position
        ? []
        : [{ path: "seat", title: say("field.seat"), kind: /** @type {const} */ ("seat"), value: position.seat, most: players }]),
      { path: "leader", title: say("field.leader"), kind: "seat", value: position.leader, most: players },
      ...matchFields(position, players),
      ...readings(position),
    ];
  },
  facts(position) {
    const leader = /** @type {[string, string][]} */ ([[say("field.leader"), seatName(position.leader, position)]]);
    return [...(typeof position.leader === "number" ? leader : []), ...matchFacts(position), ...inForce(position)];
  },
};

/** @param {any} position @returns {number} */
function playersOf(position) {
  return position.won?.length || position.hands?.length || position.players || 5;
}

/** @param {string} path @param {string[]} cards @param {number} seat @returns {import("./index.js").Zone} */
function hand(path, cards, seat) {
  return { path, title: say("zone.hand"), cards, kind: "hand", seat, moves: true };
}
