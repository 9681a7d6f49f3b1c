/** The languages of the page: each file of `words/` adds one. */

/**
 * Each language's own name and its words, by language code.
 *
 * @type {Record<string, {name: string, words: Record<string, string>}>}
 */
export const LANGUAGES = {};

/** @param {string} code @param {string} name as those say it who speak it @param {Record<string, string>} words */
export function addLanguage(code, name, words) {
  LANGUAGES[code] = { name, words };
}
