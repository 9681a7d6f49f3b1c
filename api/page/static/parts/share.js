/** A button that shares the position: with the device's share menu, or by copying. */
import { html, useState } from "../core/html.js";
import { copied } from "../core/copying.js";
import { announce } from "../core/live.js";
import { shareable } from "../core/session.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";

export function Share() {
  const [done, setDone] = useState("");
  const [byHand, setByHand] = useState("");
  const run = async () => {
    const url = shareable(table.value.text.trim());
    if (navigator.share) {
      // The user cancelled: no message.
      await navigator.share({ title: document.title, url }).catch(() => {});
      return;
    }
    const isCopied = await copied(url);
    const told = say(isCopied ? "tree.copied" : "share.byHand");
    setDone(told);
    setByHand(isCopied ? "" : url);
    announce(told);
  };
  return html`<button type="button" class="quiet" onClick=${run}>${say("share")}</button>
    ${done && html`<span class="good">${done}</span>`}
    ${
      byHand &&
      html`<input class="by-hand" readonly aria-label=${say("share.byHand")} value=${byHand} ref=${select}
        onFocus=${(/** @type {any} */ event) => event.target.select()} />`
    }`;
}

/** @param {HTMLInputElement | null} field */
function select(field) {
  field?.focus();
}
