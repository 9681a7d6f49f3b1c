/** A game in progress as it stands in the address: its options in one key, its moves in another. */

/**
 * @typedef {object} Options what a game is begun with; a round of a seed gives the same cards for ever
 * @property {string} game
 * @property {number} seed
 * @property {number} seconds
 * @property {number} [seat]
 * @property {number} [players]
 * @property {string} [variant]
 * @property {string} [deck]
 * @property {number} [number]
 * @property {number} [rounds]
 */

const NUMBERS = ["seed", "seconds", "seat", "players", "number", "rounds"];
const TEXTS = ["variant", "deck"];

/** @param {Options} options @returns {string} such as "kirin,seed=7,seconds=0.3" */
export function writeOptions(options) {
  const { game, ...others } = options;
  return [game, ...Object.entries(others).filter(([, value]) => value !== undefined).map(([name, value]) => `${name}=${value}`)].join(",");
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
    if (TEXTS.includes(name)) found[name] = value;
  }
  return Number.isFinite(found.seed) && Number.isFinite(found.seconds) ? found : null;
}

/** @param {string[][]} rounds the moves of each round @returns {string} */
export function writeRounds(rounds) {
  return rounds.map(writeMoves).join("/");
}

/** @param {string} text @returns {string[][]} */
export function readRounds(text) {
  return text ? text.split("/").map(readMoves) : [];
}

/** @param {string[]} moves @returns {string} with underscores for blanks */
export function writeMoves(moves) {
  return moves.map((move) => move.replace(/[%;/_]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`).replaceAll(" ", "_")).join(";");
}

/** @param {string} text @returns {string[]} */
export function readMoves(text) {
  if (!text) return [];
  return text.split(";").map((move) => move.replaceAll("_", " ").replace(/%([0-9a-f]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16))));
}
