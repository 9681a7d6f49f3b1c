/** What the drawings of several games share. */
import { codeOf } from "../cards/faces.js";
import { readingsOf, seatsOf } from "../core/catalogue.js";
import { computed, signal } from "../core/html.js";
import { key } from "../core/session.js";
import { table } from "../core/table.js";
import { isSaid, say } from "../core/words.js";

/** @typedef {import("./index.js").Zone} Zone */

/** A key of one card as a list. @param {string | null | undefined} card */
export function flat(card) {
  return card ? [card] : [];
}

/** Whether a position is what one seat sees. @param {any} position */
export function isView(position) {
  return "seat" in position && !("hands" in position);
}

/** The player's seat while a game against the page's own players is shown, who have names; null for none. */
export const playing = signal(/** @type {number | null} */ (null));

/** The seat whose moves a puzzle asks for, or whose result; null for none. */
export const solving = signal(/** @type {number | null} */ (null));

/** The seat whose view a line on the table is based on, although its cards are all shown; null for none. */
export const filmed = signal(/** @type {number | null} */ (null));

/** Whether seats are called by their numbers, as in the questions of a printed book. */
export const numbered = signal(false);

const you = key("you");
/** The seat that is "you" on a table with all cards shown, if not the one to move: who solved its puzzle. */
const solved = computed(() => (/^[0-4]$/.test(you.value) ? Number(you.value) : null));

/**
 * The seat that is "you": the player's own or, of a position of no game, the one named as its `first`, whose view it is
 * or, with all cards known, whoever's view of them is shown, the one to move in the starting position.
 *
 * @param {any} position @returns {number}
 */
export function ownSeat(position) {
  const isAll = !isView(position) || table.value.seen;
  const seen = position.first ?? (isAll ? (solved.value ?? table.value.first) : position.seat);
  return playing.value ?? solving.value ?? filmed.value ?? (hasLine(position) ? 0 : (seen ?? 0));
}

/** The seat at the bottom of the table: one's own, or the one whose view of all the cards is shown. */
export const nearSeat = (/** @type {any} */ position) =>
  isView(position) && table.value.seen ? position.seat : ownSeat(position);

/** Whether cards lie in a line: such a position has no seats of its own, and its lists begin with one's own. */
const hasLine = (/** @type {any} */ position) => "line" in position;

/** The place of a seat in a position's lists: that of a duel begins with one's own. @param {number} seat */
export function placeOf(seat, /** @type {any} */ position) {
  return hasLine(position) ? Number(!isYou(seat, position)) : seat;
}

/** @param {number} seat @param {any} position */
export function isYou(seat, position) {
  return seat === ownSeat(position);
}

/** The names of the other seats, from the player's left on, by their number. */
const OTHERS = [
  [],
  ["opponent"],
  ["left", "right"],
  ["left", "across", "right"],
  ["left", "farLeft", "farRight", "right"],
];

/**
 * What a seat is called: "you", by its name if the page's own players play, or else by where it sits. Only readers of
 * a book know numbers.
 *
 * @param {number} seat @param {any} position
 */
export function seatName(seat, position) {
  if (numbered.value && !hasLine(position)) return say("seat.number", { seat });
  if (isYou(seat, position)) return say("seat.you");
  if (playing.value !== null && isSaid(`player.${seat}`)) return say(`player.${seat}`);
  const players = playersOf(position);
  return say(`at.${OTHERS[players - 1][(seat - ownSeat(position) + players - 1) % players]}`);
}

/** A seat within a sentence. @param {number} seat @param {any} position */
export function seatWithin(seat, position) {
  return isYou(seat, position) ? say("why.you") : seatName(seat, position);
}

/** All seats, from the player's own on. @param {any} position */
export function seatsFrom(position) {
  const players = playersOf(position);
  return Array.from({ length: players }, (_, at) => (ownSeat(position) + at) % players);
}

/** The names of all seats, for sentences of the service; that of the player's own is empty. @param {any} position */
export function namesOf(position) {
  if (!position) return [];
  const seats = Array.from({ length: playersOf(position) }, (_, seat) => seat);
  return seats.map((seat) => (isYou(seat, position) ? "" : seatName(seat, position)));
}

/**
 * How a game finds the number of seats of a position that lists none, by its name.
 *
 * @type {Map<string, (position: any) => number | undefined>}
 */
export const countings = new Map();

