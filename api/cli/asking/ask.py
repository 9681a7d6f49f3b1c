"""One question of a command, from its input to what is printed."""

from __future__ import annotations

import sys
import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from api.cli.asking.question import Question
from api.cli.terminal.failures import INTERRUPTED, CommandFailure, about
from api.cli.terminal.interrupts import cancel_on_interrupt

if TYPE_CHECKING:
    from solver.limits import ProgressCallback

_LABEL = "searching"


def ask(question: Question, *, local: bool, picture_path: str | None = None) -> None:
    """Print the answer to a question: a running service's, unless there is none or `local` says not to ask.

    Raises CommandFailure for a question that cannot be answered.
    """
    if local or not _ask_a_service(question, picture_path):
        _answer_here(question, picture_path)


def _ask_a_service(question: Question, picture_path: str | None) -> bool:
    from api.cli.asking.client import ask as ask_service
    from api.cli.terminal.console import Terminal

    terminal = Terminal.here()
    if terminal is None:
        return False
    with cancel_on_interrupt() as cancel:
        with _Bar() as bar:
            found = ask_service(question, terminal, cancel, bar.move)
        if found is None:
            if cancel.is_set():
                raise KeyboardInterrupt
            return False
        if "failure" in found:
            raise CommandFailure(found["failure"])
        _keep(picture_path, found["picture"])
        sys.stdout.write(found["out"])
        sys.stdout.flush()
        _end(cancel)
    return True


def _answer_here(question: Question, picture_path: str | None) -> None:
    from api.cli.asking import work
    from api.cli.terminal.console import output, searching
    from api.cli.terminal.interrupts import apart
    from athanor.questions import position_of

    with about(question.name):
        position = position_of(question.content)
    with cancel_on_interrupt() as cancel:
        with about(question.name), searching(_LABEL) as progress:
            found = apart(lambda: work.answer(question, position, cancel, progress))
        _keep(picture_path, work.picture(position, found) if question.pictured else None)
        write = sys.stdout.write
        work.tell(question, position, found, cut=cancel.is_set(), console=output, write=write)
        _end(cancel)


def _keep(path: str | None, picture: str | None) -> None:
    if path is not None and picture is not None:
        from api.cli.terminal import outputs

        outputs.write(path, picture)


def _end(cancel: threading.Event) -> None:
    if cancel.is_set():
        click.get_current_context().exit(INTERRUPTED)


class _Bar:
    """A bar on a terminal for the work of a service, from when it is clear that this takes a moment."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._report: ProgressCallback | None = None
        self._drawn = False

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *found: object) -> None:
        self._stack.close()

    def move(self, progress: list[Any] | None) -> None:
        """Draw the bar, and move it to where the search is, if that is known."""
        if not self._drawn:
            from api.cli.terminal.console import searching

            self._drawn = True
            self._report = self._stack.enter_context(searching(_LABEL))
        if self._report is not None and progress is not None:
            from solver.limits import Progress

            self._report(Progress(*progress))
