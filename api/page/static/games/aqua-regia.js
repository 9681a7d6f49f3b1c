/** Aqua Regia, drawn. */
import { say } from "../core/words.js";
import { flat, gone, inForce, lists, playersOf, readings, seatField, seatName } from "./shared.js";

export const FIELDS = ["water", "vapor", "acid", "aqua-regia"];
export const SIGNS = /** @type {Record<string, string>} */ ({
  water: "drop",
  vapor: "vapor",
  acid: "flask",
  "aqua-regia": "crown",
});
const HAND = 10; // cards dealt to each player
const INKS = ["azure", "green", "amber", "violet"]; // from the weakest quarter of the metals to the strongest

/** @type {import("./index.js").Drawn} */
export const AQUA_REGIA = {
  name: "aqua-regia",
  usual: 4,
  illustrated: true,
  shown: ["Li", "Zn", "Ag", "Au"],
  signs: Object.values(SIGNS),
  reactions: SIGNS,
  heaps: true,
  look(face) {
    const strength = Number(face.rank);
    return {
      ink: INKS[Math.min(3, Math.floor((strength - 1) / 4))],
      rank: face.card,
      under: face.rank,
      art: face.card,
      middle: face.card,
      marks: FIELDS.map((field) => ({ sign: SIGNS[field], count: Number(face.details[field] ?? 0) })),
    };
  },
  starts: [
    {
      name: "mine",
      title: say("start.mine"),
      players: [2, 5],
      known: false,
      draft: (players) => ({ game: "aqua-regia", players, seat: 0, hand: [], turn: 0 }),
    },
    {
      name: "seen",
      title: say("start.seen"),
      players: [2, 5],
      known: false,
      draft: (players) => ({
        game: "aqua-regia",
        field: "water",
        reversed: false,
        turn: 0,
        table: [],
        discard: [],
        seat: 0,
        hand: [],
        counts: Array(players).fill(""), // sizes that are not given follow from the cards
        stock_count: "",
        gone: [],
      }),
    },
    {
      name: "known",
      title: say("start.known"),
      players: [2, 5],
      known: true,
      draft: (players) => ({
        game: "aqua-regia",
        field: "water",
        reversed: false,
        turn: 0,
        table: [],
        discard: [],
        hands: lists(players),
        stock: [],
      }),
    },
  ],
  zones(position) {
    const known = "hands" in position;
    return [
      { path: "table", title: say("zone.table"), cards: position.table ?? [], kind: "trick" },
      ...(known
        ? position.hands.map((/** @type {string[]} */ cards, /** @type {number} */ seat) =>
            hand(`hands[${seat}]`, cards, seat),
          )
        : [hand("hand", position.hand ?? [], position.seat)]),
      ...flat(position.drawn).map((card) => ({
        path: "drawn",
        title: say("zone.drawn"),
        cards: [card],
        kind: /** @type {const} */ ("single"),
        seat: position.seat ?? position.turn,
        lies: /** @type {const} */ ("hand"),
        moves: true,
      })),
      ...(known ? [] : (position.known ?? [])).map((/** @type {string[]} */ cards, /** @type {number} */ seat) => ({
        path: `known[${seat}]`,
        title: say("zone.known"),
        cards,
        kind: "pile",
        seat,
        quiet: true,
        layer: "named",
      })),
      {
        path: "discard",
        title: say("zone.discard"),
        cards: position.discard ?? [],
        kind: "pile",
        quiet: true,
        lies: "aside",
        moves: true,
      },
      ...(position.gone?.length ? gone(position) : []), // cards put there also go to the discard pile
      ...(known
        ? [
            {
              path: "stock",
              title: say("zone.stock"),
              cards: position.stock ?? [],
              kind: /** @type {const} */ ("pile"),
              quiet: true,
              lies: /** @type {const} */ ("stock"),
            },
          ]
        : []),
      ...finished(position),
    ];
  },
  fields(position) {
    const players = playersOf(position);
    const owner = position.table?.length
      ? [
          {
            path: "owner",
            title: say("field.owner"),
            kind: /** @type {const} */ ("seat"),
            value: position.owner,
            most: players,
          },
        ]
      : [];
    const own = "gone" in position ? position.seat : undefined;
    const counts = (position.counts ?? [])
      .map((/** @type {number} */ value, /** @type {number} */ seat) => ({
        path: `counts[${seat}]`,
        title: say("field.count"),
        seat,
        kind: "number",
        value,
        least: 0,
        most: 40,
      }))
      .filter((/** @type {unknown} */ _, /** @type {number} */ seat) => seat !== own);
    if ("players" in position) {
      return [
        {
          path: "turn",
          title: say("field.leader"),
          ask: say("place.leader"),
          kind: "seat",
          value: position.turn,
          most: players,
          leads: true,
        },
      ];
    }
    return [
      {
        path: "field",
        title: say("field.field"),
        kind: "choice",
        value: position.field,
        choices: FIELDS,
        words: "fieldname",
      },
      { path: "reversed", title: say("field.order"), kind: "flag", value: position.reversed, words: "order" },
      ...("hands" in position ? [] : [seatField(position, players)]),
      { path: "turn", title: say("field.turn"), kind: "seat", value: position.turn, most: players },
      ...owner,
      ...counts,
      ...("hands" in position
        ? []
        : [
            {
              path: "stock_count",
              title: say("field.stock_count"),
              kind: /** @type {const} */ ("number"),
              value: position.stock_count,
              least: 0,
              most: 64,
            },
          ]),
      ...readings(position),
    ];
  },
  players: playersOf,
  kinds: (deck) => deck.cards.map(({ card }) => [card, card]),
  // Nobody need count their own cards, nor those that follow from the cards entered.
  sent(position) {
    if (!position.counts || position.history?.length) return position;
    const counts = position.counts.with(position.seat, position.hand.length);
    return { ...position, counts: counts.map((/** @type {number | ""} */ count) => (count === "" ? null : count)) };
  },
  sizes(dealt, { players, history, counts, seat }) {
    if (players) return { hand: dealt.hand.length };
    return history && counts ? { hand: counts[seat] } : {};
  },
  // A drawn card is held, too, until it is given or kept.
  counts: (position) =>
    (position.counts ?? (position.hands ?? []).map((/** @type {string[]} */ cards) => cards.length)).map(
      (/** @type {number | ""} */ count, /** @type {number} */ seat) =>
        (count === "" ? HAND : count) + (position.drawn && seat === position.turn ? 1 : 0),
    ),
  notes: () => [],
  extras: inForce,
  facts(position) {
    const found = /** @type {[string, string][]} */ ([
      [say("field.field"), say(`fieldname.${position.field}`)],
      [say("field.order"), say(`order.${Boolean(position.reversed)}`)],
    ]);
    if (position.table?.length && typeof position.owner === "number") {
      found.push([say("field.owner"), seatName(position.owner, position)]);
    }
    const stock = position.stock_count ?? position.stock?.length;
    if (stock !== undefined) found.push([say("zone.stock"), String(stock)]);
    if (position.counts) found.push([say("field.counts"), position.counts.join(" · ")]);
    return [...found, ...inForce(position)];
  },
};

/**
 * The tricks that are over: what was played, and by whom. A pass is not final, so all seats move in turn; who made the
 * last play has won.
 *
 * @param {any} position @returns {import("./index.js").Zone[]}
 */
function finished(position) {
  const players = playersOf(position);
  const over = (position.history ?? []).slice(0, position.table?.length ? -1 : undefined);
  return over.map((/** @type {any} */ { leader, moves }, /** @type {number} */ index) => {
    const plays = moves.flatMap((/** @type {string} */ move, /** @type {number} */ at) =>
      move.startsWith("pass") ? [] : move.split(" ").map((card) => ({ card, seat: (leader + at) % players })),
    );
    const at = index + 1;
    return {
      path: `tricks[${index}]`, // none that can be entered
      title: say("zone.past", { at }),
      cards: plays.map((/** @type {any} */ one) => one.card),
      seats: plays.map((/** @type {any} */ one) => one.seat),
      winner: plays.length - 1,
      kind: "trick",
      quiet: true,
      past: at,
    };
  });
}

/** @param {string} path @param {string[]} cards @param {number} seat @returns {import("./index.js").Zone} */
function hand(path, cards, seat) {
  return { path, title: say("zone.hand"), cards, kind: "hand", seat, moves: true, least: 1 };
}
