"""The server: waitress, made strict where HTTP is ambiguous, with a shutdown that lets running requests finish.

Waitress reads requests and sends answers in one thread for all connections, so a slow client blocks no other
thread, and it notices when a client disconnects. A public service needs a proxy in front (docs/deploying.md).
"""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import create_server
from waitress.task import ErrorTask, ThreadedTaskDispatcher, WSGITask

from api.access import PLAIN
from api.config import Config
from api.errors import error_text, of_status
from api.following import FOLLOW, LOOK_SECONDS, Following
from api.search_pool import SearchPool

log = logging.getLogger(__name__)

_LOOK_SECONDS = 0.05  # between two checks whether running requests are done
_TURN_SECONDS = 1.0
_ARRIVAL_SECONDS = 1.0  # after a stop, for data that has already been sent to arrive
_RETURN_SECONDS = 5.0  # more than enough for a stopped search to return the best so far
_BUFFER_BYTES = 1 << 20  # of an answer not yet read by its client; beyond that, writing blocks
_HEADER_BYTES = 1 << 16
_BACKLOG = 1024
_LOOKS = frozenset({"/healthz", "/readyz"})
_LOOKING = 2  # threads reserved for `_LOOKS`
_PIECE_BYTES = 1 << 16  # sent to a follower at once


class _Turns:
    """The queue of requests waiting for a thread: clients take turns, and each client's oldest request comes
    first.
    """

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[_Channel]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def append(self, channel: _Channel) -> None:
        client = channel.requests[0].headers.get("AUTHORIZATION") or str(channel.addr[0])
        self._waiting.setdefault(client, deque()).append(channel)

    def popleft(self) -> _Channel:
        client, channels = next(iter(self._waiting.items()))
        channel = channels.popleft()
        if channels:
            self._waiting.move_to_end(client)
        else:
            del self._waiting[client]
        return channel


class _Dispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]
    """The threads that answer requests, taking clients in turn.

    A few more threads answer only health checks, and one sends news to all followers of jobs.
    """

    def __init__(self, threads: int) -> None:
        super().__init__()
        self.queue = _Turns()
        self.set_thread_count(threads)
        self._looking = ThreadedTaskDispatcher()
        self._looking.set_thread_count(_LOOKING)
        self.followed: SimpleQueue[_Task | None] = SimpleQueue()  # new followers; None: no more
        threading.Thread(target=self._tell, name="following", daemon=True).start()

    def add_task(self, channel: _Channel) -> None:
        if channel.requests[0].path in _LOOKS:
            self._looking.add_task(channel)
        else:
            super().add_task(channel)

    def _tell(self) -> None:
        """Send news to all followers, again and again, until `shutdown`."""
        told: list[_Task] = []
        while True:
            with suppress(Empty):
                task = self.followed.get(timeout=LOOK_SECONDS if told else None)
                while task is not None:
                    told.append(task)
                    task = self.followed.get_nowait()
                return
            told = [task for task in told if task.tell()]

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        self.followed.put(None)
        self._looking.shutdown(cancel_pending, timeout)
        ended: bool = super().shutdown(cancel_pending, timeout)
        return ended


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    """Accepts only requests that no two servers could interpret differently (RFC 9112, 3.2 and 6.3)."""

    path = ""  # non-HTTP data has none, and waitress logs it

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        if "TRANSFER_ENCODING" in self.headers or (self.chunked and "CONTENT_LENGTH" in self.headers):
            raise ParsingError("Transfer-Encoding goes with HTTP/1.1, and without Content-Length")
        host = self.headers.get("HOST")
        if "," in (host or "") or (host is None and self.version == "1.1"):
            raise ParsingError("a request of HTTP/1.1 has one header Host")
        if not self.chunked and not self.content_length:
            self.expect_continue = False  # waitress would wait for a body that never comes


class _HandedOver(BaseException):
    """Raised to free a request's thread although its response goes on."""


class _Task(WSGITask):  # type: ignore[misc]
    """Answers a request with the application. While the service is stopping, each response closes its connection.

    The response to a follower of a job goes on after the request's thread has been freed; `tell` sends it.
    """

    _following: Following | None = None

    def get_environment(self) -> dict[str, Any]:
        found: dict[str, Any] = super().get_environment()
        found[FOLLOW] = self._follow
        return found

    def _follow(self, following: Following) -> None:
        self._following = following

    def write(self, data: bytes) -> None:
        """Send data. The headers are sent together with the first data, so that the client wakes up only once."""
        if self.wrote_header or not data:
            super().write(data)
        else:
            with self.channel.together():
                super().write(data)

    def finish(self) -> None:
        if self._following is None:
            super().finish()
        else:
            self.channel.server.task_dispatcher.followed.put(self)
            raise _HandedOver

    def tell(self) -> bool:
        """Send the follower as much news as the connection can take now, without waiting. Returns whether more may
        come.
        """
        assert self._following is not None
        try:
            if not self.channel.connected:
                raise ClientDisconnected
            self.write(b"")  # the header
            while self.channel.total_outbufs_len < _BUFFER_BYTES // 2:
                pieces, ended = self._pieces(self._following)
                self.write(pieces)
                if ended:
                    super().finish()
                    break
                if not pieces:
                    return True
            else:
                return True
        except (ClientDisconnected, OSError):
            pass
        except Exception:
            log.exception("a follower cannot be told of a job")
        self._following.close()
        self.channel.end()
        return False

    @staticmethod
    def _pieces(following: Following) -> tuple[bytes, bool]:
        """Return a follower's next messages, joined, and whether they are the last ones."""
        found: list[str] = []
        size = 0
        for piece in following:
            found.append(piece)
            size += len(piece)
            if not piece or size > _PIECE_BYTES:
                return "".join(found).encode(), False
        return "".join(found).encode(), True

    def build_response_header(self) -> bytes:
        if self.channel.server.stopping:
            self.set_close_on_finish()
        found: bytes = super().build_response_header()
        return found


