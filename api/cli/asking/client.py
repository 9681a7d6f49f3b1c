"""Asking a running service. Nothing heavy is imported: that is what makes it quick.

The question goes out as one line of JSON. What comes back are lines too: that the work has begun, then how far it
is, and last the answer as it is to be printed, or that the command shall do the work itself. A client that sends
no more (it half-closes the connection) wants the best so far; one that is gone wants nothing.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from api.cli.asking.places import sockets
from api.cli.asking.question import Question
from api.cli.terminal.console import Terminal

Moved = Callable[[list[Any] | None], None]

_TICK_SECONDS = 0.1  # between two looks for Ctrl-C
_ANSWERS_SECONDS = 0.5  # a service that has not begun by then is too busy, or hangs


def ask(question: Question, terminal: Terminal, cancel: threading.Event, moved: Moved) -> dict[str, Any] | None:
    """The answer of a running service, as `api.cli.asking.desk.Desk` gives it; None when there is none.

    `moved` hears now and then how far the search is, or None when that is not known. `cancel` asks for the best
    so far.
    """
    for path in sockets():
        with suppress(OSError, ValueError), socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(_TICK_SECONDS)
            connection.connect(path)
            asked = {"question": question.to_dict(), "terminal": terminal.to_dict()}
            connection.sendall(json.dumps(asked).encode() + b"\n")
            answer = _answer(connection, cancel, moved)
            if "elsewhere" not in answer:
                return answer
    return None


def _answer(connection: socket.socket, cancel: threading.Event, moved: Moved) -> dict[str, Any]:
    """The last line. Raises OSError when it does not come."""
    since = time.monotonic()
    begun = told = False
    for line in _lines(connection):
        if cancel.is_set() and not told:
            connection.shutdown(socket.SHUT_WR)
            told = True
        if line is None:
            if not begun and time.monotonic() - since > _ANSWERS_SECONDS:
                raise TimeoutError
            moved(None)
            continue
        found: dict[str, Any] = json.loads(line)
        if "progress" in found:
            moved(found["progress"])
        elif "begun" in found:
            begun = True
        else:
            return found
    raise ConnectionError


def _lines(connection: socket.socket) -> Iterator[bytes | None]:
    """What comes, by lines, and None whenever nothing has come for a while."""
    rest = b""
    while True:
        try:
            chunk = connection.recv(1 << 16)
        except TimeoutError:
            yield None
            continue
        if not chunk:
            return
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
