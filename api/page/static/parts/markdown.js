/**
 * Renders the rules' Markdown as elements (headings, paragraphs, lists, tables, code, emphasis), never as HTML. Codes
 * of cards are drawn; items of lists that begin with `aside`, if there is one, are folded.
 */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { Card } from "../cards/card.js";
import { Move } from "../cards/moves.js";
import { Word } from "../cards/told.js";
import { lookOf } from "../games/index.js";
import { Icon } from "../cards/signs.js";

/** @typedef {import("../cards/faces.js").Deck} Deck */

const CODE = /`([^`]+)`/g;

/** @param {{text: string, deck: Deck, aside?: string}} props */
export function Markdown({ text, deck, aside = "" }) {
  return blocks(text).map((block) => {
    const cards = picturesOf(block, deck);
    const drawing =
      cards.length > 1 &&
      html`<div class="cards">${cards.map((card) => html`<${Card} deck=${deck} card=${card} />`)}</div>`;
    const isBare = drawing && !/\p{L}/u.test(block.join("").replace(CODE, ""));
    return [!isBare && drawn(block, deck, aside), drawing];
  });
}

/** The cards that a paragraph names. @param {string[]} block @param {Deck} deck */
function picturesOf(block, deck) {
  if (/^([#|]|[-*] |\d+\. )/.test(block[0])) return [];
  const codes = [...block.join(" ").matchAll(CODE)].map(([, code]) => code);
  return [...new Set(codes)].filter((code) => deck.byCode.has(code));
}

/** The headings of a text below its title. @param {string} text */
export function headings(text) {
  return blocks(text)
    .filter(([line]) => /^##+ /.test(line))
    .map(([line]) => line.replace(/^#+ +/, "").replaceAll("`", ""));
}

/** Split a text into blocks at empty lines, except within code. @param {string} text */
function blocks(text) {
  const found = [];
  let lines = /** @type {string[]} */ ([]);
  let fenced = false;
  for (const line of [...text.split("\n"), ""]) {
    if (line.startsWith("```")) fenced = !fenced;
    const begins = !fenced && /^(#|[-*] |\d+\. |\|)/.test(line) && lines.length && !sameKind(lines[0], line);
    if ((!fenced && !line.trim()) || begins) {
      if (lines.length) found.push(lines);
      lines = [];
    }
    if (line.trim() || fenced) lines.push(line);
    if (line.startsWith("#")) {
      found.push(lines);
      lines = [];
    }
  }
  return found;
}

/** @param {string} first @param {string} line */
function sameKind(first, line) {
  const kind = (/** @type {string} */ text) => text.match(/^(#|[-*] |\d|\|)/)?.[0].replace(/\d/, "1") ?? "";
  return kind(first) === kind(line) && !line.startsWith("#");
}

/** @param {string[]} lines @param {Deck} deck @param {string} aside */
function drawn(lines, deck, aside) {
  const [first] = lines;
  const heading = first.match(/^(#+)\s+(.*)/);
  if (heading) return html`<${`h${Math.min(6, heading[1].length + 1)}`}>${inline(heading[2], deck)}<//>`;
  if (first.startsWith("```"))
    return html`<pre>${lines.filter((line) => !line.startsWith("```")).join("\n")}</pre>`;
  if (first.startsWith("|")) return table(lines, deck);
  if (/^[-*] /.test(first)) return list(items(lines, /^[-*] /), deck, aside);
  if (/^\d+\. /.test(first)) return html`<ol>${lis(items(lines, /^\d+\. /), deck)}</ol>`;
  return html`<p>${inline(lines.join(" "), deck)}</p>`;
}

/** @param {string[]} texts @param {Deck} deck */
function lis(texts, deck) {
  return texts.map((text) => html`<li>${inline(text, deck)}</li>`);
}

/**
 * A list, and its asides in a fold of their own.
 *
 * @param {string[]} texts @param {Deck} deck @param {string} aside
 */
function list(texts, deck, aside) {
  const isAside = (/** @type {string} */ text) => aside && text.startsWith(`**${aside}`);
  const told = texts.filter((text) => !isAside(text));
  const asides = texts.filter(isAside).map((text) => {
    const rest = text.slice(aside.length + 2).replace(/^(\*\*)?[:：] ?/, (_, ends) => (ends ? "" : "**"));
    return rest.replace(/^(\*\*)?./, (begin) => begin.toUpperCase());
  });
  return html`${told.length > 0 && html`<ul>${lis(told, deck)}</ul>`}
    ${
      asides.length > 0 &&
      html`<details><summary>${say("rules.asides", { n: asides.length })}</summary>
        <ul>${lis(asides, deck)}</ul></details>`
    }`;
}

/** @param {string[]} lines @param {RegExp} mark */
function items(lines, mark) {
  const found = /** @type {string[]} */ ([]);
  for (const line of lines) {
    if (mark.test(line)) found.push(line.replace(mark, ""));
    else found[found.length - 1] += ` ${line.trim()}`;
  }
  return found;
}

/** @param {string[]} lines @param {Deck} deck */
function table(lines, deck) {
  const rows = lines
    .filter((line) => !/^[|\s:-]+$/.test(line))
    .map((line) =>
      line
        .replace(/^\||\|\s*$/g, "")
        .split("|")
        .map((cell) => cell.trim()),
    );
  const [head, ...body] = rows;
  const heads = head.map((cell) => html`<th>${inline(cell, deck)}</th>`);
  return html`<div class="scroll"><table><thead><tr>${heads}</tr></thead>
    <tbody>${body.map(
      (row) => html`<tr>${row.map((cell) => html`<td>${inline(cell, deck)}</td>`)}</tr>`,
    )}</tbody>
      </table></div>`;
}

/** Emphasis and code within a line. @param {string} text @param {Deck} deck */
function inline(text, deck) {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|\[[^\]]+\]\([^)]+\))/);
  return parts.map((part) => {
    if (part.startsWith("`") && part.length > 2) return html`<${Code} code=${part.slice(1, -1)} deck=${deck} />`;
    if (part.startsWith("**")) return html`<strong>${part.slice(2, -2)}</strong>`;
    if (/^\*[^*]/.test(part) && part.endsWith("*")) return html`<em>${part.slice(1, -1)}</em>`;
    const link = part.match(/^\[([^\]]+)\]\([^)]+\)$/);
    return link ? link[1] : part;
  });
}

/** A code: a card, a move, or the letter of a suit, is drawn. @param {{code: string, deck: Deck}} props */
function Code({ code, deck }) {
  if (deck.byCode.has(code)) return html`<${Word} deck=${deck} card=${code} />`;
  if (code.includes("=")) return html`<${Move} deck=${deck} move=${code} />`;
  const one = /^[A-Z]$/.test(code) && deck.cards.find((face) => face.suit && face.card.startsWith(code));
  if (!one) return html`<code>${code}</code>`;
  const { ink, suit } = lookOf(deck, one.card);
  return html`<span class=${`card-word ink-${ink}`}>${suit && html`<${Icon} name=${suit} />`}${code}</span>`;
}
