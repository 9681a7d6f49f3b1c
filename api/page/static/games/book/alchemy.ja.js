/** What printed books say of Alchemy, in Japanese. */
import { addLanguage } from "../../core/languages.js";

addLanguage("ja", {
  "book.sign.alchemy.star": "ジョーカー（記号X）",
  "book.read.alchemy":
    "Aは1、Jは11、Qは12、Kは13です。組は「5+A=6」のように、両側の合計が等しい式で書きます。引いたカードは必ず使います。",
});
