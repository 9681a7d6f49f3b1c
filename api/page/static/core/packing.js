/** Long addresses, such as those with a whole deck, packed into short ones: messengers cut what is too long. */
import { shared, write } from "./address.js";

export const LONGEST = 4000; // letters

/**
 * An address of the page, packed if it is too long. It shows no preview then.
 *
 * @param {string} url @returns {Promise<string>}
 */
export async function brief(url) {
  const found = url.length > LONGEST && shared(url);
  return found ? packed(found) : url;
}

/** @param {import("./address.js").Address} found */
export async function packed(found) {
  const stream = new Blob([write(found)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const code = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return location.href.split("#")[0] + write({ text: "", keys: { packed: code } });
}
