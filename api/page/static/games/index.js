/** The games that the page can draw. What is played, and what is legal, the service says. */
import { keptSignal } from "../core/kept.js";
import { codeOf, faceOf } from "../cards/faces.js";
import { ALCHEMY } from "./alchemy.js";
import { AQUA_REGIA } from "./aqua-regia.js";
import { KING } from "./king.js";
import { KIRIN } from "./kirin.js";

/**
 * @typedef {object} Zone a place for cards in a position
 * @property {string} path the key of the position, such as "hands[2]"; faults name it too
 * @property {string} title
 * @property {string[]} cards
 * @property {"hand" | "trick" | "line" | "pile" | "single"} kind how it lies; "single" holds one card as a text
 * @property {number} [seat] whose it is
 * @property {boolean} [moves] whether cards of a move can be clicked here
 * @property {boolean} [quiet] shown only while it holds cards, or while the position is set up
 * @property {"aside" | "drawn" | "stock" | "hand"} [lies] where in the middle it lies, if it is nobody's: beside the
 *   trick, beside the line, or face down; or beside a seat's hand
 * @property {number[]} [seats] who played each card
 * @property {"take" | "give"} [deed] what was done with the cards of a trick that is over
 * @property {number} [past] the number of the trick, if it is over
 * @property {"won" | "past" | "named"} [layer] where its cards may lie in other places as well: those that were won
 *   lie in finished tricks too, and some places only name cards that lie elsewhere
 */

/**
 * @typedef {object} Field a number, a word or a seat of a position
 * @property {string} path
 * @property {string} title
 * @property {"seat" | "number" | "choice" | "flag"} kind
 * @property {any} value
 * @property {string[]} [choices]
 * @property {number} [least]
 * @property {number} [most]
 * @property {string} [words] what the keys of its choices begin with, where that is not its path
 * @property {boolean} [more] whether it is seldom wanted
 */

/**
 * @typedef {object} Start a kind of position to set up
 * @property {string} name
 * @property {string} title
 * @property {[number, number]} players
 * @property {boolean} known whether all cards are shown
 * @property {(players: number) => any} draft an empty position
 */

/** @typedef {import("../cards/faces.js").Deck} Deck */
/** @typedef {{sign?: string, words: string, more?: string}} Note */
/** @typedef {Partial<Record<string, number>>} Sizes how many cards places want, by their paths */

/**
 * @typedef {object} Drawn how a game is drawn
 * @property {string} name
 * @property {number} usual how many play, usually
 * @property {boolean} [sums] whether a move is a sum, whose cards stand on two sides of an equals sign
 * @property {(face: import("../cards/faces.js").Face, card: string) => import("../cards/card.js").Look} look
 * @property {Start[]} starts
 * @property {(position: any) => Zone[]} zones
 * @property {(position: any) => Field[]} fields
 * @property {(position: any) => any} [sent] what a draft is to the service, where it differs from what was written
 * @property {(dealt: any, position: any) => Sizes} sizes how many cards the places of a draft want,
 *   by a deal of the same game; nothing where that depends on what was played
 * @property {(position: any) => boolean} [setsAside] whether the seat to move sets a card aside, before the round
 * @property {(deck: Deck) => [string, string][]} [kinds] what a seat can be known not to hold: as positions write it,
 *   and in words
 * @property {(leader: number) => any} [past] a finished trick whose cards are still to be told, in games that tell them
 * @property {(position: any) => number} players how many seats there are
 * @property {(position: any) => number[]} counts how many cards each seat holds; empty where it is not known
 * @property {(position: any, seat: number, deck: Deck) => Note[]} notes what a seat collects, and how far it is
 * @property {(position: any) => [string, string][]} extras what is in force besides what the table draws
 * @property {(position: any) => [string, string][]} facts what is in force, as labelled words: all of it, for paper
 */

/** @type {Drawn[]} */
export const GAMES = [KIRIN, KING, AQUA_REGIA, ALCHEMY];

/** Whether the seat to move sets a card aside, before the round. @param {any} position */
export function setsAside(position) {
  return gameOf(position.game)?.setsAside?.(position) ?? false;
}

/** The game that was chosen last on the welcome page. */
export const chosen = keptSignal("welcome.game", KIRIN.name);

/** @param {string} name @returns {Drawn | undefined} */
export function gameOf(name) {
  return GAMES.find((game) => game.name === name);
}

/** How a card of a deck looks. @param {import("../cards/faces.js").Deck} deck @param {string} card */
export function lookOf(deck, card) {
  const face = faceOf(deck, card);
  const game = gameOf(deck.game);
  if (!game || !deck.byCode.has(codeOf(card))) return { ink: "plain", rank: "", middle: card };
  return game.look(face, card);
}
