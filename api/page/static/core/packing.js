/** Long addresses, such as those with a whole deck, packed into short ones: messengers cut what is too long. */
import { shared, write } from "./address.js";

export const LONGEST = 4000; // letters
const LONGEST_PATH = 6000; // a longer code might be refused on its way to the service

/**
 * An address of the page, packed if it is too long.
 *
 * @param {string} url @returns {Promise<string>}
 */
export async function brief(url) {
  const found = url.length > LONGEST && shared(url);
  return found ? packed(found) : url;
}

/**
 * The code stands in the path, where the service can read it for a preview, unless it is too long for that.
 *
 * @param {import("./address.js").Address} found
 */
export async function packed(found) {
  const stream = new Blob([write(found)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const code = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  const own = write({ text: "", keys: { packed: code } });
  return new URL(code.length > LONGEST_PATH ? own : `p/~${code}`, location.href).href;
}
