"""Aqua Regia's part in making puzzles: endings that are made up, of few metals, few cards and few players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from solver.answers import Answer
from solver.common import Random
from solver.composing import HIDDEN_HAND, VALUE, Candidate, RoundComposer, Try
from solver.games.aqua_regia.deck import FIELDS, Deck, house
from solver.games.aqua_regia.position import KnownPosition, View
from solver.games.aqua_regia.rules import (
    MOST_AT_ONCE,
    Move,
    Pass,
    Play,
    State,
    legal_moves,
    play,
    text_of,
    unsettled,
)

# ----------------------------------------------------------------------------------------------------
# Which positions of Aqua Regia are the same puzzle.
#
# The seats may be turned round. The fields may be turned round, and seen in the other order, where the metals in
# play react alike to the field in force and to those that follow. And metals may be exchanged for others of the
# same reactivities: what counts of a metal is its place among those in play, the weakest first, and what it does
# in each field.


def key(deck: Deck, state: State, player: int) -> str:
    """A text that settled states share which are the same but for these symmetries."""
    step = -1 if state.reversed else 1
    fields = [(state.field + step * ahead) % len(FIELDS) for ahead in range(len(FIELDS))]
    held = [sum(counts) for counts in zip(*state.hands, state.discard, strict=True)]
    lying = {*state.table, *state.stock}
    metals = [metal for metal in range(deck.size) if held[metal] or metal in lying]
    # More than two at once need no more than a reactivity of two.
    rows = [[min(2, deck.reactivity[field][metal]) for field in fields] for metal in metals]
    number = {metal: index for index, metal in enumerate(metals)}
    seats = [(state.turn + ahead) % state.seats for ahead in range(state.seats)]
    hands = [[state.hands[seat][metal] for metal in metals] for seat in seats]
    owner = None if state.owner is None else seats.index(state.owner)
    piles = [[number[metal] for metal in cards] for cards in (state.table, state.stock)]
    discard = [state.discard[metal] for metal in metals]
    return f"{deck.copies} {rows} {hands} {piles} {discard} {owner} {seats.index(player)}"


# ----------------------------------------------------------------------------------------------------
# What is in the best move of an Aqua Regia puzzle, each theme found by a check on the cards.


@dataclass(frozen=True)
class Solved:
    """A settled state and its best move."""

    deck: Deck
    state: State
    best: Move
    held_down: bool

    @property
    def plays(self) -> list[Play]:
        """What could be played."""
        return [move for move in legal_moves(self.deck, self.state) if isinstance(move, Play)]


def _precipitates(solved: Solved) -> bool:
    return isinstance(solved.best, Pass) and solved.best.discarded is not None


def _holds_back(solved: Solved) -> bool:
    """It passes, though it could play."""
    return isinstance(solved.best, Pass) and bool(solved.plays)


def _lets_go(solved: Solved) -> bool:
    """It passes, and is the last to do so: the field is cleared and changes."""
    return isinstance(solved.best, Pass) and not unsettled(solved.state, solved.best).table


def _splits(solved: Solved) -> bool:
    """It plays fewer cards of a metal than it could."""
    best = solved.best
    return isinstance(best, Play) and any(
        play.metal == best.metal and play.count > best.count for play in solved.plays
    )


def _jumps(solved: Solved) -> bool:
    """Following, it is not of the weakest metal that could be played."""
    best = solved.best
    return (
        isinstance(best, Play)
        and bool(solved.state.table)
        and best.metal > min(play.metal for play in solved.plays)
    )


def _leads_high(solved: Solved) -> bool:
    best = solved.best
    return (
        isinstance(best, Play) and not solved.state.table and best.metal > min(play.metal for play in solved.plays)
    )


def _four(move: Move) -> bool:
    return isinstance(move, Play) and move.count == MOST_AT_ONCE


CHECKS: Mapping[str, Callable[[Solved], bool]] = {
    "precipitate": _precipitates,
    "reverse change": lambda solved: _four(solved.best),
    "no reverse change": lambda solved: not _four(solved.best) and any(map(_four, solved.plays)),
    "hold back": _holds_back,
    "let go": _lets_go,
    "split": _splits,
    "jump": _jumps,
    "lead high": _leads_high,
    "deny": lambda solved: solved.held_down,
}


def themes_of(solved: Solved) -> list[str]:
    """The themes whose checks hold."""
    return [name for name, check in CHECKS.items() if check(solved)]


_ENDINGS = 12  # of a deal
_MOVES = 5  # at most, by which an ending is begun
_CARDS = 13  # of a hand and the stock together, at most


class AquaComposer(RoundComposer):
    """Made-up endings where all cards are known; rounds that hints have played where hands are hidden."""

    themes = tuple(CHECKS)

    def candidates(
        self, task: str, model: str | None, random: Random, *, seed: int, number: int
    ) -> Iterable[Candidate]:
        if task == HIDDEN_HAND:
            return super().candidates(task, model, random, seed=seed, number=number)
        return self._endings(task, model, random)

    def _endings(self, task: str, model: str | None, random: Random) -> Iterator[Candidate]:
        for _ in range(_ENDINGS):
            position = self._ending(random)
            for _ in range(random.below(_MOVES + 1)):
                moves = self.game.legal_moves(position)
                after = self.game.play(position, moves[random.below(len(moves))])
                assert isinstance(after, KnownPosition)
                if after.state.winner is not None:
                    break
                position = after
            if len(self.game.legal_moves(position)) > 1:
                yield self.candidate(task, model, random, position)

    def _ending(self, random: Random) -> KnownPosition:
        deck = house()
        metals = list(range(deck.size))
        random.shuffle(metals)
        cards = deck.symbols(metal for metal in metals[: 4 + random.below(5)] for _ in range(deck.copies))
        random.shuffle(cards)
        players = (2, 2, 3, 3, 4)[random.below(5)]
        sizes = [1 + random.below(_CARDS // players) for _ in range(players)]
        stock, discard = random.below(4), random.below(5)
        parts = []
        for size in (*sizes, stock, discard):
            parts.append(cards[:size])
            cards = cards[size:]
        fields: dict[str, Any] = {
            "game": self.game.name,
            "field": FIELDS[random.below(len(FIELDS))],
            "reversed": not random.below(3),
            "turn": 0,
            "hands": parts[:players],
            "stock": parts[players],
            "discard": parts[players + 1],
        }
        return KnownPosition.model_validate(fields)

    def bare(self, position: BaseModel) -> BaseModel:
        """The seat to move and the field as they are when nobody is left who cannot lead."""
        assert isinstance(position, KnownPosition)
        state = position.state
        settled = {"turn": state.turn, "field": FIELDS[state.field]}
        return position.model_copy(update=settled | {"history": None, "known": None, "deal_passes": None})

    def held_down(self, model: str | None, seat: int, position: BaseModel, random: Random) -> int | None:
        assert isinstance(position, KnownPosition)
        other = (seat + 1 + random.below(position.players - 1)) % position.players
        return other if model == "paranoid" and not random.below(5) else None

    def symmetry(self, task: str, candidate: Candidate) -> str:
        position = candidate.position
        if not isinstance(position, KnownPosition):
            return super().symmetry(task, candidate)
        state = position.state
        player = state.turn if candidate.player is None else candidate.player
        return f"{task} {candidate.model} {position.rules} {key(position.metals, state, player)}"

    def fits(self, task: str, candidate: Candidate, answer: Answer) -> bool:
        """Nobody is out at once."""
        return task == HIDDEN_HAND or self.steps(task, candidate, answer) > 1

    def obvious(self, task: str, candidate: Candidate) -> Try:
        """Led, the most cards at once; else the weakest that will do; passed, the largest exchange."""
        position = candidate.position
        if task == VALUE:
            return self._ruled(candidate)
        assert isinstance(position, KnownPosition | View)
        moves: Sequence[Move] = self.game.legal_moves(position)
        best = min(moves, key=lambda move: _rule(move, not position.table))
        return text_of(position.metals, best)

    def _ruled(self, candidate: Candidate) -> Try:
        """1 or 0: whether a seat goes out first when all play by that rule."""
        position = candidate.position
        assert isinstance(position, KnownPosition)
        if candidate.model == "maxn":
            return None
        state, deck = position.state, position.metals
        player = state.turn if candidate.player is None else candidate.player
        while state.winner is None:
            led = not state.table
            state = play(deck, state, min(legal_moves(deck, state), key=lambda move: _rule(move, led)))
        return int(state.winner == player)

    def themes_of(self, task: str, candidate: Candidate, best: str, line: Sequence[str]) -> Sequence[str]:
        position = candidate.position
        if not best or not isinstance(position, KnownPosition):
            return ()
        state = position.state
        held_down = candidate.player not in (None, state.turn)
        return themes_of(Solved(position.metals, state, self.game.parse_move(position, best), held_down))

    def note(self, task: str, candidate: Candidate) -> str:
        position = candidate.position
        assert isinstance(position, KnownPosition | View)
        seat = position.seat_to_move
        field = position.state.field if isinstance(position, KnownPosition) else position.field_number
        does = f"Seat {seat} {'is to follow' if position.table else 'leads'} in {FIELDS[field].replace('-', ' ')}"
        if candidate.player not in (None, seat):
            return f"{does}, and all keep seat {candidate.player} from going out"
        return does + {"ally": "; all help", "maxn": "; each is for themselves"}.get(candidate.model or "", "")


def _rule(move: Move, led: bool) -> tuple[int, ...]:
    """What a player by simple rules prefers, the least first."""
    if isinstance(move, Play):
        return (0, -move.count, move.metal) if led else (0, move.metal, move.count)
    assert isinstance(move, Pass)
    return 1, -(move.taken or 0), move.discarded or 0
