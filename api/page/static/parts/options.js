/** The options of a deal: rule options and the deck. */
import { html } from "../core/html.js";
import { disputedOf, readingsOf } from "../core/catalogue.js";
import { dropped } from "../core/decks.js";
import { later } from "../core/later.js";
import { say } from "../core/words.js";

/**
 * @typedef {{rules: string[], deck: string}} Agreed readings by their names; the deck's name, or a whole one as JSON
 */

/** The choice of a deck, which is loaded when it is first drawn. */
export const DeckChoice = later("DeckChoice");

/** @type {Agreed} */
const USUAL = { rules: [], deck: "" };

/**
 * The initial options: the usual ones, and the deck dropped on the page, if it belongs to this game.
 *
 * @param {string} game @param {Agreed} [usual] @returns {Agreed}
 */
export function agreedAtFirst(game, usual = USUAL) {
  return dropped.value?.game === game ? { ...usual, deck: JSON.stringify(dropped.value.deck) } : usual;
}

/** The options in the form that the service accepts, without the defaults. @param {Agreed} agreed */
export function sent({ rules, deck }) {
  return {
    ...(rules.length ? { rules: Object.fromEntries(rules.map((name) => [name, true])) } : {}),
    ...(deck ? { deck: deck.startsWith("{") ? JSON.parse(deck) : deck } : {}),
  };
}

/**
 * The rule options with these names, closed at first.
 *
 * @param {{game: string, agreed: Agreed, onChange: (agreed: Agreed) => void, names?: string[]}} props
 */
export function RuleOptions({ game, agreed, onChange, names = Object.keys(readingsOf(game)) }) {
  if (!names.length) return null;
  return html`<details class="wide"><summary>${say("readings")}</summary>
    <${Ticks} names=${names} game=${game} agreed=${agreed} onChange=${onChange} />
    </details>`;
}

/**
 * The rule options with these names.
 *
 * @param {{names: string[], game: string, agreed: Agreed, onChange: (agreed: Agreed) => void}} props
 */
function Ticks({ names, game, agreed, onChange }) {
  const readings = readingsOf(game);
  const change = (/** @type {string} */ name, /** @type {boolean} */ on) =>
    Object.keys(readings).filter((one) => (one === name ? on : agreed.rules.includes(one)));
  return names.map(
    (name) => html`<p><label class="tick"><input type="checkbox" checked=${agreed.rules.includes(name)}
      onChange=${(/** @type {any} */ { target }) => onChange({ ...agreed, rules: change(name, target.checked) })}
      /> ${readings[name]}</label></p>`,
  );
}

/** The names of the options that `Disputed` does not show. @param {string} game */
export function undisputedOf(game) {
  return Object.keys(readingsOf(game)).filter((name) => !disputedOf(game).includes(name));
}

/**
 * The options that tables should agree on before they begin; nothing in games without any.
 *
 * @param {{game: string, agreed: Agreed, onChange: (agreed: Agreed) => void}} props
 */
export function Disputed({ game, agreed, onChange }) {
  const names = disputedOf(game);
  if (!names.length) return null;
  return html`<p class="hinted">${say("readings.some")}</p>
    <${Ticks} names=${names} game=${game} agreed=${agreed} onChange=${onChange} />`;
}
