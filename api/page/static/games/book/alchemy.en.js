/** What printed books say of Alchemy, in English. */
import { addLanguage } from "../../core/languages.js";

addLanguage("en", {
  "book.sign.alchemy.star": "Joker, X in codes",
  "book.read.alchemy":
    "A counts 1, J 11, Q 12, K 13. A match is written as its sum: in 5+A=6 the cards 5 and A make 6. The drawn card " +
    "is always in it.",
});
