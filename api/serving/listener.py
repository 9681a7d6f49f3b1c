"""The server: waitress over a loop of our own, and a stop that lets running requests finish."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer

from api.apart.process import Process
from api.app import create_app
from api.config import Config
from api.http.searches import Run, Searches
from api.scheduling.precedence import Precedence
from api.serving.channel import Channel, Patience, served_here
from api.serving.clients import Clients, allowed
from api.serving.sockets import Sockets
from api.serving.workers import Workers
from api.starting.readiness import Readiness

log = logging.getLogger(__name__)

_LOOK_SECONDS = 0.1  # between two looks whether the running requests are done
_SWEEP_SECONDS = 0.5  # between two looks for clients who take too long
_RETURN_SECONDS = 5.0  # a search that is told to stop returns the best so far well within this
_ARRIVAL_SECONDS = 1.0  # after a stop, what has been sent already arrives within this
_ACCEPTED = 32  # connections at most, in one turn of the loop
_BUFFER_BYTES = 1 << 20  # of an answer that its client has not taken yet; who adds more to it waits
_HEADER_BYTES = 1 << 16


class _Acceptor(TcpWSGIServer):  # type: ignore[misc]
    """The listening socket: it lets connections in, as long as there are not too many."""

    channel_class = Channel
    clients: Clients
    sockets: Sockets

    def readable(self) -> bool:
        return bool(self.accepting)

    def pull_trigger(self) -> None:
        """Wake the loop. A thread that answers a request has changed what its connection wants."""
        channel = served_here()
        if channel is not None:
            self.sockets.changed(channel)
        super().pull_trigger()

    def handle_accept(self) -> None:
        for _ in range(_ACCEPTED):
            try:
                taken = self.accept()
                if taken is None:
                    return
                self.set_socket_options(taken[0])
            except OSError as found:  # the client has gone already, or the system has no more of something
                log.info("a connection could not be taken: %s", found)
                return
            self.clients.make_room(Channel(self, taken[0], taken[1], self.adj, map=self.sockets))


class Server:
    """A server on a socket that is bound. `run` returns after `stop`, which any thread or signal handler may call.

    Questions about games that `readiness` calls unready are put off. `stopping` is called when the server begins
    to stop. What takes long is searched for in the process `apart`.

    Raises RequestError where the system lets no threads be started.
    """

    def __init__(
        self,
        bound: socket.socket,
        config: Config,
        readiness: Readiness,
        stopping: Callable[[], None] = lambda: None,
        apart: Process | None = None,
    ) -> None:
        self._config = config
        self._patience = Patience(
            config.header_seconds, config.body_seconds, config.idle_seconds, config.writing_seconds
        )
        self._stopping = stopping
        precedence = Precedence()
        self._workers = Workers(config.threads, precedence)
        config = config.with_threads(self._workers.count)
        self._searches = Searches(config.searches, config.waiting, precedence, apart)
        self._asked_to_stop = 0
        self._swept = time.monotonic()
        self._sockets = Sockets()
        adjustments = Adjustments(
            sockets=[bound],
            # Sockets of busy channels are watched too: that is how a client's leaving is seen.
            channel_request_lookahead=1,
            max_request_header_size=_HEADER_BYTES,
            max_request_body_size=config.max_body_bytes + 1,
            outbuf_high_watermark=_BUFFER_BYTES,
            log_socket_errors=False,
            ident="athanor",
        )
        self._acceptor = _Acceptor(
            create_app(config, self._searches, readiness),
            self._sockets,
            _sock=bound,
            dispatcher=self._workers,
            adj=adjustments,
            sockinfo=(bound.family, bound.type, bound.proto, bound.getsockname()),
            bind_socket=False,
        )
        self._acceptor.sockets = self._sockets
        self._acceptor.clients = Clients(allowed(config.connections), config.client_connections)

    def stop(self) -> None:
        """Take no new connections, and let running requests finish; a second call ends their searches."""
        self._asked_to_stop += 1
        self._acceptor.pull_trigger()

    @property
    def search(self) -> Run:
        """Does a search that may take long where it disturbs nobody."""
        return self._searches.run

    def charge(self, client: str, seconds: float) -> None:
        """Count processor time that was used for a client elsewhere."""
        self._searches.charge(client, seconds)

    def owing(self) -> list[str]:
        """The clients who owe as much processor time as they may use."""
        return self._searches.owing()

    def run(self) -> None:
        """Serve until `stop`."""
        self._searches.watch()
        while not self._asked_to_stop:
            self._turn(_SWEEP_SECONDS)
        self._stopping()
        self._searches.stopping.set()
        self._turn(0)  # who has connected already is let in,
        wasyncore.dispatcher.close(self._acceptor)  # the listening socket alone is closed,
        self._turn(0)  # and what they have sent already is read
        if not self._drain(self._config.grace_seconds, impatient=True):
            log.warning("requests still run after the grace period; their searches are ended")
            self._searches.cancel_all()
            for channel in self._channels():
                if not channel.running:  # who has not read the whole answer by now is not waited for
                    channel.end()
            self._drain(_RETURN_SECONDS)
        for channel in self._channels():
            channel.end()
        self._workers.shutdown()
        self._sockets.close()

    def _channels(self) -> list[Channel]:
        return list(self._acceptor.active_channels.values())

    def _turn(self, seconds: float) -> None:
        self._sockets.turn(seconds)
        now = time.monotonic()
        if now - self._swept >= _SWEEP_SECONDS:
            self._swept = now
            for channel in self._channels():
                channel.late(now, self._patience)

    def _drain(self, seconds: float, *, impatient: bool = False) -> bool:
        """Go on until no request runs (True), at most `seconds`, or when asked again to stop."""
        begun = time.monotonic()
        while (now := time.monotonic()) < begun + seconds and not (impatient and self._asked_to_stop > 1):
            for channel in self._channels():
                if channel.idle:
                    channel.end()
                elif channel.waits and now - begun > _ARRIVAL_SECONDS:
                    channel.give_up(503, "stopping", "the service is stopping")
            if not self._acceptor.active_channels:
                return True
            self._turn(_LOOK_SECONDS)
        return not self._acceptor.active_channels
