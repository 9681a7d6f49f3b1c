"""Kirin's part in making puzzles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from pydantic import BaseModel

from solver.common.rng import Random
from solver.games.kirin.cards.deck import COLOUR_NAMES, colour, is_kirin, name
from solver.games.kirin.cards.rules import (
    SEATS,
    State,
    colour_strength,
    legal_moves,
    play,
    points,
    rank_strength,
)
from solver.games.kirin.composing.symmetry import key
from solver.games.kirin.composing.themes import CHECKS, Solved, themes_of
from solver.games.kirin.hints.guaranteed import deals_of
from solver.games.kirin.positions.fields import number
from solver.games.kirin.positions.known import KnownPosition, View
from solver.protocol.answers import Analysis, Answer
from solver.protocol.composing import BEST_MOVE, HIDDEN_HAND, VALUE, Candidate, RoundComposer, Try, in_all

_MOST_CARDS = 22  # in the hands of a puzzle with every card known
_MOST_DEALS = 400  # that themes are looked for in


class KirinComposer(RoundComposer):
    """Endings of rounds that hints have played; the order may turn, and no card is led twice."""

    themes = tuple(CHECKS)
    variant: ClassVar[str | None] = "declared"

    def suits(self, task: str, position: BaseModel) -> bool:
        assert isinstance(position, KnownPosition)
        cards = sum(map(len, position.hands))
        return cards > SEATS and (task == HIDDEN_HAND or cards <= _MOST_CARDS)

    def held_down(self, model: str | None, seat: int, position: BaseModel, random: Random) -> int | None:
        other = (seat + 1 + random.below(SEATS - 1)) % SEATS
        return other if model == "paranoid" and not random.below(5) else None

    def bare(self, position: BaseModel) -> BaseModel:
        return position.model_copy(update={"history": None})

    def symmetry(self, task: str, candidate: Candidate) -> str:
        position = candidate.position
        if not isinstance(position, KnownPosition):
            return super().symmetry(task, candidate)
        player = position.seat_to_move if candidate.player is None else candidate.player
        return f"{task} {candidate.model} {key(position, player, all_score=candidate.model == 'maxn')}"

    def fits(self, task: str, candidate: Candidate, answer: Answer) -> bool:
        """A value is asked for where it is not just what is won already; a view allows several deals."""
        if isinstance(candidate.position, View) and candidate.model is not None:
            return deals_of(candidate.position).total > 1
        if task != VALUE:
            return True
        assert isinstance(candidate.position, KnownPosition)
        assert isinstance(answer, Analysis)
        won = candidate.position.points
        return answer.value != (won if candidate.model == "maxn" else won[answer.player or 0])

    def obvious(self, task: str, candidate: Candidate) -> Try:
        """The strongest card where it takes the trick so far; else the weakest, if it can be of another colour."""
        if task == VALUE:
            return self._ruled(candidate)
        position = candidate.position
        assert isinstance(position, KnownPosition | View)
        direction, trick = position.past.rules.direction, position.plays
        cards = self.game.legal_moves(position)

        def strength(card: int) -> tuple[int, int]:
            return rank_strength(card, direction), colour_strength(card, direction)

        over = [
            card for card in cards if not is_kirin(card) and all(strength(card) > strength(lain) for lain in trick)
        ]
        if over:
            return name(max(over, key=strength))
        own = _own(position)
        return name(min(cards, key=lambda card: (colour(card) == own, strength(card))))

    def _ruled(self, candidate: Candidate) -> Try:
        """The points that a seat comes to when all play by that rule."""
        position = candidate.position
        assert isinstance(position, KnownPosition)
        if candidate.model == "maxn":
            return None
        player = position.seat_to_move if candidate.player is None else candidate.player
        while self.game.legal_moves(position):
            card = self.obvious(BEST_MOVE, Candidate(position))
            after = self.game.play(position, number(str(card)))
            assert isinstance(after, KnownPosition)
            position = after
        return position.points[player]

    def shallow(self, task: str, candidate: Candidate) -> Try:
        """The card that is best for this trick alone, by search; or the points that the trick brings so."""
        position = candidate.position
        if not isinstance(position, KnownPosition) or (task == VALUE and candidate.model == "maxn"):
            return None
        state, colours = position.state, position.colours
        player = state.to_move if candidate.player is None else candidate.player
        helped = candidate.model == "ally"

        def reached(at: State) -> int:
            if not at.trick:
                return points(at.won, colours)[player]
            values = [reached(play(at, card)) for card in legal_moves(at)]
            return max(values) if helped or at.to_move == player else min(values)

        if task == VALUE:
            return reached(state)
        sign = 1 if helped or state.to_move == player else -1
        return name(max(legal_moves(state), key=lambda card: sign * reached(play(state, card))))

    def themes_of(self, task: str, candidate: Candidate, best: str, line: Sequence[str]) -> Sequence[str]:
        position = candidate.position
        if isinstance(position, View) and candidate.model is not None:
            return in_all(self._of_deals(position, number(best)))
        if not best or not isinstance(position, KnownPosition):
            return ()
        state = position.state
        held_down = candidate.player not in (None, state.to_move)
        cards = [number(text) for text in line] or [number(best)]
        return themes_of(Solved(state, number(best), cards, _own(position), held_down))

    def _of_deals(self, view: View, best: int) -> Iterator[Sequence[str]]:
        """The themes of each way in which the trick can go on from a card, in each deal that a view allows."""
        deals = deals_of(view)
        for state in deals.states if deals.total <= _MOST_DEALS else ():
            for line in _completed(play(state, best), (best,)):
                yield themes_of(Solved(state, best, line, _own(view), held_down=False))

    def note(self, task: str, candidate: Candidate) -> str:
        position = candidate.position
        assert isinstance(position, KnownPosition | View)
        seat, place = position.seat_to_move, len(position.trick)
        does = "leads" if not place else "plays last" if place == SEATS - 1 else "follows"
        told = f"Seat {seat} {does} and collects the {COLOUR_NAMES[_own(position)]}"
        if candidate.player not in (None, seat):
            assert isinstance(position, KnownPosition)
            other = COLOUR_NAMES[position.colours[candidate.player]]
            return f"Seat {seat} {does}, and all hold down seat {candidate.player}, who collects the {other}"
        if isinstance(position, View) and candidate.model is not None:
            return f"{told}, and wants to be sure whatever the others hold"
        return told + {"ally": "; all help", "maxn": "; each is for themselves"}.get(candidate.model or "", "")


def _completed(state: State, line: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every way in which the trick can be completed, behind the cards of a line."""
    if not state.trick:
        yield line
        return
    for card in legal_moves(state):
        yield from _completed(play(state, card), (*line, card))


def _own(position: KnownPosition | View) -> int:
    """The colour that the seat to move collects."""
    if isinstance(position, View):
        return colour(number(position.declared))
    return position.colours[position.seat_to_move]
