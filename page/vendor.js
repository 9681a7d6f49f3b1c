/**
 * Copies the libraries of the page from node_modules to api/page/static/vendor, so that users need no npm.
 *
 * Browsers resolve no bare names such as "preact" without an import map, which a strict policy would have to allow
 * by a hash; so these are rewritten to the files' own relative addresses. With --check nothing is written: the exit
 * status is 1 where the committed files are not what the lock's packages make.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const TARGET = join(HERE, "../api/page/static/vendor");

/** What is taken of each package: its module, under the name that others import, and its licence. */
const TAKEN = [
  { name: "preact", file: "dist/preact.mjs", as: "preact.js", imported: "preact", licence: "LICENSE" },
  {
    name: "preact",
    file: "hooks/dist/hooks.mjs",
    as: "preact-hooks.js",
    imported: "preact/hooks",
    licence: "LICENSE",
  },
  { name: "htm", file: "dist/htm.mjs", as: "htm.js", imported: "htm", licence: "LICENSE" },
  {
    name: "@preact/signals-core",
    file: "dist/signals-core.mjs",
    as: "signals-core.js",
    imported: "@preact/signals-core",
    licence: "LICENSE",
  },
  {
    name: "@preact/signals",
    file: "dist/signals.mjs",
    as: "signals.js",
    imported: "@preact/signals",
    licence: "LICENSE",
  },
];

const lock = JSON.parse(readFileSync(join(HERE, "package-lock.json"), "utf-8"));

/** @param {string} name @param {string} file */
function read(name, file) {
  return readFileSync(join(HERE, "node_modules", name, file), "utf-8");
}

/** @param {string} text */
function relative(text) {
  const named = text.replace(/(\bfrom|\bimport)"([^"./][^"]*)"/g, (_, word, wanted) => {
    const found = TAKEN.find((one) => one.imported === wanted);
    if (!found) throw new Error(`a library imports ${wanted}, which is not taken`);
    return `${word}"./${found.as}"`;
  });
  return named.replace(/\n?\/\/# sourceMappingURL=\S+\s*$/, "") + "\n";
}

/** @returns {Record<string, string>} the files by name */
function made() {
  /** @type {Record<string, string>} */
  const files = {};
  const about = [];
  const licences = new Map();
  for (const { name, file, as, licence } of TAKEN) {
    const { version, integrity } = lock.packages[`node_modules/${name}`];
    files[as] = relative(read(name, file));
    const sha256 = createHash("sha256").update(files[as]).digest("hex");
    about.push({ file: as, package: name, version, integrity, sha256 });
    licences.set(`${name} ${version}`, read(name, licence).trim());
  }
  const parts = [...licences].map(([name, text]) => `${name}\n${"=".repeat(name.length)}\n\n${text}\n`);
  files["LICENSES.txt"] = parts.join("\n\n");
  files["versions.json"] = JSON.stringify(about, null, 2) + "\n";
  return files;
}

const files = made();
if (process.argv.includes("--check")) {
  const wrong = Object.entries(files).filter(([name, text]) => {
    const path = join(TARGET, name);
    return !existsSync(path) || readFileSync(path, "utf-8") !== text;
  });
  for (const [name] of wrong) console.error(`${name} is not what the lock's packages make: make vendor`);
  process.exit(wrong.length ? 1 : 0);
}
mkdirSync(TARGET, { recursive: true });
for (const [name, text] of Object.entries(files)) writeFileSync(join(TARGET, name), text);
