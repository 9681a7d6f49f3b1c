/** The available puzzles, and the current one. */
import { computed, signal } from "../core/html.js";
import { Refused, ask, load } from "../core/ask.js";
import { gameTitle } from "../core/catalogue.js";
import { keptSignal, recall } from "../core/kept.js";
import { key, open } from "../core/session.js";
import { region, say } from "../core/words.js";
import { chosen as lastGame } from "../games/index.js";
import { takeDeck, takers } from "../table/taking.js";
import { standing } from "./attempts.js";
import { list, puzzleKey, today } from "./current.js";
import { nextOf, rankOf } from "./record.js";

/**
 * @typedef {object} Puzzle as returned by `v1/puzzles`
 * @property {string} id
 * @property {string} title
 * @property {"best-move" | "all-matches" | "value" | "winnable" | "compound"} ask
 * @property {string} game
 * @property {string} [model]
 * @property {number} [player]
 * @property {string[]} [must] the cards that recipes use
 * @property {string[]} [without] the cards that recipes don't use
 * @property {string} [grade]
 * @property {number | null} [rating]
 * @property {number | null} [vote_bonus] by how many points votes that the service has move it forward
 * @property {string[]} [themes]
 * @property {string} [note]
 * @property {string} [hint] what of the note may be shown before the answer, if not all
 * @property {string} text
 * @property {any} position
 * @property {number} [to_move] the seat to move
 * @property {any} [derived] what else lies open or is in force
 * @property {any} [solution]
 */

export const OWN = "own:"; // prefix of the keys of the user's own puzzles

/** Whether the collection has been loaded. */
export const arrived = signal(false);
/** The key of a puzzle that does not exist. */
export const gone = signal("");

const collection = signal(/** @type {Puzzle[]} */ ([]));
/** Puzzles fetched one by one, without the collection. */
const alone = signal(/** @type {Puzzle[]} */ ([]));
/** The names of themes, by code. */
const themeNames = signal(/** @type {Record<string, string>} */ ({}));

/** @typedef {{name: string, title: string, lesson: string, puzzles: string[]}} Series puzzles that teach one idea */

/** The series of the collection. */
export const allSeries = signal(/** @type {Series[]} */ ([]));
/** The chosen series; undefined for none. */
export const series = computed(() => allSeries.value.find(({ name }) => name === chosen.value.series));

/** Whether every puzzle of the chosen series is solved. */
export const isSeriesDone = computed(() =>
  Boolean(series.value?.puzzles.every((id) => standing.value.puzzles.get(id)?.solved)),
);

/** The games of a series' puzzles. @param {Series} of @returns {string[]} */
export function gamesOf({ puzzles }) {
  return [...new Set(collection.value.filter(({ id }) => puzzles.includes(id)).map(({ game }) => game))];
}

/** The names of a puzzle's themes. @param {Puzzle} one */
export function ideasOf(one) {
  return (one.themes ?? []).map((theme) => themeNames.value[theme] ?? theme).join(say("comma"));
}
/** The puzzles of the user's file. */
export const own = keptSignal("puzzles.own", /** @type {Puzzle[]} */ ([]));
/** The faults of the user's file. @type {import("../vendor/signals.js").Signal<Refused | null>} */
export const faulty = signal(null);
/** The filters of a list of all puzzles. */
export const ALL = { game: "", grade: "", theme: "", series: "", unsolved: false, missed: false, own: false };
/** The filters of the list. They hold as long as `of` is the game chosen last: then the list begins with the next. */
export const chosen = keptSignal("puzzles.chosen", { ...ALL, of: "" });

/** The pending request for the collection. @type {Promise<void> | null} */
let coming = null;

/** Fetch the collection, once. */
export function fetchCollection() {
  coming ??= fetchPages();
  return coming;
}

/** Fetch the collection's pages, one after the other. */
async function fetchPages() {
  let after = "";
  do {
    const page = await load(`v1/puzzles?solutions=true&limit=1000${after}`);
    themeNames.value = { ...themeNames.value, ...page.themes };
    collection.value = [...collection.value, ...page.puzzles];
    allSeries.value = page.series;
    after = page.next ? `&after=${encodeURIComponent(page.next)}` : "";
  } while (after);
  arrived.value = true;
}

/** Fetch only the puzzle in the address, since a shared address shows just one. */
export async function fetchOne() {
  const id = puzzleKey.value;
  if (!id || id.startsWith(OWN) || puzzle.value) return;
  if (!(await fetchAlone(`id=${encodeURIComponent(id)}`))) gone.value = id;
}

