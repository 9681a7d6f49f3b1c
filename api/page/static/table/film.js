/**
 * A line of play shown on the table, move by move; afterwards the table is as before. A film does not change the
 * position that the tabs are about.
 */
import { computed, effect, html, signal, untracked } from "../core/html.js";
import { ask } from "../core/ask.js";
import { tab } from "../core/session.js";
import { line, table } from "../core/table.js";
import { say } from "../core/words.js";
import { Move } from "../cards/moves.js";
import { Told } from "../cards/told.js";
import { filmed, isView, seatName, seatWithin } from "../games/shared.js";
import { isTheirs } from "./picking.js";
import { told } from "./telling.js";

/**
 * @typedef {object} Staged a move of a line
 * @property {string} move
 * @property {any} seat who makes it; null if nobody is to move
 * @property {any} before the position before it
 * @property {any} after the position after it
 * @property {boolean} ends whether it ends a trick
 * @property {number | null} winner who takes the trick that it ends; null if nobody does
 * @property {any} next who is to move then
 * @property {any} over the table after it, if it ends the round
 */
/**
 * @typedef {object} Film
 * @property {string[]} moves
 * @property {any[]} frames the table after each number of moves
 * @property {Staged[]} stages
 * @property {number} at
 * @property {boolean} runs
 * @property {Note} [note]
 */
/**
 * @typedef {object} Note a remark about a line
 * @property {(trick: number) => string} words what to say during a trick of the line, the first of which is 0
 * @property {number} [until] after this number of moves the film stops, since it has shown what the remark is about
 */

const FRAME = 1300; // milliseconds that each move stays
const MOST = 48; // moves; longer lines are cut off
const quiet = matchMedia("(prefers-reduced-motion: reduce)");

export const film = signal(/** @type {Film | null} */ (null));
/** What is drawn: a frame of the current film, or else the table. */
export const board = computed(() => film.value?.frames[film.value.at] ?? table.value);
/** The seat whose turn is marked: nobody's while what a move brought is still to be said. */
export const turn = computed(() => {
  const { toMove } = board.value;
  if (told.value.length && !film.value) return null;
  return isTheirs.value && !film.value ? 1 - Number(toMove) : toMove;
});

let timer = 0;

/** It is about the position, and the tab, that it was started in. */
effect(() => {
  if (line.value !== null && tab.value !== null) untracked(end);
});

export function end() {
  clearTimeout(timer);
  film.value = null;
  filmed.value = null;
}

/**
 * The table before and after each of some moves. If cards are turned up after the last one, which nobody knows yet,
 * the table stays as it was.
 *
 * @param {string} line @param {string[]} moves
 */
async function framesOf(line, moves) {
  const { faults } = await ask("v1/check", { position: line, moves });
  const known = faults.length ? moves.slice(0, -1) : moves;
  return Promise.all(
    [...moves, ""].map(async (_, at) => {
      const found = await ask("v1/play", { position: line, moves: known.slice(0, at) });
      const laid = { ...found.position, ...found.derived };
      return { ...table.value, moves: [], text: found.text, position: found.position, toMove: found.to_move, laid };
    }),
  );
}

/**
 * Who makes each move of a line, and where its tricks end.
 *
 * @param {string} line @param {string[]} moves @returns {Promise<Staged[]>}
 */
export async function staged(line, moves) {
  const shown = moves.slice(0, MOST);
  return stagesOf(shown, await framesOf(line, shown));
}

/** @param {string[]} moves @param {any[]} frames the table before each and after the last @returns {Staged[]} */
function stagesOf(moves, frames) {
  const lying = (/** @type {any} */ { trick, table: field = [] }) => (trick ?? field).length;
  const won = (/** @type {any} */ { won: piles = [] }) => piles.flat().length;
  return moves.map((move, at) => {
    const [{ toMove: seat, position: before }, last] = frames.slice(at, at + 2);
    const { toMove: next, position: after } = last;
    const ends = lying(before) > 0 && !lying(after);
    const isTaken = ends && (!after.won || won(after) > won(before)); // not four kirin
    const taker = before.owner ?? next ?? after.leader; // the owner of what lies may be unable to lead then
    return { move, seat, before, after, ends, winner: isTaken ? taker : null, next, over: next === null ? last : null };
  });
}

