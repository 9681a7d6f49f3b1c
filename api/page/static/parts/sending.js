/** Ways of a deck out of the page, and into it by an address. */
import { html, useEffect, useState } from "../core/html.js";
import { read } from "../core/address.js";
import { Refused } from "../core/ask.js";
import { copied } from "../core/copying.js";
import { dropped } from "../core/decks.js";
import { LONGEST, packed } from "../core/packing.js";
import { address, go } from "../core/session.js";
import { say } from "../core/words.js";
import { refused, takeDeck } from "../table/taking.js";
import { isShared } from "./share.js";

/**
 * Buttons that save a deck as a file or share its address.
 *
 * @param {{table: import("./grid.js").Table, isWhole: boolean}} props
 */
export function Sending({ table, isWhole }) {
  const [said, setSaid] = useState("");
  useEffect(() => setSaid(""), [table]);
  const file = (/** @type {string} */ ending, /** @type {string} */ text) =>
    html`<button type="button" disabled=${!isWhole} aria-label=${say("grid.file", { kind: ending.toUpperCase() })}
      onClick=${() => save(`${table.name}.${ending}`, text)}>↓ ${ending.toUpperCase()}</button>`;
  const share = async () => {
    const url = await packed({ text: "", keys: { deck: JSON.stringify(table.deck) } });
    if (url.length > LONGEST) setSaid("grid.long");
    else if (!(await isShared(url))) setSaid((await copied(url)) ? "tree.copied" : "grid.long");
  };
  return html`${file("csv", table.csv)}${file("toml", table.toml)}
    <button type="button" disabled=${!isWhole} onClick=${share}>${say("share")}</button>
    <span class="hinted" role="status">${said && say(said)}</span>`;
}

/** @param {string} name @param {string} text */
function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name.replace(/[\\/:*?"<>|]/g, "-");
  link.click();
  URL.revokeObjectURL(link.href);
}

const MOST = 1 << 20; // letters of an address: a short code may stand for endlessly many

/** The fragment in a code; empty if the code is broken. @param {string} code */
async function unpacked(code) {
  try {
    const bytes = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      text += decoder.decode(value, { stream: !done });
      if (done || text.length > MOST) return done ? text : "";
    }
  } catch {
    return "";
  }
}

/** Goes on to what a packed address stands for: a deck is kept, everything else is shown. */
export function Unpacking() {
  const code = address.value.keys.packed;
  useEffect(() => {
    unpack(code);
  }, [code]);
  return null;
}

/** @param {string} code */
async function unpack(code) {
  const { text, keys } = read(await unpacked(code));
  const { deck = "", token: _, ...others } = keys;
  if (text || Object.keys(others).length) go({ text, keys: { packed: "", ...others } }, { replace: true });
  else {
    go({ keys: { packed: "", tab: "setup" } }, { replace: true });
    if (!deck || !(await takeDeck(deck, ""))) {
      dropped.value = null;
      refused.value = new Refused({ code: "", path: "", message: say("grid.broken") });
    }
  }
}
