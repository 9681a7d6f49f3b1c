/** King × Alchemy, drawn. */
import { without } from "../core/lists.js";
import { say } from "../core/words.js";
import { matchFacts, matchFields, matchState, withMatch } from "./match.js";
import { codeOf, faceOf } from "../cards/faces.js";
import {
  countings,
  flat,
  gone,
  handLeft,
  hands,
  history,
  inForce,
  leaderField,
  lists,
  piles,
  playersOf,
  readings,
  seatField,
  seatName,
  suitsOf,
  trick,
  trickCounts,
  winnerOf,
  withLeader,
} from "./shared.js";

const SUITS = /** @type {Record<string, [string, string]>} */ ({
  Fire: ["vermilion", "fire"],
  Water: ["azure", "water"],
  Earth: ["amber", "earth"],
  Wind: ["green", "wind"],
});
/** Suits by the first letter of a code, if their names are in another language. */
const LETTERS = /** @type {Record<string, string>} */ ({ F: "Fire", W: "Water", E: "Earth", A: "Wind" });
const OTHERS = /** @type {Record<string, [string, string]>} */ ({
  trump: ["violet", "sun"],
  dancer: ["rose", "dancer"],
});

/** How many cards are removed, by the number of players. @type {Record<number, number>} */
const REMOVED = { 3: 5, 4: 2, 5: 0 };
countings.set("king", ({ removed }) => [3, 4, 5].find((players) => REMOVED[players] === removed?.length));

const MOST_NOTES = 4; // recipes shown at a seat: those that lack the fewest cards

