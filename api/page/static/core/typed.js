/** What people type where numbers are expected, on a Japanese keyboard too. */

/** What a field for a seed accepts. */
export const SEED = "\\s*[0-9\uff10-\uff19]{0,15}\\s*";

/** The number typed in such a field. @param {string} text */
export function numberOf(text) {
  return Number(inAscii(text));
}

/** A text with its digits, letters and dashes in ASCII, as far as they are there. @param {string} text */
export function inAscii(text) {
  return text.normalize("NFKC").replace(/[\u2010-\u2015\u2212\u30fc]/g, "-");
}
