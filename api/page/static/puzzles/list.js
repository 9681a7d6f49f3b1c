/** The list of puzzles, by game and grade. */
import { html, signal, useEffect, useRef, useState } from "../core/html.js";
import { gameTitle } from "../core/catalogue.js";
import { toTop } from "../core/panel.js";
import { figure, say, sentences } from "../core/words.js";
import { Drawing, isDrawing } from "../cards/card.js";
import { deckOf } from "../cards/faces.js";
import { onPaper } from "../cards/paper.js";
import { GAMES, gameOf } from "../games/index.js";
import { Faults } from "../table/faults.js";
import { takeFiles } from "../table/taking.js";
import { hasVotes, save, saveVotes, standing, taken } from "./attempts.js";
import { daysInRow, isDayDone } from "./current.js";
import { graded, isDue } from "./record.js";
import { AllSeries } from "./series.js";
import { Sheet } from "./sheet.js";
import { arrived, choose, chooseDaily, chosen, faulty, forYou, forgetOwn, isFailed, isMissed } from "./store.js";
import { ideasOf, listGame, listed, nameOf, next, own, seeking, series, themes } from "./store.js";

const GRADES = ["easy", "medium", "hard", "expert"];
const SURE = 1.96; // deviations of a rating's 95% interval
const DRAWING = 800; // milliseconds to draw cards of the sheet
const NUMBERS = [5, 10, 20, 50]; // of puzzles to print
const toPrint = signal(10);

addEventListener("afterprint", () => (onPaper.value = false));

const SIGNS = /** @type {Record<string, string>} */ ({ done: "✓", failed: "↻", open: "–" });

/** @param {object} change */
function set(change) {
  chosen.value = { ...chosen.value, ...change };
}

export function List() {
  const list = listed.value;
  useEffect(toTop, [chosen.value]);
  const stand = standing.value;
  const now = new Date().toISOString();
  const count = list.filter(({ name }) => stand.puzzles.get(name)?.solved).length;
  const due = list.filter(({ name }) => isDue(stand, name, now)).length;
  const known = isKnown();
  const days = daysInRow();
  return html`<div class="stack puzzle-list">
    <div class="row">
      <button type="button" class="primary" disabled=${(known && !list.length) || seeking.value} onClick=${next}>
        ${say(seeking.value ? "puzzles.coming" : "puzzles.train")}
      </button>
      <button type="button" onClick=${chooseDaily}>${isDayDone() ? "✓ " : ""}${say("job.daily")}</button>
      ${days > 0 && html`<span class="hinted">${say("puzzles.days", { n: days })}</span>`}
    </div>
    <${ForYou} now=${now} />
    <${Standing} game=${chosen.value.game} explained />
    <${AllSeries} />
    ${!series.value && html`<${Filter} />`}
    <div class="row">
      <p class="hinted" role="status">
        ${known ? solvedOf(count, list.length) : say("puzzles.coming")}
        ${known && due > 0 ? ` ${say("puzzles.dueNow", { n: due })}` : ""}
      </p>
      ${
        chosen.value.game &&
        html`<button type="button" class="quiet small" onClick=${() => listGame("")}>
        ${say("puzzles.allGames")}</button>`
      }
    </div>
    <ol class="plain puzzle-grid" key=${JSON.stringify(chosen.value)}>
      ${list.map((one) => html`<${Item} key=${one.name} one=${one} />`)}
    </ol>
    <label class="file">
      ${say("puzzles.file")}
      <input type="file" accept=".toml,.json" onChange=${(/** @type {any} */ event) => takeFiles(event.target.files)} />
    </label>
    <${Faults} found=${faulty.value} />
    <${Keeping} />
    ${list.length > 0 && html`<${Printing} all=${list.length} />`}
    ${onPaper.value && html`<${Sheet} list=${list.slice(0, toPrint.value)} />`}
  </div>`;
}

