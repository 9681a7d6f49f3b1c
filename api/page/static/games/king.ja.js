/** What King × Alchemy says of its own, in Japanese. */
import { addLanguage } from "../core/languages.js";

addLanguage("ja", {
  "note.needs": "{item}（+{bonus}）：あと{needs}",
  "note.complete": "{item}（+{bonus}）：完成",
  "note.needs.brief": "{item}：あと{needs}",
  "note.complete.brief": "{item}：完成",
  "trick.must.king": "リードと同じスート、切り札、踊り子のどれかを出してください。",
  "king.led": "リードスートは{suit}",
  "king.othersPick": "ほかの人が1枚を選んでいます。",
  "king.pick": "手札から、自分の獲得札にする1枚を選んでください。",
  "king.take.other": "{n}枚取ってください。",
  "king.takeNone": "取れるカードはありません。",
  "king.takeGive.other": "{n}枚取り、{seat}に1枚渡してください。",
  "king.takeGiveNone": "{seat}に1枚渡してください。",
  "king.tooHigh": "取れるのは{n}より小さい数字だけで、{cards}は取れません。",
  "king.discarded": "取れるのは{n}より小さい数字だけなので、{cards}は捨て札です。",
  "king.trumps": "切り札が勝つ",
  "mine.king": "人数、配られたカード、除外されたカードを選んでください。",
  "known.king": "全員の手札を置いてください。獲得札は、置いた分だけ得点になります。残りは置かなくてもかまいません。",
  "voids.trumps": "切り札",
  "place.removed": "最初に表向きで除外された{count}枚",
  "place.won": "獲得したカードすべて",
  "cell.points": "（王冠の数）",
  "tally.cards": "カードの点",
  "zone.removed": "除外",
  "field.gets": "カードをもらう人",
});
