"""A ready-made hint for any game of tricks that the score search can search: `trick_sampler`.

Worlds are drawn uniformly from the deals that agree with what a seat sees: the sizes of the other hands, and the
cards that a seat has shown that it does not hold. While many tricks are left, each legal move is played on to the
end by the rules of the search (`solver.hints.playouts`); in the last tricks each move gets its exact value in each
world, with all cards known (Levy 1989, *The million pound bridge program*; Ginsberg 2001, *GIB*). The mean over
the worlds is the move's score for the side of the seat that asks.

A game that knows more, such as how its players choose, makes a `solver.hints.sampled.Sampler` of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, Protocol, TypeVar

import numpy as np

from solver.common.control import Control
from solver.common.masks import members
from solver.hints import playouts
from solver.hints.causes import Witness, Witnessed
from solver.hints.deals import HiddenCards, may_hold
from solver.hints.paired import Sums
from solver.hints.ranking import Lead, lead
from solver.hints.sampled import Sampler
from solver.hints.words import alike, amount
from solver.kernels.arrays import Floats, Words
from solver.kernels.rng import start as start_stream
from solver.search.pool import Pool
from solver.search.tricks.score_prover import ScoreProver
from solver.search.tricks.score_search import ScoreSearch

EXACT_TRICKS = 4  # with so many tricks left, or fewer, moves get their exact values
_MEGABYTES = 8  # of a table for the last tricks


class Past(Protocol):
    """What a view's tricks tell of the hidden cards."""

    def excluded(self, seat: int) -> int:
        """The mask of the cards that a seat cannot hold, by what it has played."""
        ...


class TrickView(Protocol):
    """What a seat sees of a round of tricks. Cards are numbers below 62, sets of cards masks."""

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
        """The cards that are in the other hands, or nowhere in play."""
        ...

    @property
    def past(self) -> Past: ...

    def count(self, seat: int) -> int:
        """How many cards a seat holds."""
        ...


V = TypeVar("V", bound=TrickView)
M = TypeVar("M")
P = TypeVar("P")


@dataclass(frozen=True, kw_only=True)
class TrickGame(Generic[V, M, P]):
    """What a game of tricks brings to its hints.

    `name` stands in the answers. ``legal_moves(view)`` lists a view's moves in the order of the rule `listed`, and
    ``text(view, move)`` writes one as users do.

    ``position(view, hands)`` is the view with every card known, the hands given as masks by seat, and
    ``view_of(position, seat)`` the way back; in a debug run a deal is checked by it.

    ``encode(position)`` gives the words of its deal and of its node for the score search. The seat to move is on
    the maximising side, and the node's word `NEED` is minus the points that this side has already. ``search()`` is
    the score search with the game's rules.

    `policy` is a kernel that chooses the cards that are played on (see `solver.hints.playouts.policy`, which is
    taken without one). With at most `exact_tricks` tricks left to begin, moves get their exact values instead.

    `unit` names one and several of the score, and `over` is the reason given when no move is left. `because` says
    what is behind a clear lead (see `solver.hints.sampled.Sampler`); of each world the hands are noted, as masks
    by seat.
    """

    name: str
    legal_moves: Callable[[V], Sequence[M]]
    text: Callable[[V, M], str]
    position: Callable[[V, tuple[int, ...]], P]
    view_of: Callable[[P, int], V]
    encode: Callable[[P], tuple[Words, Words]]
    search: Callable[[], ScoreSearch]
    policy: Callable[..., int] | None = None
    exact_tricks: int = EXACT_TRICKS
    unit: tuple[str, str] = ("point", "points")
    over: str = "The round is over."
    because: Callable[[V, Sequence[M], Sums, Lead, Witnessed], str] | None = None


