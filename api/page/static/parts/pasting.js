/** Input of text, typed, pasted or from a file: a position, a game played at a real table, a deck, puzzles. */
import { html, useState } from "../core/html.js";
import { say } from "../core/words.js";
import { Faults } from "../table/faults.js";
import { refused, take, takeFiles } from "../table/taking.js";

/** @param {{title: string, label: string, example?: string}} props */
export function Pasting({ title, label, example = "" }) {
  const [text, setText] = useState("");
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    take(text);
  };
  return html`<section class="box">
    <h2>${title}</h2>
    <form class="stack" onSubmit=${submit}>
      <label class="wide">
        ${label}
        <textarea
          rows=${Math.max(3, example.split("\n").length)}
          spellcheck="false"
          autocapitalize="off"
          value=${text}
          placeholder=${example}
          onInput=${(/** @type {any} */ event) => setText(event.target.value)}
        ></textarea>
      </label>
      <div class="row">
        <button>${say("setup.read")}</button>
        <label class="file">
          ${say("setup.file")}
          <input type="file" multiple onChange=${(/** @type {any} */ event) => takeFiles(event.target.files)} />
        </label>
      </div>
    </form>
    <${Faults} found=${refused.value} />
  </section>`;
}
