/** A review as a graph and a table: what each move gave away, the worst first to be found. */
import { html } from "../core/html.js";
import { go } from "../core/session.js";
import { table } from "../core/table.js";
import { figure, say } from "../core/words.js";
import { deckOf } from "../cards/faces.js";
import { Move } from "../cards/moves.js";

/** @typedef {(seat: number) => string} Who */

const WORST = 3; // moves that are named

/** @param {{moves: any[], who: Who, onShow: (move: any) => void}} props */
export function Graph({ moves, who, onShow }) {
  const losses = moves.map((move) => Math.max(0, move.lost ?? 0));
  const most = Math.max(...losses, 0);
  if (!most) return null;
  const width = 100 / moves.length;
  const worst = moves.filter((move) => move.verdict === "worse").sort((one, other) => other.lost - one.lost);
  return html`<figure class="graph">
    <svg viewBox="0 0 100 30" preserveAspectRatio="none" role="img" aria-label=${say("review.graph")}>
      ${losses.map((lost, at) => {
        const height = Math.max(0.6, (28 * lost) / most);
        const kind = moves[at].verdict === "worse" ? "bad" : "";
        return html`<rect class=${kind} x=${at * width} y=${30 - height} width=${width * 0.8} height=${height} />`;
      })}
    </svg>
    ${
      worst.length > 0 &&
      html`<figcaption class="row">
      ${say("review.worst")}
      ${worst.slice(0, WORST).map(
        (move) => html`<button type="button" class="small" key=${move.number} onClick=${() => onShow(move)}>
          ${say("review.mistake", { at: move.number, seat: who(move.seat), lost: figure(move.lost) })}
        </button>`,
      )}
    </figcaption>`
    }
  </figure>`;
}

/** @param {{moves: any[], who: Who, mine: boolean, onShow: (move: any) => void}} props */
export function Rows({ moves, who, mine, onShow }) {
  const deck = deckOf(table.value.position);
  const heads = [say("play.at"), say("col.move"), say("play.lost"), say("play.better"), say("play.truth")];
  return html`<div class="scroll">
    <table class="moves">
      <thead>
        <tr>
          ${heads.map((head) => html`<th>${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${moves.map(
          (move) => html`<tr key=${move.number} class=${move.verdict === "worse" ? "is-worse" : ""}>
            <td class="number at">
              <${Where} move=${move} onShow=${onShow} />
              ${!mine && html`<span class="slot-seat"> ${who(move.seat)}</span>`}
            </td>
            <td><${Move} deck=${deck} move=${move.move} /></td>
            <td class="number">${lost(move)}</td>
            <td>
              ${
                move.verdict === "worse" && move.best
                  ? html`<${Move} deck=${deck} move=${move.best} />`
                  : html`<span class="hinted">${say(`play.${move.verdict}`)}</span>`
              }
            </td>
            <td class="number">${truth(move)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/**
 * Buttons to the position of a move: as its player saw it, and with all cards.
 *
 * @param {{move: any, onShow: (move: any) => void}} props
 */
function Where({ move, onShow }) {
  const all = () => go({ text: move.text, keys: { tab: "analysis", moves: "", at: "", seat: "" } });
  const named = (/** @type {string} */ key) => ({
    title: say(key),
    "aria-label": `${move.number}: ${say(key)}`,
  });
  return html`<button type="button" class="quiet small" ...${named("play.show")} onClick=${() => onShow(move)}>
      ${move.number}
    </button>
    ${
      move.text &&
      html` <button type="button" class="quiet small" ...${named("play.showAll")} onClick=${all}>
      ${say("play.all")}</button>`
    }`;
}

/** @param {any} move */
function lost(move) {
  if (move.lost === null) return say("play.unknown");
  if (!move.lost || !move.stderr) return figure(move.lost);
  return say("estimate", { value: figure(move.lost), error: figure(2 * move.stderr) });
}

/** @param {any} move */
function truth(move) {
  if (!move.true_bounds) return "–";
  const [low, high] = move.true_bounds;
  return low === high ? figure(low) : say("play.span", { low: figure(low), high: figure(high) });
}
