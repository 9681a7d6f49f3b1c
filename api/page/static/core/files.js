/** Texts from outside, in files or pasted: the service reads their bytes, and says what they are. */
import { signal } from "./html.js";
import { ask } from "./ask.js";

/** Words of the last text, if its encoding had to be guessed: they show whether that was right. */
export const guessed = signal("");

/**
 * Read a file or a text. Throws `Refused` if it is no text.
 *
 * @param {Blob | string} from @param {string} [name] of the file
 * @returns {Promise<{text: string, kind: string}>} its text, and what it is
 */
export async function readFile(from, name = "") {
  guessed.value = "";
  const bytes = typeof from === "string" ? new Blob([from]) : from;
  const found = await ask(`v1/text?name=${encodeURIComponent(name)}`, bytes);
  guessed.value = found.guessed.join(" ");
  return found;
}
