"""What a puzzle says to a person: its question and its note in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from puzzles.format import Puzzle
from solver.language import say, translated

# The sentences that notes are made of, the first that fits; what stands in a place may be one itself.
NOTES = (
    "{who}; {move}, the obvious move, falls short by {short}",
    "{who}; {move}, {which}, is worth {points} points to it",
    "{who}; {move}, {which}, is worth {points} points",
    "{who}; {move}, {which}, is worth 1 point",
    "{who}: {move}, {which}, is worth {points} points",
    "{who}: {move}, {which}, is worth 1 point",
    "{who}: {move}, {which}, leaves it {points} points",
    "{who}: {move}, {which}, gives seat {other} the game",
    "{who}: {move}, {which}, lets it go out",
    "{who}; {move}, {which}, lets it have {points}",
    "{who}; {move}, {which}, loses",
    "{who}: even so {move}, {which}, does not win",
    "{who} and can be out in {plays} plays",
    "{who} and keeps down seat {other}, which collects the {colour}",
    "{who}, and all hold down seat {other}, who collects the {colour}",
    "{who}, and all hold down seat {other}",
    "{who}, and all hold seat {other} down",
    "{who}, and all keep seat {other} from going out",
    "{who}, and wants to be sure whatever the others hold",
    "{who}, and all help",
    "{who}, each for themselves",
    "{who}; all help",
    "{who}; each is for themselves",
    "{who} and collects the {colour}",
    "Which card does seat {seat} set aside? The second best is worth {points} points",
    "Which card does seat {seat} set aside? The second best is worth 1 point",
    "A round about to start: how many points for seat {seat}?",
    "How many points can seat {seat} be sure of against everybody?",
    "Can seat {seat} go out first against everybody?",
    "{who}. {more}",
    "Seat {seat} leads in {field}",
    "Seat {seat} follows in {field}",
    "Seat {seat} is to follow in {field}",
    "Seat {seat} has won with {card}",
    "Seat {seat} has won and takes",
    "Seat {seat} plays to the trick",
    "Seat {seat} plays last",
    "Seat {seat} leads",
    "Seat {seat} follows",
    "At least {least} of the line's {all} cards are used",
    "You grab first, then the other takes the best that you leave",
    "The stock of {count} cards is known",
    "{count} cards are face down",
    "Always making the dearest recipe that is left ends with a bonus of {bonus}",
    "Making {item} (+{gain}) first, then always the dearest that is left, ends with a bonus of {bonus}",
)
# What stands in such sentences, and notes that are made of nothing else.
PARTS = (
    "a trump saved", "as good at once as any", "the cheapest gift", "the most at once", "the strongest card",
    "the highest card", "the most cards at once", "the weakest", "the largest exchange", "four at once",
    "fewer cards at once", "three", "four", "five", "How many points can it have when all help?",
    "How does the round end when everybody plays for themselves?", "aqua regia",
    "Who goes out first when everybody plays for themselves?",
    "One score a seat, when everybody plays for themselves.",
    "The value is of the whole round, with the points won before.",
    "You collect the Azure Dragon, and there is none in this trick. Which card will you miss least?",
    "You collect the Vermilion Bird, and one lies on the table already. One seat plays after you.",
    "You collect the White Tiger. Your one tiger may win this trick with another one.",
    "You collect the Azure Dragon. One seat plays after you.",
    "Both take the trick. What can be made of what lies there?",
    "You play last. Where is the Dancer of use?",
)  # fmt: skip


def question(puzzle: Puzzle) -> str:
    """What a puzzle asks, and for which seat, in the current language."""
    position: Any = puzzle.position
    if puzzle.ask == "compound":
        return say("How many points are these cards worth at most, their own and those of recipes together?")
    if puzzle.ask == "winnable":
        return say("Can this deal be won?")
    if puzzle.ask == "all-matches":
        return say("Which matches are there?")
    if not puzzle.game.models:
        return _of_alchemy(puzzle)
    mover = int(position.seat_to_move)
    seat = mover if puzzle.player is None else puzzle.player
    if puzzle.ask == "value":
        return _of_worth(puzzle, seat)
    if puzzle.model == "maxn":
        return say("Which move is best for seat {seat}, if every seat plays for itself?", seat=seat)
    if puzzle.model is None:
        return say("Which move is best for seat {seat}?", seat=seat)
    if seat == mover and puzzle.hidden:
        return say("By which move can seat {seat} be sure of most, whatever the others hold and play?", seat=seat)
    if seat == mover and puzzle.model == "paranoid":
        return say("Which move is best for seat {seat}, if the others all play against it?", seat=seat)
    if puzzle.model == "paranoid" and puzzle.game.race:
        return say("Which move of seat {mover} keeps seat {seat} from going out first, all others helping?",
                   seat=seat, mover=mover)  # fmt: skip
    if puzzle.model == "paranoid":
        return say("All others play against seat {seat}. Which move of seat {mover} leaves it least?",
                   seat=seat, mover=mover)  # fmt: skip
    if seat == mover:
        return say("Which move is best for seat {seat}, if the others all help it?", seat=seat)
    return say("All others help seat {seat}. Which move of seat {mover} is best for it?", seat=seat, mover=mover)


def _of_worth(puzzle: Puzzle, seat: int) -> str:
    """The question for a value in a game of several seats."""
    first = puzzle.game.race
    if puzzle.model == "maxn" and first:
        return say("Who goes out first, if every seat plays for itself?")
    if puzzle.model == "maxn":
        return say("How many points does each seat have at the end, if every seat plays for itself?")
    if puzzle.model == "ally" and first:
        return say("Can seat {seat} go out first, if the others all help it?", seat=seat)
    if puzzle.model == "ally":
        return say("How many points can seat {seat} have at the end, if the others all help it?", seat=seat)
    if first:
        return say("Can seat {seat} be sure to go out first, if the others all play against it?", seat=seat)
    return say("How many points can seat {seat} be sure of, if the others all play against it?", seat=seat)


def _of_alchemy(puzzle: Puzzle) -> str:
    position: Any = puzzle.position
    best = puzzle.ask == "best-move"
    if position.variant == "duel":
        if best:
            return say("You grab first, the other player answers. Which match gains most on the other's?")
        return say("You grab first, the other player answers. How many points more than the other can you get?")
    if position.variant != "free" and position.hidden:
        return say("Which move has the best chance to win?") if best else say("How large is the chance to win?")
    if position.variant != "free":
        return (
            say("Which move wins, or else leaves the fewest cards in the stock?")
            if best
            else say("Can this deal be won?")
        )
    if position.objective is None:
        return say("How many matches are there?")
    asked = {
        "most-cards": (say("Which match uses the most cards of the line?"),
                       say("How many cards of the line can a match use at most?")),
        "fewest-cards": (say("Which match uses the fewest cards of the line?"),
                         say("How many cards of the line does a match need at least?")),
        "most-points": (say("Which match brings the most points?"),
                        say("How many points does a match bring at most?")),
    }  # fmt: skip
    return asked[position.objective][0 if best else 1]


def note(puzzle: Puzzle) -> str:
    """A puzzle's note; one of somebody's own words is as it was written."""
    return _retold(puzzle.note) if puzzle.note else ""


def _retold(text: str) -> str:
    """A sentence of a note in the current language; as it stands where it is somebody's own."""
    bare = text.removesuffix(".")
    for template, pattern in _patterns().items():
        found = pattern.fullmatch(bare)
        if found is not None and translated(text) == text:
            parts = {name: _retold(part) for name, part in found.groupdict().items()}
            if parts.get("who") != found.groupdict().get("who", ""):
                told = say(template, **parts)
                return told if bare == text else say("{sentence}.", sentence=told)
    return translated(text)


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    """What matches each sentence that notes are made of."""
    named = {template: re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", re.escape(template)) for template in NOTES}
    return {template: re.compile(pattern) for template, pattern in named.items()}
