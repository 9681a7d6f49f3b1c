"""Ready-made hints for any trick game that the score search supports: `trick_sampler`.

Worlds are drawn uniformly from the deals that agree with what a seat sees: the sizes of the other hands, and the
cards that seats are known not to hold. After each legal move the round is played to its end, with the rules of the
search: all seats play as the game's `policy` says. The mean over the worlds is the move's score for the side of
the seat that asks.

A game that knows more, such as how its players choose, makes its own `Sampler`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from solver.common import members
from solver.hints.causes import Noted, Told, Witness
from solver.hints.ranking import POINTS, Lead, Unit
from solver.hints.sampled import Sampler
from solver.hints.worlds import HiddenCards, may_hold
from solver.kernels.rng import start_stream
from solver.kernels.words import Floats, Words
from solver.search.trick_rules import MOST_MOVES, NEED, STATE_WORDS, ScoreRules, listed, play


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

    ``encode(position)`` gives the words of its deal and of its node for the score search, with the game's `rules`.
    The seat to move is on the maximizing side, and the node's word `NEED` is minus the points that side already
    has. `policy` is a kernel that chooses the cards (see the function `policy` below).

    `unit` is the unit of the scores. `because` finds the causes of a clear margin (see `Sampler`); each world's
    hands are recorded for it, as bit sets by seat.
    """

    name: str
    legal_moves: Callable[[ViewT], Sequence[M]]
    text: Callable[[ViewT, M], str]
    position: Callable[[ViewT, tuple[int, ...]], P]
    view_of: Callable[[P, int], ViewT]
    encode: Callable[[P], tuple[Words, Words]]
    rules: ScoreRules
    policy: Callable[..., int]
    unit: Unit = POINTS
    because: Callable[[ViewT, Sequence[M], Noted, Lead, Any], Sequence[Told]] | None = None

    @cached_property
    def try_moves(self) -> Callable[[Words, Words, Words, Words, Floats], int]:
        """The template `try_moves`, instantiated for the game."""
        made = self.rules.instances({"policy": self.policy})
        made.of(play_out)
        return made.of(try_moves)


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


# ----------------------------------------------------------------------------------------------------
# Rounds played to their end. Templates, but for `policy`.
#
# They are instantiated with a game's rules over words (`solver.search.trick_rules`), `listed` and `play`, and its
# `policy`. The score of a finished game is what the maximizing side has won since the node's word `NEED` was 0.


def policy(deal: Words, state: Words, at: int, out: Words, to: int, random: Words) -> int:
    """Return the card that the seat to move plays in the node at `state[at]`.

    Each game has its own kernel for this. The card must be legal, and should depend only on what that seat sees:
    its hand, the trick, and which cards were played. The more these players are like people, the better are
    hints; some of their cards should be random. `out` has room to list the legal cards from index `to` on, and
    `random` is the state of a random number generator.
    """
    raise NotImplementedError


def play_out(deal: Words, work: Words, at: int, other: int, out: int, random: Words) -> int:
    """Play the game from the node at index `at` of `work` to its end, and return the maximizing side's score.

    `work` has room for another node at index `other`, and for moves at index `out`.
    """
    while listed(deal, work, at, work, out) > 0:
        move = policy(deal, work, at, work, out, random)
        play(deal, work, at, work, other, move)
        at, other = other, at
    return int(-work[at + NEED])


def try_moves(deal: Words, node: Words, random: Words, work: Words, results: Floats) -> int:
    """Play out each legal move of a node to the end of the game, with the same random numbers for all moves.

    Writes the scores to ``results[move, 0]``, in canonical order, and returns the number of moves. `work` has room
    for two nodes, and for the moves of two.
    """
    first, second = 0, STATE_WORDS
    legal = 2 * STATE_WORDS
    out = legal + MOST_MOVES
    count = listed(deal, node, 0, work, legal)
    begin = random[0]
    for place in range(count):
        random[0] = begin
        play(deal, node, 0, work, first, work[legal + place])
        results[place, 0] = play_out(deal, work, first, second, out, random)
    return int(count)


class _SampledDeals(Generic[ViewT, M, P]):
    """The `Rollouts` of one view, in deals drawn uniformly."""

    statistics = 1
    chained = False

    def __init__(self, game: TrickGame[ViewT, M, P], view: ViewT, moves: Sequence[M], seed: int) -> None:
        self.moves = len(moves)
        legal = game.legal_moves(view)
        self._legal = len(legal)
        self._judged = [legal.index(move) for move in moves]
        self._game = game
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
        work = np.zeros(2 * (self._game.rules.state_words + self._game.rules.most_moves), np.int64)
        for world in range(len(results)):
            start_stream(random, self._seed, first + world)
            self._hidden.draw(random, places)
            hands = self._deal(places.tolist())
            noted[world] = hands
            deal, node = self._game.encode(self._game.position(self._view, hands))
            count = self._game.try_moves(deal, node, random, work, scores)
            assert count == self._legal
            results[world] = scores[self._judged]
        self.witness.note(first, results, noted)


def trick_sampler(game: TrickGame[ViewT, M, P]) -> Sampler[ViewT, M]:
    """Make the sampler of a trick game: ``trick_sampler(game).hint`` is the game's `hint`."""
    return Sampler(
        game=game.name,
        method="sampled deals",
        legal_moves=game.legal_moves,
        text=game.text,
        rollouts=partial(_SampledDeals, game),
        unit=lambda _view: game.unit,
        because=game.because,
    )
