/** What printed books say of Aqua Regia, in Japanese. */
import { addLanguage } from "../../core/languages.js";

addLanguage("ja", {
  "book.sign.aqua-regia.drop": "水",
  "book.sign.aqua-regia.vapor": "水蒸気",
  "book.sign.aqua-regia.flask": "酸",
  "book.sign.aqua-regia.crown": "王水",
  "book.read.aqua-regia":
    "場は水、水蒸気、酸、王水、水の順に、またはその逆に変わります。元素記号の下の数字は強さです。場の横の点がなければ出せず、1つなら1枚だけ、2つ以上なら複数枚でも出せます。" +
    "「パス A>B」はAを捨ててBを取るパス、「パス」だけなら交換なしです。",
});
