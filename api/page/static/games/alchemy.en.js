/** What Alchemy says of its own, in English. */
import { addLanguage } from "../core/languages.js";

addLanguage("en", {
  "objective.": "every match",
  "objective.most-cards": "a match with the most cards",
  "objective.fewest-cards": "a match with the fewest cards",
  "objective.most-points": "a match with the most points",
  "board.takes": "{seat} takes the golden cards.",
  "note.round": "{points} this round",
  "note.round.more": "This round: {points}. A card counts 1, a King 2, all four Aces together 10, a joker 10.",
  "jokers.aside.one":
    "A match needs at least five cards with the drawn one, and takes the Joker too: {points} points, beside 1 a card " +
    "and 2 a King.",
  "jokers.aside.other":
    "A match needs at least five cards with the drawn one, and takes the {n} Jokers too: {points} points, beside " +
    "1 a card and 2 a King.",
  "jokers.drawn": "{seat}, with a Joker: at least {n} cards of the line. The Joker is in no sum.",
  "hint.turns":
    "Both are taken to find their best match and to be first in turn; who is quicker has better chances.",
  "duel.points": "Points: card 1, K 2, 4 Aces 10",
  cap: "At most {n} cards in the line",
  "mine.alchemy": "Choose the cards of the line, then the card you drew.",
  "job.mine.alchemy": "Follow my game",
  "job.mine.why.alchemy": "With real cards: enter my cards as they come, and get hints",
  "job.duel.why": "Choose the line and both drawn cards, and get a hint",
  "job.play.why.alchemy": "Alone, or against a player that uses the hint",
  "start.solo": "Solitaire",
  "start.solo.known": "Solitaire, stock known",
  "start.alternative": "Alternative solitaire",
  "start.alternative.known": "Alternative, stock known",
  "start.duel": "Duel",
  "start.free": "Sum puzzle",
  "variant.solo": "Solitaire",
  "variant.alternative": "Alternative solitaire",
  "variant.duel": "Duel",
  "zone.line": "Line",
  "field.misses": "Misses left",
  "field.cap": "Line holds",
  "field.min_line": "Fewest cards of the line",
  "field.objective": "Asked for",
  "field.cards": "Cards used",
  "field.table_jokers": "Jokers set aside",
  "counted.table_jokers.one": "1 Joker is set aside: now the card that replaces it in the line.",
  "counted.table_jokers.other": "{n} Jokers are set aside: now the cards that replace them in the line.",
});
