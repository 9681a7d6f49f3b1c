/** The options of a deal: rule options and the deck. */
import { html, useState } from "../core/html.js";
import { decksOf, disputedOf, gameTitle, readingsOf } from "../core/catalogue.js";
import { dropped, ownDecks, readDeck } from "../core/decks.js";
import { Refused } from "../core/ask.js";
import { readFile } from "../core/files.js";
import { say } from "../core/words.js";

/**
 * @typedef {{rules: string[], deck: string}} Agreed readings by their names; the deck's name, or a whole one as JSON
 */

const DECKS = ".toml,.csv,.tsv,.txt,.json"; // the ends of their files' names

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
 * The deck, and the rule options with these names.
 *
 * @param {{game: string, agreed: Agreed, onChange: (agreed: Agreed) => void, names?: string[]}} props
 */
export function TableOptions({ game, agreed, onChange, names = Object.keys(readingsOf(game)) }) {
  return html`<${DeckChoice} game=${game} agreed=${agreed} onChange=${onChange} />
    ${
      names.length
        ? html`<details class="wide"><summary>${say("readings")}</summary>
          <${Ticks} names=${names} game=${game} agreed=${agreed} onChange=${onChange} />
          </details>`
        : null
    }`;
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

/**
 * The choice of a deck: one of the service's, or one of the user's own.
 *
 * @param {{game: string, agreed: Agreed, onChange: (agreed: Agreed) => void}} props
 */
function DeckChoice({ game, agreed, onChange }) {
  const [problem, setProblem] = useState("");
  const decks = decksOf(game);
  if (!decks.length) return null;
  const mine = ownDecks.value
    .filter((one) => one.game === game)
    .map((one) => ({ title: one.title, text: JSON.stringify(one.deck) }));
  const own = agreed.deck.startsWith("{");
  // A deck from the address is not stored in this browser.
  const listed =
    !own || mine.some(({ text }) => text === agreed.deck)
      ? mine
      : [...mine, { title: say("deck.own"), text: agreed.deck }];
  const at = listed.findIndex(({ text }) => text === agreed.deck);
  /** @param {string} value */
  const choose = (value) =>
    onChange({ ...agreed, deck: value.startsWith("{") ? listed[Number(value.slice(1))].text : value });
  /** @param {any} event */
  const read = async (event) => {
    const file = event.target.files[0];
    if (!file) return;
    try {
      const found = await readDeck((await readFile(file, file.name)).text, file.name);
      if (found.game === game) onChange({ ...agreed, deck: JSON.stringify(found.deck) });
      setProblem(found.game === game ? "" : say("deck.other", { game: gameTitle(found.game) }));
    } catch (error) {
      if (!(error instanceof Refused || error instanceof SyntaxError)) throw error;
      setProblem(error instanceof Refused ? error.message : say("take.json", { why: String(error) }));
    }
  };
  return html`<details class="wide" open=${own || undefined}><summary>${say("deck.title")}</summary>
    <div class="row">
      <label>${say("deck.which")} <select value=${own ? `{${at}` : agreed.deck}
        onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
        ${decks.map(({ name, title }, at) => html`<option value=${at ? name : ""}>${title}</option>`)}
        ${listed.map(({ title }, index) => html`<option value=${`{${index}`}>${title}</option>`)}</select></label>
      <label class="file">${say("deck.file")} <input type="file" accept=${DECKS} onChange=${read} /></label>
    </div>
    ${problem && html`<p class="fault" role="alert">${problem}</p>`}
    <p class="hinted">${say("deck.folder")}</p></details>`;
}
