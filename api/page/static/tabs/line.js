/** Best play as a row of moves to step through, and what happens after another move. */
import { html, useEffect, useState } from "../core/html.js";
import { Refused, ask } from "../core/ask.js";
import { path, playAll } from "../core/session.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { Move } from "../cards/moves.js";
import { seatName } from "../games/shared.js";
import { Told } from "../cards/told.js";
import { film, show, staged } from "../table/film.js";
import { Outcome } from "./outcome.js";

/** @typedef {import("../cards/faces.js").Deck} Deck */
/** @typedef {{text: string, path: number[]}} Place a position as a line, and where it is among the moves made */

const SECONDS = 2; // to find what follows a move

/** The line that an answer proves, under its model. @param {{answer: any, deck: Deck}} props */
export function Line({ answer, deck }) {
  if (!answer.line?.length) return null;
  const { model } = answer;
  const title = say("line.title");
  return html`<section class="box">
    <h3>${model ? say("labelled", { label: title, text: say(`model.${model}`) }) : title}</h3>
    <${Moves} moves=${answer.line} before=${[]} from=${here()} deck=${deck} />
  </section>`;
}

/** The position on the table. @returns {Place} */
function here() {
  return { text: table.value.text, path: path.value };
}

/**
 * Moves with their seats and a break after each trick: shown as a film, or played up to the clicked one.
 *
 * @param {{moves: string[], before: string[], from: Place, deck: Deck}} props `from`: their start
 */
export function Moves({ moves, before, from, deck }) {
  const { position } = table.value;
  const all = [...before, ...moves];
  const [stages, setStages] = useState(/** @type {import("../table/film.js").Staged[]} */ ([]));
  useEffect(() => {
    staged(from.text, all).then(setStages, (error) => {
      if (!(error instanceof Refused)) throw error;
    });
  }, [from.text, all.join()]);
  const over = stages.at(-1)?.over;
  const at = film.value?.moves.every((move, place) => move === all[place]) ? film.value.at : 0;
  return html`<ol class="move-list line">
    <li>
      <button type="button" class="small" onClick=${() => show(all, { from: from.text })}>▶ ${say("line.film")}</button>
    </li>
    ${moves.map((move, place) => {
      const made = before.length + place;
      const stage = stages[made];
      const to = () => playAll(all.slice(0, made + 1), from.path);
      return html`<li key=${place} class=${stage?.ends ? "ends" : ""}>
        <button type="button" class="move-button" title=${say("line.to")} onClick=${to}
          aria-current=${at === made + 1 ? "step" : undefined}>
          ${
            stage && typeof stage.seat === "number" && position.game !== "alchemy"
              ? html`<span class="slot-seat">${seatName(stage.seat, position)}</span>${" "}`
              : null
          }
          <${Move} deck=${deck} move=${move} />
        </button>
      </li>`;
    })}
    ${over && html`<li><${Outcome} text=${over.text} position=${over.position} /></li>`}
  </ol>`;
}

/**
 * How the game goes on after a move.
 *
 * @param {string} position @param {string} move @param {string} model @param {number} player
 */
async function followed(position, move, model, player) {
  try {
    const next = await ask("v1/play", { position, moves: [move] });
    if (next.to_move === null) return { line: [] };
    const body = { position: next.position, limit: { seconds: SECONDS } };
    const whose = model === "maxn" ? {} : { player };
    return await ask("v1/analyze", model ? { ...body, model, ...whose } : body);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { message: error.message };
  }
}

/**
 * How the game goes on after a move, on request: the result, its start, and functions to request or close it.
 *
 * @param {string} move @param {string} model @param {number} player
 */
export function useFollowing(move, model, player) {
  const [found, setFound] = useState(/** @type {any} */ (null));
  const [from] = useState(here);
  const tell = async () => {
    setFound({ waiting: true });
    const told = await followed(from.text, move, model, player);
    setFound(told);
    if (told.line?.length) show([move, ...told.line]);
  };
  return { found, from, toggle: () => (found ? setFound(null) : tell()) };
}

/** @param {{found: any, move: string, words: string, from: Place, deck: Deck}} props `words`: what it is worth */
export function Follows({ found, move, words, from, deck }) {
  if (found.waiting) return html`<div class="refutation" role="status">…</div>`;
  if (found.message) return html`<div class="refutation" role="status">${found.message}</div>`;
  return html`<div class="refutation" role="status">
    ${words && html`<p><${Told} deck=${deck} text=${words} /></p>`}
    ${
      found.line?.length
        ? html`<${Moves} moves=${found.line} before=${[move]} from=${from} deck=${deck} />`
        : say("refute.end")
    }
    ${found.exact === false && html`<p class="hinted">${say("refute.open")}</p>`}
  </div>`;
}
