/** The page: the table beside the open tab, or above it on a phone. */
import { computed, effect, html, render } from "./core/html.js";
import { Refused, nameBy } from "./core/ask.js";
import { gameTitle } from "./core/catalogue.js";
import { connection, failed, notice, untilBack } from "./core/connection.js";
import { guessed } from "./core/files.js";
import "./core/focus.js";
import { keepPage } from "./core/install.js";
import { bind } from "./core/keys.js";
import { fetchLater, later, loaded } from "./core/later.js";
import { Live } from "./core/live.js";
import { offered } from "./core/panel.js";
import { go, goTo, key, open, path, shared, text, tree } from "./core/session.js";
import { table } from "./core/table.js";
import { toEnd } from "./core/tree.js";
import { figure, say } from "./core/words.js";
import { Table, hasOpen, turnOf } from "./table/table.js";
import { draft } from "./table/draft.js";
import { Editor } from "./table/editor.js";
import { Closer } from "./cards/closer.js";
import { arrivalOf } from "./cards/art.js";
import { idle } from "./cards/card.js";
import { deckOf } from "./cards/faces.js";
import { classesOf } from "./games/index.js";
import { namesOf } from "./games/shared.js";
import { takeFiles } from "./table/taking.js";
import { options } from "./play/match.js";
import { isLaidOut } from "./play/written.js";
import { puzzleKey } from "./puzzles/current.js";
import { Guide, step } from "./parts/guide.js";
import { Help } from "./parts/help.js";
import { Menu } from "./parts/menu.js";
import { Share } from "./parts/share.js";
import { Tabs, isEditing, openTab, show, size } from "./parts/tabs.js";
import { Welcome, isWelcome } from "./parts/welcome.js";

bind("[", say("key.back"), () => goTo(path.value.slice(0, -1)));
bind("]", say("key.forward"), () => goTo(toEnd(tree.value, path.value).slice(0, path.value.length + 1)));
bind("s", say("key.setup"), () => go({ keys: { tab: "setup" } }));
bind("h", say("key.hint"), () => show("hint"));

effect(() => {
  document.title = [...titles(), "Athanor"].join(" · ");
});

/** Whether the open tab is about no position: the list of puzzles, or the form of a new game. */
function isApart() {
  const { name } = openTab.value;
  return (name === "puzzles" && !puzzleKey.value) || (name === "play" && !options.value && !isLaidOut.value);
}

/** The page's title: the game, the trick, and whose turn it is. */
function titles() {
  const { position, toMove } = table.value;
  const name = (/** @type {any} */ { game }) => gameTitle(game);
  if (isEditing.value) return [say("start.mine"), name(draft.value)];
  if (!position || isApart()) return openTab.value.name === "setup" ? [] : [openTab.value.title];
  const past = position.history?.length ?? 0;
  const trick = toMove !== null && position.trick ? [say("zone.past", { at: past + 1 })] : [];
  return [turnOf(toMove, position).replace(/[.。]$/, ""), ...trick, name(position)];
}

nameBy(() => namesOf(isEditing.value ? draft.value : (options.value ?? table.value.position)));

// What was refused, and nobody else says so.
addEventListener("unhandledrejection", ({ reason }) => {
  if (reason instanceof Refused) failed.value ??= { why: reason.message };
});

// A page from the offline cache opens without a request.
addEventListener("offline", untilBack);
if (navigator.serviceWorker?.controller) fetch("healthz", { cache: "no-store" }).catch(untilBack);

// What the page is made of, which most moves leave as it is: then they redraw only its parts.
const game = computed(() => (isApart() ? "" : (isEditing.value ? draft.value : table.value.position)?.game));
const kind = computed(() => {
  if (!isApart() && (text.value || table.value.position || isEditing.value)) return "both";
  return isWelcome() ? "welcome" : "bare";
});

