/** What Kirin says of its own, in Japanese. */
import { addLanguage } from "../core/languages.js";

addLanguage("ja", {
  "direction.order": "{direction}（{order}）",
  "note.collects": "{won}枚獲得",
  "trick.must.kirin.number": "{led}より強い色のカードで、数字も{led}より強いもの、切り札、麒麟のどれかを出してください。",
  "trick.must.kirin.T": "{led}より強い色の麒麟を出してください。",
  "trick.must.kirin.kirin": "{led}より強い色のカードなら、どれでも出せます。",
  "direction.ascending.ranks": "6が強い",
  "direction.descending.ranks": "1が強い",
  "direction.equal": "{ranks}、同じ数字なら",
  "direction.next": "このままなら次は{ranks}",
  "direction.ascending.why": "6>1の順に強く、同じ数字なら青龍>朱雀>白虎>玄武の順",
  "direction.descending.why": "1>6の順に強く、同じ数字なら玄武>白虎>朱雀>青龍の順",
  "mine.kirin": "手札9枚と最初の親を選んでください。どれを伏せるかはヒントに出ます。",
  "known.kirin":
    "全員の手札と伏せ札を置いてください。獲得札は、置いた分だけ得点になります。残りは置かなくてもかまいません。",
  "place.declared": "ラウンドの前に伏せたカードは？",
  "place.direction": "今、どちらが強いですか？",
  "zone.declared": "伏せ札",
  "field.direction": "順序",
  "direction.open": "終わったトリックで決まる",
  "direction.ascending": "昇順",
  "direction.descending": "降順",
});
