/** The page: the board beside the open tab. */
import { html, render } from "./core/html.js";
import { connection, notice } from "./core/connection.js";
import { bind } from "./core/keys.js";
import { Live } from "./core/live.js";
import { go, goTo, path, text, tree } from "./core/session.js";
import { table } from "./core/table.js";
import { toEnd } from "./core/tree.js";
import { say } from "./core/words.js";
import { Board } from "./board/board.js";
import { draft } from "./board/draft.js";
import { Editor } from "./board/editor.js";
import { Signs } from "./cards/signs.js";
import { takeFiles } from "./board/taking.js";
import { Guide, step } from "./parts/guide.js";
import { Help, HelpButton } from "./parts/help.js";
import { Tabs, isEditing, openTab } from "./parts/tabs.js";
import { ThemeChoice } from "./parts/theme.js";
import { Welcome } from "./parts/welcome.js";

bind("[", say("key.back"), () => goTo(path.value.slice(0, -1)));
bind("]", say("key.forward"), () => goTo(toEnd(tree.value, path.value).slice(0, path.value.length + 1)));
bind("s", say("key.setup"), () => go({ keys: { tab: "setup" } }));
bind("h", say("key.hint"), () => go({ keys: { tab: "hint" } }));

function Page() {
  const game = (isEditing() ? draft.value : table.value.position)?.game;
  const welcome = !text.value && !table.value.position && !isEditing();
  return html`
    <a class="skip" href="#panel" onClick=${toPanel}>${say("page.skip")}</a>
    <header class="top">
      <h1><a href="#" onClick=${home}>Athanor</a>${game && html` <span class="game-name">${say(`game.${game}`)}</span>`}</h1>
      <nav class="row" aria-label=${say("page.tools")}><a class="quiet" href="docs">${say("page.api")}</a><${ThemeChoice} /><${HelpButton} /></nav>
    </header>
    <${State} /><${Guide} />
    <main class=${`columns ${welcome ? "welcome" : ""} ${step.value && `guide-${step.value}`}`} data-tab=${openTab().name}>
      <div class="board-side">${isEditing() ? html`<${Editor} />` : welcome ? html`<${Welcome} />` : html`<${Board} />`}</div>
      <${Tabs} />
    </main>
    <${Signs} /><${Live} /><${Help} />`;
}

/** Whether the service is away, or not ready yet. */
function State() {
  if (connection.value === "away") return html`<p class="banner bad" role="alert">${say("page.away")}</p>`;
  return notice.value ? html`<p class="banner" role="status">${notice}</p>` : null;
}

/** @param {Event} event */
function home(event) {
  event.preventDefault();
  go({ text: "", keys: { draft: "", moves: "", at: "", seat: "", tab: "", guide: "" } });
}

/** The fragment is the state, so that a link within the page moves the focus itself. @param {Event} event */
function toPanel(event) {
  event.preventDefault();
  document.getElementById("panel")?.focus();
}

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  takeFiles(event.dataTransfer?.files, "hint");
});

const place = /** @type {HTMLElement} */ (document.getElementById("page"));
place.replaceChildren();
render(html`<${Page} />`, place);