def hidden_cards(view: TrickView) -> HiddenCards:
    """The deals that agree with a view; group g is the hand of the seat g + 1 after the one that asks.

    Unseen cards that no hand has room for make one group more.
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
    """The hands of a deal as masks, by seat."""
    hands = [0] * (view.players + 1)
    for card, place in zip(hidden.cards, places, strict=True):
        hands[place + 1] |= 1 << card
    hands[0] = view.hand_mask
    return tuple(hands[(seat - view.seat) % view.players] for seat in range(view.players))


class _Search:
    """A prover and room to play on, for one thread at a time."""

    def __init__(self, search: ScoreSearch, megabytes: int) -> None:
        self.prover = ScoreProver(search, megabytes)
        self.table = self.prover.table
        self.rules = search.rules
        self.work = np.zeros(playouts.work_words(self.rules.state_words, self.rules.most_moves), np.int64)

    def tricks_left(self, deal: Words, node: Words) -> int:
        """How many tricks are still to begin."""
        return int(self.rules.size(deal, node, 0))

    def exact_values(self, deal: Words, node: Words, results: Floats) -> int:
        """Write the exact score of each legal move to ``results[move, 0]``; return how many there are."""
        values = self.prover.values(deal, node, Control())
        for place, (least, most) in enumerate(values.values()):
            assert least == most
            results[place, 0] = least
        return len(values)


class _Searches:
    """The searches of a game for the threads of all its hints, kept from hint to hint."""

    def __init__(self, game: TrickGame[V, M, P]) -> None:
        self.pool = Pool(lambda megabytes: _Search(game.search(), megabytes), most=_MEGABYTES)
        self._policy = game.policy
        self._lock = threading.Lock()
        self._try_moves: Callable[..., int] | None = None

    def try_moves(self, search: _Search) -> Callable[..., int]:
        """`playouts.try_moves` with the game's rules."""
        with self._lock:
            if self._try_moves is None:
                made = search.rules.instances()
                if self._policy is None:
                    made.of(playouts.policy)
                else:
                    made.names["policy"] = self._policy
                made.of(playouts.play_out)
                self._try_moves = made.of(playouts.try_moves)
            return self._try_moves


class _SampledDeals(Generic[V, M, P]):
    """What plays the worlds of a view (`solver.hints.simulate.Rollouts`)."""

    statistics = 1
    chained = False

    def __init__(
        self, game: TrickGame[V, M, P], searches: _Searches, view: V, moves: Sequence[M], seed: int
    ) -> None:
        self.moves = len(moves)
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
        with self._searches.pool.lend() as search:
            for world in range(len(results)):
                start_stream(random, self._seed, first + world)
                self._hidden.draw(random, places)
                hands = self._deal(places.tolist())
                noted[world] = hands
                deal, node = self._game.encode(self._game.position(self._view, hands))
                if search.tricks_left(deal, node) <= self._game.exact_tricks:
                    count = search.exact_values(deal, node, results[world])
                else:
                    count = self._searches.try_moves(search)(deal, node, random, search.work, results[world])
                assert count == self.moves
        self.witness.note(first, results, noted)


def plain_reason(texts: Sequence[str], sums: Sums, unit: tuple[str, str] = ("point", "points")) -> str:
    """Why the best of some moves is best, by its mean score alone; `unit` names one and several of the score.

    `texts` are the moves in canonical order.
    """
    ahead = lead(sums, len(texts))
    if ahead is None:
        mean = amount(float(sums.means[0, 0]), unit)
        return f"{texts[0]} is the only move; it brings {mean} on average over the sampled deals."
    first, second = texts[ahead.best], texts[ahead.second]
    if not ahead.clear:
        return alike(texts, sums, amount(ahead.gap, unit))
    mean = amount(float(sums.means[ahead.best, 0]), unit)
    return (
        f"{first} brings {mean} on average over the sampled deals, {amount(ahead.gap, unit)} more than the next "
        f"best, {second}."
    )


def trick_sampler(game: TrickGame[V, M, P]) -> Sampler[V, M]:
    """The hints of a game of tricks: ``trick_sampler(game).hint`` is the game's `hint`."""
    searches = _Searches(game)
    return Sampler(
        game=game.name,
        method="sampled deals",
        legal_moves=game.legal_moves,
        text=game.text,
        rollouts=partial(_SampledDeals, game, searches),
        reason=lambda view, moves, sums: plain_reason([game.text(view, move) for move in moves], sums, game.unit),
        no_moves=lambda _view: game.over,
        because=game.because,
    )
