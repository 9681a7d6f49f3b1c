/** The page's sentences, from one file per language: the visitor's choice, or else the browser's. */
import { LANGUAGES } from "./languages.js";
import { keep, recall } from "./kept.js";

const CHOSEN = "language";
const USUAL = "en";

/** The code of the language in use. */
export const language = [
  globalThis.document?.documentElement.dataset.language, // set in a file in one language
  recall(CHOSEN),
  ...(globalThis.navigator?.languages ?? []).map(codeOf),
  USUAL,
].find((code) => code in LANGUAGES);
const { words } = LANGUAGES[language] ?? { words: {} };
const plural = new Intl.PluralRules(language);
if (globalThis.document) document.documentElement.lang = language;

/** @param {string} tag such as "ja-JP" */
function codeOf(tag) {
  return tag.split("-")[0];
}

/**
 * Switch the language. Reloads the page, since sentences are read when it is loaded.
 *
 * @param {string} code
 */
export function speak(code) {
  keep(CHOSEN, code);
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
 * A number in the page's language, with at most `digits` and at least `least` decimals.
 *
 * @param {number} value
 * @param {number} [digits]
 * @param {number} [least]
 */
export function figure(value, digits = 2, least = 0) {
  const text = value.toLocaleString(language, { maximumFractionDigits: digits, minimumFractionDigits: least });
  return text.replace("-", "−");
}

/** A share as a percentage. @param {number} share @param {number} [digits] */
export function percent(share, digits = 1) {
  return `${figure(100 * share, digits)}%`;
}
