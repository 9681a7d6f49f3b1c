/** The games that the page can draw. The rules are the service's. */
import { LISTED, isRace } from "../core/catalogue.js";
import { keptSignal } from "../core/kept.js";
import { codeOf, faceOf } from "../cards/faces.js";
import { ALCHEMY } from "./alchemy.js";
import { AQUA_REGIA } from "./aqua-regia.js";
import { KING } from "./king.js";
import { KIRIN } from "./kirin.js";
import { plain } from "./plain.js";

/**
 * @typedef {object} Zone a place for cards in a position
 * @property {string} path its key in the position, such as "hands[2]"; faults use the same path
 * @property {string} title
 * @property {string} [ask] the question for it, while the position is set up
 * @property {string[]} cards
 * @property {"hand" | "trick" | "line" | "pile" | "single"} kind its layout; "single" is one card as a text
 * @property {number} [seat] the seat that owns it
 * @property {number} [least] how many cards it needs at least, while the position is set up
 * @property {Record<string, string>} [counted] for cards that do not stay in it while the position is set up, the path
 *   of the number that counts them
 * @property {boolean} [moves] whether the cards of a move can be clicked here
 * @property {boolean} [quiet] shown only while it holds cards, or while the position is set up
 * @property {"aside" | "drawn" | "stock" | "hand"} [lies] its place in the middle, if no seat owns it: beside the
 *   trick, beside the line or, in a duel, at a seat, or face down; or its place beside a seat's hand
 * @property {number[]} [seats] who played each card
 * @property {number} [winner] the index of the card that won a finished trick
 * @property {"take" | "give"} [deed] what the winner did with the cards of a finished trick
 * @property {number} [past] the number of a finished trick
 * @property {string[]} [from] the cards of which its own are some, such as those of the trick
 * @property {"won" | "past" | "named"} [layer] why its cards may also be in other places: cards won or gone are also
 *   in finished tricks, and some places only name cards that are elsewhere
 */

/**
 * @typedef {object} Field a number, a word or a seat of a position
 * @property {string} path
 * @property {string} title
 * @property {string} [ask] the question for it
 * @property {"seat" | "number" | "choice" | "flag"} kind
 * @property {any} value undefined if it is still missing
 * @property {string[]} [choices]
 * @property {number} [least]
 * @property {number} [most]
 * @property {string} [words] the prefix of its choices' keys, if it is not the path
 * @property {{is: any, word: string}[]} [options] its values in words, if these are not the page's
 * @property {boolean} [more] whether it is rarely needed
 * @property {number} [seat] the seat at which it is asked for
 * @property {boolean} [leads] whether it is the seat that leads, taken to be one's own unless it is changed
 */

/**
 * @typedef {object} Start a kind of position to set up
 * @property {string} name
 * @property {string} title
 * @property {[number, number]} players
 * @property {boolean} known whether all cards are shown
 * @property {boolean} [rare] whether it is offered only in the tab Position
 * @property {(players: number) => any} draft an empty position
 */

/** @typedef {import("../cards/faces.js").Deck} Deck */
/** @typedef {{sign?: string, words: string, brief?: string, count: number | string,
 * lacks?: string, more: string}} Note */
/**
 * @typedef {object} Tally what a seat has made so far, or without a seat what was discarded
 * @property {number} [seat]
 * @property {{ink: string, sign: string, label: string, n: number}[]} [counts]
 * @property {string[]} [arts] the names of illustrations
 * @property {string[]} [cards]
 */
/** @typedef {Partial<Record<string, number>>} Sizes how many cards places want, by their paths */