/** Fetch one puzzle; undefined if it does not exist. @param {string} query @returns {Promise<Puzzle | undefined>} */
async function fetchAlone(query) {
  const { puzzles, themes } = await load(`v1/puzzles?solutions=true&${query}`);
  themeNames.value = { ...themes, ...themeNames.value };
  alone.value = puzzles;
  return puzzles[0];
}

/** @param {Puzzle} puzzle @param {boolean} isOwn */
function keyOf(puzzle, isOwn) {
  return (isOwn ? OWN : "") + puzzle.id;
}

/** The collection by game, and of each game the easiest first; liked puzzles are moved forward. */
const ordered = computed(() => {
  const games = [...new Set(collection.value.map(({ game }) => game))];
  const ranks = new Map(collection.value.map((one) => [one, rankOf(one.id, one, standing.value)]));
  const rank = (/** @type {Puzzle} */ one) => ranks.get(one) ?? 0;
  return collection.value.toSorted(
    (one, other) => games.indexOf(one.game) - games.indexOf(other.game) || rank(one) - rank(other),
  );
});

/** The listed puzzles, each with its key in the address. */
export const listed = computed(() => {
  const { game, grade, theme, unsolved, missed, own: mine } = chosen.value;
  const ids = series.value?.puzzles;
  const listable = ids ? ids.flatMap((id) => collection.value.filter((one) => one.id === id)) : ordered.value;
  const from =
    mine && own.value.length
      ? own.value.map((puzzle) => ({ name: keyOf(puzzle, true), puzzle }))
      : listable.map((puzzle) => ({ name: keyOf(puzzle, false), puzzle }));
  return from.filter(
    ({ name, puzzle }) =>
      (!game || puzzle.game === game) &&
      (!grade || puzzle.grade === grade) &&
      (!theme || puzzle.themes?.includes(theme)) &&
      (!unsolved || !standing.value.puzzles.get(name)?.solved) &&
      (!missed || isFailed(name)),
  );
});

/** Whether the last answer to a puzzle was wrong. @param {string} name */
export function isFailed(name) {
  return standing.value.puzzles.get(name)?.solved === false;
}

/** The themes of the collection's puzzles of the chosen game. */
export const themes = computed(() => {
  const of = collection.value.filter(({ game }) => !chosen.value.game || game === chosen.value.game);
  const found = new Set(of.flatMap((puzzle) => puzzle.themes ?? []));
  return Object.entries(themeNames.value).filter(([theme]) => found.has(theme));
});

/** The current puzzle; null for none, undefined if it does not exist. */
export const puzzle = computed(() => {
  const name = puzzleKey.value;
  if (!name) return null;
  const from = name.startsWith(OWN) ? own.value : [...alone.value, ...collection.value];
  return from.find((one) => keyOf(one, name.startsWith(OWN)) === name);
});
/** Whether the current puzzle is known not to exist. */
export const missing = computed(() => {
  const name = puzzleKey.value;
  if (!name || puzzle.value) return false;
  return name.startsWith(OWN) || arrived.value || gone.value === name;
});

/** The number of each puzzle by its key: within its game or, of the user's own, within the file. */
const numbers = computed(() => {
  const last = /** @type {Record<string, number>} */ ({});
  return new Map([
    ...collection.value.map(({ id, game }) => /** @type {const} */ ([id, (last[game] = (last[game] ?? 0) + 1)])),
    ...own.value.map((puzzle, at) => /** @type {const} */ ([keyOf(puzzle, true), at + 1])),
  ]);
});

/** The day whose puzzle the current one is, such as 2026-11-27; empty if it is none. */
export const dayKey = key("day");

/**
 * What to call a puzzle: its title may give the answer away, so its day or a number until the answer is known.
 *
 * @param {string} name its key @param {Puzzle} puzzle @param {boolean} isKnown
 */
export function nameOf(name, puzzle, isKnown) {
  if (isKnown) return puzzle.title;
  const n = numbers.value.get(name);
  return n ? say("puzzles.number", { n }) : gameTitle(puzzle.game);
}

/** Whose day's puzzle the current one is, in words; empty for none. */
export const ofDay = computed(() => {
  const day = new Date(`${dayKey.value}T12:00`);
  if (Number.isNaN(day.getTime())) return "";
  return say("puzzles.ofDay", { date: day.toLocaleDateString(region, { month: "short", day: "numeric" }) });
});

/** What to call the current puzzle. @param {Puzzle} puzzle @param {boolean} isKnown */
export function titleOf(puzzle, isKnown) {
  const label = ofDay.value;
  if (label && !isKnown) return label;
  const text = nameOf(puzzleKey.value, puzzle, isKnown);
  return label ? say("labelled", { label, text }) : text;
}

