/** The puzzles: the list, and the current one, which is answered on the table. */
import { effect, html, untracked, useEffect, useRef, useState } from "../core/html.js";
import { Refused, load } from "../core/ask.js";
import { later } from "../core/later.js";
import { keepInSight, toTop } from "../core/panel.js";
import { go, goTo, path, tab, text } from "../core/session.js";
import { table } from "../core/table.js";
import { say, sentences } from "../core/words.js";
import { advise } from "../table/marks.js";
import { deckOf } from "../cards/faces.js";
import { Move } from "../cards/moves.js";
import { Told } from "../cards/told.js";
import { answer, answered, asksVote, found, giveVote, helping, hints, last, note } from "../puzzles/asking.js";
import { progress, replyTo, showSolution, solution, status, takeHint, verdict } from "../puzzles/asking.js";
import { standing } from "../puzzles/attempts.js";
import { Counted, Within } from "../puzzles/counted.js";
import { counts, isHalf } from "../puzzles/counting.js";
import { list, puzzleKey, solvedDays } from "../puzzles/current.js";
import { Laid } from "../puzzles/laid.js";
import { List, Standing } from "../puzzles/list.js";
import { answersTo, asked, bySize, kindOf, modelOf, solverOf, wordsOf, worthIn } from "../puzzles/question.js";
import { chosen, dayKey, fetchCollection, fetchOne, ideasOf, listGame, listLast } from "../puzzles/store.js";
import { missing, next, ofDay, puzzle, seeking, titleOf } from "../puzzles/store.js";
import { countsPoints, gameOf } from "../games/index.js";
import { isView } from "../games/shared.js";
import { Recipes } from "./compounding.js";
import { difference } from "./difference.js";
import { Moves } from "./line.js";

/** What the seats make after a line, which is drawn where it is asked for. */
const Compounding = later("Compounding");

effect(() => {
  if (tab.value !== "puzzles") return;
  if (puzzleKey.value) fetchOne();
  else {
    fetchCollection();
    untracked(listAlike);
  }
});
/** An address may name a puzzle without its position. */
effect(() => {
  const one = tab.value === "puzzles" ? puzzle.value : null;
  if (one && one.ask !== "compound" && !text.value) untracked(() => go({ text: one.text }, { replace: true }));
});
effect(() => {
  if ((verdict.value || hints.value) && tab.value === "puzzles") toTop(); // What is said then stands there.
});
effect(() => {
  if (tab.value !== "puzzles") return;
  const isMove = puzzle.value?.ask === "best-move";
  const best = isMove && (hints.value > 1 || answered.value) ? solution.value?.best?.[0] : "";
  advise(deckOf(table.value.position), best ? [best] : [], !answered.value);
});

/** List the puzzles of the game on the table, or else of the game chosen last. */
function listAlike() {
  const game = text.value && table.value.position?.game;
  if (game && game !== chosen.value.game) listGame(game);
  else listLast();
}

export function Puzzles() {
  if (!puzzleKey.value) return html`<${List} />`;
  if (puzzle.value) return html`<${One} key=${puzzleKey.value} one=${puzzle.value} />`;
  return html`<p>${say(missing.value ? "puzzles.gone" : "board.loading")}</p>
    <${ToList} />`;
}

function ToList() {
  return html`<button type="button" class="quiet small" onClick=${list}>${say("puzzles.list")}</button>`;
}

/** @param {{one: import("../puzzles/store.js").Puzzle}} props */
function One({ one }) {
  useEffect(toTop, []);
  const how = verdict.value && !isTyped(one) ? "" : undefined; // whoever has tried a move knows how
  const isDone = standing.value.puzzles.get(puzzleKey.value)?.solved || solvedDays.value.includes(dayKey.value);
  return html`<div class="stack">
    <div class="row puzzle-head">
      <div>
        <h2><span class=${ofDay.value ? "" : "title"}>${titleOf(one, answered.value)}</span>${" "}
          ${one.grade && html`<span class="badge">${say(`grade.${one.grade}`)}</span>`}${" "}
          ${isDone && html`<span class="badge">✓ ${say("puzzles.done")}</span>`}${" "}
          <${Within} /></h2>
        ${!answered.value && !seeking.value && html` <p class="reason">${sentences(kindOf(one), asked(one, how))}</p>`}
      </div>
      <button type="button" class=${answered.value ? "primary" : "quiet"} disabled=${seeking.value} onClick=${next}>
        ${say(seeking.value ? "board.loading" : "puzzles.next")}</button>
    </div>
    ${!seeking.value && html`<${Question} one=${one} />`}
  </div>`;
}

