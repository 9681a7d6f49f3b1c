"""The part of a running service that works for the user's own commands, at a socket that only the user can reach.

A command has no limit of time unless it asks for one, and gets what it would print: so this is no part of the
HTTP interface, where others may ask.
"""

from __future__ import annotations

import io
import json
import logging
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from api.cli.asking import work
from api.cli.asking.places import SUFFIX, folder, private, service_name
from api.cli.asking.question import KINDS, Question
from api.cli.terminal.console import Terminal, output
from api.cli.terminal.failures import CommandFailure, about
from api.http.errors import BusyError
from api.http.searches import Run
from solver.errors import AthanorError
from solver.limits import MOST_WORLDS, Limit, Progress, started

log = logging.getLogger(__name__)

_MOST_AT_ONCE = 32  # further commands work by themselves
_LONGEST = 1 << 26  # bytes of a question
_ELSEWHERE = {"elsewhere": True}  # the command shall work by itself


@contextmanager
def opened(name: str | None, ready: Callable[[str], bool], run: Run) -> Iterator[None]:
    """Within this, commands are answered that look for a service of this name, for games that are `ready`.

    `run` does their searches.

    Nothing happens where there can be no such socket, or when the sources were edited since `name` was made.
    """
    place = folder()
    if place is None or name is None or name != service_name():
        yield
        return
    path = os.path.join(place, f"{name}-{os.getpid()}{SUFFIX}")
    try:
        listening = _listening(place, path)
    except OSError as found:
        log.info("commands cannot ask this service: %s", found)
        yield
        return
    desk = Desk(listening, ready, run)
    try:
        yield
    finally:
        with suppress(OSError):
            os.unlink(path)
        desk.close()


def _listening(place: str, path: str) -> socket.socket:
    """A socket at this path, in a folder that is private. Raises OSError."""
    with suppress(FileExistsError):
        os.mkdir(place, 0o700)
    if not private(place):
        raise PermissionError(f"{place} is open to others")
    _remove_dead(place)
    listening = socket.socket(socket.AF_UNIX)
    try:
        listening.bind(path)
        listening.listen(_MOST_AT_ONCE)
    except OSError:
        listening.close()
        raise
    return listening


def _remove_dead(place: str) -> None:
    """Remove the sockets of services that have ended without doing so."""
    for name in os.listdir(place):
        path = os.path.join(place, name)
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(0.1)
            try:
                probe.connect(path)
            except ConnectionRefusedError:
                with suppress(OSError):
                    os.unlink(path)
            except OSError:
                continue


class Desk:
    """Answers the commands that connect to a listening socket, each in a thread of its own."""

    def __init__(self, listening: socket.socket, ready: Callable[[str], bool], run: Run) -> None:
        self._listening = listening
        self._ready = ready
        self._run = run
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._closed = False
        threading.Thread(target=self._accept, name="desk", daemon=True).start()

    def close(self) -> None:
        """Take no more commands, and end the work for those that are there: they go on by themselves."""
        with self._lock:
            self._closed = True
            there = [self._listening, *self._open]
        for connection in there:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            with self._lock:
                if self._closed or len(self._open) >= _MOST_AT_ONCE:
                    connection.close()
                    continue
                self._open.add(connection)
            if not started(threading.Thread(target=self._serve, args=(connection,), name="command", daemon=True)):
                with self._lock:
                    self._open.discard(connection)
                connection.close()

    def _serve(self, connection: socket.socket) -> None:
        cancel = threading.Event()
        sending = threading.Lock()

        def send(data: dict[str, Any]) -> None:
            try:
                with sending:
                    connection.sendall(json.dumps(data).encode() + b"\n")
            except OSError:
                cancel.set()

        def watch() -> None:
            with suppress(OSError):
                connection.recv(1)  # nothing comes but the end
            cancel.set()

        try:
            with connection.makefile("rb") as stream:
                line = stream.readline(_LONGEST)
            asked = json.loads(line)
            send({"begun": True})
            threading.Thread(target=watch, name="watch", daemon=True).start()
            send(self._answer(asked, cancel, send))
        except Exception:  # whatever went wrong here, the command can do by itself
            log.debug("a command goes on by itself", exc_info=True)
            send(_ELSEWHERE)
        finally:
            with self._lock:
                self._open.discard(connection)
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)  # which also ends the watching
            connection.close()

    def _answer(
        self, asked: dict[str, Any], cancel: threading.Event, send: Callable[[dict[str, Any]], None]
    ) -> dict[str, Any]:
        """What the command is to print, its picture if that is wished, or the message of its failure."""
        from athanor.questions import position_of
        from solver.positions import game_of

        question = Question.from_dict(asked["question"])
        terminal = Terminal.from_dict(asked["terminal"])
        if question.kind not in KINDS or (question.options.get("worlds") or 0) > MOST_WORLDS:
            return _ELSEWHERE  # so many worlds may take more memory than a service should risk

        def progress(found: Progress) -> None:
            send({"progress": [found.nodes, found.seconds, found.done, found.stage]})

        try:
            with about(question.name):
                position = position_of(question.content)
            if not self._ready(game_of(position).name):
                return _ELSEWHERE
            with about(question.name):
                found = self._run(work.Answering(question, position), Limit(), cancel, progress)
            picture = work.picture(position, found) if question.pictured else None
        except CommandFailure as failure:
            return {"failure": failure.message}
        except BusyError:  # the process that searched has ended
            return _ELSEWHERE
        except AthanorError as failure:
            return {"failure": str(failure)}
        out = _Recorded(terminal)
        console = lambda: output(out, terminal)  # noqa: E731
        work.tell(question, position, found, cut=cancel.is_set(), console=console, write=out.write)
        return {"out": out.getvalue(), "picture": picture}


class _Recorded(io.StringIO):
    """What is printed for a command, as on the command's own output."""

    def __init__(self, terminal: Terminal) -> None:
        super().__init__()
        self._terminal = terminal

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._terminal.encoding

    def isatty(self) -> bool:
        return self._terminal.tty
