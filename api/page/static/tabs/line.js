/** Best play as a row of moves to step through, and what happens after another move. */
import { html, useEffect, useState } from "../core/html.js";
import { Refused, ask } from "../core/ask.js";
import { path, playAll } from "../core/session.js";
import { table } from "../core/table.js";
import { saidOf, say } from "../core/words.js";
import { Move } from "../cards/moves.js";
import { gameOf } from "../games/index.js";
import { playersOf, seatName, seatWithin } from "../games/shared.js";
import { Told } from "../cards/told.js";
import { drewIn, film, show, staged, taken } from "../table/film.js";
import { difference } from "./difference.js";
import { Outcome } from "./outcome.js";

/** @typedef {import("../cards/faces.js").Deck} Deck */
/**
 * @typedef {object} Place
 * @property {string} text a position as a line
 * @property {number[] | null} path where it is among the moves made; null if it isn't
 */

const SECONDS = 2; // to find what follows a move

/** The line that an answer proves, under its model. @param {{answer: any, deck: Deck}} props */
export function Line({ answer, deck }) {
  if (!answer.line?.length) return null;
  const { model } = answer;
  const title = say("line.title");
  const seat = seatWithin(answer.player ?? answer.to_move, table.value.position);
  return html`<section class="box">
    <h3>${model ? say("labelled", { label: title, text: saidOf(answer.game, `model.${model}`, { seat }) }) : title}</h3>
    <${Moves} moves=${answer.line} from=${here()} deck=${deck} />
  </section>`;
}

/** The position on the table. @returns {Place} */
function here() {
  return { text: table.value.text, path: path.value };
}

/**
 * Moves with their seats, a row for each trick and for each match of Alchemy: shown as a film, or played up to the
 * clicked one, if they can be. The first row begins with what already lies in the trick.
 *
 * @param {{moves: string[], from: Place, deck: Deck}} props `from`: their start
 */
export function Moves({ moves, from, deck }) {
  const { position } = table.value;
  const [stages, setStages] = useState(/** @type {import("../table/film.js").Staged[]} */ ([]));
  useEffect(() => {
    staged(from.text, moves).then(setStages, (error) => {
      if (!(error instanceof Refused)) throw error;
    });
  }, [from.text, moves.join()]);
  const over = stages.at(-1)?.over;
  const at = film.value?.moves.every((move, place) => move === moves[place]) ? film.value.at : 0;
  const isSums = gameOf(position.game)?.sums;
  const draw = (/** @type {string} */ move, /** @type {number} */ made) => {
    const seat = isSums ? null : stages[made]?.seat;
    const to = () =>
      from.path ? playAll(moves.slice(0, made + 1), from.path) : show(moves, { from: from.text, at: made + 1 });
    return html`<button type="button" class="move-button" title=${say("line.to")} onClick=${to}
      aria-current=${at === made + 1 ? "step" : undefined}>
      ${typeof seat === "number" && html`<span class="slot-seat">${seatName(seat, position)}</span>${" "}`}
      <${Move} deck=${deck} move=${move} />
      ${drewIn(stages[made]) && html`<span class="drew"><${Told} deck=${deck} text=${drewIn(stages[made])} /></span>`}
    </button>`;
  };
  const run = () => show(moves, { from: from.text });
  const { trick = [], leader } = stages[0]?.before ?? {};
  const lies = (/** @type {string} */ card, /** @type {number} */ place) => html`<span class="lain">
    <span class="slot-seat">${seatName((leader + place) % playersOf(position), position)}</span>
    <${Move} deck=${deck} move=${card} /></span>`;
  const rows = /** @type {any[][]} */ ([trick.map(lies)]);
  moves.forEach((move, made) => {
    rows[rows.length - 1].push(draw(move, made));
    const ends = stages[made]?.ends;
    const words = taken(stages[made], position);
    if (words) rows[rows.length - 1].push(html`<span class="hinted">${words}</span>`);
    if ((ends || isSums) && made + 1 < moves.length) rows.push([]);
  });
  return html`<div class="row">
      <button type="button" class="small" onClick=${run}>▶ ${say("line.film")}</button>
    </div>
    <ol class="move-list line">
      ${rows.map((row, place) => html`<li key=${place}>${row}</li>`)}
    </ol>
    ${over && html`<${Outcome} text=${over.text} position=${over.position} />`}`;
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
 * @param {string} move @param {any} answer @param {string} words what it is worth
 * @param {boolean} isLess whether to say what is lost by it
 */
export function useFollowing(move, answer, words, isLess) {
  const [found, setFound] = useState(/** @type {any} */ (null));
  const [from] = useState(here);
  const tell = async () => {
    setFound({ waiting: true });
    const told = await followed(from.text, move, answer.model, answer.player);
    const line = told.line && [move, ...told.line];
    const isShown = isLess && line && answer.exact && told.exact !== false;
    const why = isShown ? await difference(from.text, line, answer.line, answer.player ?? answer.to_move) : undefined;
    setFound({ ...told, line, words: `${words} ${why?.words(0) ?? ""}` });
    if (line) show(line, { note: why });
  };
  return { found, from, toggle: () => (found ? setFound(null) : tell()) };
}

/** @param {{found: any, from: Place, deck: Deck}} props */
export function Follows({ found, from, deck }) {
  if (found.waiting) return html`<div class="refutation" role="status">…</div>`;
  if (found.message) return html`<div class="refutation" role="status">${found.message}</div>`;
  return html`<div class="refutation" role="status">
    <p><${Told} deck=${deck} text=${found.words} /></p>
    <${Moves} moves=${found.line} from=${from} deck=${deck} />
    ${found.exact === false && html`<p class="hinted">${say("refute.open")}</p>`}
  </div>`;
}
