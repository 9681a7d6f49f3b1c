/**
 * The editor of one's own cards: all of them in a grid, and what can be set of the chosen one. What that is, and
 * whether the cards make a deck, is what the service says of their table.
 */
import { html, render, useEffect, useId, useRef, useState } from "../core/html.js";
import { Refused, ask, isAborted } from "../core/ask.js";
import { gameTitle } from "../core/catalogue.js";
import { ownDecks } from "../core/decks.js";
import { keep, recall } from "../core/kept.js";
import { say, sentences } from "../core/words.js";
import { Drawing } from "../cards/card.js";
import { deckOf, nameOf } from "../cards/faces.js";
import { Cell } from "./cells.js";
import { Sending } from "./sending.js";

/** @typedef {Record<string, string>} Row a card's cells by column */
/** @typedef {{name: string, title: string, kind: "text"|"number"|"choice"|"list", choices: string[],
 *    list_of: string|null}} Column */
/** @typedef {{game: string, name: string, title: string, columns: Column[], rows: Row[], deck: any, csv: string,
 *    toml: string}} Table */
/** @typedef {import("../core/ask.js").FaultData} FaultData */
/** @typedef {{name: string, rows: Row[], from: string}} Unfinished cards that make no deck yet, and the deck that they
 *    come from, as `Agreed` has it */

const UNFINISHED = "decks.unfinished"; // by game
const PAUSE = 250; // milliseconds without a change until the cards are checked
const MOST_NAMED = 100; // letters of a deck's name
const MOST_UNDONE = 100;

/**
 * Open the editor. Throws `Refused` if the deck it begins with is none.
 *
 * @param {string} game
 * @param {string} from the deck to begin with: a name, a whole deck as JSON, or nothing for the usual one
 * @param {(deck: string) => void} onUse called with the changed deck when the editor is closed
 */
export async function editDeck(game, from, onUse) {
  const deck = from.startsWith("{") ? JSON.parse(from) : from || undefined;
  const { table } = await ask("v1/deck", { game, deck });
  const house = deck ? (await ask("v1/deck", { game })).table : table;
  const place = document.createElement("div");
  document.body.append(place);
  /** @param {any} [changed] */
  const end = (changed) => {
    render(null, place);
    place.remove();
    if (changed) onUse(JSON.stringify(changed));
  };
  const before = recall(UNFINISHED)?.[game];
  const unfinished = before?.from === from ? before : null;
  render(html`<${Editor} table=${table} house=${house.rows} from=${from} before=${unfinished} onEnd=${end} />`, place);
}

/**
 * @param {{table: Table, house: Row[], from: string, before: Unfinished | null, onEnd: (deck?: any) => void}} props
 *   `house` are the usual cards
 */
