/** The languages of the page: each file of `words/` adds one, and nothing else names it. */

/**
 * The languages by their codes: each with its own name.
 *
 * @type {Record<string, {name: string, words: Record<string, string>}>}
 */
export const LANGUAGES = {};

/** @param {string} code @param {string} name as those say it who speak it @param {Record<string, string>} words */
export function addLanguage(code, name, words) {
  LANGUAGES[code] = { name, words };
}
