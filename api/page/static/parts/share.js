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
  const [said, setSaid] = useState(""); // what came of it, as the key of a sentence
  const url = shareable(table.value.text.trim());
  const byHand = said === "share.byHand";
  const end = () => setSaid("");
  useEffect(() => {
    if (!said || byHand) return undefined;
    const timer = setTimeout(end, SHOWN);
    return () => clearTimeout(timer);
  }, [said]);
  useEffect(end, [url]);
  const run = async () => {
    const short = await brief(url);
    if (await isShared(short)) return;
    const key = (await copied(short)) ? "tree.copied" : "share.byHand";
    setSaid(key);
    announce(say(key));
  };
  return html`<span class="share">
    <button type="button" class="quiet" onClick=${run}>${say("share")}</button>
    ${
      said &&
      html`<label class="said">${say(said)}
      ${byHand && html`<input readonly value=${url} ref=${select} onBlur=${end} onKeyDown=${leave} />`}</label>`
    }
  </span>`;
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