/** What is asked, and what was said of the answers. @param {{one: import("../puzzles/store.js").Puzzle}} props */
function Question({ one }) {
  const known = solution.value;
  const isApart = !verdict.value || isTyped(one);
  return html`${
      !answered.value && modelOf(one) && html`<p class="model">${modelOf(one)}</p>`
    }
    <${Solving} known=${known} />
    ${known && isTyped(one) && html`<${Answering} one=${one} known=${known} />`}
    ${known && one.ask === "all-matches" && !answered.value && html`<p class="hinted">${leftOf(one, known)}</p>`}
    ${verdict.value ? html`<${Verdict} one=${one} />` : html`<${Helped} one=${one} />`}
    <div class="row ways">${isApart ? html`<${Ways} one=${one} />` : !answered.value && html`<${ToList} />`}</div>
    ${asksVote.value && html`<${Voting} />`}
    ${one.ask === "compound" && html`<${Recipes} cards=${one.position.cards} deck=${deckOf(one.position)} />`}
    <${Standing} game=${one.game} />`;
}

/**
 * How many matches are found and still to be found, and what counts as one.
 *
 * @param {import("../puzzles/store.js").Puzzle} one @param {any} known
 */
function leftOf({ position }, known) {
  const n = position.min_line;
  return sentences(progress(known), n > 1 ? say("puzzles.least", { n }) : "");
}

/** Whether an answer is still to be typed or chosen in the panel. @param {import("../puzzles/store.js").Puzzle} one */
function isTyped({ ask }) {
  return !answered.value && ask !== "best-move" && ask !== "all-matches";
}

/** What can be done besides answering and going on. @param {{one: import("../puzzles/store.js").Puzzle}} props */
function Ways({ one }) {
  const open = !solution.value;
  const analyze = () => {
    const [model, player, you] = [one.model, one.player, solverOf(one)].map((key) => String(key ?? ""));
    const to = isView(one.position) ? "hint" : "analysis"; // which needs every card
    go({ keys: { tab: to, puzzle: "", model, player, you } });
  };
  const isMove = one.ask === "best-move";
  const isTelling = Boolean(one.hint ?? one.note) || isValued(one, solution.value);
  return html`${
      path.value.length > 0 &&
      html`<button type="button" onClick=${() => goTo([])}>${say("puzzles.back")}</button>`
    }
    ${
      !answered.value &&
      html`${
        (isTelling || isMove) &&
        html`<button type="button" disabled=${open}
          onClick=${() => takeHint(isTelling ? 1 : 2)}>${say("puzzles.hint")}</button>`
      }
      <button type="button" disabled=${open} onClick=${showSolution}>${say("puzzles.showSolution")}</button>`
    }
    ${
      answered.value &&
      one.ask !== "compound" &&
      html`<button type="button" class="quiet small" onClick=${analyze}>${say("puzzles.explore")}</button>`
    }
    ${(!verdict.value || isTyped(one) || answered.value) && html`<${ToList} />`}
    ${counts.value && html`<span class="hinted">${say(isHalf.value ? "puzzles.helped" : "puzzles.help")}</span>`}`;
}

/** Asks whether the puzzle was good. It may be left unanswered. */
function Voting() {
  return html`<div class="row">
    <span class="hinted">${say("puzzles.vote")}</span>
    <button type="button" class="quiet small" onClick=${() => giveVote(true)}>${say("puzzles.yes")}</button>
    <button type="button" class="quiet small" onClick=${() => giveVote(false)}>${say("puzzles.no")}</button>
  </div>`;
}

/** The progress of solving a puzzle of the user's own. @param {{known: any}} props */
function Solving({ known }) {
  if (status.value === "") return html`<p class="hinted" role="status">${say("puzzles.solving")}</p>`;
  if (!known) return html`<p class="unclear" role="status">${say("puzzles.unproved")}</p>`;
  return status.value === "refuted" ? html`<p class="unclear">${say("puzzles.refuted")}</p>` : null;
}

let read = 0; // hints that have come into sight

