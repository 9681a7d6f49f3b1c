/** What printed books say of Kirin, in English. */
import { addLanguage } from "../../core/languages.js";

addLanguage("en", {
  "book.sign.kirin.crown": "trump, T in codes: the highest rank",
  "book.sign.kirin.rising": "ascending kirin, + in codes",
  "book.sign.kirin.falling": "descending kirin, - in codes",
  "book.read.kirin": "The code of each card is below it: D6 is the 6 of the Azure Dragon.",
});
