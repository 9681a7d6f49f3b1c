/** What a new visitor sees: the games, and how to begin. */
import { html } from "../core/html.js";
import { ask } from "../core/ask.js";
import { open } from "../core/session.js";
import { say } from "../core/words.js";
import { begin } from "../board/draft.js";
import { Card } from "../cards/card.js";
import { deckOf } from "../cards/faces.js";
import { GAMES } from "../games/index.js";

const SHOWN = /** @type {Record<string, string[]>} */ ({
  kirin: ["D6", "S+", "BT", "G1"],
  king: ["F3", "W5", "E8", "D"],
  "aqua-regia": ["Li", "Zn", "Ag", "Au"],
  alchemy: ["6", "7", "4", "9"],
});

export function Welcome() {
  return html`<section class="stack">
    <h2>${say("welcome.title")}</h2>
    <p>${say("welcome.what")}</p>
    <ol class="first">${[1, 2, 3].map((step) => html`<li>${say(`welcome.step${step}`)}</li>`)}</ol>
    <div class="games">
      ${GAMES.map((game) => {
        const start = game.starts[0];
        const deck = deckOf(start.draft(game.usual));
        return html`<article class="box game" key=${game.name}>
          <h3>${say(`game.${game.name}`)}</h3>
          <div class="cards fan">${SHOWN[game.name].map((card) => html`<${Card} deck=${deck} card=${card} />`)}</div>
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
