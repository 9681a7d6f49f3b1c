/** The token of a service that requires one. The browser stores it only while the tab is open. */
import { read, write } from "./address.js";

const KEY = "athanor-token";

let token = kept();
let declined = false;

/**
 * Store the token of an address that has one, such as the QR code of `athanor serve --phone`, and remove it from the
 * address, so that sharing the address does not share the token.
 *
 * @param {string} fragment @returns {string} the fragment without it
 */
export function takeToken(fragment) {
  const { text, keys } = read(fragment);
  if (!keys.token) return fragment;
  keep(keys.token);
  return write({ text, keys: { ...keys, token: "" } });
}

function kept() {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return ""; // A browser that stores nothing asks whenever the page is loaded.
  }
}

/** @param {string} found */
function keep(found) {
  token = found;
  try {
    sessionStorage.setItem(KEY, token);
  } catch {
    // As above.
  }
}

/** The header that carries the token, if there is one. @returns {Record<string, string>} */
export function tokenHeader() {
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/**
 * Whether there is another token to try after the service refused a request with the header `sent`.
 *
 * If several requests are refused at once, the first one asks the user and the others use the answer. A user who gives
 * none is not asked again until the page is reloaded.
 *
 * @param {Record<string, string>} sent @param {string} message why the service refused it
 */
export function anotherToken(sent, message) {
  if (tokenHeader().Authorization !== sent.Authorization) return true;
  if (declined) return false;
  const given = prompt(`${message}\n\nToken:`)?.trim() ?? "";
  declined = !/^[\x21-\x7e]+$/.test(given); // A header can't contain anything else.
  keep(declined ? "" : given);
  return !declined;
}
