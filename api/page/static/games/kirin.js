/** Kirin, drawn. */
import { say } from "../core/words.js";
import { matchFacts, matchFields, withMatch } from "./match.js";
import { flat, history, inForce, piles, readings, seatName, trick } from "./shared.js";

const SUITS = /** @type {Record<string, [string, string]>} */ ({
  "Azure Dragon": ["azure", "dragon"],
  "Vermilion Bird": ["vermilion", "bird"],
  "White Tiger": ["amber", "tiger"],
  "Black Tortoise": ["black", "tortoise"],
});
const KINDS = /** @type {Record<string, string>} */ ({ T: "star", "+": "rising", "-": "falling" });
const SEATS = 4;
const DEALT = 9; // cards of a hand before one is set aside

/** @type {import("./index.js").Drawn} */
export const KIRIN = {
  name: "kirin",
  usual: SEATS,
  look({ suit, rank }) {
    const [ink, sign] = SUITS[suit ?? ""] ?? ["plain", "star"];
    const kind = KINDS[rank];
    return { ink, rank: rank === "-" ? "−" : rank, sign, small: kind };
  },
  // Before the round nine cards are seen and nothing else: then the question is what to set aside.
  sent(position) {
    const { trick: now, history: before, ...dealt } = position;
    const first = dealt.hand?.length === DEALT && !dealt.declared && !now?.length && !before?.length;
    return withMatch(first ? dealt : position, SEATS);
  },
  past: (leader) => ({ leader, cards: [] }),
  starts: [
    {
      name: "seen",
      title: say("start.seen"),
      players: [SEATS, SEATS],
      known: false,
      draft: () => ({ game: "kirin", seat: 0, hand: [], declared: "", leader: 0, trick: [], history: [] }),
    },
    {
      name: "known",
      title: say("start.known"),
      players: [SEATS, SEATS],
      known: true,
      draft: () => ({
        game: "kirin", direction: "ascending", leader: 0, trick: [],
        hands: [[], [], [], []], declared: ["", "", "", ""], won: [[], [], [], []],
      }),
    },
  ],
  zones(position) {
    const known = "hands" in position;
    const declared = known
      ? (position.declared ?? []).map((/** @type {string} */ card, /** @type {number} */ seat) => single(`declared[${seat}]`, card, seat))
      : [single("declared", position.declared ?? "", position.seat)];
    return [
      trick(position, SEATS),
      ...(known
        ? position.hands.map((/** @type {string[]} */ cards, /** @type {number} */ seat) => hand(`hands[${seat}]`, cards, seat))
        : [hand("hand", position.hand ?? [], position.seat)]),
      ...declared,
      ...piles(position),
      ...history(position, SEATS),
    ];
  },
  fields(position) {
    return [
      ...("hands" in position
        ? [{ path: "direction", title: say("field.direction"), kind: /** @type {const} */ ("choice"), value: position.direction, choices: ["ascending", "descending"] }]
        : [{ path: "seat", title: say("field.seat"), kind: /** @type {const} */ ("seat"), value: position.seat, most: SEATS }]),
      { path: "leader", title: say("field.leader"), kind: "seat", value: position.leader, most: SEATS },
      ...matchFields(position, SEATS),
      ...readings(position),
    ];
  },
  facts(position) {
    const found = /** @type {[string, string][]} */ ([[say("field.leader"), seatName(position.leader, position)]]);
    if (position.direction) found.unshift([say("field.direction"), say(`direction.${position.direction}`)]);
    return [...found, ...matchFacts(position), ...inForce(position)];
  },
};

/** @param {string} path @param {string[]} cards @param {number} seat @returns {import("./index.js").Zone} */
function hand(path, cards, seat) {
  return { path, title: say("zone.hand"), cards, kind: "hand", seat, moves: true };
}

/** @param {string} path @param {string} card @param {number} seat @returns {import("./index.js").Zone} */
function single(path, card, seat) {
  return { path, title: say("zone.declared"), cards: flat(card), kind: "single", seat };
}
