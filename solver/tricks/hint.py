"""Ready-made hints for any trick game that the score search supports: `trick_sampler`.

Worlds are drawn uniformly from the deals that agree with what a seat sees: the sizes of the other hands, and the
cards that seats are known not to hold. While many tricks are left, each legal move is played out with the rules
of the search (`solver.hints.policy`); in the last tricks each move gets its exact value in each world, with all
cards known (Levy 1989, *The million pound bridge program*; Ginsberg 2001, *GIB*). The mean over the worlds is
the move's score for the side of the seat that asks.

A game that knows more, such as how its players choose, makes its own `Sampler`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from solver.common import members
from solver.hints import policy
from solver.hints.causes import Noted, Told, Witness
from solver.hints.ranking import POINTS, Lead, Unit
from solver.hints.sampled import Sampler
from solver.hints.worlds import HiddenCards, may_hold
from solver.kernels.rng import start_stream
from solver.kernels.words import Floats, Words
from solver.limits import Control
from solver.search.memory import Pool
from solver.search.score_search import ScoreProver, ScoreSearch

EXACT_TRICKS = 4  # with this many tricks left, or fewer, moves get their exact values
_MEGABYTES = 8  # of a table for the last tricks


class Past(Protocol):
    """What the tricks played so far reveal about the hidden cards."""

    def excluded(self, seat: int) -> int:
        """Return the bit set of the cards that a seat cannot hold, given its plays."""
        ...


class TrickView(Protocol):
    """What a seat sees in a round of a trick game. Cards are numbers below 62, and sets of cards are bit sets."""

    @property
    def players(self) -> int: ...

    @property
    def seat(self) -> int: ...

    @property
    def seat_to_move(self) -> int: ...

    @property
    def hand_mask(self) -> int: ...

    @property
    def unseen(self) -> int:
        """The cards in the other hands or out of play, as a bit set."""
        ...

    @property
    def past(self) -> Past: ...

    def count(self, seat: int) -> int:
        """Return how many cards a seat holds."""
        ...


ViewT = TypeVar("ViewT", bound=TrickView)
M = TypeVar("M")
P = TypeVar("P")


@dataclass(frozen=True, kw_only=True)
class TrickGame(Generic[ViewT, M, P]):
    """What a trick game provides for its hints.

    `name` appears in the answers. ``legal_moves(view)`` lists a view's moves in the order of the rule `listed`,
    and ``text(view, move)`` writes a move as users do.

    ``position(view, hands)`` is the view with every card known, given the hands as bit sets by seat, and
    ``view_of(position, seat)`` is the reverse, with which a debug run checks deals.

    ``encode(position)`` gives the words of its deal and of its node for the score search. The seat to move is on
    the maximizing side, and the node's word `NEED` is minus the points that side already has. ``search()`` is the
    score search with the game's rules.

    `policy` is a kernel that chooses the cards in rollouts (by default `solver.hints.policy.policy`). If at most
    `exact_tricks` tricks have yet to begin, moves get their exact values instead.

    `unit` is the unit of the scores. `because` finds the causes of a clear margin (see `Sampler`); each world's
    hands are recorded for it, as bit sets by seat.
    """

    name: str
    legal_moves: Callable[[ViewT], Sequence[M]]
    text: Callable[[ViewT, M], str]
    position: Callable[[ViewT, tuple[int, ...]], P]
    view_of: Callable[[P, int], ViewT]
    encode: Callable[[P], tuple[Words, Words]]
    search: Callable[[], ScoreSearch]
    policy: Callable[..., int] | None = None
    exact_tricks: int = EXACT_TRICKS
    unit: Unit = POINTS
    because: Callable[[ViewT, Sequence[M], Noted, Lead, Any], Sequence[Told]] | None = None


def hidden_cards(view: TrickView) -> HiddenCards:
    """Return the deals that agree with a view; group g is the hand g + 1 seats after the asking seat.

    If there are more unseen cards than the hands hold, the rest are one more group.
    """
    others = [(view.seat + step) % view.players for step in range(1, view.players)]
    cards = tuple(members(view.unseen))
    sizes = [view.count(seat) for seat in others]
    excluded = [view.past.excluded(seat) for seat in others]
    if sum(sizes) < len(cards):
        sizes.append(len(cards) - sum(sizes))
        excluded.append(0)
    return HiddenCards(cards, may_hold(cards, excluded), tuple(sizes))


def dealt(view: TrickView, hidden: HiddenCards, places: Sequence[int]) -> tuple[int, ...]:
    """Return the hands of a deal as bit sets, by seat; `places` has the group of each hidden card."""
    hands = [0] * (view.players + 1)
    for card, place in zip(hidden.cards, places, strict=True):
        hands[place + 1] |= 1 << card
    hands[0] = view.hand_mask
    return tuple(hands[(seat - view.seat) % view.players] for seat in range(view.players))


class _Search:
    """A prover and working memory for rollouts, for one thread at a time."""

    def __init__(self, search: ScoreSearch, megabytes: int) -> None:
        self.prover = ScoreProver(search, megabytes)
        self.table = self.prover.table
        self.rules = search.rules
        self.work = np.zeros(policy.work_words(self.rules.state_words, self.rules.most_moves), np.int64)

    def tricks_left(self, deal: Words, node: Words) -> int:
        """Return how many tricks have yet to begin."""
        return int(self.rules.size(deal, node, 0))

    def exact_values(self, deal: Words, node: Words, results: Floats) -> int:
        """Write the exact score of each legal move to ``results[move, 0]``, and return the number of moves."""
        values = self.prover.values(deal, node, Control())
        for place, (least, most) in enumerate(values.values()):
            assert least == most
            results[place, 0] = least
        return len(values)


class _Searches:
    """The search objects of a game, shared by the threads of all its hints and kept between hints."""

    def __init__(self, game: TrickGame[ViewT, M, P]) -> None:
        self.pool = Pool(lambda megabytes: _Search(game.search(), megabytes), most=_MEGABYTES)
        self._policy = game.policy
        self._lock = threading.Lock()
        self._try_moves: Callable[..., int] | None = None

    def try_moves(self, search: _Search) -> Callable[..., int]:
        """Return `solver.hints.policy.try_moves` instantiated with the game's rules."""
        with self._lock:
            if self._try_moves is None:
                made = search.rules.instances()
                if self._policy is None:
                    made.of(policy.policy)
                else:
                    made.names["policy"] = self._policy
                made.of(policy.play_out)
                self._try_moves = made.of(policy.try_moves)
            return self._try_moves


