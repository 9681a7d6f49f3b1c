/** A button that shares the position: with the device's share menu, or by copying. */
import { html, useState } from "../core/html.js";
import { copied } from "../core/copying.js";
import { announce } from "../core/live.js";
import { shareable } from "../core/session.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";

export function Share() {
  const [done, setDone] = useState(""); // the address that was copied
  const [byHand, setByHand] = useState(""); // the address to copy by hand
  const url = shareable(table.value.text.trim());
  const run = async () => {
    if (navigator.share) {
      // The user cancelled: no message.
      await navigator.share({ title: document.title, url }).catch(() => {});
      return;
    }
    const isCopied = await copied(url);
    if (isCopied) setDone(url);
    else setByHand(url);
    announce(say(isCopied ? "tree.copied" : "share.byHand"));
  };
  if (byHand === url)
    return html`<input class="by-hand" readonly aria-label=${say("share.byHand")} value=${url} ref=${select}
      onFocus=${(/** @type {any} */ event) => event.target.select()} />`;
  return html`<button type="button" class="quiet" onClick=${run}>
    ${say(done === url ? "tree.copied" : "share")}</button>`;
}

/** @param {HTMLInputElement | null} field */
function select(field) {
  field?.focus();
}
