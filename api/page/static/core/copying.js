/** The clipboard. */

/** Copy a text; whether that worked, since browsers may deny it. @param {string} text */
export async function copied(text) {
  if (!navigator.clipboard) return copiedOldWay(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Copy where the page comes over plain HTTP, as to a phone in the same network. @param {string} text */
function copiedOldWay(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true; // no keyboard on a phone
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
