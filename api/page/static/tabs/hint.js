/** The hint: what to play, why, and how sure it is; while others move, it asks what they did. */
import { computed, effect, html, signal, untracked } from "../core/html.js";
import { Refused, ask, names } from "../core/ask.js";
import { levelsOf } from "../core/catalogue.js";
import { announce } from "../core/live.js";
import { keptSignal } from "../core/kept.js";
import { later } from "../core/later.js";
import { toSight } from "../core/panel.js";
import { search } from "../core/search.js";
import { address, go, key, path, seenToo, tab } from "../core/session.js";
import { isHinted, table } from "../core/table.js";
import { say } from "../core/words.js";
import { deckOf } from "../cards/faces.js";
import { Move, spokenMove } from "../cards/moves.js";
import { aloud } from "../cards/told.js";
import { Observing } from "../table/choices.js";
import { advise } from "../table/marks.js";
import { begin } from "../table/draft.js";
import { Faults } from "../table/faults.js";
import { isTheirs, making, quicker } from "../table/picking.js";
import { stepBack, told } from "../table/telling.js";
import { isOpenMatch } from "../games/match.js";
import { isYou, seatName } from "../games/shared.js";
import { Answer, onlyCard, unfolded } from "../parts/answer.js";
import { Progress } from "../parts/progress.js";
import { before, hasNext, nextRound, tableEnd } from "../play/following.js";
import { look } from "../play/match.js";
import { isSecret } from "../puzzles/current.js";

const SECONDS = [0.3, 1, 3, 10, 30];
const EQUAL = "equal"; // others who follow hints

const Ended = later("Ended");
/** What asks for the others' cards at the end of a round. */
const Showing = later("Showing");
const Spoiler = later("Spoiler");
const hint = search();
const seconds = keptSignal("hint.seconds", 1);
const others = keptSignal("hint.others", EQUAL);
/** Whether a hint is given only when it is asked for, and the line for which it was. */
const onRequest = keptSignal("hint.onRequest", false);
const requested = signal("");
const isAwaited = computed(() => onRequest.value && !worlds.value && requested.value !== table.value.text);
/** The game that is played; empty for none. */
const played = key("game");
/** How many deals the hint had that was shared: with as many it says the same. */
const worlds = key("worlds");
/** The answers by their questions: the same cards get the same hint again, though it is an estimate in limited time. */
const answers = new Map();

/**
 * What a hint can be requested about: a line and, if all cards are shown, the seat whose view is needed first. Null if
 * there is nothing to request.
 */
const question = computed(() => {
  if (look.value) return null;
  const { known, text, seenText, toMove, moves, position, seen, views } = table.value;
  if (!position || toMove === null || isSecret.value) return null;
  if (!known) return moves.length ? { line: text, seat: null } : null;
  if (position.variant === "duel") return isYou(toMove, position) ? { line: text, seat: null } : null;
  if (position.variant === "free") return null;
  const isSeen = views || position.stage === "pick"; // who is still to pick has seen all there is
  if (!seen) return isSeen ? { line: text, seat: toMove } : null;
  return "line" in position || seen.seat === toMove ? { line: seenText, seat: null } : null;
});

/** What is asked instead, or that the round has ended; empty while a hint is shown, or a move of a review. */
export function asks() {
  const { text, position } = table.value;
  if (!position || look.value || (question.value && !told.value.length && !isTheirs.value)) return "";
  return [text, ...told.value, isTheirs.value].join();
}

effect(() => {
  const asked = tab.value === "hint" && !isAwaited.value ? question.value : null;
  const how = { limit: { seconds: seconds.value }, ...strength(untracked(() => table.value).position) };
  untracked(() => {
    unfolded.value = false;
    if (!asked) hint.clear();
    else if (worlds.value) {
      start(asked.line, asked.seat, { ...how, limit: undefined, worlds: Number(worlds.value) });
      go({ keys: { worlds: "" } }, { replace: true });
    } else start(asked.line, asked.seat, how);
  });
});

// A move that is being made does not share the service's cores with what was asked before it.
effect(() => {
  if (making.value) untracked(hint.stop);
});

/** The others' strength, if their play is modelled. @param {any} position */
function strength(position) {
  return others.value !== EQUAL && levelsOf(position?.game).includes(others.value) ? { others: others.value } : {};
}

/** @param {string} line @param {number | null} seat @param {object} how */
async function start(line, seat, how) {
  hint.clear();
  const asked = table.value;
  try {
    const position = seat === null ? line : (await ask("v1/view", { position: line, seat })).text;
    if (asked !== table.value || tab.value !== "hint") return;
    const body = { position, ...how };
    const known = answers.get(named(JSON.stringify(body)));
    if (known) hint.show(body, known);
    else await hint.start("v1/hint", body);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    hint.refuse(error);
  }
}

