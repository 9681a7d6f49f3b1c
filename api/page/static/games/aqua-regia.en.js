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
  "book.sign.aqua-regia.drop": "water",
  "book.sign.aqua-regia.vapor": "vapor",
  "book.sign.aqua-regia.flask": "acid",
  "book.sign.aqua-regia.crown": "aqua regia",
  "book.read.aqua-regia":
    "Fields change in the order water, vapor, acid, aqua regia, water, or backwards. Below a metal's symbol is its " +
    "strength. The dots beside each field: none, it can't be played; one, only alone; " +
    "more, several at once too. “pass A>B” is a pass that discards A and takes B; “pass” alone exchanges nothing.",
});
