"""One connection: how long its client may take, and how it is ended when it takes longer."""

from __future__ import annotations

import itertools
import logging
import socket
import threading
import time
from dataclasses import dataclass
from typing import Any

from waitress.channel import HTTPChannel
from waitress.task import ErrorTask

from api.http.errors import error_text, of_status
from api.http.guard import PLAIN
from api.scheduling.turns import client_of

log = logging.getLogger(__name__)

_LINGER_SECONDS = 2.0  # how long what a client still sends is thrown away, so that our last answer reaches it
_SMALL_BYTES = 1024
_SMALL_PIECES = 4  # so many small pieces of one request are read as they come; a client that drips more waits
_REST_SECONDS = 0.5
_LEAST_BYTES = 16_384  # what a client has to take of its answer within the time for writing

_NUMBERS = itertools.count()
_served = threading.local()  # `channel`: whose request this thread answers
_REASONS = {408: "Request Timeout", 503: "Service Unavailable"}


@dataclass(frozen=True, slots=True)
class Patience:
    """How many seconds a client may take: for the header of a request, from the connection or its first byte; for
    the body; to the next request; and to take some more of its answer."""

    header: float
    body: float
    idle: float
    writing: float


class ContractErrorTask(ErrorTask):  # type: ignore[misc]
    """Waitress's own errors, for what is not HTTP or too large to read, in the contract's form."""

    def execute(self) -> None:
        error = self.request.error
        body = error_text(*of_status(error.code, str(error.body))).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers += [("Content-Type", "application/json"), *PLAIN.items()]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.channel.unread = True
        self.write(body)


def served_here() -> Channel | None:
    """The connection whose request this thread answers."""
    return getattr(_served, "channel", None)


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection of waitress, with deadlines. `late` is called from time to time by the thread of the loop."""

    error_task_class = ContractErrorTask
    requests: list[Any]

    def __init__(self, server: Any, sock: socket.socket, addr: Any, adj: Any, map: Any = None) -> None:
        self.client = client_of(addr[0])
        self.number = next(_NUMBERS)
        self.since = time.monotonic()  # when the wait for the client began
        self.unread = False  # whether the client may still be sending what is not read any more
        self._lingering = False
        self._rests = False
        self._pieces = 0  # how many small pieces the request that arrives has come in
        self._sent = 0  # bytes, in all
        self._mark: tuple[float, int] | None = None  # when so much was sent, while output waits
        self._answered = False
        super().__init__(server, sock, addr, adj, map=map)
        server.clients.add(self)

    @property
    def restless(self) -> bool:
        """Whether another thread may change what this channel wants of its socket."""
        return bool(self.requests or self.total_outbufs_len or self.will_close or self.close_when_flushed)

    @property
    def running(self) -> bool:
        """Whether a request runs or waits for its turn."""
        return bool(self.requests)

    @property
    def waits(self) -> bool:
        """Whether it is only the client that is waited for, to send a request or the rest of one."""
        return not self.restless

    @property
    def idle(self) -> bool:
        """Whether no request is running, arriving, or being answered."""
        return self.waits and self.request is None

    def readable(self) -> bool:
        return not self._rests and super().readable()

    def handle_read(self) -> None:
        if self._lingering:
            self.recv(self.adj.recv_bytes)  # closes the channel when the client has closed it
        else:
            super().handle_read()

    def received(self, data: bytes) -> bool:
        before, headed = self.request, self.request is not None and self.request.headers_finished
        found: bool = super().received(data)
        arriving = self.request
        if arriving is None or arriving is not before:
            self.since, self._pieces = time.monotonic(), 0
        elif arriving.headers_finished and not headed:
            self.since = time.monotonic()
        else:
            self._pieces += len(data) < _SMALL_BYTES
            if self._pieces > _SMALL_PIECES and not self._rests:
                self._rests = True
                self.server.sockets.rest(self, _REST_SECONDS)
        return found

    def rested(self) -> None:
        self._rests = False

    def send_continue(self) -> None:
        request: Any = self.request
        if request.completed:  # without a body: waitress would go on waiting for one
            request.expect_continue = False
        else:
            super().send_continue()

    def send(self, data: bytes, do_close: bool = True) -> int:
        sent: int = super().send(data, do_close)
        self._sent += sent or 0
        return sent

    def service(self) -> None:
        self._answered = True
        _served.channel = self
        request = self.requests[0]
        if request.error and not hasattr(request, "path"):
            request.path = ""  # waitress names it in its log when the client has gone
        try:
            super().service()
        except Exception:  # the request would stay for ever, and the connection with it
            log.exception("a connection failed")
            with self.requests_lock:
                self.requests = []
                self.close_when_flushed = True
            self.server.pull_trigger()
        self.since = time.monotonic()
        _served.channel = None

    def late(self, now: float, patience: Patience) -> None:
        """Give up a client who has taken too long; `now` is of the monotonic clock."""
        if self._lingering:
            if now - self.since > _LINGER_SECONDS:
                self.handle_close()
        elif self.total_outbufs_len:
            if self._mark is None or self._sent - self._mark[1] >= _LEAST_BYTES:
                self._mark = now, self._sent
            elif now - self._mark[0] > patience.writing:
                self.handle_close()
        elif self.running or self.restless:
            self._mark = None
        elif self.request is None:
            self._mark = None
            if now - self.since > (patience.idle if self._answered else patience.header):
                self.handle_close()
        else:
            self._mark = None
            headed = self.request.headers_finished
            seconds = patience.body if headed else patience.header
            if now - self.since > seconds:
                self.give_up(
                    408, "timeout", f"the {'body' if headed else 'header'} did not arrive in {seconds:g} s"
                )

    def give_up(self, status: int, code: str, message: str) -> None:
        """Answer the request that arrives with an error, and close. A client that sent nothing hears nothing."""
        if self.request is not None and self.waits:
            self.unread = True
            self.say(status, code, message)
        self.handle_close()

    def say(self, status: int, code: str, message: str) -> None:
        """Send an error past all queues, as far as the socket takes it at once."""
        body = error_text(code, message).encode()
        head = (
            f"HTTP/1.1 {status} {_REASONS[status]}\r\nConnection: close\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n"
        )
        more = PLAIN | ({"Retry-After": "1"} if status == 503 else {})
        lines = "".join(f"{name}: {value}\r\n" for name, value in more.items())
        self.send(f"{head}{lines}\r\n".encode() + body, do_close=False)

    def handle_close(self) -> None:
        if self.unread and self.connected:
            self.unread = False
            try:
                self.socket.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            else:
                # To close now would reset the connection, and the client might never see our answer.
                self._lingering, self.since = True, time.monotonic()
                self._rests = self.will_close = self.close_when_flushed = False
                self.request = None
                self.requests = []
                self.server.sockets.look_at(self)
                return
        super().handle_close()

    def end(self) -> None:
        """Close at once, whatever is still to be sent or read."""
        self.unread = False
        self.handle_close()

    def del_channel(self, map: Any = None) -> None:
        super().del_channel(map)
        self.server.clients.remove(self)