function Editor({ table, house, from, before, onEnd }) {
  const { game, columns } = table;
  const first = { rows: table.rows, name: from.startsWith("{") ? table.title : freeName(game) };
  const [now, setNow] = useState(before ? { rows: before.rows, name: before.name } : first);
  const [past, setPast] = useState(/** @type {{was: typeof now, cell: string}[]} */ ([]));
  const [at, setAt] = useState(0);
  const [said, setSaid] = useState(""); // what was just done, until the next change
  // What was found, and of which cards.
  const [found, setFound] = useState({ of: before ? null : now, faults: /** @type {FaultData[]} */ ([]), table });
  const changed = useRef(/** @type {Table | null} */ (null)); // the last deck that had no faults
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const { rows, name } = now;
  const faces = useFaces(game, (changed.current ?? table).deck, from);

  useEffect(() => {
    dialog.current?.showModal();
    /** @type {HTMLElement | null | undefined} */ (dialog.current?.querySelector(".deck-cards .card"))?.focus();
  }, []);

  /** Check what is there, and keep it: as a deck or, until it is one, as unfinished. @param {AbortSignal} [signal] */
  const check = async (signal) => {
    const next = await ask("v1/deck", { game, rows, name: named(name) }, signal).catch((error) => {
      if (error instanceof Refused) return error; // of characters that no card has
      throw error;
    });
    setFound({ of: now, faults: next.faults, table: next.table ?? found.table });
    if (next.table) {
      store(next.table, changed.current?.name ?? (from.startsWith("{") ? table.name : ""));
      changed.current = next.table;
      keepUnfinished(game, null);
    }
  };
  useEffect(() => {
    if (found.of === now) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      check(stop.signal).catch((error) => {
        if (!isAborted(error)) throw error;
      });
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [now]);

  /** @param {{rows: Row[], name: string}} next @param {string} cell which one changes; each is undone at once */
  const change = (next, cell) => {
    if (past.at(-1)?.cell !== cell) setPast([...past, { was: now, cell }].slice(-MOST_UNDONE));
    keepUnfinished(game, { ...next, from });
    setNow(next);
    setSaid("");
  };
  const undo = () => {
    const last = past.at(-1);
    if (!last) return;
    keepUnfinished(game, { ...last.was, from });
    setPast(past.slice(0, -1));
    setNow({ ...last.was });
  };
  /** @param {string} column @param {string} cell */
  const setCell = (column, cell) => {
    // A card that is called what it provides, as recipes list it, goes on to be.
    const { name: called, [column]: was } = rows[at];
    const isNamed = cell !== "" && called === was && columns.some((one) => one.list_of === column);
    const cells = { [column]: cell, ...(isNamed ? { name: cell } : {}) };
    const next = rows.map((row, index) => (index === at ? { ...row, ...cells } : row));
    change({ rows: next, name }, `${at} ${column}`);
    if (isNamed) setSaid(say("grid.named", { name: cell }));
  };
  /** Choose a card and, of its cells, the one to go on with. @param {number} next @param {string} [column] */
  const go = (next, column) => {
    if (next < 0 || next >= rows.length) return;
    setAt(next);
    requestAnimationFrame(() => {
      dialog.current?.querySelector('.deck-cards [aria-pressed="true"]')?.scrollIntoView({ block: "nearest" });
      const cell = column === undefined ? null : cellOf(dialog.current, column);
      cell?.focus();
      cell?.select?.();
    });
  };
  /** Cells of a spreadsheet fill those from here to the right and below. @param {ClipboardEvent} event */
  const paste = (event) => {
    const cells = cellsIn(event.clipboardData?.getData("text/plain") ?? "");
    if (!cells) return;
    event.preventDefault();
    const column = /** @type {HTMLElement} */ (event.target).dataset.column ?? columns[0].name;
    const next = pasted(rows, at, columns, column, cells);
    change({ rows: next.rows, name }, `paste ${Date.now()}`);
    setSaid(say("grid.pasted", { n: next.count }));
  };
  const close = async () => {
    if (found.of !== now) await check();
    onEnd(changed.current?.deck);
  };

  const changes = new Set(rows.flatMap((row, index) => (isAlike(row, house[index], columns) ? [] : [index])));
  const wrong = byCard(found.faults);
  const next = [...wrong.keys()].find((card) => card > at) ?? [...wrong.keys()][0];
  const title = useId();
  return html`<dialog class="deck-editor" ref=${dialog} aria-labelledby=${title} onPaste=${paste}
    onCancel=${(/** @type {Event} */ event) => (event.preventDefault(), close())}>
    <header>
      <h2 id=${title}>${say("grid.title", { game: gameTitle(game) })}</h2>
      <label class="deck-name"><span>${say("grid.name")}</span> <input value=${name} maxlength=${MOST_NAMED}
        onInput=${(/** @type {any} */ { target }) => change({ rows, name: target.value }, "name")} /></label>
      <button type="button" class="primary" onClick=${close}>${say("grid.done")}</button>
      <p role="status" class=${wrong.size || found.faults.length ? "bad" : "hinted"}>
        ${sentences(
          said,
          stateOf(found.faults, wrong, Boolean(changed.current), rows.length),
          changes.size ? say("grid.changed", { n: changes.size }) : "",
        )}
        ${!past.length && html` <span class="keys-too">${say("grid.keys")}</span>`}
        ${
          next !== undefined &&
          html` <button type="button" class="quiet small" onClick=${() => go(next)}>${say("grid.next.wrong")}</button>`
        }
      </p>
    </header>
    <div class="deck-cards cards" role="group" aria-label=${say("grid.cards")}>
      ${rows.map((row, index) => {
        const card = faces.cards[index]?.card ?? row[columns[0].name] ?? "";
        const begins = index > 0 && faces.cards[index]?.suit !== faces.cards[index - 1]?.suit;
        const faults = wrong.get(index);
        const isChanged = changes.has(index);
        const words = [
          row[columns[0].name],
          nameOf(faces, card),
          isChanged && say("grid.differs"),
          ...(faults ?? []).map(({ message }) => message),
        ];
        return html`<button type="button" key=${index} aria-pressed=${index === at}
          data-card=${row[columns[0].name]}
          class=${`card ${faults ? "faulty" : ""} ${begins ? "begins" : ""}`}
          aria-label=${words.filter(Boolean).join(say("comma"))} onClick=${() => go(index)}
          onKeyDown=${(/** @type {KeyboardEvent} */ event) => typed(event, dialog.current, columns)}
          onFocus=${() => setAt(index)}>
          <${Drawing} deck=${faces} card=${card} />
          ${isChanged && html`<span class="change-mark" aria-hidden="true">✎</span>`}
          ${faults && html`<span class="fault-mark" aria-hidden="true">!</span>`}</button>`;
      })}
    </div>
    <section class="deck-card" aria-label=${say("grid.card")}>
      <div class="steps">
        <button type="button" disabled=${at === 0} aria-label=${say("grid.before")}
          onClick=${() => go(at - 1)}>←</button>
        <h3><span class="card"><${Drawing} deck=${faces} card=${faces.cards[at]?.card ?? ""} /></span>
          <span>${nameOf(faces, faces.cards[at]?.card ?? "")}
          <small>${say("grid.at", { at: at + 1, all: rows.length })}</small></span></h3>
        <button type="button" disabled=${at === rows.length - 1} aria-label=${say("grid.after")}
          onClick=${() => go(at + 1)}>→</button>
      </div>
      ${(wrong.get(at) ?? [])
        .filter(({ column }) => !columns.some((one) => one.name === column))
        .map(({ message }) => html`<p class="fault" role="alert">${message}</p>`)}
      <div class="cells">${columns.map(
        (column) => html`<${Cell} key=${column.name} column=${column} value=${rows[at][column.name] ?? ""}
          values=${valuesOf(rows, column.list_of
            ?? (columns.some(({ list_of: of }) => of === column.name) ? column.name : ""))}
          faults=${(wrong.get(at) ?? []).filter((fault) => fault.column === column.name)}
          onChange=${(/** @type {string} */ cell) => setCell(column.name, cell)}
          onStep=${(/** @type {number} */ by) => go(at + by, column.name)} />`,
      )}</div>
    </section>
    <footer>
      <button type="button" class="quiet" disabled=${!past.length} onClick=${undo}>${say("undo")}</button>
      <${Sending} table=${found.table} isWhole=${found.of === now && !found.faults.length} />
    </footer>
  </dialog>`;
}

/**
 * The faces of a deck, or the last ones until those are there.
 *
 * @param {string} game @param {any} deck @param {string} from
 */
function useFaces(game, deck, from) {
  const last = useRef(/** @type {import("../cards/faces.js").Deck | null} */ (null));
  const faces = deckOf(from || deck.name !== "house" ? { game, deck } : { game });
  if (faces.cards.length) last.current = faces;
  return last.current ?? faces;
}

/** A name that none of the user's decks of a game has. @param {string} game */
function freeName(game) {
  const taken = ownDecks.value.filter((one) => one.game === game).map((one) => one.name);
  const usual = say("grid.new");
  for (let n = 1; ; n++) {
    const name = n > 1 ? `${usual} ${n}` : usual;
    if (!taken.includes(name)) return name;
  }
}

/** @param {string} name @returns {string} as the service takes it */
function named(name) {
  return name.trim().replace(/\s+/g, " ") || say("grid.new");
}

/** Keep a deck in the browser, in place of the one that it was before. @param {Table} table @param {string} before */
function store({ game, name, title, deck }, before) {
  const others = ownDecks.value.filter((one) => one.game !== game || ![name, before].includes(one.name));
  ownDecks.value = [...others, { game, name, title, deck }];
}

/** @param {string} game @param {Unfinished | null} cards */
function keepUnfinished(game, cards) {
  keep(UNFINISHED, { ...recall(UNFINISHED), [game]: cards });
}

/**
 * The faults of each card.
 *
 * @param {FaultData[]} faults @returns {Map<number, {column: string, message: string}[]>}
 */
function byCard(faults) {
  const found = new Map();
  for (const { path, message } of faults) {
    const [, card, column = ""] = /^rows\[(\d+)\](?:\.(.+))?$/.exec(path) ?? [];
    if (card !== undefined) found.set(Number(card), [...(found.get(Number(card)) ?? []), { column, message }]);
  }
  return new Map([...found].sort(([one], [other]) => one - other));
}

/**
 * How it stands, in a sentence.
 *
 * @param {FaultData[]} faults @param {Map<number, any>} wrong @param {boolean} isKept @param {number} all
 */
function stateOf(faults, wrong, isKept, all) {
  if (wrong.size) return say("grid.wrong", { n: wrong.size });
  if (faults.length) return faults[0].message;
  return isKept ? say("grid.kept", { n: all }) : say("grid.how");
}

/**
 * Whether a card is as another one.
 *
 * @param {Row} row @param {Row | undefined} other @param {Column[]} columns
 */
function isAlike(row, other, columns) {
  return columns.every(({ name }) => (row[name] ?? "").trim() === (other?.[name] ?? ""));
}

/** The values of a column, each once. @param {Row[]} rows @param {string} column */
function valuesOf(rows, column) {
  return [...new Set(rows.map((row) => row[column]).filter(Boolean))].sort((one, other) => one.localeCompare(other));
}

/** @param {HTMLElement | null} dialog @param {string} column @returns {any} */
function cellOf(dialog, column) {
  return dialog?.querySelector(`.cells [data-column="${CSS.escape(column)}"]`);
}

/**
 * A digit typed on a card goes into its first number; Enter leads to its cells.
 *
 * @param {KeyboardEvent} event @param {HTMLElement | null} dialog @param {Column[]} columns
 */
function typed(event, dialog, columns) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isDigit = /^\d$/.test(event.key);
  if (!isDigit && event.key !== "Enter") return;
  const column = columns.find(({ kind }) => kind === "number") ?? columns[0];
  const cell = cellOf(dialog, column.name);
  cell?.focus();
  cell?.select?.();
  if (!isDigit) event.preventDefault(); // the digit is typed into the cell
}

