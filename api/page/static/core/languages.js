/** The languages that are loaded: each file of `words/` adds to one. The service chooses which one a page loads. */

/** Their words by language code. @type {Record<string, Record<string, string>>} */
export const LANGUAGES = {};

/** @param {string} code @param {Record<string, string>} words */
export function addLanguage(code, words) {
  LANGUAGES[code] = Object.assign(LANGUAGES[code] ?? {}, words);
}