/** What styles know of it: classes, as a rule that looks whether the page :has something costs at every change. */
const looks = computed(() => {
  const offers = offered.value > 0 && openTab.value.name === "hint";
  const states = [step.value && `guided guide-${step.value}`, isEditing.value && "editing", offers && "offering"];
  const all = ["columns", kind.value, ...states, hasOpen.value && "open-hands", classesOf(game.value)];
  return all.filter(Boolean).join(" ");
});

const packed = key("packed");
const Unpacking = later("Unpacking");

function Page() {
  const tab = isEditing.value ? "setup" : openTab.value.name;
  return html`
    <a class="skip" href="#panel" onClick=${toPanel}>${say("page.skip")}</a>
    <header class="top" data-kind=${isEditing.value ? "editing" : kind.value}>
      <h1>
        <a href="#" onClick=${home}>Athanor</a>
        ${game.value && html` <span class="game-name">${gameTitle(game.value)}</span>`}
      </h1>
      ${kind.value === "both" && !isEditing.value && html`<${Share} />`}
      <${Menu} /><${State} />
    </header>
    <${Guide} />
    <main class=${looks} data-tab=${tab} data-sheet=${size}>
      ${kind.value !== "bare" && html`<div class="board-side"><${Left} /></div>`}
      <${Tabs} kind=${kind.value} />
    </main>
    <${Closer} /><${Live} /><${Help} />${packed.value && html`<${Unpacking} />`}`;
}

/** The area beside the open tab. */
function Left() {
  if (isEditing.value) return html`<${Editor} />`;
  return kind.value === "welcome" ? html`<${Welcome} />` : html`<${Table} />`;
}

/** A notice while the service is unreachable or not ready, or of what was shared: on the title, so nothing moves. */
function State() {
  if (connection.value === "away") return html`<p class="banner bad" role="alert">${say("page.away")}</p>`;
  if (failed.value) {
    const { why, again = () => (failed.value = null) } = failed.value;
    return html`<p class="banner bad" role="alert">${why}
      <button type="button" class="quiet" onClick=${again}>${say(failed.value.again ? "page.again" : "help.close")}
      </button></p>`;
  }
  if (notice.value) return html`<p class="banner" role="status">${notice}</p>`;
  if (guessed.value) {
    return html`<p class="banner" role="status">${say("take.guessed", { names: guessed.value })}
      <button type="button" class="quiet" onClick=${() => (guessed.value = "")}>${say("help.close")}</button></p>`;
  }
  if (!shared.value || !table.value.position) return null;
  const whose = table.value.position.seat === undefined ? "share.all" : "share.seat";
  return html`<p class="banner" role="status">${say(options.value ? "share.game" : whose)}
    <button type="button" class="quiet" onClick=${() => (shared.value = false)}>${say("help.close")}</button></p>`;
}

/** @param {Event} event */
function home(event) {
  event.preventDefault();
  open("", { tab: "", model: "", guide: "" });
}

/** The fragment holds the page's state, so an in-page link must move the focus itself. @param {Event} event */
function toPanel(event) {
  event.preventDefault();
  document.getElementById("panel")?.focus();
}

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  takeFiles(event.dataTransfer?.files);
});

const SOON = 150; // milliseconds
const LATER = 3000; // when what the service worker fetches no longer takes time from the page
const place = /** @type {HTMLElement} */ (document.getElementById("page"));

arrivalOf(text.value.split(" ")[0]); // Illustrations are asked for while the position is.

// With its table, and what belongs to a puzzle, if that comes soon: to draw the page first and the table later takes
// longer. The rest in a task of its own: together with starting the modules it would keep the browser from answering
// for long.
if (puzzleKey.value) fetchLater();
new Promise((ready) => {
  setTimeout(ready, text.value ? SOON : 0);
  effect(() => {
    if (deckOf(table.value.position).game && (loaded.value || !puzzleKey.value)) ready(true);
  });
}).then(() => {
  place.replaceChildren();
  render(html`<${Page} />`, place);
  idle(() => figure(0)); // Browsers take long over the first number that they format.
  setTimeout(keepPage, LATER);
});
