"""Finished rounds of a plain game of tricks, and matches of several, as users send them; and their score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Annotated, ClassVar, Self

from pydantic import BaseModel, Field, model_validator

from solver.common.control import Control
from solver.common.masks import mask
from solver.common.words import counted
from solver.inputs.faults import fault
from solver.protocol.showing.sheets import leaders_of, totals_of
from solver.tricks.cards import cards_at
from solver.tricks.fields import Model, check_entries, refuse_doubles, spread
from solver.tricks.plain.answers import MatchScore
from solver.tricks.plain.positions import Cards
from solver.tricks.rules import PlainRules


class FinishedRound(Model):
    """The cards that each seat has won in a round."""

    won: tuple[Cards, ...]


class _Scored(ABC):
    """What a game says of its records."""

    if TYPE_CHECKING:

        @property
        def game(self) -> str: ...

    @property
    @abstractmethod
    def trick_rules(self) -> PlainRules:
        """The rules by which the piles are scored."""


class Record(Model, _Scored):
    """The rounds of a match so far, in order; a single round is a list of one. A game adds its name and rules."""

    rounds: Annotated[tuple[FinishedRound, ...], Field(min_length=1)]

    match_rounds: ClassVar[int] = 1  # how many rounds make a match

    @model_validator(mode="after")
    def _check(self) -> Self:
        if len(self.rounds) > self.match_rounds:
            message = f"a match has {counted(self.match_rounds, 'round')}, not {len(self.rounds)}"
            raise fault("wrong_size", message, "rounds")
        for number, played in enumerate(self.rounds):
            self._check_round(played, f"rounds[{number}].won")
        return self

    def _check_round(self, played: FinishedRound, path: str) -> None:
        """Every trick was won whole, and all were played."""
        rules = self.trick_rules
        check_entries(played.won, rules.players, path)
        for seat, pile in enumerate(played.won):
            cards_at(rules, pile, f"{path}[{seat}]")
            if len(pile) % rules.players:
                message = f"seat {seat} has {counted(len(pile), 'card')}; tricks of {rules.players} are won whole"
                raise fault("wrong_size", message, f"{path}[{seat}]")
        refuse_doubles(spread(path, played.won))
        count, all_played = sum(map(len, played.won)), rules.players * rules.hand_size
        if count != all_played:
            message = f"a finished round has {all_played} cards in the piles, not {count}"
            raise fault("wrong_size", message, path)


def score(record: BaseModel, _control: Control | None = None) -> MatchScore:
    """The scores of a record."""
    assert isinstance(record, Record)
    rules = record.trick_rules
    rounds = tuple(
        rules.points([mask(rules.numbers[text] for text in pile) for pile in played.won])
        for played in record.rounds
    )
    totals = totals_of(rounds)
    finished = len(rounds) == record.match_rounds
    return MatchScore(
        game=record.game,
        rounds=rounds,
        totals=totals,
        winners=leaders_of(totals) if finished else None,
        finished=finished,
    )
