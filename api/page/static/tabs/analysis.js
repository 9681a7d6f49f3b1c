/** The analysis: what every move is worth with all cards known, under one model of the others or under all. */
import { computed, effect, html, untracked } from "../core/html.js";
import { isRace, modelsOf } from "../core/catalogue.js";
import { announce } from "../core/live.js";
import { keptSignal } from "../core/kept.js";
import { ladder } from "../core/ladder.js";
import { go, key, tab } from "../core/session.js";
import { table } from "../core/table.js";
import { figure, saidOf, say, sentences } from "../core/words.js";
import { advise, mark } from "../table/marks.js";
import { Faults } from "../table/faults.js";
import { end } from "../table/film.js";
import { making } from "../table/picking.js";
import { deckOf } from "../cards/faces.js";
import { Move, spokenMove } from "../cards/moves.js";
import { seatName, seatWithin } from "../games/shared.js";
import { Progress } from "../parts/progress.js";
import { isSecret } from "../puzzles/current.js";
import { Spoiler } from "../puzzles/spoiler.js";
import { Compounding } from "../parts/brews.js";
import { Line } from "./line.js";
import { Outcome } from "./outcome.js";
import { Rows, bestOf, wordsOf } from "./rows.js";

const MODELS = ["paranoid", "ally", "maxn"];
const ALL = "all";
const PATIENCE = [1, 3, 9, 27];

const ladders = MODELS.map(() => ladder("v1/analyze"));
const patience = keptSignal("analysis.patience", 3);
/** The model in the address; "all" for three side by side. */
const model = key("model");
/** The seat whose score is computed; empty for the seat to move. */
const player = key("player");
const hasModels = computed(() => modelsOf(table.value.position?.game).length > 0);
/** The models to search with; a game without models gets one search without a model. */
const asked = computed(() => {
  if (!hasModels.value) return [""];
  if (model.value === ALL) return MODELS;
  return [MODELS.includes(model.value) ? model.value : MODELS[0]];
});

effect(() => {
  const { known, text, toMove, position } = table.value;
  const wanted = tab.value === "analysis" && known && toMove !== null && !isSecret.value && !position.grabbed;
  const questions = asked.value.map((name) => ({
    position: text,
    ...(name ? { model: name } : {}),
    ...(name && name !== "maxn" && player.value !== "" ? { player: Number(player.value) } : {}),
  }));
  const seconds = patience.value;
  untracked(() => {
    ladders.forEach((one, at) => (wanted && questions[at] ? one.start(questions[at], seconds) : one.clear()));
  });
});
// A move that is being made does not share the service's cores with what was asked before it.
effect(() => {
  if (making.value) untracked(() => ladders.forEach((one) => one.stop()));
});

/** The best moves under each model. */
const best = computed(() => asked.value.map((_, at) => bestOf(ladders[at].state.value.answer)));
/** Whether not every model has the same ones, so that cards are marked with the models. */
const differs = computed(() => new Set(best.value.map((moves) => moves.toSorted().join())).size > 1);

/** Mark the best moves, and what each is worth or, of several models, under which it is the best. */
effect(() => {
  if (tab.value !== "analysis") return;
  const answers = asked.value.map((_, at) => ladders[at].state.value.answer);
  const [first] = answers;
  const lit = [...new Set(best.value.flat())];
  // The cards of several matches would be most of the line.
  advise(deckOf(untracked(() => table.value).position), lit.some(isSum) ? [first.best] : lit);
  const inWhich = (/** @type {string} */ move) => asked.value.filter((_, at) => best.value[at].includes(move));
  const words = (/** @type {any} */ move) =>
    answers.length > 1 ? inModels(inWhich(move.move)) : wordsOf(move, first);
  const marked = (first?.moves ?? []).map((/** @type {any} */ move) => [
    move.move.replace(/^discard /, ""),
    words(move),
  ]);
  // A pair's value would look like that of its second card.
  mark(new Map(marked.filter((/** @type {[string, string]} */ [move, one]) => one && !move.includes(" "))));
});

/** Whether a move is a match of Alchemy. @param {string} move */
function isSum(move) {
  return move.includes("=");
}

/** The names of models below a card, one a line. @param {string[]} names */
function inModels(names) {
  if (names.length === MODELS.length) return say("mark.all");
  return names.map((name) => say(`mark.${name}`)).join("\n");
}

effect(() => {
  if (tab.value !== "analysis") mark(new Map());
});
/** A film shows what follows a move under a model. */
effect(() => {
  if (model.value !== null && player.value !== null) untracked(end);
});

effect(() => {
  const { answer, running } = ladders[0].state.value;
  if (!answer || running || tab.value !== "analysis") return;
  untracked(() => {
    const deck = deckOf(table.value.position);
    if (isNone(answer)) {
      announce(say("worth.never"));
      return;
    }
    const told = answer.best ? say("analysis.told", { best: spokenMove(deck, answer.best) }) : say("analysis.exact");
    announce(answer.exact ? told : say("analysis.open"));
  });
});

