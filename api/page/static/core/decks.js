/** The user's own decks, from files: the service parses them, and the browser stores them. */
import { signal } from "./html.js";
import { Refused, ask } from "./ask.js";
import { keptSignal } from "./kept.js";
import { say } from "./words.js";

/** @typedef {{game: string, name: string, title: string, deck: any}} OwnDeck */

export const ownDecks = keptSignal("decks.own", /** @type {OwnDeck[]} */ ([]));
/** The last deck dropped on the page; it becomes the default wherever a deck of its game is chosen. */
export const dropped = signal(/** @type {OwnDeck | null} */ (null));

/** What a deck of one's own is called. @param {any} deck its name, or the deck */
export function ownTitle(deck) {
  return say("labelled", { label: say("deck.mine"), text: deck.title ?? deck.name ?? deck });
}

/**
 * Read a deck from the text of a file, TOML, CSV or JSON, and store it. Throws `Refused` if it is not a deck.
 *
 * @param {string} text @param {string} [name] the file's, which a deck in a table has too
 * @returns {Promise<OwnDeck>}
 */
export async function readDeck(text, name = "") {
  const found = text.trimStart().startsWith("{")
    ? await ofJson(JSON.parse(text))
    : await ask(`v1/decks?name=${encodeURIComponent(name)}`, text);
  const others = ownDecks.value.filter((one) => one.game !== found.game || one.name !== found.name);
  ownDecks.value = [...others, found];
  return found;
}

/**
 * A deck in JSON does not name its game, so find the game that accepts it.
 *
 * @param {any} deck @returns {Promise<OwnDeck>}
 */
async function ofJson(deck) {
  const games = new Set(
    (await ask("v1/decks")).decks.map((/** @type {any} */ one) => one.game).filter(Boolean),
  );
  /** @type {Refused[]} */
  const refusals = [];
  for (const game of games) {
    try {
      await ask("v1/cards", { game, deck });
      return { game, name: String(deck.name), title: String(deck.title ?? deck.name), deck };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refusals.push(error);
    }
  }
  throw refusals.sort((one, other) => one.faults.length - other.faults.length)[0];
}
