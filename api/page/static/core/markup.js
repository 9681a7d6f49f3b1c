/** Elements as text, where there is no browser. */

/**
 * The HTML of elements and of components without state.
 *
 * @param {any} node @param {(type: any) => any} [instead] the component that is drawn in place of another
 * @returns {string}
 */
export function markup(node, instead = (type) => type) {
  if (Array.isArray(node)) return node.map((one) => markup(one, instead)).join("");
  if (node === null || node === undefined || typeof node === "boolean") return "";
  if (typeof node !== "object") return escaped(node);
  const { type } = node;
  if (typeof type === "function") return markup(instead(type)(node.props), instead);
  const { children, ...attributes } = node.props;
  const set = Object.entries(attributes).map(([name, value]) => attribute(name, value));
  return `<${type}${set.join("")}>${markup(children, instead)}</${type}>`;
}

/** @param {string} name @param {any} value */
function attribute(name, value) {
  if (value === null || value === undefined || value === false) return "";
  const text = name === "style" ? styled(value) : value;
  return ` ${name}="${escaped(text === true ? "" : text)}"`;
}

/** @param {Record<string, string>} style */
function styled(style) {
  const dashed = (/** @type {string} */ name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Object.entries(style)
    .map(([name, value]) => `${dashed(name)}: ${value}`)
    .join("; ");
}

const ESCAPES = /** @type {Record<string, string>} */ ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" });

/** @param {unknown} text */
export function escaped(text) {
  return String(text).replace(/[&<>"]/g, (one) => ESCAPES[one]);
}
