/**
 * The fragment of the address holds everything that the page shows, in the form
 * `#kirin&seat=2&hand=D6,S1&~tab=hint&~moves=D4;S3`: a position's line of text with & instead of blanks, then the
 * page's own keys, which begin with ~.
 */

/** @typedef {{text: string, keys: Record<string, string>}} Address */

const MARK = "~";

/** @param {string} fragment with or without the # @returns {Address} */
export function read(fragment) {
  /** @type {Record<string, string>} */
  const keys = {};
  const words = [];
  const escaped = !fragment.includes("&") && fragment.includes("%26"); // as a whole, as some programs do
  for (const part of (escaped ? decoded(fragment) : fragment).replace(/^#/, "").split(/&(?:amp;)?/)) {
    if (!part.startsWith(MARK)) {
      // Between words a blank may have been escaped; within quotes, as in a whole deck, it belongs to a name.
      if (part) words.push(part.includes("%22") ? part : part.replace(/%20/g, " "));
      continue;
    }
    const [name, ...value] = part.slice(MARK.length).split("=");
    keys[name] = decoded(value.join("="));
  }
  return { text: words.join(" "), keys };
}

/** @param {Address} address @returns {string} with the # */
export function write({ text, keys }) {
  const own = Object.entries(keys)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${MARK}${name}=${encoded(value)}`);
  const words = text.trim() ? [text.trim().split(/\s+/).join("&")] : [];
  return `#${[...words, ...own].join("&")}`;
}

/**
 * The address of what was shared with a position: if moves were tried, they begin at `from`.
 *
 * @param {string} position @param {Record<string, string>} keys @returns {Address}
 */
export function opened(position, { from = "", ...keys }) {
  return { text: from || position, keys };
}

/** The fragment for a packed address, whose code is in a path, `/p/~CODE`; empty for others. @param {string} path */
export function unfolded(path) {
  const [, code = ""] = path.match(/^(?:.*\/p\/)?~([\w-]+)$/) ?? [];
  return code && write({ text: "", keys: { packed: code } });
}

/**
 * The address of a page that somebody shared, here or elsewhere; null if the text is none.
 *
 * @param {string} text @returns {Address | null}
 */
export function shared(text) {
  const form = /^(?:https?:[^\s?#]*?\/(?:p\/([^\s?#]*))?)?(#\S+)?$/;
  const [found, position = "", fragment = ""] = text.match(form) ?? [];
  const { text: line, keys } = read(unfolded(position) || fragment);
  return found ? opened(read(decoded(position)).text || line, keys) : null;
}

/** Escape only what an address can't contain, so that people can read it. @param {string} value */
function encoded(value) {
  return value.replace(/[^\w.,:;()*+=>/!?@$'-]/g, encodeURIComponent);
}

/** @param {string} value */
function decoded(value) {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