class _SampledDeals(Generic[ViewT, M, P]):
    """The `Rollouts` of one view, in deals drawn uniformly."""

    statistics = 1
    chained = False

    def __init__(
        self, game: TrickGame[ViewT, M, P], searches: _Searches, view: ViewT, moves: Sequence[M], seed: int
    ) -> None:
        self.moves = len(moves)
        legal = game.legal_moves(view)
        self._legal = len(legal)
        self._judged = [legal.index(move) for move in moves]
        self._game = game
        self._searches = searches
        self._view = view
        self._hidden = hidden_cards(view)
        self._seed = seed
        self.witness = Witness()
        assert game.view_of(game.position(view, self._deal(self._hidden.drawn(seed, 0))), view.seat) == view

    def _deal(self, places: Sequence[int]) -> tuple[int, ...]:
        return dealt(self._view, self._hidden, places)

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        random, places = np.zeros(1, np.int64), np.zeros(len(self._hidden.cards), np.int64)
        noted = np.empty((len(results), self._view.players), np.int64)
        scores = np.zeros((self._legal, self.statistics))  # of every legal move, judged or not
        with self._searches.pool.lend() as search:
            for world in range(len(results)):
                start_stream(random, self._seed, first + world)
                self._hidden.draw(random, places)
                hands = self._deal(places.tolist())
                noted[world] = hands
                deal, node = self._game.encode(self._game.position(self._view, hands))
                if search.tricks_left(deal, node) <= self._game.exact_tricks:
                    count = search.exact_values(deal, node, scores)
                else:
                    count = self._searches.try_moves(search)(deal, node, random, search.work, scores)
                assert count == self._legal
                results[world] = scores[self._judged]
        self.witness.note(first, results, noted)


def trick_sampler(game: TrickGame[ViewT, M, P]) -> Sampler[ViewT, M]:
    """Make the sampler of a trick game: ``trick_sampler(game).hint`` is the game's `hint`."""
    searches = _Searches(game)
    return Sampler(
        game=game.name,
        method="sampled deals",
        legal_moves=game.legal_moves,
        text=game.text,
        rollouts=partial(_SampledDeals, game, searches),
        unit=lambda _view: game.unit,
        because=game.because,
    )