export function Analysis() {
  const { position, known, toMove } = table.value;
  const deck = deckOf(position);
  if (!position) return null;
  if (isSecret.value) return html`<${Spoiler} />`;
  if (!known || position.grabbed)
    return html`<div class="stack"><p class="hinted">${say(known ? "analysis.grabbed" : "analysis.view")}</p>
      <div class="row"><button type="button" onClick=${() => go({ keys: { tab: "hint" } })}>
        ${say("setup.use.hint")}</button></div></div>`;
  if (toMove === null)
    return html`<div class="stack"><p class="hinted">
      ${say(position.variant === "free" ? "worth.never" : "board.over")}</p>
      <${Outcome} text=${table.value.text} position=${position} /><${Compounding}
        position=${position} deck=${deck} /></div>`;
  const states = asked.value.map((_, at) => ladders[at].state.value);
  const first = states[0];
  const { answer } = first;
  const isOne = hasModels.value && chosen.value !== ALL;
  const isLevel = isOne && answer?.moves.length > 1 && answer.moves.length === best.value[0].length;
  const explained = chosen.value !== ALL || differs.value;
  const open = asked.value.filter((_, at) => states[at].answer && !states[at].answer.exact);
  return html`<div class="stack">
    ${hasModels.value && html`<${Models} />`}
    ${states.map(
      (one, at) =>
        one.running &&
        html`<${Progress} key=${at} found=${one.found}
      stop=${ladders[at].stop} />`,
    )}
    <${Faults} found=${first.found.fault} position=${position} />
    ${
      answer &&
      html`<p class=${open.length ? "hinted" : "good"}>
        ${open.length ? openOf(open) : say("analysis.exact")} <${More} states=${states} /></p>`
    }
    ${position.variant === "free" && html`<${Worth} position=${position} found=${first} deck=${deck} />`}
    ${isLevel && html`<p class="level">${levelOf(answer)}</p>`}
    <${Rows} answers=${states.map((one) => one.answer)} names=${asked.value} deck=${deck} />
    ${answer?.exact && position.variant !== "free" && html`<${Line} answer=${answer} deck=${deck} />`}
    ${hasModels.value && html`${explained && html`<p class="hinted">${modelled(`${chosen.value}.why`)}</p>`}
      <${Whose} position=${position} />`}
    <${Patience} />
    <${Compounding} position=${position} deck=${deck} />
  </div>`;
}

/** What is not proved yet, with the models if there are several. @param {string[]} names */
function openOf(names) {
  if (asked.value.length === 1) return say("analysis.open");
  const label = names.map(modelled).join(say("comma"));
  return say("labelled", { label, text: say("analysis.open") });
}

/** A button for a longer search. @param {{states: import("../core/ladder.js").Climb[]}} props */
function More({ states }) {
  const patient = states.find((one) => one.patient);
  if (!patient || states.some((one) => one.running)) return null;
  const more = () => ladders.forEach((one) => one.state.value.patient && one.more());
  return html`<button type="button" onClick=${more}>${say("analysis.more", { seconds: patient.next })}</button>`;
}

/** How long to search. */
function Patience() {
  const choose = (/** @type {any} */ event) => (patience.value = Number(event.target.value));
  return html`<div class="row">
    <label>
      ${say("analysis.patience")}
      <select value=${patience.value} onChange=${choose}>
        ${PATIENCE.map((one) => html`<option value=${one}>${say("seconds", { seconds: one })}</option>`)}
      </select>
    </label>
  </div>`;
}

/** Whether it is proved that a sum puzzle has no match. @param {any} answer */
function isNone(answer) {
  return Boolean(answer?.exact && !answer.best && answer.variant === "free");
}

/**
 * The bounds proved so far for a sum puzzle's value, and the best match so far.
 *
 * @param {{position: any, found: import("../core/ladder.js").Climb, deck: import("../cards/faces.js").Deck}} props
 */
function Worth({ position, found: { answer, bounds, best }, deck }) {
  if (isNone(answer)) return html`<p>${say("worth.never")}</p>`;
  if (!bounds) return null;
  const [low, high] = bounds;
  const exact = low === high && Boolean(answer?.exact || best);
  const asked = position.objective;
  return html`<dl class="facts worth">
    <div><dt>${say(`worth.${asked ?? "matches"}`)}</dt><dd>
      ${say(exact ? "bars.exact" : "bars.between", {
        value: figure(low),
        low: figure(low),
        high: figure(high),
      })}</dd></div>
    ${
      asked &&
      !answer?.exact &&
      html`<div><dt>${say("worth.best")}</dt><dd>
      ${best ? html`<${Move} deck=${deck} move=${best} />` : say("worth.none")}</dd></div>`
    }
  </dl>`;
}

/** How the others play; of several models, all. */
const chosen = computed(() => (model.value === ALL ? ALL : asked.value[0]));

/** A text about a model: how the others play towards the seat whose score it is about. @param {string} key */
function modelled(key) {
  const { position, toMove } = table.value;
  return saidOf(position.game, `model.${key}`, { seat: seatWithin(Number(player.value || toMove), position) });
}

/** That all moves are worth the same: why, if they bring nothing, and which model may tell them apart. */
function levelOf(/** @type {any} */ { model, value, game }) {
  if (model !== "paranoid" && model !== "ally") return say("analysis.level");
  const isNothing = model === "paranoid" && value === 0 && !isRace(game); // there 0 is a loss
  const words = isNothing ? modelled("nothing") : say("analysis.level");
  return sentences(words, say("analysis.level.more", { model: modelled("maxn") }));
}

/** The models to choose from, in one line: a phone has room for the results below it. */
function Models() {
  return html`<label>${say("analysis.model")} <select value=${chosen.value}
    onChange=${(/** @type {any} */ event) => go({ keys: { model: event.target.value } }, { replace: true })}>
    ${[...MODELS, ALL].map((name) => html`<option value=${name}>${modelled(name)}</option>`)}</select>
  </label>`;
}

/** Whose score it is about. @param {{position: any}} props */
function Whose({ position }) {
  const seats = (position.hands ?? []).length;
  if (chosen.value === "maxn") return null;
  return html`<label>${say("analysis.player")} <select value=${player.value}
    onChange=${(/** @type {any} */ event) => go({ keys: { player: event.target.value } }, { replace: true })}>
    <option value="">${say("analysis.toMove")}</option>
    ${Array.from({ length: seats }, (_, at) => html`<option value=${at}>${seatName(at, position)}</option>`)}</select>
  </label>`;
}
