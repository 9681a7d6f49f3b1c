"""Alchemy's part in making puzzles: positions that are drawn, and what a player finds who stops early.

No ranks can be exchanged, since they are added up; the line's order is nothing, and is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pydantic import TypeAdapter

from solver.answers import Analysis, Answer
from solver.common import Random
from solver.composing import BEST_MOVE, VALUE, Candidate, RoundComposer, Try
from solver.games.alchemy.deck import JOKER, Move, cards, points
from solver.games.alchemy.duel import options
from solver.games.alchemy.moves import legal_moves
from solver.games.alchemy.position import DuelPosition, FreePosition, MatchesAnalysis, Position, SolitairePosition
from solver.games.alchemy.rules import (
    DUEL_LINE,
    JOKER_POINTS,
    SOLITAIRE,
    duel_min_line,
    matches,
    solitaire_moves,
    solitaire_play,
)

# ----------------------------------------------------------------------------------------------------
# Positions of Alchemy that are drawn for puzzles: exchanges of a duel, solitaires, lines to be searched.


_GAME = "alchemy"


def duel(random: Random) -> dict[str, Any]:
    """An exchange with the whole line before both; now and then with collected aces, or with a joker set aside."""
    deck = _shuffled("solo", random)
    line, rest = deck[:DUEL_LINE], deck[DUEL_LINE:]
    found: dict[str, Any] = {"game": _GAME, "variant": "duel", "line": cards(sorted(line))}
    found |= {"hand": cards(rest[:1])[0], "opponent_hand": cards(rest[1:2])[0]}
    rest = rest[2:]
    if not random.below(4):
        aces = sum(rank == 1 for rank in rest)
        found["pile"] = cards([1] * min(aces, 3))
    if not random.below(8):
        found["table_jokers"] = 1
    return found


def known_stock(random: Random, *, whole: bool) -> dict[str, Any]:
    """A solitaire with its stock in draw order: an ending or, where `whole` deals may be asked for, a deal."""
    variant = ("solo", "alternative")[random.below(2)]
    rules = SOLITAIRE[variant]
    deck = _shuffled(variant, random)
    cap = rules.shortest + random.below(rules.caps)
    most = len(deck) - cap - 1
    stock = 4 + random.below(most - 4 if whole else 12)
    return {
        **_solitaire(variant, cap, deck),
        "stock": cards(deck[cap + 1 : cap + 1 + min(stock, most)]),
    }


def hidden_stock(random: Random) -> dict[str, Any]:
    """An ending of a solitaire with four to nine cards face down."""
    variant = ("solo", "alternative")[random.below(2)]
    rules = SOLITAIRE[variant]
    deck = _shuffled(variant, random)
    cap = rules.shortest + random.below(rules.caps)
    unseen = 4 + random.below(6)
    return {**_solitaire(variant, cap, deck), "unseen": cards(sorted(deck[cap + 1 : cap + 1 + unseen]))}


def free(random: Random, fewest: int, most: int) -> dict[str, Any]:
    """A line of so many cards, at most a few of which are asked for at least."""
    deck = _shuffled("solo", random)
    size = fewest + random.below(most - fewest + 1)
    line = cards(sorted(deck[:size]))
    hand = cards(deck[size : size + 1])[0]
    return {"game": _GAME, "variant": "free", "min_line": 1 + random.below(3), "line": line, "hand": hand}


def _shuffled(variant: str, random: Random) -> list[int]:
    deck = SOLITAIRE[variant].deck
    random.shuffle(deck)
    return deck


def _solitaire(variant: str, cap: int, deck: list[int]) -> dict[str, Any]:
    line, hand = cards(sorted(deck[:cap])), cards(deck[cap : cap + 1])[0]
    return {"game": _GAME, "variant": variant, "cap": cap, "line": line, "hand": hand}


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
            return known_stock(random, whole=True)
        if task == ALL_MATCHES:
            return free(random, 5, 9)
        kind = random.below(4)
        if kind < 2:
            return duel(random)
        if kind == 2:
            return hidden_stock(random)
        return free(random, 6, 10) if task == VALUE else known_stock(random, whole=False)

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
    theirs = duel_min_line(position.drawn[1], position.table_jokers)
    answered = any(True for _ in matches(position.line_ranks, position.drawn[1], theirs))
    if best.kind == "match" and chosen.denies and answered:
        yield "deny"
    if chosen.grab.points < max(option.grab.points for option in choices.values()):
        yield "less is more"
    taken = (*best.used, position.drawn[0])
    alone = points(taken)
    if best.kind == "match" and 1 in taken and chosen.grab.points > alone + JOKER_POINTS * position.table_jokers:
        yield "fourth ace"
    if best.kind == "match" and (position.table_jokers or JOKER in position.drawn[:1]):
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
