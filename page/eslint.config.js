import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/vendor/*.js", "!page/vendor.js", "**/node_modules/**"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module" },
    rules: {
      "no-var": "error",
      "prefer-const": "error",
      eqeqeq: "error",
      "no-eval": "error",
      "no-nested-ternary": "error",
      "max-len": ["error", { code: 120, ignoreUrls: true }],
      "no-implied-eval": "error",
      "max-lines": ["error", 400],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_$" }],
    },
  },
  { files: ["api/page/static/**/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["api/page/static/words/*.js"], rules: { "max-lines": "off" } },
  { files: ["page/**/*.js"], languageOptions: { globals: globals.node } },
];