/** The number of seats; of a solitaire, too, two. @param {any} position @returns {number} */
export function playersOf(position) {
  const { game, hands, won, counts, players } = position;
  const usual = hasLine(position) ? 2 : seatsOf(game);
  const given = usual || hands?.length || won?.length || counts?.length || players;
  return given || countings.get(game)?.(position) || 5;
}

/**
 * Who leads the trick. One who joins late is taken to be next, unless the leader is given.
 *
 * @param {any} position @param {number} players @returns {number}
 */
function leaderOf({ leader, seat, trick = [] }, players) {
  return leader ?? (seat - trick.length + players) % players;
}

/**
 * The field for who leads; none where that follows from the finished tricks.
 *
 * @param {any} position @param {number} players @returns {import("./index.js").Field[]}
 */
export function leaderField(position, players) {
  if (isFollowed(position)) return [];
  const value = leaderOf(position, players);
  const title = "trick" in position ? say("field.ledBy") : say("field.leader");
  return [{ path: "leader", title, ask: say("place.leader"), kind: "seat", value, most: players, leads: true }];
}

/** Whether a draft has finished tricks: from who led the first, the service finds who led the others. */
export function isFollowed(/** @type {any} */ position) {
  return Boolean(position.history?.[0]?.cards);
}

/** A position as a draft: without what follows from its finished tricks, which may be changed. */
export function asDraft(/** @type {any} */ position) {
  // Where no card is forgotten, the stock has the rest.
  const rest = "stock_count" in position && !("gone" in position) && !position.history?.length;
  if (!isFollowed(position)) return rest ? { ...position, stock_count: "" } : position;
  const played = new Set(position.history.flatMap((/** @type {any} */ past) => past.cards.map(codeOf)));
  const { won = [], direction, ...others } = position;
  const before = won.map((/** @type {string[]} */ pile) => pile.filter((card) => !played.has(card)));
  const isMore = before.flat().length || "removed" in position; // then piles also have the cards picked
  return { ...others, ...("hands" in position ? {} : { direction }), ...(isMore && { won: before }) };
}

/** A draft with its leader, as it is sent. @param {any} position @param {number} players */
export function withLeader(position, players) {
  if (!isFollowed(position)) {
    return "gone" in position ? { ...position, leader: leaderOf(position, players) } : position;
  }
  const [first, ...later] = position.history;
  const history = [first, ...later.map((/** @type {any} */ past) => ({ ...past, leader: undefined }))];
  return { ...position, leader: undefined, history };
}

/**
 * The hands that are shown. While they are set up, all need as many cards as the largest.
 *
 * @param {any} position @param {number} players @returns {Zone[]}
 */
export function hands(position, players) {
  const shared = { title: say("zone.hand"), kind: /** @type {const} */ ("hand"), moves: true };
  if (!position.hands) return [{ ...shared, path: "hand", cards: position.hand ?? [], seat: position.seat, least: 1 }];
  const { seats = [] } = trick(position, players);
  const all = /** @type {string[][]} */ (position.hands);
  const most = Math.max(1, ...all.map((cards, seat) => cards.length + (seats.includes(seat) ? 1 : 0)));
  return all.map((cards, seat) => {
    const least = most - (seats.includes(seat) ? 1 : 0);
    return { ...shared, path: `hands[${seat}]`, cards, seat, least };
  });
}

/** Whether the player has played to the trick. @param {any} position @param {number} players */
export function hasPlayed(position, players) {
  return trick(position, players).seats?.includes(position.seat) ?? false;
}

/**
 * The size of the hand, if every finished trick is known: the cards dealt, less those played.
 *
 * @param {any} dealt @param {any} position @param {number} players @returns {import("./index.js").Sizes}
 */
export function handLeft(dealt, position, players) {
  if (!isView(position) || "gone" in position) return {};
  const over = (position.history ?? []).length + (hasPlayed(position, players) ? 1 : 0);
  return { hand: dealt.hand.length - over };
}

/** The trick that is being played. @param {any} position @param {number} players @returns {Zone} */
export function trick(position, players) {
  const cards = position.trick ?? [];
  const leader = leaderOf(position, players);
  const seats = cards.map((/** @type {string} */ _, /** @type {number} */ at) => (leader + at) % players);
  return { path: "trick", title: say("zone.trick"), cards, kind: "trick", seats, moves: true };
}

