/** What a new visitor sees: the games, and how to begin. */
import { html } from "../core/html.js";
import { ask } from "../core/ask.js";
import { open } from "../core/session.js";
import { say } from "../core/words.js";
import { begin } from "../board/draft.js";
import { Card } from "../cards/card.js";
import { GAMES } from "../games/index.js";
import { guide } from "./guide.js";

/** Some cards of each game, written down here so that the first view waits for no answer: code, suit, rank, details. */
const SHOWN = /** @type {Record<string, [string, string | null, string, Record<string, string>, string][]>} */ ({
  kirin: [
    ["D6", "Azure Dragon", "6", {}, "Azure Dragon 6"],
    ["S+", "Vermilion Bird", "+", {}, "Vermilion Bird ascending kirin"],
    ["BT", "White Tiger", "T", {}, "White Tiger trump"],
    ["G1", "Black Tortoise", "1", {}, "Black Tortoise 1"],
  ],
  king: [
    ["F3", "Fire", "3", {}, "Calcination"],
    ["W5", "Water", "5", {}, "Vitriol"],
    ["E8", "Earth", "8", {}, "Tin"],
    ["D", null, "6", { kind: "dancer" }, "Enchanted Dancer"],
  ],
  "aqua-regia": [
    ["Li", null, "1", { water: "3", vapor: "3", acid: "3", "aqua-regia": "3" }, "Lithium"],
    ["Zn", null, "7", { water: "0", vapor: "2", acid: "2", "aqua-regia": "3" }, "Zinc"],
    ["Ag", null, "14", { water: "0", vapor: "0", acid: "1", "aqua-regia": "1" }, "Silver"],
    ["Au", null, "16", { water: "0", vapor: "0", acid: "0", "aqua-regia": "2" }, "Gold"],
  ],
  alchemy: [
    ["6", null, "6", { worth: "6" }, "6"],
    ["7", null, "7", { worth: "7" }, "7"],
    ["4", null, "4", { worth: "4" }, "4"],
    ["9", null, "9", { worth: "9" }, "9"],
  ],
});

/** @param {string} game @returns {import("../cards/faces.js").Deck} */
function shown(game) {
  const cards = SHOWN[game].map(([card, suit, rank, details, name]) => ({ card, suit, rank, details, name, copies: 1 }));
  return { game, cards, byCode: new Map(cards.map((face) => [face.card, face])) };
}

export function Welcome() {
  return html`<section class="stack">
    <h2>${say("welcome.title")}</h2>
    <p>${say("welcome.what")}</p>
    <ol class="first">${[1, 2, 3].map((step) => html`<li>${say(`welcome.step${step}`)}</li>`)}</ol>
    <div class="row"><button type="button" onClick=${guide}>${say("welcome.guide")}</button> <span class="hinted">${say("welcome.guideWhy")}</span></div>
    <div class="games">
      ${GAMES.map((game) => {
        const start = game.starts[0];
        const deck = shown(game.name);
        return html`<article class="box game" key=${game.name}>
          <h3>${say(`game.${game.name}`)}</h3>
          <div class="cards fan">${deck.cards.map(({ card }) => html`<${Card} deck=${deck} card=${card} />`)}</div>
          <p class="hinted">${say(`about.${game.name}`)}</p>
          <div class="row">
            <button type="button" class="primary" onClick=${() => begin(start.draft(game.usual))}>${say("welcome.mine")}</button>
            <button type="button" onClick=${() => example(game.name)}>${say("welcome.example")}</button>
          </div>
        </article>`;
      })}
    </div>
  </section>`;
}

/** A fresh deal, seen from the first seat. @param {string} game */
async function example(game) {
  open((await ask("v1/deal", { game, seat: 0 })).text, { tab: "hint" });
}
