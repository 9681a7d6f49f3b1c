/** Alchemy, drawn: the solitaires, the duel's exchange, and puzzles of any size. */
import { without } from "../core/lists.js";
import { say } from "../core/words.js";
import { totalFields } from "./match.js";
import { flat, inForce, ownSeat, placeOf, readings, seatName } from "./shared.js";

const INKS = ["black", "azure", "green", "vermilion"]; // aces and low cards, middle, high, court cards

const JOKER = "X";
const LATE = 75; // points from which on more Jokers may be in a duel's deck
const POINTS = /** @type {Record<string, number>} */ ({ K: 2, [JOKER]: 10 }); // of other cards 1
const FOUR = 4; // all the aces are worth
const FOUR_ACES = 6; // more
const LATEST = 8; // cards of a pile that are seen: the last match, or two

/** @type {import("./index.js").Drawn} */
export const ALCHEMY = {
  name: "alchemy",
  usual: 1,
  illustrated: true,
  shown: ["6", "7", "K", "9"],
  signs: ["star"],
  sums: true,
  variants: ["solo", "alternative", "duel"].map((name) => [name, say(`variant.${name}`)]),
  look(face) {
    const worth = Number(face.details.worth ?? 0);
    const court = worth > 10;
    const ink = worth === 0 || court ? INKS[3] : INKS[Math.min(2, Math.floor((worth - 1) / 3))];
    const art = `worth-${worth}`;
    if (worth === 0) return { ink, rank: face.rank, art, picture: "star", foot: face.name };
    const shown = { ink, rank: face.rank, art, middle: String(worth) };
    return face.rank === shown.middle ? shown : { ...shown, under: shown.middle };
  },
  starts: [
    solitaire("solo", 6, false),
    {
      name: "duel",
      title: say("start.duel"),
      players: [2, 2],
      known: true,
      draft: () => ({
        game: "alchemy",
        variant: "duel",
        totals: [0, 0], // with them, hints play for the race to 100, and not for one exchange alone
        line: [],
        hand: "",
        opponent_hand: "",
        table_jokers: 0,
        pile: [],
        opponent_pile: [],
      }),
    },
    solitaire("alternative", 4, false),
    solitaire("solo", 6, true),
    solitaire("alternative", 4, true),
    {
      name: "free",
      title: say("start.free"),
      players: [1, 1],
      known: true,
      rare: true,
      draft: () => ({ game: "alchemy", variant: "free", min_line: 1, line: [], hand: "" }),
    },
  ],
  zones(position) {
    const found = /** @type {import("./index.js").Zone[]} */ ([
      { path: "line", title: say("zone.line"), cards: left(position), kind: "line", moves: true },
      {
        path: "hand",
        title: say("zone.drawn"),
        cards: flat(position.hand),
        kind: "single",
        lies: "drawn",
        moves: true,
      },
    ]);
    if (position.variant === "duel") {
      found[0].counted = { X: "table_jokers" };
      const own = ownSeat(position);
      const [taken, takenByOther] = [0, 1].map((seat) => takenBy(position, seat));
      found[1].seat = own;
      if (taken.length) found[1].cards = [];
      found.push({
        path: "opponent_hand",
        title: say("zone.drawn"),
        cards: takenByOther.length ? [] : flat(position.opponent_hand),
        kind: "single",
        seat: 1 - own,
        lies: "drawn",
      });
      found.push({
        path: "pile",
        title: say("zone.won"),
        cards: [...(position.pile ?? []), ...taken],
        kind: "pile",
        seat: own,
        quiet: true,
      });
      found.push({
        path: "opponent_pile",
        title: say("zone.won"),
        cards: [...(position.opponent_pile ?? []), ...takenByOther],
        kind: "pile",
        seat: 1 - own,
        quiet: true,
      });
    }
    if (position.stock)
      found.push({
        path: "stock",
        title: say("zone.stock"),
        cards: position.stock,
        kind: "pile",
        quiet: true,
        lies: "stock",
      });
    if (position.unseen)
      found.push({
        path: "unseen",
        title: say("zone.unseen"),
        cards: position.unseen,
        kind: "pile",
        quiet: true,
        lies: "stock",
      });
    if (position.discarded)
      found.push({
        path: "discarded",
        title: say("zone.discarded"),
        cards: position.discarded,
        kind: "pile",
        quiet: true,
        lies: "aside",
      });
    return found;
  },
  fields(position) {
    if (position.variant === "duel") {
      const value = position.table_jokers ?? 0;
      const most = Math.max(value, ALCHEMY.copies?.(position, JOKER) ?? 0);
      const aside = { path: "table_jokers", title: say("field.table_jokers"), kind: /** @type {const} */ ("number") };
      return [
        ...(most ? [{ ...aside, value, most }] : []),
        ...totalFields(position, 2),
        ...optionsOf(position),
      ];
    }
    if (position.variant === "free") {
      return [
        {
          path: "min_line",
          title: say("field.min_line"),
          kind: "number",
          value: position.min_line,
          least: 1,
          most: 60,
        },
        {
          path: "objective",
          title: say("field.objective"),
          kind: "choice",
          value: position.objective ?? "",
          choices: ["", "most-cards", "fewest-cards", "most-points"],
        },
      ];
    }
    return [
      ...optionsOf(position),
      { path: "cap", title: say("field.cap"), kind: "number", value: position.cap, least: 3, most: 6 },
    ];
  },
  sizes(dealt, position) {
    if (position.variant === "free") return {};
    const own = { line: position.cap ?? dealt.line.length, hand: 1 };
    return position.variant === "duel" ? { ...own, opponent_hand: 1 } : own;
  },
  underway(position, move) {
    if (position.variant === "duel") return exchanged(position, move);
    const [first, discard] = move.split(" ");
    const { hand, discarded = [] } = position;
    const gone = first === "discard" ? [discard, hand] : first.split(/[+=]/);
    const line = first === "discard" ? without(position.line, [discard]) : left({ ...position, grabbed: `0:${first}` });
    return { ...position, line, hand: "", discarded: [...discarded, ...gone] };
  },
  turned(position, move, given) {
    const isDuel = position.variant === "duel";
    const cap = position.cap - (move.startsWith("discard") ? 1 : 0); // a solitaire's line gets shorter by it
    let forLine = 0; // cards turned up for the line: a Joker is replaced
    for (let lacks = cap - ALCHEMY.underway?.(position, move).line.length; lacks > 0; forLine += 1) {
      if (given[forLine] !== JOKER) lacks -= 1;
    }
    const seats = [ownSeat(position), 1 - ownSeat(position)];
    const hands = isDuel ? seats.map((seat) => seatName(seat, position)) : [say("zone.drawn")];
    const { stock_count: stock = Infinity } = position;
    const line = Array(Math.min(forLine, stock)).fill(say("zone.line"));
    return stock - line.length < hands.length ? line : [...line, ...hands]; // else the round ends
  },
  copies({ rules = {}, totals = [] }, card) {
    if (card !== JOKER) return undefined;
    const late = Math.max(0, ...totals) >= LATE ? Number(rules.one_joker ?? 0) + 2 * Number(rules.two_jokers ?? 0) : 0;
    return Number(rules.house_joker ?? 0) + late;
  },
  gains(position, move, toMove) {
    if (position.variant !== "duel" || !move.includes("=")) return null;
    const [by, other] = move.split(":");
    const seat = other ? Number(by) : toMove;
    const pile = (seat ? position.opponent_pile : position.pile) ?? [];
    return worthOf([...pile, ...takenBy(position, seat, `${seat}:${other ?? by}`)]) - worthOf(pile);
  },
  players: ({ variant }) => (variant === "duel" ? 2 : 1),
  counts: () => [],
  notes(position, seat) {
    const count = position.points?.[placeOf(seat, position)];
    if (!count) return [];
    const points = say("seat.points", { n: count });
    return [{ words: say("note.round", { points }), count: "", more: say("note.round.more", { points }) }];
  },
  tally(position) {
    const { variant, pile = [], opponent_pile: other = [], discarded = [] } = position;
    const own = ownSeat(position);
    const piles = [
      { seat: 1 - own, cards: other.slice(-LATEST) },
      { seat: own, cards: pile.slice(-LATEST) },
    ];
    const all = variant === "duel" ? piles : [{ cards: discarded.slice(-LATEST) }];
    return all.filter(({ cards }) => cards.length);
  },
  extras(position) {
    const wanted = position.variant === "free" ? ALCHEMY.facts(position) : [];
    return wanted.length ? wanted : inForce(position);
  },
  facts(position) {
    const found = /** @type {[string, string][]} */ ([]);
    if (position.variant === "free") {
      found.push(
        [say("field.min_line"), String(position.min_line)],
        [say("field.objective"), say(`objective.${position.objective ?? ""}`)],
      );
      if (position.cards) found.push([say("field.cards"), String(position.cards)]);
    }
    if (position.table_jokers) found.push([say("field.table_jokers"), String(position.table_jokers)]);
    if (position.cap) found.push([say("field.cap"), String(position.cap)]);
    if (position.misses !== undefined) found.push([say("field.misses"), String(position.misses)]);
    if (position.stock) found.push([say("zone.stock"), String(position.stock.length)]);
    if (position.unseen) found.push([say("zone.unseen"), String(position.unseen.length)]);
    return [...found, ...inForce(position)];
  },
};