/** @type {import("./index.js").Drawn} */
export const KING = {
  name: "king",
  usual: 4,
  illustrated: true,
  infers: true,
  shown: ["F3", "W5", "E8", "D"],
  signs: ["sun", "dancer", "crown"],
  compounds: true,
  look(face, card) {
    const suit = SUITS[face.suit ?? ""] ?? (face.suit ? SUITS[LETTERS[card[0]]] : OTHERS[face.details.kind]);
    const [ink, sign] = suit ?? ["plain", "star"];
    const named = card.includes(":") ? card.split(":")[1] : "";
    const { points, bonus } = face.details;
    return {
      ink,
      rank: face.rank,
      letter: named || card.length < 2 ? undefined : card[0],
      suit: named ? undefined : sign,
      under: named,
      picture: sign,
      foot: face.name,
      art: face.details.provides ?? face.name,
      makes: face.details.makes,
      of: face.details.of?.split(", "),
      points: Number(points ?? 0),
      bonus: bonus ? `+${bonus}` : undefined,
    };
  },
  sent(position) {
    const players = playersOf(position);
    return withLeader(withMatch(position, players), players);
  },
  follow: () => say("trick.must.king"),
  kinds: (deck) => [...suitsOf(deck), ["T", say("voids.trumps")]],
  task({ position, toMove, moves }, deck) {
    if (position.stage) return say(position.stage === "set" ? "board.set" : `king.${position.stage}`);
    if (toMove === null || !moves[0]?.startsWith("take")) return "";
    const [taken, given] = moves[0].split(" give ");
    const n = taken.split(" ").filter((word) => deck.byCode.has(codeOf(word))).length;
    if (!given || position.bottom === undefined) return n ? say("king.take", { n }) : say("king.takeNone");
    const seat = seatName(position.bottom, position);
    const onlyGives = !n || moves.every((move) => move.startsWith(`${taken} give `));
    return onlyGives ? say("king.takeGiveNone", { seat }) : say("king.takeGive", { n, seat });
  },
  underway(position, move) {
    if (position.stage !== "pick") return position;
    const hand = position.hand.filter((/** @type {string} */ card) => card !== move);
    return { ...position, hand, won: lists(playersOf(position)).with(position.seat, [move]) };
  },
  past: (leader) => ({ leader, cards: [], taken: [], given: "" }),
  sizes: (dealt, position) =>
    position.stage === "pick"
      ? { hand: dealt.hand.length + 1, removed: dealt.removed.length }
      : handLeft(dealt, position, playersOf(position)),
  starts: [
    {
      name: "mine",
      title: say("start.mine"),
      players: [3, 5],
      known: false,
      draft: (players) => ({
        game: "king",
        stage: "pick",
        seat: 0,
        hand: [],
        removed: [],
        leader: 0,
        players,
      }),
    },
    {
      name: "seen",
      title: say("start.seen"),
      players: [3, 5],
      known: false,
      draft: (players) => ({
        game: "king",
        seat: 0,
        hand: [],
        won: lists(players),
        removed: [],
        trick: [],
        history: [],
        gone: [],
      }),
    },
    {
      name: "known",
      title: say("start.known"),
      players: [3, 5],
      known: true,
      draft: (players) => ({
        game: "king",
        leader: 0,
        trick: [],
        removed: [],
        hands: lists(players),
        won: lists(players),
      }),
    },
  ],
  zones(position) {
    const players = playersOf(position);
    return [
      ...(position.stage ? [] : [trick(position, players)]),
      ...hands(position, players),
      ...piles(position).map((zone) => ({
        ...zone,
        ask: zone.seat === position.seat ? say("place.won") : undefined, // it counts as complete
        quiet: false,
      })),
      {
        path: "removed",
        title: say("zone.removed"),
        ask: say("place.removed", { count: REMOVED[players] }),
        cards: position.removed ?? [],
        kind: "pile",
        least: position.removed?.length ? REMOVED[players] : 0,
        quiet: true,
        lies: "aside",
      },
      ...discarded(position, players),
      ...gone(position, "discard"),
      ...history(position, players),
    ];
  },
  fields(position) {
    const players = playersOf(position);
    return [
      ...("hands" in position ? [] : [seatField(position, players)]),
      ...leaderField(position, players),
      ...matchFields(position, players),
      ...readings(position),
    ];
  },
  players: playersOf,
  counts(position) {
    const counts = trickCounts(position, playersOf(position));
    if (position.stage !== "pick" || position.hands) return counts;
    // All pick at once: the others hold their cards until every pick is seen.
    const picked = position.won?.[position.seat]?.length ?? 0;
    return counts.map((count, seat) => (seat === position.seat ? count : count + picked));
  },
  notes(position, seat, deck) {
    const open = openFor(position, deck);
    const recipes = begun(position.won?.[seat] ?? [], deck)
      .filter(({ needs }) => needs.every((need) => open.has(need)))
      .sort((one, other) => one.needs.length - other.needs.length || Number(other.counts) - Number(one.counts));
    return recipes.slice(0, MOST_NOTES).map(({ item, bonus, of, needs, counts }) => {
      const kind = needs.length > 0 ? "needs" : (counts && "complete") || "instead";
      const values = { item, bonus, needs: needs.join(say("comma")) };
      return {
        words: item,
        brief: `+${bonus}`,
        count: `${of.length - needs.length}/${of.length}`,
        lacks: say(`note.${kind}.brief`, values),
        more: say(`note.${kind}`, values),
      };
    });
  },
  tally(position, deck) {
    const { won = [] } = "gone" in position ? {} : position;
    if (!won.some((/** @type {string[]} */ pile) => pile.length)) return [];
    return won.map((/** @type {string[]} */ pile, /** @type {number} */ seat) => {
      const n = pile.reduce((sum, card) => sum + Number(faceOf(deck, card).details.points ?? 0), 0);
      return {
        seat,
        counts: [{ ink: "amber", sign: "crown", label: say("tally.cards"), n }],
        arts: begun(pile, deck).flatMap(({ item, counts }) => (counts ? [item] : [])),
      };
    });
  },
  extras: (position) => [...matchState(position), ...inForce(position)],
  facts(position) {
    const leader = /** @type {[string, string][]} */ ([
      [say("field.leader"), seatName(position.leader, position)],
    ]);
    const gets = /** @type {[string, string][]} */ ([
      [say("field.gets"), seatName(position.bottom, position)],
    ]);
    return [
      ...(typeof position.leader === "number" ? leader : []),
      ...(typeof position.bottom === "number" ? gets : []),
      ...matchFacts(position),
      ...inForce(position),
    ];
  },
};

/**
 * The cards of a full trick that its winner can't take, since only lower numbers than the winning card's can be taken,
 * and that number.
 *
 * @param {string[]} cards @param {number} winner the index of the winning card
 * @param {import("../cards/faces.js").Deck} deck
 */
