/** The puzzles: a list to choose from, and the one that is asked. */
import { effect, html, signal, useState } from "../core/html.js";
import { open, tab } from "../core/session.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { Faults } from "../board/faults.js";
import { advise } from "../board/marks.js";
import { takeFiles } from "../board/taking.js";
import { codeOf, deckOf } from "../cards/faces.js";
import { cardsOf } from "../cards/moves.js";
import { GAMES } from "../games/index.js";
import { answer, found, hints, shown, solution, status, verdict, wordsOf } from "../puzzles/asking.js";
import { question } from "../puzzles/question.js";
import { Sheet } from "../puzzles/sheet.js";
import { arrived, choose, chosen, faulty, fetchCollection, forgetOwn, listed, next, own, puzzle, puzzleKey, solved } from "../puzzles/store.js";

const GRADES = ["easy", "medium", "hard", "expert"];

const printing = signal(false);
addEventListener("afterprint", () => (printing.value = false));

effect(() => {
  if (tab.value === "puzzles") fetchCollection();
});
effect(() => {
  if (tab.value !== "puzzles") return;
  const best = puzzle.value?.ask === "best-move" ? solution.value?.best?.[0] : undefined;
  advise(best && (hints.value > 1 || shown.value) ? cardsOf(deckOf(table.value.position), best).slice(0, shown.value ? undefined : 1).map(codeOf) : []);
});

export function Puzzles() {
  if (puzzleKey.value && (arrived.value || puzzle.value)) return puzzle.value ? html`<${One} key=${puzzleKey.value} one=${puzzle.value} />` : html`<p>${say("puzzles.gone")}</p><${ToList} />`;
  return html`<${List} />`;
}

function List() {
  const { game, grade, unsolved, own: mine } = chosen.value;
  const list = listed.value;
  /** @param {object} change */
  const set = (change) => (chosen.value = { ...chosen.value, ...change });
  const count = list.filter(({ name }) => solved.value.includes(name)).length;
  return html`<div class="stack puzzle-list">
    <p>${say("puzzles.intro")}</p>
    <div class="row">
      <label>${say("setup.game")} <select value=${game} onChange=${(/** @type {any} */ event) => set({ game: event.target.value })}>
        <option value="">${say("puzzles.any")}</option>${GAMES.map((one) => html`<option value=${one.name}>${say(`game.${one.name}`)}</option>`)}</select></label>
      <label>${say("puzzles.grade")} <select value=${grade} onChange=${(/** @type {any} */ event) => set({ grade: event.target.value })}>
        <option value="">${say("puzzles.any")}</option>${GRADES.map((one) => html`<option value=${one}>${say(`grade.${one}`)}</option>`)}</select></label>
      <label><input type="checkbox" checked=${unsolved} onChange=${(/** @type {any} */ event) => set({ unsolved: event.target.checked })} /> ${say("puzzles.unsolved")}</label>
      ${own.value.length ? html`<label><input type="checkbox" checked=${mine} onChange=${(/** @type {any} */ event) => set({ own: event.target.checked })} /> ${say("puzzles.own")}</label>
        <button type="button" class="quiet small" onClick=${forgetOwn}>${say("puzzles.forget")}</button>` : null}
    </div>
    <p class="hinted" role="status">${say("puzzles.solved", { solved: count, all: list.length })}</p>
    <ol class="plain puzzles">${list.map(
      (one) => html`<li key=${one.name}><button type="button" class="quiet puzzle-item" onClick=${() => choose(one)}>
        <span aria-label=${say(solved.value.includes(one.name) ? "puzzles.done" : "puzzles.open")} role="img">${solved.value.includes(one.name) ? "✓" : "○"}</span>
        <span>${one.puzzle.title}</span> <span class="hinted">${say(`game.${one.puzzle.game}`)}${one.puzzle.grade ? `, ${say(`grade.${one.puzzle.grade}`)}` : ""}</span></button></li>`,
    )}</ol>
    <div class="row"><label class="file">${say("puzzles.file")} <input type="file" accept=".toml" onChange=${(/** @type {any} */ event) => takeFiles(event.target.files, "puzzles")} /></label></div>
    <${Faults} found=${faulty.value} />
    <div class="row"><button type="button" disabled=${!list.length} onClick=${print}>${say("puzzles.print", { n: list.length })}</button></div>
    ${printing.value && html`<${Sheet} puzzles=${list.map((one) => one.puzzle)} />`}
  </div>`;
}