/** The options of a variant: those of the alternative solitaire are named after it, all others are a duel's. */
function optionsOf(/** @type {any} */ position) {
  const { variant } = position;
  return readings(position).filter(({ path }) => variant === (path.includes("alternative") ? "alternative" : "duel"));
}

/**
 * The line, without the cards grabbed in this exchange of a duel.
 * @param {any} position @returns {string[]}
 */
function left(position) {
  const line = [...(position.line ?? [])];
  const [seat, move] = (position.grabbed ?? "").split(":");
  if (!move?.includes("=")) return line;
  const used = move.split(/[+=]/);
  const hand = used.indexOf(seat === "0" ? position.hand : position.opponent_hand);
  if (hand >= 0) used.splice(hand, 1); // jokers are not part of the sum
  return without(line, used);
}

/** The cards that a move of a duel's exchange, by default its first, gives a seat. @param {any} position */
function takenBy(position, /** @type {number} */ seat, grabbed = position.grabbed ?? "") {
  const [by, move = ""] = grabbed.split(":");
  if (Number(by) !== seat || !move.includes("=")) return [];
  const [own] = [position.hand, position.opponent_hand].slice(seat);
  const set = Array(position.table_jokers ?? 0).fill(JOKER);
  return [...move.split(/[+=]/), ...(own === JOKER ? [own] : []), ...set]; // jokers are not part of the sum
}

