/** What printed books say of Aqua Regia, in English. */
import { addLanguage } from "../../core/languages.js";

addLanguage("en", {
  "book.sign.aqua-regia.drop": "water",
  "book.sign.aqua-regia.vapor": "vapor",
  "book.sign.aqua-regia.flask": "acid",
  "book.sign.aqua-regia.crown": "aqua regia",
  "book.read.aqua-regia":
    "Fields change in the order water, vapor, acid, aqua regia, water, or backwards. Below a metal's symbol is its " +
    "strength. The dots beside each field: none, it can't be played; one, only alone; " +
    "more, several at once too. “pass A>B” is a pass that discards A and takes B; “pass” alone exchanges nothing.",
});
