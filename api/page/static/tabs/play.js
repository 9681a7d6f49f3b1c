/** A game against players that follow hints. */
import { effect, html, signal, untracked, useEffect } from "../core/html.js";
import { isRace } from "../core/catalogue.js";
import { bind } from "../core/keys.js";
import { later } from "../core/later.js";
import { sheet, toPart, toTop } from "../core/panel.js";
import { search } from "../core/search.js";
import { tab } from "../core/session.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { Faults } from "../table/faults.js";
import { lined } from "../table/lingering.js";
import { advise } from "../table/marks.js";
import { deckOf } from "../cards/faces.js";
import { wordOf } from "../cards/moves.js";
import { Told } from "../cards/told.js";
import { isAlone } from "../games/match.js";
import { Answer } from "../parts/answer.js";
import { Progress } from "../parts/progress.js";
import { canRedo, deciding, ended, look, news, nextRound, only, options } from "../play/match.js";
import { redo, standing, thinking, trouble, undo, whose } from "../play/match.js";
import { leave } from "../play/keeping.js";
import "../play/tables.js"; // which keeps tables that are followed, wherever one is
import { Pace } from "../play/pace.js";

/** What begins or continues a game, which is drawn where none is open. */
const Log = later("Log");
const Ended = later("Ended");
const Start = later("Start");
const hint = search();
const LONG = 3; // seconds of a hint for which more time is wanted than the players take

bind("u", say("key.undo"), undo);
bind("r", say("key.redo"), redo);
bind("n", say("key.next"), nextRound);

effect(() => {
  if (standing.value) untracked(hint.clear);
});
effect(() => {
  if (tab.value !== "play") return;
  const { answer } = hint.found.value;
  advise(deckOf(untracked(() => table.value).position), answer?.best ? [answer.best] : []);
});

/** Whether a hint was asked for between two rounds. */
const isEarly = signal(false);
effect(() => {
  if (!ended.value) isEarly.value = false;
});

/** Ask for a hint, if it is the player's turn in the game that is open. Whether the game goes on there. */
export function hintInGame() {
  const now = tab.value === "play" && options.value ? standing.value : null;
  if (!now || (ended.value && (now.to_move === null || look.value))) return false;
  if (sheet.value === "down") sheet.value = "part";
  if (ended.value) {
    isEarly.value = true;
    toTop();
  } else if (deciding.value) hint.start("v1/match/hint", { match: now.match });
  return true;
}

export function Play() {
  if (!options.value) return html`<${Start} />`;
  const now = standing.value;
  if (!now) {
    return html`<div class="stack">
      <${Faults} found=${trouble.value} />
      <button type="button" onClick=${leave}>${say("play.new")}</button>
    </div>`;
  }
  return html`<div class="stack">
    <${Faults} found=${trouble.value} />
    ${ended.value ? html`<${Over} now=${now} />` : html`<${Turn} now=${now} />`}
    ${
      !(ended.value && look.value) &&
      html`<${Log} />
    <div class="row">
      ${!isAlone(options.value) && !options.value.race && html`<${Pace} />`}
      ${
        !ended.value &&
        html`<button type="button" class="quiet" onClick=${leave}>${say("play.new")}</button>`
      }
      <button type="button" class="quiet" onClick=${save}>${say("play.save")}</button>
    </div>`
    }
  </div>`;
}

/**
 * Which round it is of several, and whose turn, in a sentence; empty of a solitaire.
 *
 * @param {any} now @param {boolean} isMine whether the player is to move
 */
function turnOf({ round, position }, isMine) {
  if (isAlone(options.value)) return "";
  const { game, rounds, seat: own = 0 } = options.value ?? {};
  const seat = thinking.value;
  let turn = "";
  if (isMine) turn = position?.drawn ? "" : say("play.yourTurn"); // the table asks for an exchange
  else if (seat === own) turn = say(only.value ? "play.onlyMove" : "play.oneMove", { move: wordOf(only.value) });
  else if (seat !== null) turn = say("play.thinking", { seat: whose(seat) });
  return rounds === 1 || isRace(game) ? turn : say("play.now", { round, turn });
}

/** The same question with more time, unless it had that. @param {any} match @param {string} asked */
function longer(match, asked) {
  if (JSON.parse(asked).match.seconds >= LONG) return undefined;
  return { seconds: LONG, run: () => hint.start("v1/match/hint", { match: { ...match, seconds: LONG } }) };
}

/** @param {{now: any}} props */
function Turn({ now }) {
  const found = hint.found.value;
  const deck = deckOf(table.value.position);
  const isMine = deciding.value && !lined.value; // else it is shown what the opponent took
  useEffect(() => (found.answer ? toPart(document.querySelector(".panel .answer")) : toTop()), [found.answer]);
  return html`<div class="row steps-back">
      <p class=${isMine ? "reason" : "hinted"}>
        ${news.value && html`<${Told} deck=${deck} text=${news.value} /> `}
        <${Told} deck=${deck} text=${turnOf(now, isMine)} />
      </p>
      <button type="button" disabled=${!isMine} onClick=${hintInGame}>${say("play.hint")}</button>
      ${!lined.value && html`<${Back} now=${now} />`}
    </div>
    <${Progress} found=${found} stop=${hint.stop} />
    <${Faults} found=${found.fault} />
    ${
      found.answer &&
      deciding.value &&
      html`<${Answer} answer=${found.answer} deck=${deck} longer=${longer(now.match, found.asked)} />`
    }`;
}

/** @param {{now: any}} props */
function Back({ now }) {
  return html`<button type="button" disabled=${!now.move_count} onClick=${undo}>${say("play.undo")}</button>
    ${canRedo.value && html`<button type="button" onClick=${redo}>${say("play.redo")}</button>`}`;
}

/** The result of a round, in sentences. @param {{now: any}} props */
function Over({ now }) {
  const over = now.to_move === null;
  const { totals, won, unit, round, summary, decided_by: decided } = now.ended;
  const anew = { words: "play.new", run: leave };
  const back = html`<${Back} now=${now} />
    ${!over && html`<button type="button" class="quiet" onClick=${anew.run}>${say(anew.words)}</button>`}`;
  return html`<${Ended}
    end=${{ totals, won }}
    round=${over ? null : round}
    own=${options.value?.seat ?? 0}
    ranked=${unit !== "chance"}
    next=${over ? anew : { words: "play.next", run: nextRound }}
    back=${back}
    early=${isEarly.value && html`<p class="reason" role="status">${say("play.early")}</p>`}
    summary=${summary}
    decided=${decided}
    who=${whose}
  />`;
}

/** Save the game as a file, which `athanor review` and `athanor play --resume` can read. */
function save() {
  const { match } = standing.value;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(match)], { type: "application/json" }));
  link.download = `${match.game}-${match.seed}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
