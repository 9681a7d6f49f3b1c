/** The list of puzzles, by game and grade. */
import { html, signal } from "../core/html.js";
import { say } from "../core/words.js";
import { GAMES } from "../games/index.js";
import { Faults } from "../table/faults.js";
import { takeFiles } from "../table/taking.js";
import { score } from "./rating.js";
import { Sheet } from "./sheet.js";
import { arrived, choose, chooseDaily, chosen, faulty, forgetOwn, listed, own, solved } from "./store.js";

const GRADES = ["easy", "medium", "hard", "expert"];
const DRAWING = 800; // milliseconds until the cards of the sheet are there

const printing = signal(false);
addEventListener("afterprint", () => (printing.value = false));

/** @param {object} change */
function set(change) {
  chosen.value = { ...chosen.value, ...change };
}

export function List() {
  const list = listed.value;
  const count = list.filter(({ name }) => solved.value.includes(name)).length;
  const known = arrived.value || chosen.value.own;
  return html`<div class="stack puzzle-list">
    <div class="row">
      <button type="button" class="primary" onClick=${chooseDaily}>${say("job.daily")}</button>
      <${Standing} />
    </div>
    <${Filter} />
    <p class="hinted" role="status">
      ${known ? say("puzzles.solved", { solved: count, all: list.length }) : say("board.loading")}
    </p>
    <ol class="plain puzzles">
      ${list.map((one) => html`<${Item} key=${one.name} one=${one} />`)}
    </ol>
    <label class="file">
      ${say("puzzles.file")}
      <input type="file" accept=".toml" onChange=${(/** @type {any} */ event) => takeFiles(event.target.files)} />
    </label>
    <${Faults} found=${faulty.value} />
    <div class="row">
      <button type="button" disabled=${!list.length} onClick=${print}>
        ${say("puzzles.print", { n: list.length })}
      </button>
    </div>
    ${printing.value && html`<${Sheet} puzzles=${list.map((one) => one.puzzle)} />`}
  </div>`;
}

/** Rating and streak. */
export function Standing() {
  const { rating, streak, tried } = score.value;
  if (!tried.length) return null;
  return html`<span class="hinted">${say("puzzles.rating", { rating, streak })}</span>`;
}

function Filter() {
  const { game, grade, unsolved, own: mine } = chosen.value;
  const value = (/** @type {any} */ event) => event.target.value;
  const checked = (/** @type {any} */ event) => event.target.checked;
  return html`<div class="row">
    <label>
      ${say("setup.game")}
      <select value=${game} onChange=${(/** @type {any} */ event) => set({ game: value(event) })}>
        <option value="">${say("puzzles.any")}</option>
        ${GAMES.map((one) => html`<option value=${one.name}>${say(`game.${one.name}`)}</option>`)}
      </select>
    </label>
    <label>
      ${say("puzzles.grade")}
      <select value=${grade} onChange=${(/** @type {any} */ event) => set({ grade: value(event) })}>
        <option value="">${say("puzzles.any")}</option>
        ${GRADES.map((one) => html`<option value=${one}>${say(`grade.${one}`)}</option>`)}
      </select>
    </label>
    <label>
      <input type="checkbox" checked=${unsolved}
        onChange=${(/** @type {any} */ event) => set({ unsolved: checked(event) })} />
      ${say("puzzles.unsolved")}
    </label>
    ${
      own.value.length > 0 &&
      html`<label>
        <input type="checkbox" checked=${mine}
          onChange=${(/** @type {any} */ event) => set({ own: checked(event) })} />
        ${say("puzzles.own")}
      </label>
      <button type="button" class="quiet small" onClick=${forgetOwn}>${say("puzzles.forget")}</button>`
    }
  </div>`;
}

/** @param {{one: {name: string, puzzle: import("./store.js").Puzzle}}} props */
function Item({ one }) {
  const { title, game, grade } = one.puzzle;
  const done = solved.value.includes(one.name);
  const kind = [say(`game.${game}`), grade && say(`grade.${grade}`)].filter(Boolean).join(", ");
  return html`<li>
    <button type="button" class="quiet puzzle-item" onClick=${() => choose(one)}>
      <span aria-label=${say(done ? "puzzles.done" : "puzzles.open")} role="img">${done ? "✓" : "○"}</span>
      <span>${title}</span> <span class="hinted">${kind}</span>
    </button>
  </li>`;
}

/** Draw the sheet, and print once its cards are there. */
function print() {
  printing.value = true;
  setTimeout(() => window.print(), DRAWING);
}
