"""The server: waitress, the contract's form for its errors, and a stop that lets running requests finish."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable
from typing import Any

from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer, create_server
from waitress.task import ErrorTask

from api.app import create_app
from api.config import Config
from api.http.errors import error_text, of_status
from api.http.searches import Searches
from api.starting.readiness import Readiness

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
    """A server on sockets that are bound. `run` returns after `stop`, which any thread or signal handler may call.

    Questions about games that `readiness` calls unready are put off. `stopping` is called when the server begins
    to stop.
    """

    def __init__(
        self,
        sockets: list[socket.socket],
        config: Config,
        readiness: Readiness,
        stopping: Callable[[], None] = lambda: None,
    ) -> None:
        self._config = config
        self._stopping = stopping
        self._searches = Searches(config.searches, config.waiting)
        self._asked_to_stop = 0
        self._sockets: dict[int, Any] = {}
        self._waitress: BaseWSGIServer = create_server(
            create_app(config, self._searches, readiness),
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
        self._stopping()
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
