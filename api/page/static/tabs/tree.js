/** The tree of moves tried: go to any of them, annotate it, cut it off, or share it. */
import { html, useEffect, useState } from "../core/html.js";
import { goTo, path, setTree, tree } from "../core/session.js";
import { table } from "../core/table.js";
import { along, cut, noted, promoted } from "../core/tree.js";
import { copied } from "../core/copying.js";
import { say } from "../core/words.js";
import { deckOf } from "../cards/faces.js";
import { Move, spokenMove } from "../cards/moves.js";

/** @typedef {import("../core/tree.js").Branch} Branch */
/** @typedef {import("../cards/faces.js").Deck} Deck */

export function Tree() {
  const deck = deckOf(table.value.position);
  const here = path.value;
  return html`<div class="stack">
    ${tree.value.next.length ? null : html`<p class="hinted">${say("tree.empty")}</p>`}
    <div class="tree-rows">
      <button type="button" class=${`tree-move ${here.length ? "" : "here"}`}
        aria-current=${here.length ? undefined : "step"} onClick=${() => goTo([])}>${say("tree.start")}</button>
      <${Branches} branch=${tree.value} at=${[]} deck=${deck} />
    </div>
    ${here.length ? html`<${About} key=${here.join()} deck=${deck} />` : null}
    <${Share} />
  </div>`;
}

/**
 * The moves after a branch, in a row. At a fork, the alternatives are listed below the first move, each with its
 * continuation; then the first branch continues.
 *
 * @param {{branch: Branch, at: number[], deck: Deck}} props
 */
function Branches({ branch, at, deck }) {
  const row = [];
  let parent = branch;
  let where = at;
  while (parent.next.length === 1) {
    [parent] = parent.next;
    where = [...where, 0];
    row.push(html`<${Step} key=${row.length} branch=${parent} at=${where} deck=${deck} />`);
  }
  const [first, ...others] = parent.next;
  const fork = [...where, 0];
  if (first) row.push(html`<${Step} key=${row.length} branch=${first} at=${fork} deck=${deck} />`);
  return html`${row.length ? html`<span class="tree-row">${row}</span>` : null}
    ${others.map(
      (one, index) => html`<${Aside} key=${index} branch=${one} at=${[...where, index + 1]}
      deck=${deck} />`,
    )}
    ${first && html`<${Branches} branch=${first} at=${fork} deck=${deck} />`}`;
}

/** @param {{branch: Branch, at: number[], deck: Deck}} props */
function Aside({ branch, at, deck }) {
  return html`<div class="tree-aside"><${Step} branch=${branch} at=${at} deck=${deck} /><${Branches}
    branch=${branch} at=${at} deck=${deck} /></div>`;
}

/** @param {{branch: Branch, at: number[], deck: Deck}} props */
function Step({ branch, at, deck }) {
  const here = at.join() === path.value.join();
  return html`<button type="button" class=${`tree-move ${here ? "here" : ""}`}
    aria-current=${here ? "step" : undefined} title=${branch.note} onClick=${() => goTo(at)}>
    <${Move} deck=${deck} move=${branch.move} />
      ${branch.note && html`<span class="tree-note">${branch.note}</span>`}</button>`;
}

/** Actions for the move that led to the table. @param {{deck: Deck}} props */
function About({ deck }) {
  const here = path.value;
  const branch = along(tree.value, here).at(-1);
  const [note, setNote] = useState(branch?.note ?? "");
  if (!branch) return null;
  return html`<section class="box"><h3>${say("tree.about", { move: spokenMove(deck, branch.move) })}</h3>
    <form class="row" onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      setTree(noted(tree.value, here, note.trim()), here);
    }}>
      <label>${say("tree.note")} <input maxlength="200" value=${note}
        onInput=${(/** @type {any} */ event) => setNote(event.target.value)} /></label>
      <button>${say("tree.keep")}</button>
    </form>
    <div class="row">
      ${
        here.at(-1)
          ? html`<button type="button"
        onClick=${() => setTree(promoted(tree.value, here), [...here.slice(0, -1), 0])}>${say("tree.first")}
          </button>`
          : null
      }
      <button type="button" onClick=${() => setTree(cut(tree.value, here), here.slice(0, -1))}>
        ${say("tree.cut")}</button>
    </div>
  </section>`;
}

/** The address and the line of the position, for copying. */
function Share() {
  const [said, setSaid] = useState("");
  useEffect(() => setSaid(""), [table.value.text]);
  /** @param {string} text */
  const copy = async (text) => setSaid(say((await copied(text)) ? "tree.copied" : "tree.byHand"));
  return html`<section class="box"><h3>${say("tree.share")}</h3>
    <div class="row">
      <button type="button" onClick=${() => copy(location.href)}>${say("tree.address")}</button>
      <button type="button" onClick=${() => copy(table.value.text)}>${say("tree.line")}</button>
      <span role="status" class="good">${said}</span>
    </div>
    <textarea readonly rows="2" aria-label=${say("tree.line")} value=${table.value.text}></textarea>
  </section>`;
}
