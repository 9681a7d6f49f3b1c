import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { LANGUAGES } from "../../api/page/static/core/languages.js";

const STATIC = new URL("../../api/page/static/", import.meta.url);
const said = readdirSync(STATIC, { recursive: true, encoding: "utf8" }).filter((name) => /[./](en|ja)\.js$/.test(name));
for (const name of said) await import(`../../api/page/static/${name}`);
const { en, ...others } = LANGUAGES;

/** The names of a text that are filled in. @param {string} text */
const places = (text) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

/** The keys a language needs: its own forms of numbers. @param {Record<string, string>} words @param {string} code */
function needed(words, code) {
  const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
  const form = (/** @type {string} */ key) => key.match(/\.(one|other)$/)?.[1];
  return Object.keys(words).filter((key) => !form(key) || forms.includes(/** @type {any} */ (form(key))));
}

for (const [code, words] of Object.entries(others)) {
  test(`${code} has every sentence of the page, with the same places`, () => {
    assert.deepEqual(Object.keys(words).sort(), needed(en, code).sort());
    for (const [key, text] of Object.entries(words)) {
      const said = places(text);
      const meant = places(en[key]);
      if (key.endsWith(".other"))
        said.push(...(said.includes("{n}") || !meant.includes("{n}") ? [] : ["{n}"]));
      assert.deepEqual(said.sort(), meant, key);
      assert.ok(text.trim(), key);
    }
  });
}

test("every sentence is said somewhere, and everything said is there", () => {
  const files = readdirSync(STATIC, { recursive: true, encoding: "utf8" });
  const source = files
    .filter((name) => name.endsWith(".js") && !name.startsWith("vendor") && !said.includes(name))
    .map((name) => readFileSync(new URL(name, STATIC), "utf8"))
    .join("\n");
  const keys = Object.keys(en);
  for (const [, key] of source.matchAll(/\bsay\("([\w.-]+)"/g)) {
    assert.ok(keys.includes(key) || keys.includes(`${key}.other`), key);
  }
  const isSaid = (/** @type {string} */ key) => {
    const plain = key.replace(/\.(one|other)$/, "");
    if (source.includes(`"${plain}"`) || source.includes(`"${key}"`)) return true;
    const parts = plain.split(".");
    return parts.some((_, at) => at > 0 && source.includes(`\`${parts.slice(0, at).join(".")}.\${`));
  };
  assert.deepEqual(
    keys.filter((key) => !isSaid(key) && !/^(round|field)\./.test(key)),
    [],
  );
});
