"""The hints of a plain trick game: worlds drawn uniformly, played on or solved by the rules of its search.

What a game has brought to its analysis (`solver.tricks.plain.analysis.PlainGame`) is enough:

    SAMPLER = plain_sampler(GAME, search, KnownPosition, unit=("trick", "tricks"))

    def hint(view, control, *, worlds=None, seed=0):
        return SAMPLER.hint(view, control, worlds=worlds, seed=seed)

`solver.hints.trick_sampler` says how the hints come about.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from solver.hints.sampled import Sampler
from solver.hints.trick_sampler import EXACT_TRICKS, TrickGame, trick_sampler
from solver.kernels.arrays import Words
from solver.search.switches import ATTEMPTS
from solver.search.tricks.score_search import ScoreSearch
from solver.search.tricks.words import NEED, SWITCHES
from solver.tricks.moves import legal_cards
from solver.tricks.plain import positions
from solver.tricks.plain.analysis import PlainGame
from solver.tricks.plain.causes import because
from solver.tricks.plain.positions import KnownPosition, View
from solver.tricks.plain.state import State
from solver.tricks.rules import Masks


@dataclass(frozen=True, slots=True)
class World:
    """A view, and the hands that the seats may have."""

    view: View
    hands: Masks

    @property
    def state(self) -> State:
        """The round, as it would be then."""
        past = self.view.past
        return State(past.rules, self.hands, self.view.leader, self.view.plays, past.won)


def plain_sampler(
    game: PlainGame[Any, State, int],
    search: Callable[[], ScoreSearch],
    kind: type[KnownPosition],
    *,
    policy: Callable[..., int] | None = None,
    exact_tricks: int = EXACT_TRICKS,
    unit: tuple[str, str] = ("point", "points"),
) -> Sampler[View, int]:
    """What makes the hints of a game whose positions with every card known are of a `kind`.

    ``search()`` is its score search. The others are those of `solver.hints.trick_sampler.TrickGame`.
    """

    def encode(world: World) -> tuple[Words, Words]:
        encoded = game.encode(world.state, world.view.seat, False)
        encoded.deal[SWITCHES] &= ~ATTEMPTS  # they pay where nobody works against the player
        encoded.start[NEED] = -encoded.won
        return encoded.deal, encoded.start

    return trick_sampler(
        TrickGame[View, int, World](
            name=game.form.game,
            legal_moves=legal_cards,
            text=lambda view, card: view.trick_rules.name(card),
            position=World,
            view_of=lambda world, seat: positions.view(positions.with_hands(kind, world.view, world.hands), seat),
            encode=encode,
            search=search,
            policy=policy,
            exact_tricks=exact_tricks,
            unit=unit,
            because=partial(because, unit=unit[1]),
        )
    )
