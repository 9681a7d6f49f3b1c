/** Games written down at a real table: each round can be opened on the board, stepped through and reviewed. */
import { computed, effect, html, untracked } from "../core/html.js";
import { Refused, ask, numbered } from "../core/ask.js";
import { gameTitle } from "../core/catalogue.js";
import { keptSignal } from "../core/kept.js";
import { later } from "../core/later.js";
import { search } from "../core/search.js";
import { go, key, open, seenToo, tab, text, tree } from "../core/session.js";
import { added, along, root, toEnd, write, writePath } from "../core/tree.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { Faults } from "../table/faults.js";
import { parsed, refused, takers } from "../table/taking.js";
import { GAMES } from "../games/index.js";
import { seatName } from "../games/shared.js";
import { Progress } from "../parts/progress.js";
import { resume } from "./keeping.js";
import { look, options } from "./match.js";
import { lookedAt, placeOf } from "./looked.js";

/** A review as it is read, which few visitors see: it is loaded then. */
const Told = later("Told");
/** The game loaded last, in the service's form. */
const game = keptSignal("play.written", /** @type {any} */ (null));
/** Whether one of its rounds is on the table. */
export const isLaidOut = computed(() => Boolean(game.value?.dealt.includes(text.value)));
const review = search();
/** The move of its review that is looked at; undefined for none. */
export const looking = computed(() => lookedAt(review.found.value.answer));

/** Whether a round was shared with its review. */
const sent = key("reviewed");

// Reviews of these games aren't kept, so after a reload there is nothing to look at.
if (look.value && !options.value && tab.value === "play") go({ keys: { look: "" } }, { replace: true });

effect(() => {
  const isShown = tab.value === "play" && isLaidOut.value && review.found.value.answer;
  seenToo.value = { ...seenToo.peek(), reviewed: isShown ? "1" : "" };
});

/** Review a round that is shared with its review: the address has its deal and its moves. */
effect(() => {
  if (!sent.value || !text.value) return;
  untracked(() => {
    const moves = along(tree.value, toEnd(tree.value, [])).map(({ move }) => move);
    game.value = { game: text.value.split(" ")[0], dealt: [text.value], moves: [moves] };
    go({ keys: { reviewed: "" } }, { replace: true });
    start();
  });
});

/** A game with a round of a real table, as it is written down. */
export const WRITTEN = /** @type {{name: string, written: string}} */ (GAMES.find(({ written }) => written));

/** @param {string} text */
async function take(text) {
  refused.value = null;
  try {
    const { games } = await numbered(() => ask("v1/match/read", { text }));
    if (!games[0].dealt) {
      resume(games[0]);
      return;
    }
    review.clear();
    game.value = games[0];
    show(0, 0);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refused.value = error;
  }
}

takers.set("game", (text) => {
  const isJson = text.trimStart().startsWith("{");
  const saved = isJson ? parsed(text) : null;
  if (saved && !saved.dealt) resume(saved);
  else if (saved || !isJson) take(text);
});

/**
 * Put a round on the board after `made` of its moves; the others can be stepped through.
 *
 * @param {number} round @param {number} made @param {string} [look] the move of the review to look at
 */
function show(round, made, look = "") {
  let found = { tree: root(), path: /** @type {number[]} */ ([]) };
  for (const move of game.value.moves[round] ?? []) found = added(found.tree, found.path, move);
  open(game.value.dealt[round], {
    tab: "play",
    look,
    moves: write(found.tree),
    at: writePath(toEnd(found.tree, []).slice(0, made)),
  });
}

function start() {
  review.start("v1/match/review", { match: game.value });
}

/** Open a game that shows what a review is, and review it. */
export async function example() {
  await take(WRITTEN.written);
  if (!refused.value) start();
}

/** The rounds of the game loaded last, and its review. */
export function TableGame() {
  const taken = game.value;
  if (!taken) return null;
  const found = review.found.value;
  const title = say("labelled", { label: say("written.title"), text: gameTitle(taken.game) });
  return html`<section class=${`stack ${looking.value ? "" : "box"}`} aria-label=${say("written.title")}>
    ${!looking.value && html`<h3>${title}</h3>`}
    <${Progress} found=${found} stop=${review.stop} />
    <${Faults} found=${found.fault} />
    ${
      found.answer &&
      table.value.position &&
      html`<${Told} answer=${found.answer}
      who=${(/** @type {number} */ seat) => seatName(seat, table.value.position)} mine=${false}
        onShow=${(/** @type {any} */ move) => show(move.round - 1, move.number - 1, placeOf(move))} />`
    }
    ${
      !looking.value &&
      html`<p class="hinted">${say("written.why")}</p>
    <div class="row">
      ${taken.dealt.map(
        (/** @type {string} */ _, /** @type {number} */ at) => html`<button type="button"
        onClick=${() => show(at, 0)}>${say("play.round", { round: at + 1 })}</button>`,
      )}
      <button type="button" onClick=${start}>${say("written.review")}</button>
      <button type="button" class="quiet" onClick=${drop}>${say("written.drop")}</button>
    </div>`
    }
  </section>`;
}

function drop() {
  review.clear();
  game.value = null;
}
