/** What people type where numbers are expected, on a Japanese keyboard too. */

/** What a field for a seed accepts. */
export const SEED = "\\s*\\p{Nd}{0,15}\\s*";

/** The number typed in such a field. @param {string} text */
export function numberOf(text) {
  return Number(inAscii(text));
}

/** A text with its digits, letters and dashes in ASCII, as far as they are there. @param {string} text */
export function inAscii(text) {
  const usual = text.normalize("NFKC").replace(/[\u2010-\u2015\u2212\u30fc]/g, "-");
  return usual.replace(/(?![0-9])\p{Nd}/gu, digit);
}

/** The ASCII digit for one of another script, of which ten stand in a row. @param {string} mark */
function digit(mark) {
  const code = mark.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}
