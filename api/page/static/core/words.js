/** The page's sentences, which stand in one file a language. */
import { EN } from "../words/en.js";

const plural = new Intl.PluralRules("en");

/**
 * The text with this key, its {names} filled in. With `n` the key may have a form `.one` and `.other`.
 *
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function say(key, values = {}) {
  const words = /** @type {Record<string, string>} */ (EN);
  const form = typeof values.n === "number" ? `${key}.${plural.select(values.n)}` : key;
  const text = words[form] ?? words[`${key}.other`] ?? words[key];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * A number as people read it, with so many decimals at most.
 *
 * @param {number} value
 * @param {number} [digits]
 */
export function figure(value, digits = 2) {
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

/** A share as a percentage. @param {number} share @param {number} [digits] */
export function percent(share, digits = 1) {
  return `${figure(100 * share, digits)}%`;
}