const best = computed(() => (tab.value === "hint" && !isTheirs.value && hint.found.value.answer?.best) || "");
effect(() => {
  const moves = best.value ? [best.value] : [];
  // Not whenever the table changes: it may be another tab's, which advises itself.
  advise(deckOf(untracked(() => table.value).position), moves, onlyCard.value);
});

effect(() => {
  const { answer } = hint.found.value;
  const worlds = tab.value === "hint" && answer?.worlds && !answer.exact ? String(answer.worlds) : "";
  seenToo.value = { ...seenToo.peek(), worlds };
});

/** A question with the names that its answer uses. @param {string} asked */
function named(asked) {
  return `${names()} ${asked}`;
}

effect(() => {
  const { status, asked, answer } = hint.found.value;
  if (status !== "done") return;
  answers.set(named(asked), answer);
  if (!answer.best) return;
  untracked(() => {
    const deck = deckOf(table.value.position);
    const reason = onlyCard.value ? "" : aloud(deck, answer.reason);
    announce(say("hint.told", { move: spokenMove(deck, answer.best), reason }));
  });
});

export function Hint() {
  const { position, laid } = table.value;
  const deck = deckOf(position);
  if (isSecret.value) return html`<${Spoiler} />`;
  if (tableEnd.value) return html`<div class="stack"><${Over} position=${position} /></div>`;
  const asked = question.value;
  const waits = told.value.length > 0;
  const isOwn = asked && !waits && !isTheirs.value;
  return html`<div class="stack">
    ${
      asked && asked.seat !== null
        ? html`<p class="hinted for-seat">${say(isYou(asked.seat, position) ? "hint.forYou" : "hint.forSeat", {
            seat: seatName(asked.seat, position),
          })}</p>`
        : null
    }
    ${isOwn ? html`<${Found} deck=${deck} />` : html`<${Nothing} laid=${laid} deck=${deck} />`}
    ${
      !waits &&
      html`<div class="row steps-back">
      <${Back} position=${position} /> <${Settings} position=${position} />
    </div>`
    }
  </div>`;
}

/** Ways back from what was entered, in the row of another part. @param {{position: any}} props */
function Back({ position }) {
  const back = () => (isTheirs.value ? (quicker.value = false) : stepBack());
  return html`<button type="button" class="quiet" disabled=${!path.value.length && !isTheirs.value}
      onClick=${back}>${say("undo")}</button>
    ${
      position &&
      (isHinted(position) || tableEnd.value) && // at its end a solitaire's stock may be known
      !played.value &&
      html`<button type="button" class="quiet" onClick=${() => begin(position, "setup", before.value)}>
      ${say("hint.change")}</button>`
    }`;
}

/** The end of a round at a table that is followed. @param {{position: any}} props */
function Over({ position }) {
  const { match_round: round, recorded_round: number, totals, won, unit, summary } = tableEnd.value;
  const { decided_by: decided, finished, seat } = tableEnd.value;
  const { left_over: rest } = tableEnd.value;
  const who = (/** @type {number} */ one) => seatName(one, position);
  const isRanked = totals && (unit !== "chance" || number > 1);
  const words = unit === "chance" ? "seat.wins" : undefined; // where a round is won or lost
  const isWon = finished && !totals.includes(null);
  return html`<${Ended}
    end=${{ totals, won }}
    round=${isWon || !totals ? null : round}
    own=${seat}
    ranked=${isRanked}
    words=${words}
    next=${hasNext.value ? { words: "play.next", run: nextRound } : null}
    back=${html`<${Back} position=${position} />`}
    asking=${rest && html`<${Showing} key=${number} />`}
    summary=${summary}
    decided=${decided}
    who=${who}
  />`;
}

/** The search and its answer. @param {{deck: import("../cards/faces.js").Deck}} props */
function Found({ deck }) {
  const found = hint.found.value;
  const running = found.status === "running";
  const again = () => hint.start("v1/hint", JSON.parse(found.asked));
  if (isAwaited.value) {
    return html`<div class="row"><button type="button" class="primary"
      onClick=${() => (requested.value = table.value.text)}>${say("setup.use.hint")}</button></div>`;
  }
  return html`${running && found.progress?.best && html`<${SoFar} progress=${found.progress} deck=${deck} />`}
    <${Progress} found=${found} stop=${hint.stop} />
    ${
      found.status === "stopped" &&
      html`<p class="hinted">
      ${say("hint.stopped")} <button type="button" onClick=${again}>${say("hint.again")}</button>
    </p>`
    }
    ${found.fault && html`<${NoView} fault=${found.fault} />`}
    ${found.answer && html`<${Answer} answer=${found.answer} deck=${deck} longer=${longer(found.asked)} />`}`;
}

