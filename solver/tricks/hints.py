"""The hints of a plain game of tricks (`solver.tricks.plain`), ready-made.

    HINTS = plain_hints("whist", KnownPosition, encode, search)
    hint = HINTS.hint

The game adds what it has for its analysis anyway: its kind of position, the words of a position for the search,
and the search itself. `solver.hints.trick_sampler` says how the hints come about.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from solver.hints.sampled import Sampler
from solver.hints.trick_sampler import EXACT_TRICKS, TrickGame, trick_sampler
from solver.kernels.arrays import Words
from solver.search.tricks.score_search import ScoreSearch
from solver.tricks import plain

K = TypeVar("K", bound=plain.KnownPosition)


def plain_hints(
    name: str,
    kind: type[K],
    encode: Callable[[K], tuple[Words, Words]],
    search: Callable[[], ScoreSearch],
    *,
    policy: Callable[..., int] | None = None,
    exact_tricks: int = EXACT_TRICKS,
    unit: tuple[str, str] = ("trick", "tricks"),
) -> Sampler[Any, int]:
    """What makes the hints of the game `name`, whose positions with every card known are of this `kind`.

    ``encode(position)``, ``search()``, `policy`, `exact_tricks` and `unit` are those of
    `solver.hints.trick_sampler.TrickGame`.
    """
    game = TrickGame[Any, int, K](
        name=name,
        legal_moves=plain.legal_moves,
        text=plain.format_move,
        position=partial(plain.with_hands, kind),
        view_of=plain.view,
        encode=encode,
        search=search,
        policy=policy,
        exact_tricks=exact_tricks,
        unit=unit,
    )
    return trick_sampler(game)
