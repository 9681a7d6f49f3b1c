"""Questions about one position: its analysis, a hint, the best compounding."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from athanor.reading import control_of, limit_of, position_of, rules_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import BaseModel

    from athanor.reading import PositionLike
    from solver.common.control import Control, Limit, ProgressCallback
    from solver.protocol.answers import Analysis, Hint
    from solver.protocol.compounding import CompoundAnalysis

A = TypeVar("A")

_loaded: set[tuple[str, ...]] = (
    set()
)  # games, or kinds of questions about kinds of positions, with kernels at hand


def analyze(
    position: PositionLike,
    *,
    model: str | None = None,
    player: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    cancel: threading.Event | None = None,
) -> Analysis:
    """The exact value of a position with every card known, and of each of its moves, best first.

    `model` says how the others play, in games that have models (``paranoid`` is the default, then ``ally`` and
    ``maxn``); `player` whose score the value is, by default that of the seat to move. Without a limit the search
    goes on until all is proved. A limit of `seconds` or of `nodes` (or both, as `limit`) ends it early: then the
    answer is not `exact`, its `bounds` hold what is proved, and `best` is the best move found. Loading kernels
    is no part of the time. `progress` is called now and then with how far the search is, `cancel` ends it when
    it is set by another thread.

    Raises PositionError for a position that breaks the rules, RequestError for a question that cannot be asked
    of it.
    """
    known = position_of(position)
    bounded = limit_of(limit, seconds, nodes)
    rules = rules_of(known)
    return _asked(
        known, "analyze", lambda control: rules.analyze(known, control, model=model, player=player),
        bounded, cancel, progress,
    )  # fmt: skip


def hint(
    view: PositionLike,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    worlds: int | None = None,
    seed: int = 0,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    cancel: threading.Event | None = None,
) -> Hint:
    """The best move for a player who sees only some of the cards, and why, in a sentence.

    Where cards are hidden, layouts of them that fit what was seen are drawn and played out: `worlds` is how many
    at most. The same `seed` with the same limit of `nodes` or `worlds` gives the same hint. `seconds`, `limit`,
    `progress` and `cancel` are as for `analyze`.

    Raises PositionError for a view that breaks the rules, RequestError for a position that cannot be hinted,
    such as one with every card known.
    """
    seen = position_of(view)
    bounded = limit_of(limit, seconds, nodes)
    rules = rules_of(seen)
    return _asked(
        seen,
        "hint",
        lambda control: rules.hint(seen, control, worlds=worlds, seed=seed),
        bounded,
        cancel,
        progress,
    )


def compound(
    position: PositionLike,
    *,
    must: Sequence[str] = (),
    without: Sequence[str] = (),
    best: int = 1,
    missing: bool = False,
    seconds: float | None = None,
    nodes: int | None = None,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    cancel: threading.Event | None = None,
) -> CompoundAnalysis:
    """The recipes that make most of a set of won cards.

    The position is like ``{"game": "king", "deck": "house", "cards": ["F10", "W7", "F11"]}``.

    The cards of `must` are used, as a carrier or as an ingredient, those of `without` are not (their own points
    count). `best` is how many different ways are told, `missing` whether the other cards of the deck are ranked by
    what they would add. The limits are as for `analyze`.

    Raises PositionError for cards that are not in the deck, RequestError for wishes that cannot be met.
    """
    from solver.positions import compounder
    from solver.protocol.compounding import Wishes

    cards = position_of(position)
    bounded = limit_of(limit, seconds, nodes)
    rules = compounder(cards)
    wishes = Wishes(must, without, best, missing)
    return _asked(
        cards, "compound", lambda control: rules.answer(cards, control, wishes), bounded, cancel, progress
    )


def warm(name: str) -> None:
    """Load every kernel of a game now, so that no question waits for it. Compiles them where there are none yet.

    Raises RequestError for a game that there is not.
    """
    from solver import registry

    if (name,) not in _loaded:
        registry.game(name).warm()
        _loaded.add((name,))


def _asked(
    position: BaseModel,
    kind: str,
    ask: Callable[[Control], A],
    limit: Limit,
    cancel: threading.Event | None,
    progress: ProgressCallback | None,
) -> A:
    """The answer to a question, whose clock starts when the kernels are loaded.

    With a limit of time all kernels of the game are loaded before, since a search may need any of them. Else those
    that a search of one node needs will do: then the time that is told in the answer is about the search's own.
    """
    from solver.common.control import Limit

    name: str = position.game  # type: ignore[attr-defined]
    if limit.seconds is not None:
        warm(name)
    else:
        question = (name, kind, type(position).__name__)
        if (name,) not in _loaded and question not in _loaded:
            ask(control_of(Limit(nodes=1), cancel))
            _loaded.add(question)
    return ask(control_of(limit, cancel, progress))