/** The next longer search for a question; undefined if there is none. @param {string} asked */
function longer(asked) {
  const { worlds: _, ...question } = JSON.parse(asked);
  const wanted = SECONDS.find((one) => one > (question.limit?.seconds ?? 0));
  if (!wanted) return undefined;
  return { seconds: wanted, run: () => hint.start("v1/hint", { ...question, limit: { seconds: wanted } }) };
}

/**
 * Shown if every card is known but the earlier tricks are not, so no seat's view can be derived.
 *
 * @param {{fault: Refused | null}} props
 */
function NoView({ fault }) {
  const { known, seen, position } = table.value;
  if (!known || seen) return html`<${Faults} found=${fault} position=${position} />`;
  return html`<p class="hinted">${say("hint.noView")}</p>
    <button type="button" onClick=${() => go({ keys: { tab: "analysis" } })}>${say("tab.analysis")}</button>`;
}

/**
 * The best move so far, before the answer arrives. The first one comes before any deal was sampled.
 *
 * @param {{progress: any, deck: import("../cards/faces.js").Deck}} props
 */
function SoFar({ progress, deck }) {
  const guessed = progress.stage === "policy";
  return html`<div class="best-move so-far">
      <${Move} deck=${deck} move=${progress.best} /> <p>${say(guessed ? "hint.firstGuess" : "hint.soFar")}</p>
    </div>
    ${guessed && html`<p class="hinted">${say("hint.firstGuessWhy")}</p>`}`;
}

/** Let hints aim to win the match, or for points: this is stored in the starting line. @param {boolean} on */
function goByMatch(on) {
  const line = address.value.text.replace(/ for_match=\S+/, "");
  go({ text: on ? `${line} for_match=yes` : line });
}

/**
 * What is needed before a hint is possible, or why there is none.
 *
 * @param {{laid: any, deck: import("../cards/faces.js").Deck}} props
 */
function Nothing({ laid: position, deck }) {
  const { toMove, known, seen } = table.value;
  if (!position) return null;
  if (toMove === null) return html`<p class="hinted">${say("board.over")}</p>`;
  if (position.variant === "free") return html`<p class="hinted">${say("hint.free")}</p>`;
  if (known && position.variant !== "duel" && !told.value.length) {
    return seen ? html`<p class="hinted">${say("hint.otherSeat")}</p>` : html`<${NoView} fault=${null} />`;
  }
  return html`<${Observing} deck=${deck} position=${position} />`;
}

/** @param {{position: any}} props */
function Settings({ position }) {
  const checked = (/** @type {any} */ event) => event.target.checked;
  const levels = levelsOf(position?.game);
  return html`<details class="settings" onToggle=${(/** @type {any} */ { currentTarget }) =>
    currentTarget.open && toSight(currentTarget)}>
    <summary>${say("hint.settings")}</summary>
    <div class="row">
      <label>
        ${say("hint.seconds")}
        <select value=${seconds.value}
          onChange=${(/** @type {any} */ event) => (seconds.value = Number(event.target.value))}>
          ${SECONDS.map((one) => html`<option value=${one}>${say("seconds", { seconds: one })}</option>`)}
        </select>
      </label>
      ${
        levels.length > 0 &&
        html`<label>
        ${say("hint.others")}
        <select value=${others.value}
          onChange=${(/** @type {any} */ event) => (others.value = event.target.value)}>
          ${levels.map((one) => html`<option value=${one}>${say(`others.${one}`)}</option>`)}
        </select>
      </label>`
      }
      <label>
        <input type="checkbox" checked=${onlyCard.value}
          onChange=${(/** @type {any} */ event) => (onlyCard.value = checked(event))} />
        ${say("hint.onlyCard")}
      </label>
      <label>
        <input type="checkbox" checked=${onRequest.value}
          onChange=${(/** @type {any} */ event) => (onRequest.value = checked(event))} />
        ${say("hint.onRequest")}
      </label>
      ${
        isOpenMatch(position) &&
        html`<label class="tick">
        <input type="checkbox" checked=${Boolean(position.for_match)}
          onChange=${(/** @type {any} */ event) => goByMatch(checked(event))} />
        ${say("match.for")}
      </label>`
      }
    </div>
  </details>`;
}
