/** The sentences of printed books in Japanese, which the page does not need. */
import { addLanguage } from "../core/languages.js";

addLanguage("ja", {
  "book.suit": "{suit}（記号{code}）",
  "book.recipes": "レシピ（ボーナスの高い順）と、材料になるカード",
  "book.sign.king.sun": "切り札（{trumps}）",
  "book.sign.king.dancer": "魅惑の踊り子（記号{dancer}）。{dancer}:{letter}は{suit}として出した踊り子",
  "book.sign.king.crown": "カードの点",
  "book.read.king":
    "カードには、記号、点、名前、▸の後にそのカードがなれる材料、そしてレシピ（必要なもの→できるもの、ボーナス）が書いてあります。",
  "book.sign.kirin.crown": "切り札（記号T）。最も高いランク",
  "book.sign.kirin.rising": "昇順の麒麟（記号+）",
  "book.sign.kirin.falling": "降順の麒麟（記号-）",
  "book.read.kirin": "カードの下に記号があります。D6は青龍の6です。",
  "book.sign.aqua-regia.drop": "水",
  "book.sign.aqua-regia.vapor": "水蒸気",
  "book.sign.aqua-regia.flask": "酸",
  "book.sign.aqua-regia.crown": "王水",
  "book.read.aqua-regia":
    "場は水、水蒸気、酸、王水、水の順に、またはその逆に変わります。元素記号の下の数字は強さです。場の横の点がなければ出せず、1つなら1枚だけ、2つ以上なら複数枚でも出せます。" +
    "「パス A>B」はAを捨ててBを取るパス、「パス」だけなら交換なしです。",
  "book.sign.alchemy.star": "ジョーカー（記号X）",
  "book.read.alchemy":
    "Aは1、Jは11、Qは12、Kは13です。組は「5+A=6」のように、両側の合計が等しい式で書きます。引いたカードは必ず使います。",
  "book.reacts.0": "–",
  "book.reacts.1": "1枚",
  "book.reacts.2": "複数可",
});