/**
 * What a seat draws that passes, in a line whose stock is known; empty for other moves.
 *
 * @param {Staged | undefined} stage
 */
export function drewIn(stage) {
  const { before, after } = stage ?? {};
  if (!before?.hands || !before.stock || !after?.stock) return "";
  const left = [...after.stock];
  const gone = before.stock.filter((/** @type {string} */ card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return gone.length === 1 ? say("line.draws", { card: gone[0] }) : "";
}

/**
 * Who takes the trick that a move ends, and who leads if that seat can't; empty if a move of its own shows it.
 *
 * @param {Staged | undefined} stage @param {any} position
 */
export function taken(stage, position) {
  const { winner = null, next, move = "" } = stage ?? {};
  if (winner === null || move.startsWith("take")) return "";
  const who = seatName(winner, position);
  if (next === winner || next === null) return say("play.won", { who });
  return say("line.passed", { who, other: seatWithin(next, position) });
}

/**
 * Show a line from the position on the table or, if hands are hidden, from the sampled position `from`. It begins with
 * its first move made, or so many.
 *
 * @param {string[]} moves @param {{from?: string, at?: number, note?: Note}} [how]
 */
export async function show(moves, { from, at = 1, note } = {}) {
  const { text, position } = table.value;
  const shown = moves.slice(0, MOST);
  const frames = await framesOf(from ?? text, shown);
  if (text !== table.value.text) return;
  filmed.value = isView(position) ? position.seat : null;
  go({ moves: shown, frames, stages: stagesOf(shown, frames), at, runs: !quiet.matches, note });
}

/** @param {Film} next */
function go(next) {
  clearTimeout(timer);
  const last = next.at >= next.moves.length;
  film.value = { ...next, runs: next.runs && !last };
  const at = next.at + 1;
  if (film.value.runs) timer = window.setTimeout(() => go({ ...next, at, runs: at !== next.note?.until }), FRAME);
}

/** What the film shows, and its controls. @param {{deck: import("../cards/faces.js").Deck}} props */
export function Film({ deck }) {
  const now = film.value;
  if (!now) return null;
  const { moves, frames, stages, at, runs, note } = now;
  const said = [
    drewIn(stages[at - 1]),
    taken(stages[at - 1], frames[at].position),
    note?.words(stages.slice(0, Math.max(0, at - 1)).filter(({ ends }) => ends).length),
  ];
  const to = (/** @type {number} */ next, running = false) => () => go({ ...now, at: next, runs: running });
  const who = at > 0 ? frames[at - 1].toMove : null;
  const again = at === moves.length ? 0 : at;
  return html`<section class=${`film ${at ? "on" : ""}`} aria-label=${say("film.title")}>
    <p role="status">
      ${at === 0 && say("film.begins")}
      ${who !== null && html`<strong>${seatName(who, frames[at].position)}</strong> `}
      ${at > 0 && html`<${Move} deck=${deck} move=${moves[at - 1]} />`}
      <span class="hinted">${say("steps.at", { at, all: moves.length })}</span>
    </p>
    ${said.map((words) => words && html`<div class="hinted"><${Told} deck=${deck} text=${words} /></div>`)}
    <div class="row">
      <${Control} word="film.back" sign="‹" off=${!at} run=${to(at - 1)} />
      <${Control} word=${runs ? "film.pause" : "film.go"} sign=${runs ? "❚❚" : "▶"} run=${to(again, !runs)} />
      <${Control} word="film.forward" sign="›" off=${at === moves.length} run=${to(at + 1)} />
      <button type="button" onClick=${end}>${say("film.end")}</button>
    </div>
  </section>`;
}

/** @param {{word: string, sign: string, run: () => void, off?: boolean}} props */
function Control({ word, sign, run, off = false }) {
  return html`<button type="button" aria-label=${say(word)} disabled=${off} onClick=${run}>${sign}</button>`;
}
