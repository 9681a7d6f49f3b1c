/**
 * How a round may continue after a hint, as a film: the service samples a deal that agrees with the view, and everybody
 * follows hints.
 */
import { html, useState } from "../core/html.js";
import { ask } from "../core/ask.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { show } from "../table/film.js";

const MOST = 12; // moves
const THINKING = { limit: { seconds: 0.05 } }; // per move
const SEEDS = 2 ** 32;

/**
 * Whether a deal of the hidden cards can be played on. If the player does not remember every trick, the other seats'
 * views are unknown, so they have no hints.
 *
 * @param {import("../core/table.js").Table} shown
 */
function hides({ position, known }) {
  return Boolean(position) && !known && !("gone" in position) && position.variant !== "duel";
}

/** A deal that agrees with a view, as a line of text. @param {string} line @returns {Promise<string>} */
async function dealt(line) {
  const { worlds } = await ask("v1/worlds", { position: line, seed: Math.floor(Math.random() * SEEDS) });
  return worlds[0].text;
}

/**
 * The moves that follow if everybody follows hints.
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

/** A button that shows how the round may continue. @param {{move: string}} props */
export function Typical({ move }) {
  const [waits, setWaits] = useState(false);
  if (!hides(table.value)) return null;
  const run = async () => {
    const { text: asked } = table.value;
    setWaits(true);
    try {
      const line = await dealt(asked);
      const moves = await followed(line, move);
      if (asked === table.value.text) show(moves, { from: line, note: { words: () => say("typical.deal") } });
    } finally {
      setWaits(false);
    }
  };
  return html`<button type="button" class="quiet" onClick=${run}>▶ ${say("typical.title")}</button>
    ${waits && html`<span class="hinted" role="status">${say("typical.waits")}</span>`}`;
}