/**
 * The hint, once it was asked for: near what was said of the last answer.
 *
 * @param {{one: import("../puzzles/store.js").Puzzle}} props
 */
function Helped({ one }) {
  const known = solution.value;
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  // Below what was said of an answer there may be no room, and more is said once the service has answered. What is said
  // of the next answer is in sight then, and not a hint that was read before.
  useEffect(() => {
    const isNew = hints.value > read;
    read = hints.value;
    return isNew && !answered.value ? keepInSight(place.current) : undefined;
  }, [hints.value, Boolean(known), last.value]);
  if (!hints.value || !known) return null;
  return html`<p class="hinted" ref=${place}>
    <${Told} deck=${deckOf(table.value.position)} text=${hintOf(one, known)} /></p>`;
}

/** The verdict on the last answer, and what follows it. @param {{one: import("../puzzles/store.js").Puzzle}} props */
function Verdict({ one }) {
  const said = verdict.value;
  const deck = deckOf(table.value.position);
  const why = useWhyNot(one, said?.reply);
  if (!said) return null;
  const shows = said.reply && table.value.position; // its line is drawn with the names of the table
  const signs = { true: "✓", false: "✗", null: "" };
  const kinds = { true: "is-right", false: "is-wrong", null: "" };
  const sign = /** @type {"true" | "false" | "null"} */ (String(said.right));
  return html`<div class=${`verdict ${kinds[sign]}`}>
      <strong>${signs[sign]} <${Told} deck=${deck} text=${said.words} /></strong>
      <${Counted} />
      ${said.right && !said.reply && html`<p class="hinted">${say("puzzles.why")}</p>`}
      ${said.reply?.explanation && html`<p><${Told} deck=${deck} text=${sentences(said.reply.explanation, why)} /></p>`}
      ${said.reply?.deals && html`<p><${Told} deck=${deck} text=${inDeals(said.reply)} /></p>`}
      ${said.right && one.ask === "compound" && html`<p>
        <${Told} deck=${deck} text=${wordsOf(solution.value, deck, one)} /></p>`}
      ${
        one.ask === "all-matches" &&
        answered.value &&
        html`<p><${Told} deck=${deck} text=${bySize(found.value)} /></p>`
      }
      <${Helped} one=${one} />
      ${!isTyped(one) && html`<div class="row ways"><${Ways} one=${one} /></div>`}
      ${shows && html`<${Why} key=${last.value} reply=${said.reply} one=${one} deck=${deck} />`}
      ${
        answered.value &&
        !hints.value && // which has shown it
        note.value &&
        html`<p><${Told} deck=${deck} text=${note.value} /></p>`
      }
      ${answered.value && ideasOf(one) && html`<p>${say("puzzles.idea", { themes: ideasOf(one) })}</p>`}
    </div>
    ${
      one.ask === "all-matches" &&
      found.value.length > 0 &&
      html`<ul class="move-list line">
      ${found.value.map((match) => html`<li key=${match}><${Move} deck=${deck} move=${match} /></li>`)}
    </ul>`
    }`;
}

/** @typedef {import("../cards/faces.js").Deck} Deck */

/**
 * What shows why a move is right, or refutes it: the line that follows, or the deals in which it loses.
 *
 * @param {{reply: any, one: import("../puzzles/store.js").Puzzle, deck: Deck}} props
 */
function Why({ reply, one, deck }) {
  const { answer: move, line = [], example: deal } = reply;
  const moves = one.ask === "best-move" ? [move, ...line] : line;
  const path = table.value.position?.variant === "duel" ? null : []; // its exchange can't be continued
  const from = { text: one.text, path };
  return html`${line.length > 0 && html`<${Moves} moves=${moves} from=${from} deck=${deck} />`}
    ${gameOf(one.game)?.compounds && line.length > 0 && html`<${Piles} line=${moves} one=${one} deck=${deck} />`}
    ${deal && html`<${Deal} deal=${deal} move=${move} game=${one.game} deck=${deck} />`}`;
}

/** In how many of the possible deals a move did worse. @param {any} reply */
function inDeals({ answer: move, deals: n, worse, better, cards_open: isOpen }) {
  const how = say(isOpen ? "puzzles.openCards" : "puzzles.playedOut");
  return say("puzzles.deals", { n, move, worse, better, how });
}

