/** What King × Alchemy says of its own, in English. */
import { addLanguage } from "../core/languages.js";

addLanguage("en", {
  "note.needs": "{item} (+{bonus}) needs {needs}",
  "note.complete": "{item} (+{bonus}) is complete",
  "note.instead": "{item} (+{bonus}) only instead of another recipe",
  "note.instead.brief": "{item}, or another recipe",
  "note.needs.brief": "{item} needs {needs}",
  "note.complete.brief": "{item} complete",
  "trick.must.king": "Play the suit led, a trump or the Dancer.",
  "king.led": "{suit} was led",
  "king.othersPick": "The others pick a card.",
  "king.pick": "Your turn: pick one card for your pile.",
  "king.take.one": "Take one card.",
  "king.take.other": "Take {n} cards.",
  "king.takeNone": "There is no card to take.",
  "king.takeGive.one": "Take one card, and give one to {seat}.",
  "king.takeGive.other": "Take {n} cards, and give one to {seat}.",
  "king.takeGiveNone": "Give one card to {seat}.",
  "king.tooHigh": "Only numbers below {n} can be taken, not {cards}.",
  "king.discarded": "Only numbers below {n} can be taken: {cards} discarded.",
  "king.trumps": "trumps win",
  "mine.king": "Choose the number of players, then the cards you were dealt and those that were removed.",
  "known.king":
    "Needed: every hand. What was won before counts only if you place it; other cards may stay where they are.",
  "voids.trumps": "Trumps",
  "place.removed": "{count} cards removed face up",
  "place.won": "All cards that you have won",
  "tally.cards": "Points of cards",
  "cell.points": "(crowns)",
  "zone.removed": "Removed",
  "field.gets": "Gets a card",
});
