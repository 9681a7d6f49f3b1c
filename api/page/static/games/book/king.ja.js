/** What printed books say of King × Alchemy, in Japanese. */
import { addLanguage } from "../../core/languages.js";

addLanguage("ja", {
  "book.sign.king.sun": "切り札（{trumps}）",
  "book.sign.king.dancer": "魅惑の踊り子（記号{dancer}）。{dancer}:{letter}は{suit}として出した踊り子",
  "book.sign.king.crown": "カードの点",
  "book.read.king":
    "カードには、記号、点、名前、▸の後にそのカードがなれる材料、そしてレシピ（必要なもの→できるもの、ボーナス）が書いてあります。",
});