/**
 * What the line of play after a wrong move shows, once it is known; empty if nothing.
 *
 * @param {import("../puzzles/store.js").Puzzle} one @param {any} reply
 */
function useWhyNot(one, reply) {
  const [words, setWords] = useState("");
  useEffect(() => {
    setWords("");
    const { correct, answer: move, line = [] } = reply ?? {};
    if (correct !== false || one.ask !== "best-move" || !line.length) return undefined;
    let isLast = true;
    const tell = (/** @type {string} */ found) => isLast && setWords(found);
    whyNot(one, solution.value, [move, ...line]).then(tell, ignoreRefused);
    return () => void (isLast = false);
  }, [reply]);
  return words;
}

/**
 * What a line of play after a wrong move shows, without naming the best move.
 *
 * @param {import("../puzzles/store.js").Puzzle} one @param {any} known its solution @param {string[]} moves
 */
async function whyNot(one, known, moves) {
  const [best] = known.best;
  const { line } = await replyTo(one, known, best);
  const found = await difference(one.text, moves, [best, ...line], one.player ?? one.to_move ?? 0, true);
  return found?.words(0) ?? "";
}

/** The move's value is shown without it. @param {unknown} error */
function ignoreRefused(error) {
  if (!(error instanceof Refused)) throw error;
}

/**
 * What the piles are worth after a line, where points come from recipes.
 *
 * @param {{line: string[], one: import("../puzzles/store.js").Puzzle, deck: Deck}} props
 */
function Piles({ line, one, deck }) {
  const [position, setPosition] = useState(/** @type {any} */ (null));
  useEffect(() => {
    load("v1/play", { position: one.text, moves: line }).then((answer) => setPosition(answer.position));
  }, []);
  return position && html`<${Compounding} title="compound.then" position=${position} deck=${deck} />`;
}

/**
 * A deal in which a move loses, and how play continues there.
 *
 * @param {{deal: any, move: string, game: string, deck: Deck}} props
 */
function Deal({ deal, move, game, deck }) {
  const [position, setPosition] = useState(/** @type {any} */ (null));
  useEffect(() => {
    load("v1/play", { position: deal.text, moves: [] }).then((answer) => setPosition(answer.position));
  }, []);
  if (!position) return null;
  const now = { ...position, history: undefined }; // The finished tricks are the puzzle's own.
  const laid = /** @type {any} */ ({ ask: "best-move", game, position: now });
  return html`<details class="box">
    <summary>${say("puzzles.deal")}</summary>
    <${Laid} puzzle=${laid} deck=${deck} />
    <${Moves} moves=${[move, ...deal.line]} from=${{ text: deal.text, path: null }} deck=${deck} />
  </details>`;
}

/**
 * The first hint is what the note may say, and the value, the second a card of the best move.
 *
 * @param {import("../puzzles/store.js").Puzzle} one @param {any} known
 */
function hintOf(one, known) {
  const worth = isValued(one, known) ? worthIn(one, known.value) : "";
  const card = one.ask === "best-move" && hints.value > 1 ? say("puzzles.marked") : "";
  return sentences(answered.value ? note.value : helping.value, worth, card);
}

/**
 * Whether what best play brings helps to find the move. In some games it is won, or a number of another kind.
 *
 * @param {import("../puzzles/store.js").Puzzle} one @param {any} known
 */
function isValued({ ask, game }, known) {
  return ask === "best-move" && countsPoints(game) && known?.value !== undefined;
}

/**
 * The input for answers that are not clicked on the table.
 *
 * @param {{one: import("../puzzles/store.js").Puzzle, known: any}} props
 */
function Answering({ one, known }) {
  const [text, setText] = useState("");
  const listed = answersTo(one, known);
  if (listed.length) {
    return html`<div class="row">
      ${listed.map(([said, words]) => html`<button type="button" onClick=${() => answer(said)}>${words}</button>`)}
    </div>`;
  }
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    answer(text);
  };
  const type = (/** @type {any} */ event) => setText(event.target.value);
  return html`<form class="row" onSubmit=${submit}>
    <input size="10" autocomplete="off" aria-label=${say("puzzles.answer")} placeholder=${say("puzzles.answer")}
      value=${text} onInput=${type} />
    <button>${say("puzzles.check")}</button>
  </form>`;
}
