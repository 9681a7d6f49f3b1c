/** The rules and rulings of the game on the table, as the service states them. */
import { html, useEffect, useMemo, useState } from "../core/html.js";
import { load } from "../core/ask.js";
import { decksOf, gameTitle } from "../core/catalogue.js";
import { key } from "../core/session.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";
import { deckOf } from "../cards/faces.js";
import { draft } from "../table/draft.js";
import { GAMES, chosen as lastChosen, gameOf } from "../games/index.js";
import { editOwn } from "../parts/deck.js";
import { Markdown, headings } from "../parts/markdown.js";

/** @type {Map<string, string>} */
const known = new Map();

/** The game whose rules to show if there is no game on the table. */
const asked = key("rules");

export function Rules() {
  const playing = draft.value?.game ?? table.value.position?.game ?? (gameOf(asked.value)?.name ?? lastChosen.value);
  const [chosen, choose] = useState(/** @type {string | null} */ (null));
  const name = chosen ?? playing;
  const [text, setText] = useState(known.get(name) ?? "");
  useEffect(() => {
    let wanted = true;
    const show = (/** @type {string} */ rules) => {
      known.set(name, rules);
      if (wanted) setText(rules);
    };
    if (known.has(name)) show(known.get(name) ?? "");
    else load(`v1/rules/${name}`).then((found) => show(found.for_players));
    return () => {
      wanted = false;
    };
  }, [name]);
  // Once for all moves: it is long.
  const told = useMemo(
    () => html`<${Markdown} text=${text} deck=${deckOf({ game: name })} aside=${say("rules.aside")} />`,
    [text, name],
  );
  return html`<div class="stack">
    <label>${say("rules.of")} <select value=${name}
      onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
      ${GAMES.map((game) => html`<option value=${game.name}>${gameTitle(game.name)}</option>`)}</select></label>
    ${
      decksOf(name).length > 0 &&
      html`<p><button type="button" onClick=${() => editOwn(name)}>
        ${say("deck.ownOf", { game: gameTitle(name) })}</button></p>`
    }
    <nav class="row contents" aria-label=${say("rules.contents")}>
      ${headings(text).map(
        (heading, at) => html`<button type="button" class="quiet small" onClick=${() => showPart(at)}>${heading}
        </button>`,
      )}
    </nav>
    <article class="prose">${told}</article>
  </div>`;
}

/** Go to a heading of the rules. @param {number} at */
function showPart(at) {
  const heading = /** @type {HTMLElement} */ (document.querySelectorAll(".prose :is(h3, h4, h5, h6)")[at]);
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  heading.scrollIntoView();
}
