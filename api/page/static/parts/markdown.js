/** Renders the rules' Markdown as elements (headings, paragraphs, lists, tables, code, emphasis), never as HTML. */
import { html } from "../core/html.js";

/** @param {{text: string}} props */
export function Markdown({ text }) {
  return blocks(text).map((block) => drawn(block));
}

/** The headings of a text below its title. @param {string} text */
export function headings(text) {
  return blocks(text)
    .filter(([line]) => /^##+ /.test(line))
    .map(([line]) => inline(line.replace(/^#+ +/, "")));
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

/** @param {string[]} lines */
function drawn(lines) {
  const [first] = lines;
  const heading = first.match(/^(#+)\s+(.*)/);
  if (heading) return html`<${`h${Math.min(6, heading[1].length + 1)}`}>${inline(heading[2])}<//>`;
  if (first.startsWith("```"))
    return html`<pre>${lines.filter((line) => !line.startsWith("```")).join("\n")}</pre>`;
  if (first.startsWith("|")) return table(lines);
  if (/^[-*] /.test(first))
    return html`<ul>${items(lines, /^[-*] /).map((item) => html`<li>${inline(item)}</li>`)}</ul>`;
  if (/^\d+\. /.test(first))
    return html`<ol>${items(lines, /^\d+\. /).map((item) => html`<li>${inline(item)}</li>`)}</ol>`;
  return html`<p>${inline(lines.join(" "))}</p>`;
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

/** @param {string[]} lines */
function table(lines) {
  const rows = lines
    .filter((line) => !/^[|\s:-]+$/.test(line))
    .map((line) =>
      line
        .replace(/^\||\|\s*$/g, "")
        .split("|")
        .map((cell) => cell.trim()),
    );
  const [head, ...body] = rows;
  return html`<div class="scroll"><table><thead><tr>${head.map((cell) => html`<th>${inline(cell)}</th>`)}</tr></thead>
    <tbody>${body.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody>
      </table></div>`;
}

/** Emphasis and code within a line. @param {string} text */
function inline(text) {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|\[[^\]]+\]\([^)]+\))/);
  return parts.map((part) => {
    if (part.startsWith("`") && part.length > 2) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith("**")) return html`<strong>${part.slice(2, -2)}</strong>`;
    if (/^\*[^*]/.test(part) && part.endsWith("*")) return html`<em>${part.slice(1, -1)}</em>`;
    const link = part.match(/^\[([^\]]+)\]\([^)]+\)$/);
    return link ? link[1] : part;
  });
}
