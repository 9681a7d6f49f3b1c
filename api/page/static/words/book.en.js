/** The sentences of printed books in English, which the page does not need. */
import { addLanguage } from "../core/languages.js";

addLanguage("en", {
  "book.suit": "{suit}, {code} in codes",
  "book.recipes": "Recipes, the highest bonus first, and the cards that provide what they need",
  "book.sign.king.sun": "trumps: {trumps}",
  "book.sign.king.dancer": "the Enchanted Dancer, {dancer} in codes; {dancer}:{letter} is the Dancer named as {suit}",
  "book.sign.king.crown": "victory points",
  "book.read.king":
    "Each card shows its code, its points and its name; after ▸ the ingredient that it provides; and its recipe: " +
    "what is needed → what is made, and its bonus.",
  "book.sign.kirin.crown": "trump, T in codes: the highest rank",
  "book.sign.kirin.rising": "ascending kirin, + in codes",
  "book.sign.kirin.falling": "descending kirin, - in codes",
  "book.read.kirin": "The code of each card is below it: D6 is the 6 of the Azure Dragon.",
  "book.sign.aqua-regia.drop": "water",
  "book.sign.aqua-regia.vapor": "vapor",
  "book.sign.aqua-regia.flask": "acid",
  "book.sign.aqua-regia.crown": "aqua regia",
  "book.read.aqua-regia":
    "Fields change in the order water, vapor, acid, aqua regia, water, or backwards. Below a metal's symbol is its " +
    "strength. The dots beside each field: none, it can't be played; one, only alone; " +
    "more, several at once too. “pass A>B” is a pass that discards A and takes B; “pass” alone exchanges nothing.",
  "book.sign.alchemy.star": "Joker, X in codes",
  "book.read.alchemy":
    "A counts 1, J 11, Q 12, K 13. A match is written as its sum: in 5+A=6 the cards 5 and A make 6. The drawn card " +
    "is always in it.",
  "book.reacts.0": "–",
  "book.reacts.1": "one",
  "book.reacts.2": "one or more",
});
