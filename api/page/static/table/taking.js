/** Positions as text: typed, pasted, or in a file dropped on the page. */
import { signal } from "../core/html.js";
import { Refused, numbered } from "../core/ask.js";
import { say } from "../core/words.js";
import { dropped, readDeck } from "../core/decks.js";
import { shared } from "../core/address.js";
import { open } from "../core/session.js";
import { after } from "../core/table.js";
import { gameOf } from "../games/index.js";
import { begin } from "./draft.js";

/** The faults of the last text. @type {import("../vendor/signals.js").Signal<Refused | null>} */
export const refused = signal(null);
/** Marks a file as a saved game. */
export const SAVED = "athanor play";
/** The key in `takers` for games written as text. */
export const WRITTEN = "text";
/** The key in `takers` for puzzles and decks. */
export const TOML = ".toml";
/**
 * Handlers of dropped files, by the end of the file's name or by the value of its key `saved`. Tabs may add their own.
 *
 * @type {Map<string, (text: string, name: string) => void>}
 */
export const takers = new Map();

/**
 * Open the position in a text: a line, JSON, or an address of the page. A faulty one opens in the editor.
 *
 * @param {string} text
 */
export async function takeText(text) {
  refused.value = null;
  const address = shared(text.trim());
  /** @type {Record<string, string>} */
  const keys = { ...address?.keys, token: "" }; // another service's token is not for this one
  if (address && (keys.draft || (keys.tab ?? "setup") !== "setup")) {
    open(address.text, keys);
    return;
  }
  let position = /** @type {any} */ (address?.text ?? text.trim());
  if (/^(#|\[\[|[\w-]+\s*=)/.test(position)) {
    takers.get(TOML)?.(text, "");
    return;
  }
  if (/^(;|\[\s*[a-z])/.test(position)) {
    takers.get(WRITTEN)?.(text, "");
    return;
  }
  if (position.startsWith("{")) {
    try {
      position = JSON.parse(position);
    } catch {
      refused.value = new Refused({ code: "invalid_json", path: "", message: say("take.json") });
      return;
    }
    const taker = takers.get(String(position.saved));
    if (taker) {
      taker(text, "");
      return;
    }
    if (!("game" in position) && "name" in position) {
      await takeDeck(text);
      return;
    }
  }
  try {
    const found = await numbered(() => after(position, []));
    open(found.text, { ...keys, tab: found.known ? "analysis" : "hint" });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const isNone = error.code === "wrong_type" && !error.path;
    refused.value = isNone ? new Refused({ code: error.code, path: "", message: say("take.unknown") }) : error;
    if (canBeDrawn(position)) begin(position);
  }
}

/**
 * Read a deck, which the form for new positions then offers. Returns whether the text is a deck; its faults are
 * shown there too.
 *
 * @param {string} text
 */
export async function takeDeck(text) {
  refused.value = null;
  try {
    dropped.value = await readDeck(text);
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
  for (const file of files ?? []) {
    const text = await file.text();
    const ending = file.name.slice(file.name.lastIndexOf(".")).toLowerCase();
    const taker = takers.get(ending);
    if (taker) taker(text, file.name);
    else await takeText(text);
  }
}