/** A duel once both have moved, before cards are turned up. @param {any} position @param {string} text */
function exchanged(position, text) {
  const move = text.replace(/^\d:| anyway$/g, "");
  const { table_jokers: jokers = 0, hand, opponent_hand: other, discarded = [] } = position;
  const second = `${position.grabbed?.startsWith("0:") ? 1 : 0}:${move}`;
  const rest = left({ ...position, line: left(position), grabbed: second });
  const won = [0, 1].map((seat) => [...takenBy(position, seat), ...takenBy(position, seat, second)]);
  const [pile, opponent_pile] = [position.pile, position.opponent_pile].map((own, at) => [...(own ?? []), ...won[at]]);
  return {
    ...position,
    line: jokers ? [] : rest,
    pile,
    opponent_pile,
    points: [pile, opponent_pile].map(worthOf),
    discarded: [...discarded, ...[hand, other].filter((_, seat) => !won[seat].length), ...(jokers ? rest : [])],
    hand: "",
    opponent_hand: "",
    table_jokers: 0,
    grabbed: null,
  };
}

/** The points of a pile of a duel. @param {string[]} pile */
function worthOf(pile) {
  const worth = pile.reduce((sum, card) => sum + (POINTS[card] ?? 1), 0);
  return worth + (pile.filter((card) => card === "A").length >= FOUR ? FOUR_ACES : 0);
}

/** @param {string} variant @param {number} cap @param {boolean} known @returns {import("./index.js").Start} */
function solitaire(variant, cap, known) {
  return {
    name: known ? `${variant}-known` : variant,
    title: say(`start.${variant}${known ? ".known" : ""}`),
    players: [1, 1],
    known,
    rare: known,
    draft: () => ({
      game: "alchemy",
      variant,
      cap,
      line: [],
      hand: "",
      ...(known ? { stock: [] } : {}),
      discarded: [],
    }),
  };
}
