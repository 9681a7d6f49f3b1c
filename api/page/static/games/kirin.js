/** Kirin, drawn. */
import { say } from "../core/words.js";
import { matchFacts, matchFields, matchState, withMatch } from "./match.js";
import { faceOf } from "../cards/faces.js";
import {
  flat,
  gone,
  handLeft,
  hands,
  history,
  inForce,
  isFollowed,
  leaderField,
  piles,
  readings,
  seatField,
  seatName,
  suitsOf,
  trick,
  trickCounts,
  withLeader,
} from "./shared.js";

const SUITS = /** @type {Record<string, [string, string]>} */ ({
  D: ["azure", "dragon"],
  S: ["vermilion", "bird"],
  B: ["amber", "tiger"],
  G: ["black", "tortoise"],
});
const SEATS = 4;
const OPEN = "open"; // the order is not given
const DEALT = 9; // cards of a hand before one is set aside

/** @type {import("./index.js").Drawn} */
export const KIRIN = {
  name: "kirin",
  usual: SEATS,
  illustrated: true,
  infers: true,
  shown: ["D6", "S+", "BT", "G1"],
  example: "kirin seat=2 hand=S1,S4,BT declared=B+ leader=0",
  lesson: { game: "kirin", seat: 0, hand: ["D2", "D4", "S3", "S5", "S-", "B2", "B4", "G+"], leader: 0 }, // without B6
  written: `[game kirin]
round kirin seat=2 hand=D2,D4,D6,DT,S-,B+,G6,G+ declared=D3 leader=0
s3 d+ d6 gt
g3 b- s5 d4
g1 s- g2 d5
b4 g+ g5 bt
s6 g- dt s+
g6 st s4 b6
b1 s2 s1 d2
b+ b2 d1 g4`,
  signs: ["crown", "rising", "falling"],
  orders: true,
  look({ rank }, card) {
    const [ink, sign] = SUITS[card[0]] ?? ["plain", "star"];
    const shared = { ink, code: card[0], suit: sign, art: sign };
    if (rank === "T") return { ...shared, rank, picture: sign, over: "crown" };
    if (rank !== "+" && rank !== "-") return { ...shared, rank, picture: sign };
    const rising = rank === "+";
    return { ...shared, rank: rising ? "+" : "−", picture: "kirin", art: "kirin", over: rising ? "rising" : "falling" };
  },
  // Nine cards and nothing else means that the round has not begun: the question is which card to set aside.
  sent(position) {
    const { direction, ...open } = position;
    if (direction === OPEN) position = open;
    const { trick: now, history: before, gone: _, ...dealt } = position;
    const first = dealt.hand?.length === DEALT && !dealt.declared && !now?.length && !before?.length;
    return withLeader(withMatch(first ? dealt : position, SEATS), SEATS);
  },
  setsAside: ({ hand, hands = [hand], declared }) =>
    hands.some((/** @type {string[]} */ cards) => cards?.length === DEALT) && (!hand || !declared),
  follow(led) {
    const kind = { T: "T", "+": "kirin", "-": "kirin" }[led[1]] ?? "number";
    return say(`trick.must.kirin.${kind}`, { led });
  },
  kinds: suitsOf,
  past: (leader) => ({ leader, cards: [] }),
  sizes: (dealt, position) =>
    "declared" in position ? handLeft(dealt, position, SEATS) : { hand: dealt.hand.length + 1 },
  starts: [
    {
      name: "mine",
      title: say("start.mine"),
      players: [SEATS, SEATS],
      known: false,
      draft: () => ({ game: "kirin", seat: 0, hand: [], leader: 0 }),
    },
    {
      name: "seen",
      title: say("start.seen"),
      players: [SEATS, SEATS],
      known: false,
      draft: () => ({ game: "kirin", seat: 0, hand: [], declared: "", trick: [], history: [], gone: [] }),
    },
    {
      name: "known",
      title: say("start.known"),
      players: [SEATS, SEATS],
      known: true,
      draft: () => ({
        game: "kirin",
        direction: "ascending",
        leader: 0,
        trick: [],
        hands: [[], [], [], []],
        declared: ["", "", "", ""],
        won: [[], [], [], []],
      }),
    },
  ],
  zones(position) {
    const known = "hands" in position;
    const declared = known
      ? (position.declared ?? []).map((/** @type {string} */ card, /** @type {number} */ seat) =>
          single(`declared[${seat}]`, card, seat),
        )
      : [{ ...single("declared", position.declared ?? "", position.seat), ask: say("place.declared") }];
    return [
      trick(position, SEATS),
      ...hands(position, SEATS),
      ...declared,
      ...piles(position),
      ...gone(position),
      ...history(position, SEATS),
    ];
  },
  fields(position) {
    const late = "gone" in position;
    const follows = isFollowed(position); // from the finished tricks
    const direction = {
      path: "direction",
      title: say("field.direction"),
      ask: say("place.direction"),
      kind: /** @type {const} */ ("choice"),
      value: position.direction ?? (follows ? OPEN : undefined),
      choices: [...(follows ? [OPEN] : []), "ascending", "descending"],
    };
    return [
      ...("hands" in position ? [] : [seatField(position, SEATS)]),
      ...(late || ("hands" in position && !follows) ? [direction] : []),
      ...leaderField(position, SEATS),
      ...matchFields(position, SEATS),
      ...readings(position),
    ];
  },
  players: () => SEATS,
  counts: (position) => trickCounts(position, SEATS),
  notes(position, seat, deck) {
    const declared =
      "hands" in position ? position.declared?.[seat] : seat === position.seat && position.declared;
    if (!declared) return [];
    const { suit } = faceOf(deck, declared);
    if (!suit) return []; // the deck is on its way
    const won = position.won?.[seat] ?? [];
    const count =
      "gone" in position ? "?" : won.filter((/** @type {string} */ card) => faceOf(deck, card).suit === suit).length;
    const [, sign] = SUITS[declared[0]] ?? [];
    const text = say("note.collects", { won: count });
    return [{ sign, words: text, count, more: say("labelled", { label: suit, text }) }];
  },
  tally(position, deck) {
    const { won = [] } = "gone" in position ? {} : position;
    if (!won.some((/** @type {string[]} */ pile) => pile.length)) return [];
    return won.map((/** @type {string[]} */ pile, /** @type {number} */ seat) => ({
      seat,
      counts: suitsOf(deck).map(([letter, label]) => {
        const [ink, sign] = SUITS[letter] ?? ["plain", "star"];
        return { ink, sign, label, n: pile.filter((card) => card[0] === letter).length };
      }),
    }));
  },
  extras: (position) => [...matchState(position), ...inForce(position)],
  facts(position) {
    const found = /** @type {[string, string][]} */ ([
      [say("field.leader"), seatName(position.leader, position)],
    ]);
    const { direction } = position;
    if (direction) {
      const named = { direction: say(`direction.${direction}`), order: say(`direction.${direction}.why`) };
      found.unshift([say("field.direction"), say("direction.order", named)]);
    }
    return [...found, ...matchFacts(position), ...inForce(position)];
  },
};

/** @param {string} path @param {string} card @param {number} seat @returns {import("./index.js").Zone} */
function single(path, card, seat) {
  return { path, title: say("zone.declared"), cards: flat(card), kind: "single", seat, least: 1 };
}
