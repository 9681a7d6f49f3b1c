/** A button that shares the position: with the device's share menu, or by copying. */
import { html, useEffect, useState } from "../core/html.js";
import { copied } from "../core/copying.js";
import { announce } from "../core/live.js";
import { brief } from "../core/packing.js";
import { shareable } from "../core/session.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";

const SHOWN = 4000; // milliseconds

export function Share() {
  const [said, setSaid] = useState({ words: "", url: "" }); // what came of it, as the key of a sentence
  const run = async () => {
    const url = here();
    const short = await brief(url);
    if (await isShared(short)) return;
    const words = (await copied(short)) ? "tree.copied" : "share.byHand";
    setSaid({ words, url });
    announce(say(words));
  };
  return html`<span class="share">
    <button type="button" class="quiet" onClick=${run}>${say("share")}</button>
    ${said.words && html`<${Said} ...${said} end=${() => setSaid({ words: "", url: "" })} />`}
  </span>`;
}

/** The address of what is shown, which takes a while to write. */
function here() {
  return shareable(table.value.text.trim());
}

/**
 * What came of sharing an address: for a moment or, to copy it by hand, as long as the page shows the same.
 *
 * @param {{words: string, url: string, end: () => void}} props
 */
function Said({ words, url, end }) {
  const byHand = words === "share.byHand";
  const isGone = here() !== url;
  useEffect(() => {
    if (isGone) end();
    if (isGone || byHand) return undefined;
    const timer = setTimeout(end, SHOWN);
    return () => clearTimeout(timer);
  }, [isGone]);
  return html`<label class="said">${say(words)}
    ${byHand && html`<input readonly value=${url} ref=${select} onBlur=${end} onKeyDown=${leave} />`}</label>`;
}

/** Whether the device's share menu took an address, or was closed by the user. @param {string} url */
export async function isShared(url) {
  if (!navigator.share) return false;
  try {
    await navigator.share({ title: document.title, url });
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === "AbortError";
  }
}

/** @param {any} event */
function leave({ key, currentTarget }) {
  if (key === "Escape") currentTarget.closest(".share").querySelector("button").focus();
}

/** @param {HTMLInputElement | null} field */
function select(field) {
  field?.focus();
  field?.select();
}