/** Draw the sheet, and print once its cards are there. */
function print() {
  printing.value = true;
  setTimeout(() => window.print(), 800);
}

function ToList() {
  return html`<button type="button" class="quiet" onClick=${() => open("", { tab: "puzzles" })}>${say("puzzles.list")}</button>`;
}

/** @param {{one: import("../puzzles/store.js").Puzzle}} props */
function One({ one }) {
  const known = solution.value;
  const said = verdict.value;
  return html`<div class="stack">
    <h2>${one.title} ${one.grade ? html`<span class="badge">${say(`grade.${one.grade}`)}</span>` : null}</h2>
    <p class="reason">${question(one)}</p>
    ${status.value === "" ? html`<p class="hinted" role="status">${say("puzzles.solving")}</p>` : null}
    ${status.value && !known ? html`<p class="unclear" role="status">${say("puzzles.unproved")}</p>` : null}
    ${status.value === "refuted" && known ? html`<p class="unclear">${say("puzzles.refuted")}</p>` : null}
    ${known && html`<${Answering} one=${one} />`}
    ${said && html`<p class=${said.right ? "good reason" : "reason"}>${said.right ? "✓ " : ""}${said.words}</p>`}
    ${one.ask === "all-matches" && found.value.length ? html`<p class="hinted">${found.value.join(", ")}</p>` : null}
    ${hints.value && known ? html`<p class="hinted">${hintOf(one, known)}</p>` : null}
    ${shown.value && known ? html`<p class="unclear">${say("puzzles.solution", { answer: wordsOf(known) })}</p>` : null}
    <div class="row">
      <button type="button" disabled=${!known} onClick=${() => (hints.value += 1)}>${say("puzzles.hint")}</button>
      <button type="button" disabled=${!known} onClick=${() => (shown.value = true)}>${say("puzzles.showSolution")}</button>
      <button type="button" class=${said?.right ? "primary" : ""} onClick=${next}>${say("puzzles.next")}</button>
      <${ToList} />
    </div>
  </div>`;
}

/** The first hint is the note and the worth, the next a card of the best move. @param {import("../puzzles/store.js").Puzzle} one @param {any} known */
function hintOf(one, known) {
  const worth = one.ask === "best-move" && known.value !== undefined ? say("puzzles.worth", { value: Array.isArray(known.value) ? known.value.join(" · ") : known.value }) : "";
  const many = one.ask === "all-matches" ? say("puzzles.found", { found: found.value.length, all: known.value ?? known.moves.length }) : "";
  const card = one.ask === "best-move" && hints.value > 1 ? say("puzzles.one") : "";
  return [one.note ?? "", worth, many, card].filter(Boolean).join(" ");
}

/** How an answer is given where it is not clicked on the board. @param {{one: import("../puzzles/store.js").Puzzle}} props */
function Answering({ one }) {
  const [text, setText] = useState("");
  if (one.ask === "best-move" || one.ask === "all-matches") return null;
  if (one.ask === "winnable") {
    return html`<div class="row"><button type="button" onClick=${() => answer("true")}>${say("puzzles.yes")}</button>
      <button type="button" onClick=${() => answer("false")}>${say("puzzles.no")}</button></div>`;
  }
  return html`<form class="row" onSubmit=${(/** @type {Event} */ event) => {
    event.preventDefault();
    if (text.trim()) answer(text);
  }}><label>${say("puzzles.answer")} <input size="10" autocomplete="off" value=${text} onInput=${(/** @type {any} */ event) => setText(event.target.value)} /></label>
    <button>${say("puzzles.check")}</button></form>`;
}