export function tooHigh(cards, winner, deck) {
  const [n, ...numbers] = [cards[winner], ...cards].map((card) => Number(faceOf(deck, card).rank));
  return { n, high: cards.filter((_, at) => at !== winner && numbers[at] >= n) };
}

/**
 * What nobody kept of the finished tricks lies open: neither their winners' own cards nor those taken or given.
 *
 * @param {any} position @param {number} players @returns {import("./index.js").Zone[]}
 */
function discarded(position, players) {
  const { history: past = [], gone: remembered } = position;
  if (remembered) return []; // which has those, too
  const cards = past.flatMap((/** @type {any} */ one, /** @type {number} */ at) => {
    const { cards: played = [], taken = [], given, also_given: more } = one;
    const winner = winnerOf(position, at, players);
    if (winner === undefined) return []; // so what else is gone is unknown, too
    const kept = [played[winner], ...taken, ...flat(given), ...(more ?? [])].map(codeOf);
    return played.map(codeOf).filter((/** @type {string} */ card) => !kept.includes(card));
  });
  const title = say("zone.discard");
  return [{ path: "discards", title, cards, kind: "pile", quiet: true, lies: "aside" }]; // none that can be entered
}

/**
 * The ingredients that can still be won: a card provides them that was neither won nor removed nor discarded.
 *
 * @param {any} position @param {import("../cards/faces.js").Deck} deck
 */
function openFor(position, deck) {
  const { won = [], removed = [], gone: remembered = [] } = position;
  const aside = discarded(position, playersOf(position)).flatMap(({ cards }) => cards);
  const gone = new Set([...won.flat(), ...removed, ...remembered, ...aside].map(codeOf));
  return new Set(deck.cards.filter(({ card }) => !gone.has(card)).map(({ details }) => details.provides));
}

/**
 * The recipes in a pile, the ingredients still missing, and whether they count: of complete ones that want the same
 * card, those that bring the most.
 *
 * @param {string[]} pile @param {import("../cards/faces.js").Deck} deck
 */
export function begun(pile, deck) {
  const detailed = (/** @type {string} */ card) => faceOf(deck, card).details;
  const recipes = pile.flatMap((card) => {
    const { makes, of: wanted, bonus } = detailed(card);
    if (!makes) return [];
    const provided = pile.flatMap((other) => (other === card ? [] : [detailed(other).provides]));
    const of = /** @type {string[]} */ (wanted.split(", "));
    const needs = of.filter((one) => {
      const at = provided.indexOf(one);
      if (at >= 0) provided.splice(at, 1);
      return at < 0;
    });
    return [{ card, item: makes, bonus: Number(bonus), of, needs }];
  });
  const counting = together(recipes.filter(({ needs }) => !needs.length), pile, detailed).made;
  return recipes.map((recipe) => ({ ...recipe, counts: counting.includes(recipe.card) }));
}

/**
 * The most that complete recipes bring together, and the cards of those that are made, if each card is used once.
 *
 * @param {{card: string, bonus: number, of: string[]}[]} recipes @param {string[]} free
 * @param {(card: string) => any} detailed
 * @returns {{sum: number, made: string[]}}
 */
function together([first, ...others], free, detailed) {
  if (!first) return { sum: 0, made: [] };
  let best = together(others, free, detailed);
  // Of cards that only provide the ingredient, one is as good as another.
  const serving = (/** @type {string[]} */ cards, /** @type {string} */ need) => {
    const all = cards.filter((one) => detailed(one).provides === need);
    const plain = all.find((one) => !detailed(one).makes);
    return all.filter((one) => one === plain || detailed(one).makes);
  };
  const lefts = first.of.reduce(
    (some, need) => some.flatMap((left) => serving(left, need).map((one) => without(left, [one]))),
    free.includes(first.card) ? [without(free, [first.card])] : [],
  );
  for (const left of lefts) {
    const { sum, made } = together(others, left, detailed);
    if (sum + first.bonus > best.sum) best = { sum: sum + first.bonus, made: [first.card, ...made] };
  }
  return best;
}