/** What each seat has won. @param {any} position @returns {Zone[]} */
export function piles(position) {
  return (position.won ?? []).map((/** @type {string[]} */ cards, /** @type {number} */ seat) => ({
    path: `won[${seat}]`,
    title: say("zone.won"),
    cards,
    kind: "pile",
    seat,
    quiet: true,
    layer: "won",
  }));
}

/**
 * The place of the card that won a finished trick, whose player led the next one; undefined if that is not known.
 *
 * @param {any} position @param {number} at @param {number} players @returns {number | undefined}
 */
export function winnerOf({ history: past, leader }, at, players) {
  const won = ((past[at + 1]?.leader ?? leader) - past[at].leader + players) % players;
  return past[at].cards?.length > won ? won : undefined;
}

/** The finished tricks of a view. @param {any} position @param {number} players @returns {Zone[]} */
export function history(position, players) {
  return (position.history ?? []).flatMap((/** @type {any} */ past, /** @type {number} */ index) => {
    const at = index + 1;
    const shared = { quiet: true, past: at };
    const of = (/** @type {string} */ _, /** @type {number} */ place) => (past.leader + place) % players;
    const seats = past.leader === undefined ? undefined : (past.cards ?? []).map(of);
    const zones = /** @type {Zone[]} */ ([
      {
        ...shared,
        winner: winnerOf(position, index, players),
        path: `history[${index}].cards`,
        title: say("zone.past", { at }),
        cards: past.cards ?? [],
        least: players,
        kind: "trick",
        seats,
        layer: "past",
      },
    ]);
    if (past.taken) {
      zones.push({
        ...shared,
        path: `history[${index}].taken`,
        title: say("zone.pastTaken", { at }),
        cards: past.taken,
        from: past.cards,
        kind: "pile",
        deed: "take",
        layer: "named",
      });
    }
    if (past.given !== undefined) {
      zones.push({
        ...shared,
        path: `history[${index}].given`,
        title: say("zone.pastGiven", { at }),
        cards: flat(past.given),
        from: past.cards,
        kind: "single",
        deed: "give",
        layer: "named",
      });
    }
    return zones;
  });
}

/**
 * Cards that a player who does not remember every trick knows to be gone.
 *
 * @param {any} position @param {string} [name] what they are called: in some games they lie open
 * @returns {Zone[]}
 */
export function gone(position, name = "gone") {
  if (!("gone" in position)) return [];
  const title = say(`zone.${name}`);
  const ask = say(`place.${name}`);
  return [{ path: "gone", title, ask, cards: position.gone, kind: "pile", quiet: true, lies: "aside", layer: "won" }];
}

/** The suits of a deck by their letters. @param {import("./index.js").Deck} deck */
export function suitsOf(deck) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const { card, suit } of deck.cards) if (suit) found.set(card[0], suit);
  return [...found];
}

/** An empty list for each player. @param {number} players @returns {string[][]} */
export function lists(players) {
  return Array.from({ length: players }, () => []);
}

/** The field for one's own seat. @param {any} position @param {number} players @returns {import("./index.js").Field} */
export function seatField(position, players) {
  return {
    path: "seat",
    title: say("field.seat"),
    kind: "seat",
    value: position.seat,
    most: players,
    more: true,
  };
}

/**
 * The rule options, as checkboxes.
 *
 * @param {any} position @returns {import("./index.js").Field[]}
 */
export function readings(position) {
  const words = Object.entries(readingsOf(position.game));
  return words.map(([name, title]) => ({
    path: `rules.${name}`,
    title,
    kind: "flag",
    value: Boolean(position.rules?.[name]),
    more: true,
  }));
}

/** The rule options in force, as facts. @param {any} position @returns {[string, string][]} */
export function inForce(position) {
  const names = Object.keys(position.rules ?? {}).filter((name) => position.rules[name]);
  return names.map((name) => [say("reading"), readingsOf(position.game)[name] ?? name]);
}

/**
 * The number of cards that each seat of a trick game holds. In a view, all hands are as large as one's own, except
 * for the cards in the trick.
 *
 * @param {any} position @param {number} players @returns {number[]}
 */
export function trickCounts(position, players) {
  if (position.hands) return position.hands.map((/** @type {string[]} */ cards) => cards.length);
  const played = new Set(trick(position, players).seats);
  const before = (position.hand ?? []).length + (played.has(position.seat) ? 1 : 0);
  return Array.from({ length: players }, (_, seat) => before - (played.has(seat) ? 1 : 0));
}
