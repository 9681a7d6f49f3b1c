/** The page's sentences, in the language that is loaded. */
import { LANGUAGES } from "./languages.js";

const YEAR = 31_536_000; // seconds

/** The code of the language in use. */
export const language = Object.keys(LANGUAGES)[0] ?? "en";
/** The same with the browser's region, for dates. */
export const region = globalThis.navigator?.languages?.find((one) => one.split("-")[0] === language) ?? language;
const words = LANGUAGES[language] ?? {};
const plural = new Intl.PluralRules(language);

/**
 * Switch the language: the service reads this choice when the page is loaded again.
 *
 * @param {string} code
 */
export function speak(code) {
  document.cookie = `language=${code}; max-age=${YEAR}; samesite=lax`;
  location.reload();
}

/**
 * The text with this key, its {names} filled in. With `n` the key may have a form `.one` and `.other`.
 *
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function say(key, values = {}) {
  const form = typeof values.n === "number" ? `${key}.${plural.select(values.n)}` : key;
  const text = words[form] ?? words[`${key}.other`] ?? words[key];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** Sentences one after another; after a Japanese full stop there is no blank. @param {string[]} texts */
export function sentences(...texts) {
  return texts.filter(Boolean).join(" ").replaceAll("。 ", "。");
}

/** Whether there is a text with this key. @param {string} key */
export function isSaid(key) {
  return key in words;
}

/**
 * A text, or what a game says in its place.
 *
 * @param {string} game
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function saidOf(game, key, values = {}) {
  return say(isSaid(`${key}.${game}`) ? `${key}.${game}` : key, values);
}

/** The formats of numbers by their decimals: to make one takes a hundred times as long as to use it. */
const formats = /** @type {Map<string, Intl.NumberFormat>} */ (new Map());

/**
 * A number in the page's language, with at most `digits` and at least `least` decimals.
 *
 * @param {number} value
 * @param {number} [digits]
 * @param {number} [least]
 */
export function figure(value, digits = 2, least = 0) {
  const key = `${digits} ${least}`;
  const decimals = { maximumFractionDigits: digits, minimumFractionDigits: least };
  const format = formats.get(key) ?? new Intl.NumberFormat(language, decimals);
  formats.set(key, format);
  return format.format(value).replace(/^-(?=[0.,]+$)/, "").replace("-", "−"); // nothing is never below nothing
}

/** A share as a percentage. @param {number} share @param {number} [digits] */
export function percent(share, digits = 1) {
  return `${figure(100 * share, digits)}%`;
}
