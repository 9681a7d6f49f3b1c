/** What Aqua Regia says of its own, in English. */
import { addLanguage } from "../core/languages.js";

addLanguage("en", {
  ladder: "Metals from the weakest to the strongest",
  "ladder.dots": "On a card: • only alone, •• several at once too",
  "mine.aqua-regia": "Choose the number of players and who leads, then your ten cards.",
  "known.aqua-regia":
    "Needed: every hand. Without cards in the stock, nobody can draw; other cards may stay where they are.",
  "zone.table": "On the field",
  "zone.known": "Known",
  "field.field": "Field",
  "field.order": "Fields change",
  "field.owner": "Played the top cards",
  "field.count": "Cards",
  "field.counts": "Cards in hands",
  "field.stock_count": "Cards in the stock",
  "fieldname.water": "Water",
  "fieldname.vapor": "Vapor",
  "fieldname.acid": "Acid",
  "fieldname.aqua-regia": "Aqua regia",
  "order.false": "Forwards",
  "order.true": "Backwards",
});