/** Prints the first puzzles of the list, or all of them. @param {{all: number}} props */
function Printing({ all }) {
  const choices = [...NUMBERS.filter((number) => number < all), Infinity];
  const choose = (/** @type {any} */ event) => (toPrint.value = Number(event.target.value));
  return html`<div class="row">
    <button type="button" onClick=${print}>${say("puzzles.print", { n: Math.min(all, toPrint.value) })}</button>
    <label>
      ${say("puzzles.howMany")}
      <select value=${toPrint.value < all ? toPrint.value : Infinity} onChange=${choose}>
        ${choices.map((n) => html`<option value=${n}>${n < all ? n : say("puzzles.printAll", { n: all })}</option>`)}
      </select>
    </label>
  </div>`;
}

/** How many of the puzzles are solved, and of which game they are. @param {number} solved @param {number} all */
function solvedOf(solved, all) {
  const text = say("puzzles.solvedOf", { solved, all });
  const { game } = chosen.value;
  return game ? say("puzzles.only", { game: gameTitle(game), text }) : text;
}

/**
 * The rating in a game, or those in all games, and the streak.
 *
 * @param {{game: string, explained?: boolean}} props whether to say what a rating compares with
 */
export function Standing({ game, explained = false }) {
  const { ratings, streak, longest, puzzles } = standing.value;
  if (!puzzles.size) return null;
  const rated = [...ratings].filter(([one]) => one && (!game || one === game));
  const list = rated.map(([one, { points, deviation }]) => {
    const [told, error] = [points, SURE * deviation].map((number) => figure(number, 0));
    return say("puzzles.ratingIn", { game: gameTitle(one), points: told, error });
  });
  const grades = GRADES.map((grade) => [grade, figure(graded(grade).points, 0)]);
  const words = [
    list.length > 0 && say("puzzles.ratings", { n: list.length, list: list.join(say("comma")) }),
    game && !list.length && say("puzzles.unrated", { game: gameTitle(game) }),
    say("puzzles.streak", { streak, longest }),
    explained && list.length > 0 && say("puzzles.ratingWhy", Object.fromEntries(grades)),
  ];
  return html`<p class="hinted standing">${sentences(...words.map((one) => one || ""))}</p>`;
}

/** Saving the record to a file, and loading it. */
function Keeping() {
  const { words, fault } = taken.value;
  const choose = async (/** @type {any} */ event) => {
    await takeFiles(event.target.files);
    event.target.value = ""; // so that the same file can be chosen again
  };
  return html`<div class="row">
      <button type="button" disabled=${!standing.value.puzzles.size} onClick=${save}>${say("puzzles.save")}</button>
      ${hasVotes.value && html`<button type="button" onClick=${saveVotes}>${say("puzzles.saveVotes")}</button>`}
      <label class="file">
        ${say("puzzles.take")} <input type="file" accept=".json" onChange=${choose} />
      </label>
    </div>
    ${words && html`<p class="good" role="status">${words}</p>`}
    <${Faults} found=${fault} />`;
}

function Filter() {
  const { game, grade, theme, unsolved, missed, own: mine } = chosen.value;
  const value = (/** @type {any} */ event) => event.target.value;
  const checked = (/** @type {any} */ event) => event.target.checked;
  return html`<form class="row filters">
    <label>
      ${say("setup.game")}
      <select value=${game} onChange=${(/** @type {any} */ event) => listGame(value(event))}>
        <option value="">${say("puzzles.any")}</option>
        ${GAMES.map((one) => html`<option value=${one.name}>${gameTitle(one.name)}</option>`)}
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
      ${say("puzzles.theme")}
      <select value=${theme ?? ""} onChange=${(/** @type {any} */ event) => set({ theme: value(event) })}>
        <option value="">${say("puzzles.any")}</option>
        ${themes.value.map(([one, called]) => html`<option value=${one}>${called}</option>`)}
      </select>
    </label>
    <label class="tick">
      <input type="checkbox" checked=${unsolved}
        onChange=${(/** @type {any} */ event) => set({ unsolved: checked(event) })} />
      ${say("puzzles.unsolved")}
    </label>
    ${
      (missed || [...standing.value.puzzles.keys()].some(isFailed)) &&
      html`<label class="tick">
        <input type="checkbox" checked=${missed}
          onChange=${(/** @type {any} */ event) => set({ missed: checked(event) })} />
        ${SIGNS.failed} ${say("puzzles.missed")}
      </label>`
    }
    ${
      own.value.length > 0 &&
      html`<label class="tick">
        <input type="checkbox" checked=${mine}
          onChange=${(/** @type {any} */ event) => set({ own: checked(event) })} />
        ${say("puzzles.own")}
      </label>
      <button type="button" class="quiet small" onClick=${forgetOwn}>${say("puzzles.forget")}</button>`
    }
  </form>`;
}

