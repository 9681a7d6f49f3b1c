"""Questions about one position: its analysis, a hint, the best compounding."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from athanor.asking import Asking, answered
from athanor.reading import limit_of, position_of, rules_of

if TYPE_CHECKING:
    from athanor.reading import PositionLike
    from solver.common.control import Limit, ProgressCallback
    from solver.protocol.answers import Analysis, Hint
    from solver.protocol.compounding import CompoundAnalysis


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
    asking = Asking(limit_of(limit, seconds, nodes), cancel, progress)
    rules = rules_of(known)
    return answered(
        asking,
        ("analyze", known),
        lambda control: rules.analyze(known, control, model=model, player=player),
        load=rules.warm,
    )


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
    asking = Asking(limit_of(limit, seconds, nodes), cancel, progress)
    rules = rules_of(seen)
    return answered(
        asking,
        ("hint", seen),
        lambda control: rules.hint(seen, control, worlds=worlds, seed=seed),
        load=lambda: rules.warm(hints=True),
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
    from solver.positions import compounder, text_of
    from solver.protocol.compounding import Wishes

    cards = position_of(position)
    asking = Asking(limit_of(limit, seconds, nodes), cancel, progress)
    question = compounder(cards)
    wishes = Wishes(must, without, best, missing)
    answer = answered(
        asking, ("compound", cards), lambda control: question.answer(cards, control, wishes), load=question.warm
    )
    return answer.model_copy(update={"text": text_of(cards)})
