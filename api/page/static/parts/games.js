/** The choice of a game: each with some of its cards. */
import { html } from "../core/html.js";
import { gameTitle } from "../core/catalogue.js";
import { say } from "../core/words.js";
import { Card } from "../cards/card.js";
import { deckOf } from "../cards/faces.js";
import { GAMES, gameOf } from "../games/index.js";

const MOST = 4; // cards of a game that are shown
const OFF = 8; // the first of them

/** @param {{value: string, onChange: (name: string) => void}} props the name of the game that is chosen */
export function Games({ value, onChange }) {
  return html`<div class="games" role="radiogroup" aria-label=${say("setup.game")}>
    ${GAMES.map(
      ({ name }) => html`<${Choice} key=${name} name=${name} chosen=${name === value} run=${() => onChange(name)} />`,
    )}
  </div>`;
}

/** Some cards of a deck, from all of it. @param {import("../cards/faces.js").Deck} deck */
function someOf({ cards }) {
  const step = Math.ceil(cards.length / MOST) + 1; // of four suits, another rank of each
  return Array.from({ length: MOST }, (_, at) => cards[(at * step + OFF) % cards.length].card);
}

/** @param {{name: string, chosen: boolean, run: () => void}} props */
function Choice({ name, chosen, run }) {
  return html`<button
    type="button"
    role="radio"
    class="game chip"
    aria-checked=${chosen}
    aria-label=${gameTitle(name)}
    onClick=${run}
  >
    <${Fan} name=${name} />
    <span>${gameTitle(name)}</span>
  </button>`;
}

/** Some cards of a game. @param {{name: string}} props */
export function Fan({ name }) {
  const deck = deckOf({ game: name });
  return html`<span class="cards" aria-hidden="true">
    ${(gameOf(name)?.shown ?? someOf(deck)).map((card) => html`<${Card} key=${card} deck=${deck} card=${card} />`)}
  </span>`;
}
