/** The sentences of printed books in English, which the page does not need. */
import { addLanguage } from "../core/languages.js";

addLanguage("en", {
  "book.suit": "{suit}, {code} in codes",
  "book.recipes": "Recipes, the highest bonus first, and the cards that provide what they need",
  "book.reacts.0": "–",
  "book.reacts.1": "one",
  "book.reacts.2": "one or more",
});