class _ContractErrorTask(ErrorTask):  # type: ignore[misc]
    """Sends waitress's own errors, for non-HTTP data or oversized requests, in the documented form."""

    def execute(self) -> None:
        error = self.request.error
        body = error_text(*of_status(error.code, str(error.body))).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers += [("Content-Type", "application/json"), *PLAIN.items()]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class _Channel(HTTPChannel):  # type: ignore[misc]
    parser_class = _Parser
    task_class = _Task
    error_task_class = _ContractErrorTask
    requests: list[Any]
    _pieces: list[bytes] | None = None

    @property
    def idle(self) -> bool:
        """Whether no request is running and no response is being sent."""
        return not (self.requests or self.total_outbufs_len or self.will_close or self.close_when_flushed)

    def writable(self) -> bool:
        """Whether waitress's own thread has something to send.

        Returns False while another thread adds output, since that thread also sends it. Otherwise waitress would
        poll without pause, and other threads would have to wait for the interpreter lock.
        """
        if self.requests and self.total_outbufs_len:
            if not self.outbuf_lock.acquire(False):
                return False
            self.outbuf_lock.release()
        return bool(super().writable())

    @contextmanager
    def together(self) -> Iterator[None]:
        """In the with block, collect what is written; it is sent as one piece at the end."""
        self._pieces = []
        try:
            yield
        finally:
            pieces, self._pieces = self._pieces, None
        super().write_soon(b"".join(pieces))

    def write_soon(self, data: bytes) -> int:
        if self._pieces is None:
            return int(super().write_soon(data))
        self._pieces.append(data)
        return len(data)

    def service(self) -> None:
        with suppress(_HandedOver):
            super().service()

    def end(self) -> None:
        """Close the connection once everything is sent. Called when a follower's response has ended."""
        with self.requests_lock:
            self.close_when_flushed = True
            for request in self.requests:
                request.close()
            self.requests = []
        if self.connected:
            self.server.pull_trigger()


class Server:
    """A server on a bound socket. `run` returns after `stop`, which any thread or signal handler may call."""

    def __init__(self, bound: socket.socket, app: Flask, config: Config, searches: SearchPool) -> None:
        self._grace = config.grace_seconds
        self._searches = searches
        self._asked_to_stop = 0
        self._map: dict[int, Any] = {}
        self._server = create_server(
            app,
            map=self._map,
            _dispatcher=_Dispatcher(config.threads),
            sockets=[bound],
            channel_request_lookahead=1,  # also watch the sockets of busy connections, to notice disconnects
            channel_timeout=config.idle_seconds,
            cleanup_interval=max(1, int(config.idle_seconds / 4)),
            connection_limit=config.connections,
            backlog=_BACKLOG,
            max_request_header_size=_HEADER_BYTES,
            max_request_body_size=config.max_body_bytes + 1,
            outbuf_high_watermark=_BUFFER_BYTES,
            asyncore_use_poll=True,
            log_socket_errors=False,
            ident="athanor",
        )
        self._server.channel_class = _Channel
        self._server.stopping = False
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # waiting requests are not worth a log line

    def stop(self) -> None:
        """Stop accepting connections, and let running requests finish; a second call ends their searches."""
        self._asked_to_stop += 1
        self._server.pull_trigger()

    def run(self, stopping: Callable[[], None] = lambda: None) -> None:
        """Serve until `stop`. `stopping` is called when the shutdown begins."""
        while not self._asked_to_stop:
            self._turn(_TURN_SECONDS)
        self._server.stopping = True
        self._searches.stopping.set()
        stopping()
        self._turn(0)  # accept those who have already connected,
        wasyncore.dispatcher.close(self._server)  # close only the listening socket,
        self._turn(0)  # and read what they have already sent
        if not self._drain(self._grace, impatient=True):
            log.warning("requests still run after the grace period; their searches are ended")
            self._searches.cancel_all()
            self._drain(_RETURN_SECONDS)
        for channel in self._channels():
            channel.handle_close()
        self._server.task_dispatcher.shutdown(timeout=_LOOK_SECONDS)
        self._server.trigger.close()

    def _channels(self) -> list[_Channel]:
        return list(self._server.active_channels.values())

    def _turn(self, seconds: float) -> None:
        wasyncore.loop(timeout=seconds, use_poll=True, map=self._map, count=1)

    def _drain(self, seconds: float, *, impatient: bool = False) -> bool:
        """Serve until no request is running. Returns False if some still run after `seconds` or, with `impatient`,
        when another stop is requested.
        """
        begun = time.monotonic()
        while (now := time.monotonic()) < begun + seconds and not (impatient and self._asked_to_stop > 1):
            for channel in self._channels():
                if channel.idle and (channel.request is None or now - begun > _ARRIVAL_SECONDS):
                    channel.handle_close()
            if not self._server.active_channels:
                return True
            self._turn(_LOOK_SECONDS)
        return not self._server.active_channels
