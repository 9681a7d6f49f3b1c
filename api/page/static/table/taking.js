/** Texts of all kinds: typed, pasted, or in a file dropped on the page. The service says what they are. */
import { signal } from "../core/html.js";
import { Refused, numbered } from "../core/ask.js";
import { say } from "../core/words.js";
import { dropped, readDeck } from "../core/decks.js";
import { readFile } from "../core/files.js";
import { fetchLater } from "../core/later.js";
import { shared } from "../core/address.js";
import { open } from "../core/session.js";
import { after } from "../core/table.js";
import { EXAMPLE, gameOf } from "../games/index.js";
import { begin } from "./draft.js";

/** The faults of the last text. @type {import("../vendor/signals.js").Signal<Refused | null>} */
export const refused = signal(null);
/**
 * What to do with a text of each kind that the service names, but for positions. Tabs add their own.
 *
 * @type {Map<string, (text: string, name: string) => void>}
 */
export const takers = new Map();

/**
 * Take a text or a file of any kind: a game, a deck, puzzles, a position.
 *
 * @param {string | Blob} from @param {string} [name] the file's
 */
export async function take(from, name = "") {
  refused.value = null;
  try {
    const { kind, text } = await readFile(from, name);
    if (!takers.has(kind) && kind !== "position") await fetchLater(); // It may know what to do with it.
    const taker = takers.get(kind);
    if (taker) taker(text, name);
    else await takePosition(text);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refused.value = error;
  }
}

/**
 * Open the position in a text: a line, JSON, or an address of the page. A faulty one opens in the editor.
 *
 * @param {string} text
 */
async function takePosition(text) {
  const address = shared(text.trim());
  /** @type {Record<string, string>} */
  const keys = { ...address?.keys, token: "" }; // another service's token is not for this one
  if (address && (keys.packed || keys.draft || (keys.tab ?? "setup") !== "setup")) {
    open(address.text, keys);
    return;
  }
  let position = /** @type {any} */ (address?.text ?? text.trim());
  if (position.startsWith("{")) {
    const read = parsed(position);
    if (!read) return;
    position = read;
  }
  try {
    const found = await numbered(() => after(position, []));
    open(found.text, { ...keys, tab: found.known ? "analysis" : "hint" });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const isNone = error.code === "invalid_text" && !error.path;
    const message = say("take.unknown", { example: EXAMPLE });
    refused.value = isNone ? new Refused({ code: error.code, path: "", message }) : error;
    if (canBeDrawn(position)) begin(position);
  }
}

/** The data in a JSON text; null, and a fault is shown, if it is broken. @param {string} text */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    refused.value = new Refused({ code: "invalid_json", path: "", message: say("take.json") });
    return null;
  }
}

/**
 * Read a deck, which the form for new positions then offers. Returns whether the text is a deck; its faults are
 * shown there too.
 *
 * @param {string} text @param {string} name the file's
 */
export async function takeDeck(text, name) {
  refused.value = null;
  if (text.trimStart().startsWith("{") && !parsed(text)) return true;
  try {
    dropped.value = await readDeck(text, name);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (isNoDeck(error)) return false;
    refused.value = error;
  }
  open("", { tab: "setup" });
  return true;
}

/** Whether a TOML file is not a deck at all, or can't be parsed. @param {Refused} error */
function isNoDeck({ code, path }) {
  return code === "invalid_toml" || (code === "missing_key" && !path);
}

/** Whether the editor can draw a faulty position: whether its places contain lists. @param {any} position */
function canBeDrawn(position) {
  const game = gameOf(position?.game);
  if (!game) return false;
  try {
    return game
      .zones(position)
      .every((zone) => Array.isArray(zone.cards) && zone.cards.every((card) => typeof card === "string"));
  } catch {
    return false;
  }
}

/** Handle the files of a drop or of a file input. @param {FileList | null | undefined} files */
export async function takeFiles(files) {
  for (const file of files ?? []) await take(file, file.name);
}
