/** What modules of the page expect of a browser, where a book is drawn without one. It must be loaded first. */

const nothing = () => {};
const alone = /** @type {any} */ (globalThis);
/** The page's templates with the signs and illustrations on cards, as text. */
export const signs = { text: "" };

Object.assign(alone, {
  addEventListener: nothing,
  clearTimeout: nothing,
  document: {
    documentElement: { dataset: {} },
    getElementById: (/** @type {string} */ id) => (signs.text.includes(`id="${id}"`) ? {} : null),
  },
  location: { hash: "", pathname: "" },
  setTimeout: nothing,
});
alone.Intl ??= { PluralRules: class { select = (/** @type {number} */ n) => (n === 1 ? "one" : "other"); } };
