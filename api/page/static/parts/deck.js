/** The choice of a deck. */
import { html, useState } from "../core/html.js";
import { Refused } from "../core/ask.js";
import { decksOf, gameTitle } from "../core/catalogue.js";
import { dropped, ownDecks, ownTitle, readDeck } from "../core/decks.js";
import { readFile } from "../core/files.js";
import { open } from "../core/session.js";
import { say } from "../core/words.js";
import { editDeck } from "./grid.js";
import { Faults } from "../table/faults.js";

/** @typedef {import("./options.js").Agreed} Agreed */

const DECKS = ".toml,.csv,.tsv,.txt,.json"; // the ends of their files' names

/** Let the user change the last cards of their own of a game, or else the usual ones. @param {string} game */
export async function editOwn(game) {
  const mine = () => ownDecks.value.findLast((one) => one.game === game) ?? null;
  const last = mine();
  await editDeck(game, last ? JSON.stringify(last.deck) : "", () => {
    dropped.value = mine(); // which was kept last
    open("", { tab: "setup" });
  });
}

/**
 * The choice of a deck: one of the service's, which is not in the rulebook, or one of the user's own, from a file or
 * pasted.
 *
 * @param {{game: string, agreed: Agreed, onChange: (agreed: Agreed) => void, isOpen?: boolean}} props
 */
export function DeckChoice({ game, agreed, onChange, isOpen = false }) {
  const [problem, setProblem] = useState(/** @type {{faults: import("../core/ask.js").FaultData[]} | null} */ (null));
  const [table, setTable] = useState("");
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
  const refuse = (/** @type {string} */ message) => setProblem({ faults: [{ code: "", path: "", message }] });
  /** @param {File | string} from @param {string} name */
  const read = async (from, name) => {
    try {
      const found = await readDeck((await readFile(from, name)).text, name);
      if (found.game !== game) return refuse(say("deck.other", { game: gameTitle(found.game) }));
      setProblem(null);
      setTable("");
      onChange({ ...agreed, deck: JSON.stringify(found.deck) });
    } catch (error) {
      if (error instanceof Refused) setProblem(error);
      else if (error instanceof SyntaxError) refuse(say("take.json", { why: String(error) }));
      else throw error;
    }
  };
  const edit = () =>
    editDeck(game, agreed.deck, (deck) => onChange({ ...agreed, deck })).then(
      () => setProblem(null),
      (error) => {
        if (!(error instanceof Refused)) throw error;
        setProblem(error);
      },
    );
  const readFirst = (/** @type {any} */ { target: { files } }) => files[0] && read(files[0], files[0].name);
  return html`<details class="wide deck-choice" open=${own || isOpen || undefined}>
    <summary>${own ? ownTitle(JSON.parse(agreed.deck)) : say("deck.house")}</summary>
    <p class="hinted">${say("deck.why")}</p>
    <div class="row">
      <label>${say("deck.which")} <select value=${own ? `{${at}` : agreed.deck}
        onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
        ${decks.map(({ name, title }, at) => html`<option value=${at ? name : ""}>${title}</option>`)}
        ${listed.map(({ title }, index) => html`<option value=${`{${index}`}>${title}</option>`)}</select></label>
      <button type="button" onClick=${edit}>${say("deck.edit")}</button>
      <label class="file">${say("deck.file")} <input type="file" accept=${DECKS} onChange=${readFirst} /></label>
    </div>
    <label class="wide">${say("deck.paste")}
      <textarea rows="3" spellcheck="false" value=${table}
        onInput=${(/** @type {any} */ event) => setTable(event.target.value)}></textarea></label>
    <button type="button" disabled=${!table.trim()} onClick=${() => read(table, "")}>${say("setup.read")}</button>
    <${Faults} found=${problem} />
    <p class="hinted">${say("deck.folder")}</p></details>`;
}
