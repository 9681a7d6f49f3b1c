/** What Aqua Regia says of its own, in Japanese. */
import { addLanguage } from "../core/languages.js";

addLanguage("ja", {
  ladder: "金属（左が弱く、右が強い）",
  "ladder.dots": "札の点：•は1枚だけ、••は複数枚でも",
  "mine.aqua-regia": "人数、最初の親、手札10枚を選んでください。",
  "known.aqua-regia":
    "全員の手札を置いてください。山札が空なら、だれもカードを引けません。残りは置かなくてもかまいません。",
  "zone.table": "場のカード",
  "zone.known": "判明している手札",
  "field.field": "場",
  "field.order": "場の変わり方",
  "field.owner": "一番上のカードを出した席",
  "field.count": "枚数",
  "field.counts": "手札の枚数",
  "field.stock_count": "山札の枚数",
  "fieldname.water": "水",
  "fieldname.vapor": "水蒸気",
  "fieldname.acid": "酸",
  "fieldname.aqua-regia": "王水",
  "order.false": "順方向",
  "order.true": "逆方向",
});