/** The cells of a text from a spreadsheet; null for a text of one cell. @param {string} text */
function cellsIn(text) {
  const lines = text.replace(/\r\n?/g, "\n").replace(/\n+$/, "").split("\n");
  return lines.length > 1 || lines[0].includes("\t") ? lines.map((line) => line.split("\t")) : null;
}

/**
 * The rows after cells were pasted. If the first line has the names of columns, they say where the cells go.
 *
 * @param {Row[]} rows @param {number} at the first row @param {Column[]} columns @param {string} from the first column
 * @param {string[][]} cells
 */
function pasted(rows, at, columns, from, cells) {
  const byName = (/** @type {string} */ cell) => {
    const word = cell.trim().toLowerCase();
    return columns.find(({ name, title }) => [name, title.toLowerCase()].includes(word))?.name;
  };
  const headed = cells[0].map(byName);
  const isHeaded = cells.length > 1 && headed.every(Boolean);
  const start = columns.findIndex(({ name }) => name === from);
  const into = isHeaded ? headed : columns.slice(start).map(({ name }) => name);
  const lines = isHeaded ? cells.slice(1) : cells;
  const next = rows.map((row, index) => {
    const line = lines[index - at];
    if (!line) return row;
    return { ...row, ...Object.fromEntries(line.slice(0, into.length).map((cell, n) => [into[n], cell.trim()])) };
  });
  return { rows: next, count: Math.min(lines.length, rows.length - at) };
}
