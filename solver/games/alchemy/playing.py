"""Playing alchemy turn by turn, solitaire or duel.

Seat 0 grabs first at the start of a duel's first round, seat 1 at the start of the second, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from solver.answers import Score
from solver.common import cards_counted
from solver.display import match_summary
from solver.errors import PositionError
from solver.games.alchemy.deck import points, rank_of
from solver.games.alchemy.duel import DuelInPlay
from solver.games.alchemy.moves import DuelRecord, DuelRound, SolitaireRecord, score
from solver.games.alchemy.position import (
    DuelScore,
    Round,
    SolitaireScore,
    next_round,
    totals_after,
    winner_of,
)
from solver.language import say, say_many
from solver.rounds_in_play import Playing, not_playable
from solver.rounds_in_play import Round as RoundInPlay


@dataclass(frozen=True)
class SolitaireInPlay(RoundInPlay):
    """A solitaire in play with a hidden stock; `dealt` is its first turn, `made` the moves made since then.

    At a real table, `made` has the cards turned up, too.
    """

    dealt: Round
    made: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise PositionError unless the first turn has the whole deck, with the cards discarded before it."""
        if self.seat is not None:
            return
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

    def closed(self) -> SolitaireInPlay:
        return self


class AlchemyPlaying(Playing):
    """Rounds and matches of alchemy: a solitaire is a single round, a duel is played to 100 points."""

    def start(self, position: Any) -> RoundInPlay:
        if position.is_solitaire:
            return SolitaireInPlay(self.game, position, 1, position, seat=self.viewer(position))
        if position.is_duel:
            return DuelInPlay(self.game, position, 2, seat=self.viewer(position))
        raise not_playable()

    def begun(self, dealt: Any, before: Sequence[RoundInPlay], seed: int, number: int) -> RoundInPlay:
        if dealt.is_solitaire:
            return self.start(dealt)
        totals = (0, 0)
        for played in before:
            assert isinstance(played, DuelInPlay)
            totals = totals_after(totals, played.position.piles)
        position = next_round(seed, number, totals, dealt.rules)
        return DuelInPlay(self.game, position, 2, first=len(before) % 2)

    def wins_match(self, number: int, totals: Sequence[int | None]) -> bool:
        """A duel is won by who has more points, and 100 at least; a solitaire is no match."""
        known = [total for total in totals if total is not None]
        return len(known) == 2 and winner_of((known[0], known[1])) is not None

    def record(self, rounds: Sequence[RoundInPlay]) -> SolitaireRecord | DuelRecord:
        first = rounds[0]
        if isinstance(first, SolitaireInPlay):
            dealt = first.dealt
            deck = (*dealt.line, *((dealt.hand,) if dealt.hand else ()), *(dealt.stock or ()))
            return SolitaireRecord(
                game="alchemy", variant=dealt.variant, rules=dealt.rules, deck=deck, moves=first.made
            )
        return DuelRecord(game="alchemy", variant="duel", rounds=tuple(map(_round, rounds)))

    def score(self, rounds: Sequence[RoundInPlay]) -> Score:
        """Return the score of a duel's record. That of a solitaire follows from how it ended, since one that began
        in the middle has no record.
        """
        end = rounds[0]
        if not isinstance(end, SolitaireInPlay):
            return score(self.record(rounds))
        position: Any = end.position
        left = len(position.unseen_ranks)
        return SolitaireScore(
            game="alchemy",
            variant=position.variant,
            finished=end.to_move is None,
            value=None if end.to_move is not None else "lost" if left else "won",
            left=left,
            turns=sum(any(rank_of(word) is None for word in text.split()) for text in end.made),
        )

    def finished(self, rounds: Sequence[RoundInPlay]) -> bool:
        result = self.score(rounds)
        return bool(result.finished)  # type: ignore[attr-defined]

    def standings(self, position: Any) -> Sequence[int] | None:
        return list(map(points, position.piles)) if position.is_duel else None

    def summary(self, rounds: Sequence[RoundInPlay], you: int | None) -> list[str]:
        answer = self.score(rounds)
        if isinstance(answer, DuelScore):
            scores, *more = match_summary(answer.rounds, you, finished=answer.finished)
            if any(rounds[0].position.jokers):  # type: ignore[attr-defined]
                worth = say("Each card scores 1, a K 2, a joker 10, and all four aces together 10.")
            else:
                worth = say("Each card scores 1, a K 2, and all four aces together 10.")
            return [scores, worth, *more]
        assert isinstance(answer, SolitaireScore)
        if answer.value == "won":
            return [
                say_many(
                    "You have won in {count} turn: the stock is used up.",
                    "You have won in {count} turns: the stock is used up.",
                    answer.turns,
                )
            ]
        return [
            say_many(
                "You have lost after {count} turn, with {cards} left in the stock.",
                "You have lost after {count} turns, with {cards} left in the stock.",
                answer.turns,
                cards=cards_counted(answer.left),
            )
        ]


def _round(played: RoundInPlay) -> DuelRound:
    assert isinstance(played, DuelInPlay)
    return DuelRound(piles=(played.position.pile, played.position.opponent_pile))
