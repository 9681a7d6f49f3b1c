/** Best play as a row of moves to step through, and what happens after a move that one believes in. */
import { html, useState } from "../core/html.js";
import { Refused, ask } from "../core/ask.js";
import { playAll } from "../core/session.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { Move } from "../cards/moves.js";

/** @param {{answer: any, deck: import("../cards/faces.js").Deck}} props */
export function Line({ answer, deck }) {
  if (!answer.line?.length || (!answer.exact && answer.line.length < 2)) return null;
  return html`<section class="box"><h3>${say("line.title")}</h3><${Moves} moves=${answer.line} before=${[]} deck=${deck} /></section>`;
}

/** Moves that are played up to the one that is clicked. @param {{moves: string[], before: string[], deck: import("../cards/faces.js").Deck}} props */
function Moves({ moves, before, deck }) {
  return html`<ol class="move-list">
    ${moves.map(
      (move, at) => html`<li key=${at}><button type="button" class="move-button" title=${say("line.to")} onClick=${() => playAll([...before, ...moves.slice(0, at + 1)])}>
        <${Move} deck=${deck} move=${move} /></button></li>`,
    )}
  </ol>`;
}

/**
 * A button that tells how the game goes on after a move.
 *
 * @param {{move: string, best: boolean, model: string, player: number, deck: import("../cards/faces.js").Deck}} props
 */
export function Refutation({ move, best, model, player, deck }) {
  const [found, setFound] = useState(/** @type {any} */ (null));
  const position = table.value.text;
  const show = async () => {
    if (found) {
      setFound(null);
      return;
    }
    setFound({ waiting: true });
    try {
      const next = await ask("v1/play", { position, moves: [move] });
      if (next.to_move === null) {
        setFound({ line: [] });
        return;
      }
      const body = { position: next.position, limit: { seconds: 2 }, ...(model ? { model } : {}), ...(model && model !== "maxn" ? { player } : {}) };
      setFound(await ask("v1/analyze", body));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setFound({ message: error.message });
    }
  };
  return html`<button type="button" class="quiet small" aria-expanded=${Boolean(found)} onClick=${show}>${say(best ? "refute.then" : "refute.why")}</button>
    ${found && html`<div class="refutation" role="status">
      ${found.waiting ? "…" : found.message ?? (found.line.length ? html`<${Moves} moves=${found.line} before=${[move]} deck=${deck} />` : say("board.over"))}
      ${found.exact === false && html`<p class="hinted">${say("refute.open")}</p>`}
    </div>`}`;
}
