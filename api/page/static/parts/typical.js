/**
 * How a round may go on after a hint, as a film: the hidden cards lie in one of the ways that agree with what is seen,
 * and everybody follows the hints.
 */
import { html, useState } from "../core/html.js";
import { Refused, ask } from "../core/ask.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { codeOf, deckOf } from "../cards/faces.js";
import { gameOf } from "../games/index.js";
import { show } from "../table/film.js";

/** @typedef {import("../cards/faces.js").Deck} Deck */

const TRIES = 60; // deals, until one agrees with what was played
const MOST = 12; // moves
const THINKING = { limit: { seconds: 0.05 } }; // for each
const HIDDEN = ["seat", "hand", "voids"]; // what only a view tells

/** Whether a position is a view whose hidden cards can be laid. @param {any} position */
function canDeal(position) {
  const hides = "seat" in position && !("hands" in position);
  return hides && !("gone" in position) && Boolean(gameOf(position.game)?.laid?.(position));
}

/** @template T @param {T[]} list @returns {T[]} */
function shuffled(list) {
  const found = [...list];
  for (let at = found.length - 1; at > 0; at -= 1) {
    const other = Math.floor(Math.random() * (at + 1));
    [found[at], found[other]] = [found[other], found[at]];
  }
  return found;
}

/** The cards that lie nowhere in sight. @param {any} position @param {Deck} deck @returns {string[]} */
function unseenOf(position, deck) {
  const left = deck.cards.flatMap(({ card, copies }) => Array(copies ?? 0).fill(card));
  const zones = gameOf(position.game)?.zones(position) ?? [];
  for (const card of zones.flatMap((zone) => (zone.lies === "stock" ? [] : zone.cards)).map(codeOf)) {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/**
 * A position that a view may be, whether or not it agrees with what was played.
 *
 * @param {any} position @param {Deck} deck
 */
function guessed(position, deck) {
  const game = /** @type {import("../games/index.js").Drawn} */ (gameOf(position.game));
  const rest = shuffled(unseenOf(position, deck));
  const hands = game
    .counts(position)
    .map((count, seat) => (seat === position.seat ? position.hand : rest.splice(0, count)));
  const open = Object.fromEntries(Object.entries(position).filter(([name]) => !HIDDEN.includes(name)));
  return { ...open, ...game.laid?.(position, hands, rest) };
}

/** One possible deal, as a line; empty where none was found. @param {any} position @param {Deck} deck */
async function deal(position, deck) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      return (await ask("v1/play", { position: guessed(position, deck), moves: [] })).text;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
  return "";
}

/**
 * What follows where everybody plays by hints.
 *
 * @param {string} line @param {string} move @returns {Promise<string[]>}
 */
async function followed(line, move) {
  const moves = [move];
  while (moves.length < MOST) {
    const { position, to_move: seat } = await ask("v1/play", { position: line, moves });
    if (seat === null) break;
    const view = await ask("v1/view", { position, seat });
    const { best } = await ask("v1/hint", { position: view.text, ...THINKING });
    if (!best) break;
    moves.push(best);
  }
  return moves;
}

/** A button that shows how it may go on. @param {{move: string}} props */
export function Typical({ move }) {
  const [told, setTold] = useState("");
  const { laid } = table.value;
  if (!laid || !canDeal(laid)) return null;
  const run = async () => {
    const asked = table.value.text;
    setTold(say("typical.waits"));
    const line = await deal(laid, deckOf(laid));
    const moves = line ? await followed(line, move) : [];
    setTold(line ? "" : say("typical.none"));
    if (line && asked === table.value.text) show(moves, { from: line, note: say("typical.deal") });
  };
  return html`<button type="button" class="quiet" onClick=${run}>▶ ${say("typical.title")}</button>
    ${told && html`<span class="hinted" role="status">${told}</span>`}`;
}
