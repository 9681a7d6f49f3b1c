/** What a table agrees on before a deal: its readings of the rules, and its deck. */
import { html, useState } from "../core/html.js";
import { decksOf, readingsOf } from "../core/catalogue.js";
import { say } from "../core/words.js";

/** @typedef {{rules: string[], deck: string}} Agreed readings by their names; the deck's name, or a whole one as JSON */

/** @type {Agreed} */
export const USUAL = { rules: [], deck: "" };

/** What was agreed on as the service takes it, without what is usual. @param {Agreed} agreed */
export function sent({ rules, deck }) {
  return {
    ...(rules.length ? { rules: Object.fromEntries(rules.map((name) => [name, true])) } : {}),
    ...(deck ? { deck: deck.startsWith("{") ? JSON.parse(deck) : deck } : {}),
  };
}

/** @param {{game: string, agreed: Agreed, onChange: (agreed: Agreed) => void, withRules?: boolean}} props */
export function TableOptions({ game, agreed, onChange, withRules = true }) {
  const readings = withRules ? Object.entries(readingsOf(game)) : [];
  return html`<${DeckChoice} game=${game} agreed=${agreed} onChange=${onChange} />
    ${readings.length ? html`<details class="wide"><summary>${say("readings")}</summary>
      ${readings.map(([name, title]) => html`<p><label class="tick"><input type="checkbox" checked=${agreed.rules.includes(name)}
        onChange=${(/** @type {any} */ event) => onChange({ ...agreed, rules: readings.map(([one]) => one).filter((one) => (one === name ? event.target.checked : agreed.rules.includes(one))) })} /> ${title}</label></p>`)}
    </details>` : null}`;
}

/** Which deck: one that the service knows, or a whole one in a file of JSON. @param {{game: string, agreed: Agreed, onChange: (agreed: Agreed) => void}} props */
function DeckChoice({ game, agreed, onChange }) {
  const [problem, setProblem] = useState("");
  const decks = decksOf(game);
  if (!decks.length) return null;
  const own = agreed.deck.startsWith("{");
  /** @param {any} event */
  const read = async (event) => {
    const text = (await event.target.files[0]?.text()) ?? "";
    try {
      onChange({ ...agreed, deck: JSON.stringify({ ...JSON.parse(text) }) });
      setProblem("");
    } catch (error) {
      setProblem(say("take.json", { why: String(error) }));
    }
  };
  return html`<details class="wide" open=${own || undefined}><summary>${say("deck.title")}</summary>
    <div class="row">
      <label>${say("deck.which")} <select value=${own ? "{" : agreed.deck} onChange=${(/** @type {any} */ event) => onChange({ ...agreed, deck: event.target.value === "{" ? agreed.deck : event.target.value })}>
        ${decks.map(({ name, title }, at) => html`<option value=${at ? name : ""}>${title}</option>`)}
        ${own ? html`<option value="{">${say("deck.own")}</option>` : null}</select></label>
      <label class="file">${say("deck.file")} <input type="file" accept=".json" onChange=${read} /></label>
    </div>
    ${problem && html`<p class="fault" role="alert">${problem}</p>`}
    <p class="hinted">${say("deck.folder")}</p></details>`;
}
