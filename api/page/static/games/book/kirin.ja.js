/** What printed books say of Kirin, in Japanese. */
import { addLanguage } from "../../core/languages.js";

addLanguage("ja", {
  "book.sign.kirin.crown": "切り札（記号T）。最も高いランク",
  "book.sign.kirin.rising": "昇順の麒麟（記号+）",
  "book.sign.kirin.falling": "降順の麒麟（記号-）",
  "book.read.kirin": "カードの下に記号があります。D6は青龍の6です。",
});
