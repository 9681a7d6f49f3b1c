/** The token of a service that wants one. The browser keeps it as long as the tab is open, and no longer. */
import { read, write } from "./address.js";

const KEY = "athanor-token";

let token = kept();
let declined = false;

/**
 * Take the token out of an address that brings one, as the QR code of `athanor serve --phone` does: an address is
 * shared, and the token is not.
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
    return ""; // A browser that keeps nothing asks each time the page is loaded.
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
 * Whether there is another token to try after the service refused a request with `sent`, which was its header.
 *
 * Several requests may be refused at once: the first asks the person, the others take what was answered. Who gives
 * none is not asked again until the page is loaded anew.
 *
 * @param {Record<string, string>} sent @param {string} message why the service refused it
 */
export function anotherToken(sent, message) {
  if (tokenHeader().Authorization !== sent.Authorization) return true;
  if (declined) return false;
  const given = prompt(`${message}\n\nToken:`)?.trim() ?? "";
  declined = !/^[\x21-\x7e]+$/.test(given); // Anything else can be in no header.
  keep(declined ? "" : given);
  return !declined;
}
