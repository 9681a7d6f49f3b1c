/** What printed books say of King × Alchemy, in English. */
import { addLanguage } from "../../core/languages.js";

addLanguage("en", {
  "book.sign.king.sun": "trumps: {trumps}",
  "book.sign.king.dancer": "the Enchanted Dancer, {dancer} in codes; {dancer}:{letter} is the Dancer named as {suit}",
  "book.sign.king.crown": "victory points",
  "book.read.king":
    "Each card shows its code, its points and its name; after ▸ the ingredient that it provides; and its recipe: " +
    "what is needed → what is made, and its bonus.",
});
