/** The clipboard. */

/** Copy a text; whether that worked, since browsers may deny it. @param {string} text */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
