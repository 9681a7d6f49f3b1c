/**
 * How a round may go on after a hint, as a film: the service draws one of the deals that agree with what is seen, and
 * everybody follows the hints.
 */
import { html, useState } from "../core/html.js";
import { ask } from "../core/ask.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { show } from "../table/film.js";

const MOST = 12; // moves
const THINKING = { limit: { seconds: 0.05 } }; // for each
const SEEDS = 2 ** 32;

/**
 * Whether cards are hidden that a deal can lay. Of a player who forgot some tricks no other seat's view can be made,
 * so that nobody else can be asked.
 *
 * @param {import("../core/table.js").Table} shown
 */
function hides({ position, known }) {
  return Boolean(position) && !known && !("gone" in position) && position.variant !== "duel";
}

/** One of the deals that a view may be, as a line. @param {string} line @returns {Promise<string>} */
async function dealt(line) {
  const { worlds } = await ask("v1/worlds", { position: line, seed: Math.floor(Math.random() * SEEDS) });
  return worlds[0].text;
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
  const [waits, setWaits] = useState(false);
  if (!hides(table.value)) return null;
  const run = async () => {
    const { text: asked } = table.value;
    setWaits(true);
    try {
      const line = await dealt(asked);
      const moves = await followed(line, move);
      if (asked === table.value.text) show(moves, { from: line, note: say("typical.deal") });
    } finally {
      setWaits(false);
    }
  };
  return html`<button type="button" class="quiet" onClick=${run}>▶ ${say("typical.title")}</button>
    ${waits && html`<span class="hinted" role="status">${say("typical.waits")}</span>`}`;
}
