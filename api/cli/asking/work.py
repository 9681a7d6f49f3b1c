"""The work behind a question: what a command does by itself, and a service for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from api.apart.wire import Portable
from solver.common import visible

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console

    from api.cli.asking.question import Question
    from solver.limits import Limit, ProgressCallback


def answer(
    question: Question, position: BaseModel, cancel: threading.Event, progress: ProgressCallback | None
) -> Any:
    """The answer to a question about its position. Raises AthanorError."""
    import athanor

    asks: dict[str, Callable[..., Any]] = {
        "analyze": athanor.analyze,
        "hint": athanor.hint,
        "compound": athanor.compound,
    }
    return asks[question.kind](position, cancel=cancel, progress=progress, **question.options)


@dataclass(frozen=True, slots=True)
class Answering(Portable):
    """The search of an answer, which has a limit of its own, if any."""

    written: ClassVar[bool] = False
    question: Question
    position: BaseModel

    def __call__(self, limit: Limit, cancel: threading.Event, progress: ProgressCallback | None) -> Any:
        return answer(self.question, self.position, cancel, progress)


def picture(position: BaseModel, found: Any) -> str:
    """The picture of a compounding, as SVG."""
    from solver.positions import compounder

    return compounder(position).picture(position, found)


def tell(
    question: Question,
    position: BaseModel,
    found: Any,
    *,
    cut: bool,
    console: Callable[[], Console],
    write: Callable[[str], object],
) -> None:
    """Print an answer as JSON with `write`, or as tables on a console. `cut`: Ctrl-C ended the search."""
    if question.as_json:
        write(visible(found.to_json()) + "\n")
    elif question.kind == "compound":
        from api.cli.asking.compounds import show_compound

        show_compound(console(), position, found, every=question.every)
    else:
        from api.cli.terminal.answers import show

        show(console(), position, found, every=question.every, cut=cut)
