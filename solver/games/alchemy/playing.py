"""Playing alchemy turn by turn, solitaire or duel.

Seat 0 grabs first at the start of a duel's first round, seat 1 at the start of the second, and so on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from solver.common import cards_counted
from solver.errors import PositionError
from solver.games.alchemy.deck import cards, rank_of
from solver.games.alchemy.duel import DuelInPlay
from solver.games.alchemy.moves import DuelRecord, DuelRound, SolitaireRecord, score
from solver.games.alchemy.position import (
    DuelPosition,
    DuelScore,
    SolitairePosition,
    SolitaireScore,
    next_round,
    ranks_of,
    totals_after,
    winner_of,
)
from solver.language import say, say_many
from solver.playing import Playing, Round
from solver.showing import match_summary

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.answers import Score


@dataclass(frozen=True)
class SolitaireInPlay(Round):
    """A solitaire in play with a hidden stock; `dealt` is its first turn, `made` the moves made since then."""

    dealt: SolitairePosition
    made: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise PositionError unless the first turn has the whole deck, with the cards discarded before it."""
        first = self.dealt
        count = len(first.line) + bool(first.hand) + len(first.unseen_ranks) + len(first.discarded)
        if count != len(first.solitaire.deck):
            message = say(
                "the deck of {variant} has {all} cards, not {count}: name those that are out of play in discarded",
                variant=first.variant,
                all=len(first.solitaire.deck),
                count=count,
            )
            raise PositionError("wrong_size", message, "discarded")

    @property
    def unit(self) -> str:
        return "chance"

    def play(self, move: str) -> SolitaireInPlay:
        return replace(super().play(move), made=(*self.made, self.move_of(move)))


@dataclass(frozen=True)
class SolitaireSeen(Round):
    """A finished solitaire of a real table."""

    turns: int = 0

    @property
    def unit(self) -> str:
        return "chance"


class AlchemyPlaying(Playing):
    """Rounds and matches of alchemy: a solitaire is a single round, a duel is played to 100 points."""

    def begun(self, dealt: Any, before: Sequence[Round], seed: int, number: int) -> SolitaireInPlay | DuelInPlay:
        if isinstance(dealt, SolitairePosition):
            return SolitaireInPlay(self.game, dealt, 1, dealt)
        assert isinstance(dealt, DuelPosition)
        totals = (0, 0)
        for played in before:
            assert isinstance(played, DuelInPlay)
            totals = totals_after(totals, played.position.piles)
        position = next_round(seed, number, totals, dealt.rules)
        return DuelInPlay(self.game, position, 2, first=len(before) % 2)

    def open_round(self, view: BaseModel, later: Sequence[str] | None) -> DuelInPlay | None:
        """Return a duel played at a real table; None for a solitaire.

        The duel's hints maximize the player's points minus the opponent's in this round. `later` is the list of
        later events of the round, if known: the cards turned up in them give the order of the deck.
        """
        if not isinstance(view, DuelPosition):
            return None
        if later is not None:
            turned = ranks_of(word for text in later for word in text.split() if rank_of(word) is not None)
            left = Counter(view.unseen_ranks) - Counter(turned)
            view = view.model_copy(update={"stock": tuple(cards([*turned, *left.elements()])), "unseen": None})
        return DuelInPlay(self.game, view, 2, leading=True)

    def closed(self, view: BaseModel, made: Sequence[str]) -> SolitaireSeen | None:
        """Return a finished solitaire. Among what was seen, cards turned up are no turns."""
        if not isinstance(view, SolitairePosition):
            return None
        moves = [text for text in made if any(rank_of(word) is None for word in text.split())]
        return SolitaireSeen(self.game, view, 1, turns=len(moves))

    def wins_match(self, number: int, totals: Sequence[int | None]) -> bool:
        """A duel is won by who has more points, and 100 at least; a solitaire is no match."""
        known = [total for total in totals if total is not None]
        return len(known) == 2 and winner_of((known[0], known[1])) is not None

    def record(self, rounds: Sequence[Round]) -> SolitaireRecord | DuelRecord:
        first = rounds[0]
        if isinstance(first, SolitaireInPlay):
            dealt = first.dealt
            deck = (*dealt.line, *((dealt.hand,) if dealt.hand else ()), *(dealt.stock or ()))
            return SolitaireRecord(
                game="alchemy", variant=dealt.variant, rules=dealt.rules, deck=deck, moves=first.made
            )
        return DuelRecord(game="alchemy", variant="duel", rounds=tuple(map(_round, rounds)))

    def score(self, rounds: Sequence[Round]) -> Score:
        """Return the score of a duel's record. That of a solitaire follows from how it ended, since one that began
        in the middle has no record.
        """
        end = rounds[0]
        if not isinstance(end, SolitaireInPlay | SolitaireSeen):
            return score(self.record(rounds))
        position = end.position
        assert isinstance(position, SolitairePosition)
        left = len(position.unseen_ranks)
        return SolitaireScore(
            game="alchemy",
            variant=position.variant,
            finished=end.to_move is None,
            value=None if end.to_move is not None else "lost" if left else "won",
            left=left,
            turns=end.turns if isinstance(end, SolitaireSeen) else len(end.made),
        )

    def finished(self, rounds: Sequence[Round]) -> bool:
        result = self.score(rounds)
        return bool(result.finished)  # type: ignore[attr-defined]

    def summary(self, rounds: Sequence[Round], you: int | None) -> list[str]:
        found = self.score(rounds)
        if isinstance(found, DuelScore):
            scores, *more = match_summary(found.rounds, you, finished=found.finished)
            if any(rounds[0].position.jokers):  # type: ignore[attr-defined]
                worth = say("Each card scores 1, a K 2, a joker 10, and all four aces together 10.")
            else:
                worth = say("Each card scores 1, a K 2, and all four aces together 10.")
            return [scores, worth, *more]
        assert isinstance(found, SolitaireScore)
        if found.value == "won":
            return [
                say_many(
                    "You have won in {count} turn: the stock is used up.",
                    "You have won in {count} turns: the stock is used up.",
                    found.turns,
                )
            ]
        return [
            say_many(
                "You have lost after {count} turn, with {cards} left in the stock.",
                "You have lost after {count} turns, with {cards} left in the stock.",
                found.turns,
                cards=cards_counted(found.left),
            )
        ]


def _round(played: Round) -> DuelRound:
    assert isinstance(played, DuelInPlay)
    return DuelRound(piles=(played.position.pile, played.position.opponent_pile))
