/** The page's menu: the tabs that don't fit on a phone, light or dark, keyboard shortcuts, and the API. */
import { html, useState } from "../core/html.js";
import { gameTitle, gamesOfDecks } from "../core/catalogue.js";
import { fetchLater } from "../core/later.js";
import { say } from "../core/words.js";
import { HelpButton } from "./help.js";
import { TABS } from "../tabs/index.js";
import { show } from "./tabs.js";
import { LanguageChoice, SoundChoice, ThemeChoice } from "./theme.js";

/** Close the menu after a choice. @param {any} event */
function close(event) {
  if (event.target.closest("button, a")) event.currentTarget.removeAttribute("open");
}

/** The menu while it is open, unless something lies in it. @param {EventTarget | null} [within] */
function openMenu(within = null) {
  const menu = document.querySelector(".menu[open]");
  return menu?.contains(/** @type {Node | null} */ (within)) ? null : menu;
}

// A tap beside the open menu closes it, and does nothing to what lies there.
addEventListener(
  "click",
  (event) => {
    const menu = openMenu(event.target);
    menu?.removeAttribute("open");
    if (menu && event.detail) {
      event.preventDefault();
      event.stopPropagation();
    }
  },
  true,
);
addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" ? openMenu() : null;
  menu?.removeAttribute("open");
  menu?.querySelector("summary")?.focus();
});

export function Menu() {
  const [isOpen, open] = useState(false);
  return html`<details class="menu" onClick=${close}
    onToggle=${(/** @type {any} */ event) => open(event.target.open)}>
    <summary aria-label=${say("page.tools")} title=${say("page.tools")}>☰</summary>
    ${isOpen && html`<${List} />`}
  </details>`;
}

/** Open the editor of one's own cards. @param {string} game */
async function edit(game) {
  (await fetchLater()).editOwn(game);
}

function List() {
  return html`<nav class="menu-list" aria-label=${say("page.tools")}>
    <div class="menu-tabs">
      ${TABS.map(
        ({ name, title, rare }) =>
          html`<button type="button" class=${rare ? "quiet rare" : "quiet"} onClick=${() => show(name)}>${title}
          </button>`,
      )}
    </div>
    ${gamesOfDecks().map(
      (game) => html`<button type="button" class="quiet" key=${game} onClick=${() => edit(game)}>
        ${say("deck.ownOf", { game: gameTitle(game) })}</button>`,
    )}
    <${LanguageChoice} />
    <${ThemeChoice} />
    <${SoundChoice} />
    <${HelpButton} />
    <button type="button" class="quiet" onClick=${() => print()}>${say("page.print")}</button>
    <a class="quiet" href="docs">${say("page.api")}</a>
  </nav>`;
}
