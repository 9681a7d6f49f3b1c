"""Alchemy's part in making puzzles: positions that are drawn, and what a player finds who stops early.

No ranks can be exchanged, since they are added up; the line's order is nothing, and is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pydantic import TypeAdapter

from solver.common.rng import Random
from solver.games.alchemy.answers import MatchesAnalysis
from solver.games.alchemy.cards.deck import JOKER, points
from solver.games.alchemy.cards.rules import JOKER_POINTS, duel_min_line, matches, solitaire_moves, solitaire_play
from solver.games.alchemy.cards.text import Move
from solver.games.alchemy.composing import drawing
from solver.games.alchemy.duel.exchange import options
from solver.games.alchemy.positions.duels import DuelPosition
from solver.games.alchemy.positions.known import FreePosition, Position, SolitairePosition
from solver.games.alchemy.positions.moves import legal_moves
from solver.protocol.answers import Analysis, Answer
from solver.protocol.composing import BEST_MOVE, VALUE, Candidate, RoundComposer, Try

WINNABLE, ALL_MATCHES = "winnable", "all-matches"
_POSITION: TypeAdapter[Any] = TypeAdapter(Position)
_DRAWN = 12  # positions of a deal
_FOUND = 3  # line cards of the matches that a quick look finds, at most
_FEWEST, _MOST = 3, 30  # matches of a puzzle that lists or counts them
_COUNTED = 4  # matches for a step of a puzzle that lists or counts them

_UNORDERED = ("line", "pile", "opponent_pile", "discarded", "unseen")


class AlchemyComposer(RoundComposer):
    """Drawn positions; no round is played."""

    tasks = (BEST_MOVE, VALUE, WINNABLE, ALL_MATCHES)
    themes = ("deny", "less is more", "fourth ace", "joker", "decline", "no match", "small match", "last card")

    def candidates(
        self, task: str, model: str | None, random: Random, *, seed: int, number: int
    ) -> Iterable[Candidate]:
        return (Candidate(_POSITION.validate_python(self._drawn(task, random))) for _ in range(_DRAWN))

    def _drawn(self, task: str, random: Random) -> dict[str, Any]:
        if task == WINNABLE:
            return drawing.known_stock(random, whole=True)
        if task == ALL_MATCHES:
            return drawing.free(random, 5, 9)
        kind = random.below(4)
        if kind < 2:
            return drawing.duel(random)
        if kind == 2:
            return drawing.hidden_stock(random)
        return drawing.free(random, 6, 10) if task == VALUE else drawing.known_stock(random, whole=False)

    def symmetry(self, task: str, candidate: Candidate) -> str:
        position = candidate.position
        fields = position.model_dump(exclude_defaults=True)
        unordered = {key: tuple(sorted(fields[key])) for key in _UNORDERED if fields.get(key)}
        return f"{task} {sorted((fields | unordered).items())}"

    def fits(self, task: str, candidate: Candidate, answer: Answer) -> bool:
        """There is a choice; what a simple player wins is not worth asking whether it can be won."""
        position = candidate.position
        if isinstance(position, FreePosition):
            assert isinstance(answer, MatchesAnalysis)
            return answer.value is not None and _FEWEST <= answer.value <= _MOST
        if task == WINNABLE:
            assert isinstance(answer, Analysis)
            assert isinstance(position, SolitairePosition)
            wanted = "won" if sum(position.unseen_ranks) % 2 else "lost"  # as many of either
            return answer.value == wanted and self.obvious(task, candidate) == "lost"
        value = getattr(answer, "value", None)
        return len(legal_moves(position)) > 2 and (not isinstance(position, DuelPosition) or value != 0)

    def obvious(self, task: str, candidate: Candidate) -> Try:
        """The most points; the most cards or, of discards, the highest; the matches of few cards; greedy play."""
        position = candidate.position
        if isinstance(position, FreePosition):
            return sum(len(move.used) <= _FOUND for move in legal_moves(position))
        if task == WINNABLE:
            assert isinstance(position, SolitairePosition)
            return _greedily(position)
        if isinstance(position, DuelPosition):
            first = max(options(position, 0), key=lambda option: option.grab.points)
            return str(first.grab.move) if task == BEST_MOVE else first.grab.points
        assert isinstance(position, SolitairePosition)
        return str(_greedy(legal_moves(position))) if task == BEST_MOVE else None

    def shallow(self, task: str, candidate: Candidate) -> Try:
        """The matches whose one side is the drawn card alone."""
        position = candidate.position
        if not isinstance(position, FreePosition):
            return None
        return sum(min(map(len, move.sides)) == 1 for move in legal_moves(position) if move.sides)

    def steps(self, task: str, candidate: Candidate, answer: Answer) -> int:
        if isinstance(answer, MatchesAnalysis):
            return (answer.value or 0) // _COUNTED
        position = candidate.position
        if isinstance(position, SolitairePosition) and position.stock is not None:
            return super().steps(task, candidate, answer)
        return len(legal_moves(position)) // _COUNTED

    def themes_of(self, task: str, candidate: Candidate, best: str, line: Sequence[str]) -> Sequence[str]:
        position = candidate.position
        if not best or isinstance(position, FreePosition):
            return ()
        assert isinstance(position, SolitairePosition | DuelPosition)
        move: Move = self.game.parse_move(position, best)
        found = _in_duel(position, move) if isinstance(position, DuelPosition) else _in_solitaire(position, move)
        return list(found)

    def note(self, task: str, candidate: Candidate) -> str:
        position = candidate.position
        if isinstance(position, FreePosition):
            return f"At least {position.min_line} of the line's {len(position.line)} cards are used"
        if isinstance(position, DuelPosition):
            return "You grab first, then the other takes the best that you leave"
        assert isinstance(position, SolitairePosition)
        left = len(position.unseen_ranks)
        return f"{left} cards are face down" if position.hidden else f"The stock of {left} cards is known"


def _greedy(moves: Sequence[Move]) -> Move:
    """The most cards; of as many, and of discards, the highest."""
    return max(moves, key=lambda move: (len(move.used), sum(move.used)))


def _greedily(position: SolitairePosition) -> str:
    """How a deal ends that is played so."""
    rules, turn = position.solitaire, position.turn
    while turn.hand is not None:
        turn = solitaire_play(rules, turn, _greedy(solitaire_moves(rules, turn.line, turn.hand)))
    return "won" if turn.won else "lost"


def _in_duel(position: DuelPosition, best: Move) -> Iterator[str]:
    choices = {option.grab.move: option for option in options(position, 0)}
    chosen = choices[best]
    theirs = duel_min_line(position.hands[1], position.table_jokers)
    answered = any(True for _ in matches(position.line_ranks, position.hands[1], theirs))
    if best.kind == "match" and chosen.denies and answered:
        yield "deny"
    if chosen.grab.points < max(option.grab.points for option in choices.values()):
        yield "less is more"
    taken = (*best.used, position.hands[0])
    alone = points(taken)
    if best.kind == "match" and 1 in taken and chosen.grab.points > alone + JOKER_POINTS * position.table_jokers:
        yield "fourth ace"
    if best.kind == "match" and (position.table_jokers or JOKER in position.hands[:1]):
        yield "joker"
    if best.kind == "none":
        yield "decline"


def _in_solitaire(position: SolitairePosition, best: Move) -> Iterator[str]:
    moves = legal_moves(position)
    if best.kind == "discard":
        yield "no match"
    elif len(best.used) < max(len(move.used) for move in moves):
        yield "small match"
    if solitaire_play(position.solitaire, position.turn, best).won and not position.hidden:
        yield "last card"
