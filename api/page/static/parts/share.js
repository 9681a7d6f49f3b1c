/** A button that shares the position: with the device's share menu, or by copying. */
import { html, useState } from "../core/html.js";
import { copied } from "../core/copying.js";
import { announce } from "../core/live.js";
import { shareable } from "../core/session.js";
import { table } from "../core/table.js";
import { say } from "../core/words.js";

/** @param {string} url @returns {Promise<string>} what became of it, in words; the address if it couldn't be copied */
async function share(url) {
  if (navigator.share) {
    // The user cancelled: no message.
    await navigator.share({ title: document.title, url }).catch(() => {});
    return "";
  }
  return (await copied(url)) ? say("tree.copied") : url;
}

export function Share() {
  const [done, setDone] = useState("");
  const run = async () => {
    const told = await share(shareable(table.value.text.trim()));
    setDone(told);
    if (told) announce(told);
  };
  return html`<button type="button" class="quiet" onClick=${run}>${say("share")}</button>
    ${done && html`<span class="good shared">${done}</span>`}`;
}
