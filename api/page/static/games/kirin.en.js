/** What Kirin says of its own, in English. */
import { addLanguage } from "../core/languages.js";

addLanguage("en", {
  "direction.order": "{direction}: {order}",
  "note.collects": "{won} collected",
  "trick.must.kirin.number": "Play a stronger number, a trump or a kirin of a stronger colour than {led}.",
  "trick.must.kirin.T": "Play a kirin of a stronger colour than {led}.",
  "trick.must.kirin.kirin": "Play any card of a stronger colour than {led}.",
  "direction.ascending.ranks": "6 beats 1",
  "direction.descending.ranks": "1 beats 6",
  "direction.equal": "{ranks}, then",
  "direction.next": "Next trick, as it stands: {ranks}",
  "direction.ascending.why": "6 beats 1; of equal numbers, Dragon beats Bird beats Tiger beats Tortoise",
  "direction.descending.why": "1 beats 6; of equal numbers, Tortoise beats Tiger beats Bird beats Dragon",
  "mine.kirin": "Choose your nine cards, and say who leads. The hint says which to set aside.",
  "known.kirin":
    "Needed: every hand, and the card that each seat set aside. What was won before counts only if you place it; " +
    "other cards may stay where they are.",
  "place.declared": "Which card did you set aside?",
  "place.direction": "Which number is strong now?",
  "zone.declared": "Set aside",
  "field.direction": "Direction",
  "direction.open": "As the tricks show",
  "direction.ascending": "ascending",
  "direction.descending": "descending",
});