const MOST = 5; // cards of a puzzle's picture

/** The first cards of what lies on the table and of the hand, once they are scrolled into sight. */
function Picture(/** @type {{puzzle: import("./store.js").Puzzle}} */ { puzzle }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const [isSeen, see] = useState(false);
  useEffect(() => {
    const sight = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && see(true));
    if (place.current) sight.observe(place.current);
    return () => sight.disconnect();
  }, []);
  const { position, to_move: seat } = puzzle;
  const zones = gameOf(puzzle.game)?.zones(position) ?? [];
  const lie = zones.filter((zone) => !zone.past && ["trick", "line"].includes(zone.kind));
  const held = zones.filter((zone) => zone.seat === undefined || zone.seat === seat);
  const shown = [...lie, ...held.filter((zone) => ["hand", "single"].includes(zone.kind)), ...held];
  const cards = shown.flatMap((zone) => zone.cards).slice(0, MOST);
  const deck = deckOf(position);
  return html`<span class="puzzle-picture" ref=${place} aria-hidden="true">
    ${isSeen && cards.map((card) => html`<span class="card"><${Drawing} deck=${deck} card=${card} /></span>`)}
  </span>`;
}

/** Whether it is known which puzzles there are to list. */
function isKnown() {
  return arrived.value || (chosen.value.own && own.value.length > 0);
}

/** The puzzle that is next for the player, and why. @param {{now: string}} props */
function ForYou({ now }) {
  const one = forYou.value;
  if (!isKnown()) {
    // Its place, so that nothing moves under a finger when it comes.
    return html`<div class="for-you"><span class="puzzle-picture"></span><strong>${say("puzzles.forYou")}</strong>
      <span class="hinted">${say("puzzles.coming")}</span></div>`;
  }
  if (!one || series.value) return null; // a series has its order
  const { game, grade } = one.puzzle;
  const isFirst = !standing.value.puzzles.size;
  const why = (isDue(standing.value, one.name, now) && "again") || (isMissed(one.puzzle) && "theme");
  const about = [gameTitle(game), grade && say(`grade.${grade}`)].filter(Boolean).join(say("comma"));
  return html`<button type="button" class="for-you" onClick=${() => choose(one)}>
    <${Picture} puzzle=${one.puzzle} />
    <span><strong>${say("puzzles.forYou")}</strong> <span>${about}</span></span>
    <span class="hinted">${say(`puzzles.forYou.${why || (isFirst ? "first" : "rating")}`)}</span>
  </button>`;
}

/** @param {{one: {name: string, puzzle: import("./store.js").Puzzle}}} props */
function Item({ one }) {
  const { game, grade, ask } = one.puzzle;
  const asked = standing.value.puzzles.get(one.name);
  const tried = asked?.solved ? "done" : "failed";
  const state = asked ? tried : "open";
  const about = [
    !chosen.value.game && gameTitle(game),
    ask !== "best-move" && say(`puzzles.asks.${ask}`),
    grade && say(`grade.${grade}`),
    asked?.solved && ideasOf(one.puzzle),
  ];
  const kind = about.filter(Boolean).join(say("comma"));
  return html`<li>
    <button type="button" class="quiet puzzle-item" onClick=${() => choose(one)}>
      <${Picture} puzzle=${one.puzzle} />
      <span aria-label=${say(`puzzles.${state}`)} title=${say(`puzzles.${state}`)} role="img">${SIGNS[state]}</span>
      <span>${nameOf(one.name, one.puzzle, Boolean(asked?.solved))}</span> <span class="hinted">${kind}</span>
    </button>
  </li>`;
}

/** Draw the sheet, and print it once its cards are drawn. */
function print() {
  onPaper.value = true;
  setTimeout(printDrawn, DRAWING);
}

function printDrawn() {
  if (isDrawing()) setTimeout(printDrawn, DRAWING);
  else window.print();
}