/**
 * @typedef {object} Drawn how a game is drawn
 * @property {string} name
 * @property {number} usual the usual number of players
 * @property {[string, string][]} [variants] the kinds of its rounds that can be chosen, with what they are called
 * @property {string[]} [own] keys of a draft that say which rules are in force
 * @property {boolean} [illustrated] whether there are illustrations of its cards, in `templates/art`
 * @property {boolean} [infers] whether its hints count a deal by how well it fits what the others did
 * @property {string[]} [shown] some cards for the first page
 * @property {string} [example] a position as a line, for a field where one is typed
 * @property {any} [lesson] a draft in which one card is missing, with which the page is explained
 * @property {string} [written] a round that was written down at a table
 * @property {string[]} [signs] the signs that a printed key explains, besides suits
 * @property {Record<string, string>} [reactions] the signs of what its cards react in, by their names
 * @property {boolean} [orders] whether its cards have two orders, one the other's reverse
 * @property {boolean} [heaps] whether what is played lies on what was played before, and only the top counts
 * @property {boolean} [compounds] whether recipes are made of the cards won
 * @property {boolean} [sums] whether a move is a sum, with cards on both sides of an equals sign
 * @property {(face: import("../cards/faces.js").Face, card: string) => import("../cards/card.js").Look} look
 * @property {Start[]} starts
 * @property {(position: any) => Zone[]} zones
 * @property {(position: any) => Field[]} fields
 * @property {(position: any) => any} [sent] converts a draft for the service, if they differ
 * @property {(dealt: any, position: any) => Sizes} sizes the number of cards that the places of a draft need,
 *   by comparison with a deal; empty if it depends on what was played
 * @property {(position: any) => boolean} [setsAside] whether the seat to move sets a card aside, before the round
 * @property {(position: any, card: string) => number | undefined} [copies] how many of a card the deck has, where
 *     the rules in force decide it
 * @property {(shown: {position: any, toMove: number | null, moves: string[]}, deck: Deck) => string} [task] what the
 *   player has to do other than to play a card, in a sentence; empty for nothing else
 * @property {(led: string) => string} [follow] how a card that was led is to be followed, in a sentence
 * @property {(deck: Deck) => [string, string][]} [kinds] what a seat can be known not to hold: as in positions,
 *   and in words
 * @property {(position: any, move: string, toMove: number) => number | null} [gains] the points that a move brings
 * @property {(position: any, move: string) => any} [underway] the position without the cards of a move that is made,
 *   but whose consequences are still to be said
 * @property {(position: any, move: string, given: string[]) => string[]} [turned] the places of the cards that are
 *   turned up after a move, in words, by those that were given so far
 * @property {(leader: number) => any} [past] a finished trick without its cards yet, in games that record them
 * @property {(position: any) => number} players how many seats there are
 * @property {(position: any) => number[]} counts the number of cards that each seat holds; empty if unknown
 * @property {(position: any, seat: number, deck: Deck) => Note[]} notes what a seat collects, and its progress
 * @property {(position: any, deck: Deck) => Tally[]} [tally] what the seats have made so far, as pictures
 * @property {(position: any) => [string, string][]} [ruled] the rules in force, in the middle of the table
 * @property {(position: any) => [string, string][]} extras other things in force, which the table does not draw
 * @property {(position: any) => [string, string][]} facts everything in force, as labelled words, for paper
 */

const REFINED = [KIRIN, KING, AQUA_REGIA, ALCHEMY];
const others = LISTED.filter(({ name, has_card_faces: drawn }) => drawn && !REFINED.some((game) => game.name === name));
/** @type {Drawn[]} */
export const GAMES = [...REFINED, ...others.map(plain)];

/** A position as a line, for fields where one is typed. */
export const EXAMPLE = GAMES.find((game) => game.example)?.example ?? "";

/** What styles know of the game on a table: its name, for its own ones, and its kind. @param {Drawn} game */
export function marked({ name, sums, past }) {
  return { "data-game": name, "data-sums": sums, "data-tricks": past && true };
}

/** The same as classes of the columns around it. @param {string} name @returns {string} */
export function classesOf(name) {
  const game = gameOf(name);
  return game ? [`of-${name}`, game.sums && "with-sums", game.past && "with-tricks"].filter(Boolean).join(" ") : "";
}

/** Whether the seat to move sets a card aside, before the round. @param {any} position */
export function setsAside(position) {
  return gameOf(position.game)?.setsAside?.(position) ?? false;
}

/** The game chosen last. */
export const chosen = keptSignal("welcome.game", GAMES[0].name);

/** @param {string} name @returns {Drawn | undefined} */
export function gameOf(name) {
  return GAMES.find((game) => game.name === name);
}

/** Keys that a draft may have beside those that it had at first. */
const FURTHER = [
  "deck", "rules", "round", "totals", "for_match", "voids", "direction", "leader", "owner", "objective", "discarded",
];

/**
 * The kind of a draft; undefined if it is a position that was entered otherwise.
 *
 * @param {any} position @returns {Start | undefined}
 */
export function startOf(position) {
  const game = gameOf(position.game);
  const further = [...FURTHER, ...(game?.own ?? [])];
  const kindOf = (/** @type {any} */ draft) =>
    [draft.variant, ...Object.keys(draft).filter((name) => !further.includes(name))].sort().join();
  return game?.starts.find((start) => kindOf(start.draft(2)) === kindOf(position));
}

/** Whether a game is about points: others are won or lost, or count something else. @param {string} name */
export function countsPoints(name) {
  return !isRace(name) && !gameOf(name)?.sums;
}

/** How a card of a deck looks. @param {import("../cards/faces.js").Deck} deck @param {string} card */
export function lookOf(deck, card) {
  const face = faceOf(deck, card);
  const game = gameOf(deck.game);
  if (!game || !deck.byCode.has(codeOf(card))) return { ink: "plain", rank: "", middle: card };
  return game.look(face, card);
}
