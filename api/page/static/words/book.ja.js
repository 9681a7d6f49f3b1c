/** The sentences of printed books in Japanese, which the page does not need. */
import { addLanguage } from "../core/languages.js";

addLanguage("ja", {
  "book.suit": "{suit}（記号{code}）",
  "book.recipes": "レシピ（ボーナスの高い順）と、材料になるカード",
  "book.reacts.0": "–",
  "book.reacts.1": "1枚",
  "book.reacts.2": "複数可",
});
