/** A game in progress, as stored in the address: its options in one key, its moves in another. */

/**
 * @typedef {object} Options the options of a game; the same round of a seed always has the same cards
 * @property {string} game
 * @property {number} seed
 * @property {number} seconds
 * @property {number} [seat]
 * @property {number} [players]
 * @property {string} [variant]
 * @property {string} [deck] a deck's name, or a whole deck as JSON
 * @property {string} [rules] the names of the rule options in force, separated by blanks
 * @property {number} [number]
 * @property {number} [rounds]
 * @property {string} [others] the strength of the others: club or beginner; by default they follow hints
 * @property {string} [race] of a duel that is a race: how fast the opponent is (slow, even or fast), or "two" if both
 *   players sit at this screen
 * @property {number} [for_match] 1 if hints in every round aim to win the match
 */

const NUMBERS = ["seed", "seconds", "seat", "players", "number", "rounds", "for_match"];
const TEXTS = ["variant", "deck", "rules", "others", "race"];

/** @param {Options} options @returns {string} such as "kirin,seed=7,seconds=0.3" */
export function writeOptions(options) {
  const { game, ...others } = options;
  return [
    game,
    ...Object.entries(others)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${escaped(String(value))}`),
  ].join(",");
}

/** Escape only the characters that separate options. @param {string} text */
function escaped(text) {
  return text.replace(/[%,=]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
}

/** @param {string} text */
function unescaped(text) {
  return text.replace(/%([0-9a-f]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)));
}

/** The options in the form that the service accepts. @param {Options} options */
export function sentOptions({ deck, rules, for_match, race, ...others }) {
  return {
    ...others,
    ...(deck ? { deck: deck.startsWith("{") ? JSON.parse(deck) : deck } : {}),
    ...(for_match ? { for_match: true } : {}),
    ...(race ? { race: true } : {}),
    ...(rules ? { rules: Object.fromEntries(rules.split(" ").map((name) => [name, true])) } : {}),
  };
}

/** The options of a game from the service or from a file. @param {any} saved @returns {Options} */
export function optionsOf({
  game,
  seed,
  seconds,
  seat,
  players,
  variant,
  deck,
  number,
  rounds,
  for_match,
  rules,
  others,
  race,
}) {
  const on = Object.keys(rules ?? {}).filter((name) => rules[name]);
  return {
    game,
    seed,
    seconds,
    seat: seat || undefined,
    players: players ?? undefined,
    variant: variant ?? undefined,
    deck: typeof (deck ?? "") === "string" ? (deck ?? undefined) : JSON.stringify(deck),
    number: number || undefined,
    rounds: rounds ?? undefined,
    for_match: for_match ? 1 : undefined,
    rules: on.length ? on.join(" ") : undefined,
    others: others ?? undefined,
    race: race ? "even" : undefined,
  };
}

/** @param {string} text @returns {Options | null} */
export function readOptions(text) {
  const [game, ...others] = text.split(",");
  if (!game) return null;
  /** @type {any} */
  const found = { game };
  for (const other of others) {
    const [name, value] = other.split("=");
    if (NUMBERS.includes(name)) found[name] = Number(value);
    if (TEXTS.includes(name)) found[name] = unescaped(value ?? "");
  }
  return Number.isSafeInteger(found.seed) && Number.isFinite(found.seconds) ? found : null;
}

/** @param {string[][]} rounds the moves of each round @returns {string} */
export function writeRounds(rounds) {
  return hidden(rounds.map((moves) => moves.join("\n")).join("\n\n"));
}

/** @param {string} text @returns {string[][]} */
export function readRounds(text) {
  const all = shown(text);
  return all ? all.split("\n\n").map(lines) : [];
}

/** @param {string[]} moves @returns {string} */
export function writeMoves(moves) {
  return hidden(moves.join("\n"));
}

/** @param {string} text @returns {string[]} */
export function readMoves(text) {
  return lines(shown(text));
}

/** @param {string} text */
function lines(text) {
  return text ? text.split("\n") : [];
}

/** Write a text so that nobody reads the others' cards in the address by accident. @param {string} text */
export function hidden(text) {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @param {string} text what `hidden` wrote; empty if it did not */
export function shown(text) {
  try {
    const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(bytes, (one) => one.charCodeAt(0)));
  } catch {
    return "";
  }
}