/** Open a puzzle. @param {{name: string, puzzle: Puzzle}} one @param {string} [day] whose puzzle it is */
export function choose({ name, puzzle: one }, day = "") {
  open(one.ask === "compound" ? "" : one.text, { tab: "puzzles", puzzle: name, day, model: one.model ?? "" });
}

/** Open the puzzle of the day, the same for everybody. */
export async function chooseDaily() {
  const day = today();
  const one = await fetchAlone(`day=${day}`);
  if (one) choose({ name: one.id, puzzle: one }, day);
}

/** The themes of the puzzles that the player has not solved since they missed them. */
const missedThemes = computed(
  () => new Set(collection.value.flatMap(({ id, themes: of }) => (isFailed(id) && of) || [])),
);

/** The puzzle of the list that is next for the player; undefined if none is due. */
export const forYou = computed(() =>
  nextOf(listed.value, standing.value, new Date().toISOString(), missedThemes.value),
);

/** Whether a puzzle has a theme that the player missed. @param {Puzzle} one */
export function isMissed({ themes: of = [] }) {
  return of.some((theme) => missedThemes.value.has(theme));
}

/** Whether the next puzzle is being looked for. */
export const seeking = signal(false);

/** The puzzles that were left for the next one, which come again only when all others have been shown. */
const left = new Set();

/**
 * Open the next puzzle to train, of the same game if there is a current one; if none is due, the next one in the list.
 * After the last one of a series that is open, list what follows it.
 */
export async function next() {
  seeking.value = true;
  await fetchCollection().finally(() => (seeking.value = false));
  const game = puzzle.value?.game;
  if (dayKey.value && game) chosen.value = { ...chosen.value, game, theme: "", series: "", own: false };
  if (isSeriesDone.value) {
    if (puzzleKey.value) {
      list();
      return;
    }
    listGame(gamesOf(/** @type {Series} */ (series.value))[0]);
  }
  const alike = listed.value.filter((one) => one.puzzle.game === game);
  const among = alike.length ? alike : listed.value;
  const at = among.findIndex((one) => one.name === puzzleKey.value);
  left.add(puzzleKey.value);
  if (among.every((one) => left.has(one.name))) left.clear();
  const others = among.filter((one, place) => place !== at && !left.has(one.name));
  const isOpen = (/** @type {{name: string}} */ { name }) =>
    name !== puzzleKey.value && !standing.value.puzzles.get(name)?.solved;
  const inTurn = series.value && [...among.slice(at + 1), ...among].find(isOpen);
  const apt = inTurn ?? nextOf(others, standing.value, new Date().toISOString(), missedThemes.value);
  const found = apt ?? among[at + 1] ?? among[0];
  if (found) choose(found);
}

/** Add puzzles to the user's own, list only these, and open the first. @param {Puzzle[]} puzzles */
export function addOwn(puzzles) {
  const ids = new Set(puzzles.map(({ id }) => id));
  const before = /** @type {Puzzle[]} */ (recall("puzzles.own") ?? own.value);
  own.value = [...before.filter(({ id }) => !ids.has(id)), ...puzzles];
  listOwn();
  choose({ name: keyOf(puzzles[0], true), puzzle: puzzles[0] });
}

/** List the puzzles of a game, or of all. @param {string} game */
export function listGame(game) {
  if (game) lastGame.value = game;
  chosen.value = { ...chosen.value, game, of: lastGame.value, theme: "", series: "" };
}

/** Begin with the puzzles of the game chosen last, unless the list has begun with it before, or is the user's own. */
export function listLast() {
  if (lastGame.value !== chosen.value.of && !chosen.value.own) listGame(lastGame.value);
}

/** List only the user's own puzzles. */
function listOwn() {
  chosen.value = { ...ALL, of: lastGame.value, own: true };
  open("", { tab: "puzzles" });
}

/** Read a file of the user's own puzzles. @param {string} text TOML */
export async function takeOwn(text) {
  faulty.value = null;
  try {
    own.value = (await ask("v1/puzzles", text)).puzzles;
    listOwn();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    faulty.value = error;
    open("", { tab: "puzzles" });
  }
}

/** Remove the user's own puzzles. */
export function forgetOwn() {
  own.value = [];
  chosen.value = { ...chosen.value, own: false };
}

takers.set("puzzles", takeOwn);
takers.set("deck", async (text, name) => {
  if (!(await takeDeck(text, name))) await takeOwn(text);
});
