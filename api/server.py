"""The server: waitress, kernels warmed before the port opens, and a stop that lets running requests finish."""

from __future__ import annotations

import logging
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer, create_server
from waitress.task import ErrorTask

import athanor
from api.app import create_app
from api.config import Config
from api.http.errors import error_text, of_status
from api.http.searches import Searches
from api.openapi.document import document_text
from solver.inputs.errors import RequestError

log = logging.getLogger(__name__)

_LOOK_SECONDS = 0.1  # between two looks whether the running requests are done
_RETURN_SECONDS = 5.0  # a search that is told to stop returns the best so far well within this
_DRAINED_BODIES = 8  # bodies up to this many times the limit are read to the end, so that the 413 arrives


class _ContractErrorTask(ErrorTask):  # type: ignore[misc]
    """Waitress's own errors, for what is not HTTP or too large to read, in the contract's form."""

    def execute(self) -> None:
        error = self.request.error
        body = error_text(*of_status(error.code, str(error.body))).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers.append(("Content-Type", "application/json"))
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class _Channel(HTTPChannel):  # type: ignore[misc]
    error_task_class = _ContractErrorTask

    def is_idle(self) -> bool:
        """Whether no request is running, arriving, or being answered."""
        return not (self.requests or self.request is not None or self.total_outbufs_len)


class Server:
    """A server that listens. `run` returns after `stop`, which any thread or signal handler may call."""

    def __init__(self, sockets: list[socket.socket], config: Config) -> None:
        self._config = config
        self._searches = Searches(config.searches, config.waiting)
        self._asked_to_stop = 0
        self._sockets: dict[int, Any] = {}
        self._waitress: BaseWSGIServer = create_server(
            create_app(config, self._searches),
            map=self._sockets,
            sockets=sockets,
            threads=config.threads,
            # Sockets of busy channels are watched too: that is how a client's leaving is seen.
            channel_request_lookahead=1,
            max_request_body_size=_DRAINED_BODIES * config.max_body_bytes,
            asyncore_use_poll=True,
            ident="athanor",
        )
        self._waitress.channel_class = _Channel

    def stop(self) -> None:
        """Take no new connections, and let running requests finish; a second call ends their searches."""
        self._asked_to_stop += 1
        self._waitress.pull_trigger()

    def run(self) -> None:
        """Serve until `stop`."""
        self._searches.watch()
        while not self._asked_to_stop:
            self._turn(1.0)
        self._turn(0)  # who has connected already is let in,
        wasyncore.dispatcher.close(self._waitress)  # the listening socket alone is closed,
        self._turn(0)  # and what they have sent already is read
        if not self._drain(self._config.grace_seconds, impatient=True):
            log.warning("requests still run after the grace period; their searches are ended")
            self._searches.cancel_all()
            self._drain(_RETURN_SECONDS)
        self._waitress.task_dispatcher.shutdown(timeout=1)
        wasyncore.close_all(self._sockets, ignore_all=True)

    def _turn(self, seconds: float) -> None:
        wasyncore.loop(timeout=seconds, use_poll=True, map=self._sockets, count=1)

    def _drain(self, seconds: float, *, impatient: bool = False) -> bool:
        """Go on until no request runs (True), at most `seconds`, or when asked again to stop."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not (impatient and self._asked_to_stop > 1):
            channels: list[_Channel] = list(self._waitress.active_channels.values())
            for channel in channels:
                if channel.is_idle():
                    channel.handle_close()
            if not self._waitress.active_channels:
                return True
            self._turn(_LOOK_SECONDS)
        return not self._waitress.active_channels


def serve(host: str, port: int, config: Config | None = None) -> None:
    """Serve until SIGTERM or Ctrl-C; running requests finish. Raises RequestError when it cannot listen."""
    config = config or Config.from_environ()
    sockets = _bind(host, port)
    # Bound, not yet listening: a taken port is told at once, and no client connects before the kernels are warm.
    print("Loading the kernels (compiled the first time, in a minute or two)", file=sys.stderr, flush=True)
    for name in athanor.games():
        print(f"  {name}", file=sys.stderr, flush=True)
        athanor.game(name).warm()
    document_text(config)
    try:
        server = Server(sockets, config)
    except OSError as found:
        raise _cannot_listen(host, port, found) from None
    with _signals(server):
        print(f"Athanor is ready at {_url(host, sockets[0])}", flush=True)
        server.run()


def _bind(host: str, port: int) -> list[socket.socket]:
    try:
        # IPv4 first: a name like localhost then means what most clients try.
        found = sorted(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE))
        family, kind, protocol, _, address = found[0]
        bound = socket.socket(family, kind, protocol)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
        except OSError:
            bound.close()
            raise
    except (OSError, OverflowError, UnicodeError) as error:
        raise _cannot_listen(host, port, error) from None
    return [bound]


def _cannot_listen(host: str, port: int, found: Exception) -> RequestError:
    reason = (getattr(found, "strerror", None) or str(found)).lower()
    return RequestError("cannot_listen", f"cannot listen on {host} port {port}: {reason}")


def _url(host: str, bound: socket.socket) -> str:
    address = bound.getsockname()
    name = f"[{address[0]}]" if bound.family == socket.AF_INET6 else address[0]
    return f"http://{name}:{address[1]}/"


@contextmanager
def _signals(server: Server) -> Iterator[None]:
    """SIGTERM and Ctrl-C stop the server; only the main thread can have it so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handler(_number: int, _frame: FrameType | None) -> None:
        server.stop()

    before = {number: signal.signal(number, handler) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
