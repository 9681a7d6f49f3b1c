"""The server: waitress, with errors in the documented form, and a shutdown that lets running requests finish.

Waitress reads requests and sends answers in one thread for all connections, so a slow client holds no thread, and
it notices when a client disconnects. A public service needs a proxy in front (docs/deploying.md).
"""

from __future__ import annotations

import errno
import logging
import re
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from flask import Flask
from waitress import receiver, wasyncore
from waitress.adjustments import Adjustments
from waitress.buffers import OverflowableBuffer
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, ThreadedTaskDispatcher
from waitress.utilities import Error, RequestEntityTooLarge

from api.access import PLAIN, client_of
from api.config import Config
from api.errors import error_text, of_status
from api.job_followers import MOST_FOLLOWERS
from api.logs import REQUESTS
from api.search_pool import SearchPool
from api.tracing import NOWHERE

log = logging.getLogger(__name__)

_LOOK_SECONDS = 0.05  # between two checks whether running requests are done
_TURN_SECONDS = 1.0
_RETURN_SECONDS = 5.0  # more than enough for a stopped search to return the best so far
_EXIT_SECONDS = 1.0  # for idle threads to end
# Of an answer, in one buffer, which goes to a file when full. Of what its client has not read yet: in memory;
# with what lies in files; and of all clients together. Where there is more, writing blocks for as long as the
# client reads.
_BUFFER_BYTES, _MEMORY_BYTES, _UNREAD_BYTES, _ALL_UNREAD_BYTES = 1 << 20, 1 << 21, 1 << 24, 1 << 28
_STALLED_SECONDS = 60.0  # without reading, after which a client that is waited for counts as gone
_HEADER_BYTES = 1 << 16
_MOST_FRAMING = 1 << 18  # bytes around the chunks of a body
_BACKLOG = 1024
# The address space of a thread, which a system may limit. Half of it is enough for the most deeply nested bodies.
_STACK_BYTES = 1 << 20
_SPARE_FILES = 1024  # that the service may have open besides connections: pipes, databases
_SCARCE = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_SCARCE_SECONDS = 1.0  # between two tries to accept a connection while something is scarce
_OPEN_THREADS = 2  # for what is open to all, such as health checks, however many other requests are in progress


# Waitress takes a line feed at the end of a chunk's size, where a proxy may see the end of the line.
for _name in ("ONLY_HEXDIG_RE", "CHUNK_EXT_RE"):
    _pattern = getattr(receiver, _name).pattern.removesuffix(b"$") + rb"\Z"
    setattr(receiver, _name, re.compile(_pattern))

_set_large_buffer = OverflowableBuffer._set_large_buffer


def _keep_in_file(buffer: OverflowableBuffer) -> None:
    """Move what is buffered of a large request or answer to a temporary file, or keep it in memory if that fails:
    there is no temporary folder, or it is full.
    """
    file = buffer.buf.getfile()
    position = file.tell()
    try:
        _set_large_buffer(buffer)
    except OSError as fault:
        log.warning("no temporary file for large requests and answers: %s", fault.strerror)
        file.seek(position)


OverflowableBuffer._set_large_buffer = _keep_in_file


class _ContractErrorTask(ErrorTask):  # type: ignore[misc]
    """Sends waitress's own errors, for non-HTTP data or oversized requests, in the documented form, and logs them
    as other requests are (`api.tracing`).
    """

    def execute(self) -> None:
        error = self.request.error
        record = {
            "request": None,
            "client": client_of(str(self.channel.addr[0])),
            "token": None,
            "method": NOWHERE,
            "address": NOWHERE,
            "status": error.code,
            "milliseconds": 0.0,
            "lane": None,
            "nodes": 0,
        }
        logging.getLogger(REQUESTS).info("a faulty request", extra={"told": record})
        body = error_text(*of_status(error.code, str(error.body))).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers += [("Content-Type", "application/json"), *PLAIN.items()]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class _NoRoomError(Error):  # type: ignore[misc]
    code, reason = 507, "Insufficient Storage"


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    """Refuses requests that a proxy in front may understand otherwise (RFC 9112, sections 3.2, 5.2 and 6.1):
    without the one `Host` that HTTP/1.1 requires, or for another host; with a header on several lines; with a
    `Transfer-Encoding` beside a `Content-Length`, twice, or in HTTP/1.0; with a chunk whose size ends with a bare
    line feed. Also refuses bodies in so many chunks that reading these would take long. The connection is then
    closed.

    Answers a request without a body although it has the header ``Expect: 100-continue``; waitress would wait for
    the body.
    """

    def parse_header(self, header_plus: bytes) -> None:
        try:
            super().parse_header(header_plus)
        except ValueError:
            raise ParsingError("the address is none") from None
        lines = header_plus.split(b"\r\n")[1:]
        if any(line.startswith((b" ", b"\t")) for line in lines):
            raise ParsingError("a header must be on one line")
        self._check_target()
        names = Counter(line.partition(b":")[0].lower() for line in lines)
        if names[b"host"] > 1 or (not names[b"host"] and self.version != "1.0"):
            raise ParsingError("a request needs the header Host, once")
        encodings = names[b"transfer-encoding"]
        if encodings and (encodings > 1 or names[b"content-length"] or self.version != "1.1"):
            raise ParsingError("Transfer-Encoding needs HTTP/1.1, and no Content-Length, once")
        if not self.chunked and not self.content_length:
            self.expect_continue = False

    def received(self, data: bytes) -> int:
        try:
            consumed: int = super().received(data)
        except OSError as fault:
            log.error("a request's body can't be kept in a temporary file: %s", fault.strerror)
            del self.body_rcv  # its file could not be closed in order
            self.error = _NoRoomError("no room is left on the disk for the body")
            self.completed = True
            return len(data)
        if self.chunked and self.body_bytes_received - len(self.body_rcv) > _MOST_FRAMING:
            self.error = RequestEntityTooLarge("the body has too many chunks")
            self.completed = True
        return consumed

    def _check_target(self) -> None:
        """Raise ParsingError unless the address of the request is a path or, with a scheme, that of its `Host`."""
        if self.proxy_scheme or self.proxy_netloc:
            own = self.headers.get("HOST", "").lower()
            if self.proxy_scheme.lower() not in ("http", "https") or self.proxy_netloc.lower() != own:
                raise ParsingError("the address has another host than the header Host")
        elif not self.request_uri.startswith("/") and self.request_uri != "*":
            raise ParsingError("the address must begin with /")
        if "#" in self.request_uri:
            raise ParsingError("an address is sent without its fragment")


class _Channel(HTTPChannel):  # type: ignore[misc]
    parser_class = _Parser
    error_task_class = _ContractErrorTask

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

    def _flush_outbufs_below_high_watermark(self) -> None:
        """Wait for a client that has much to read. Raises ClientDisconnected if it reads nothing for long.

        The whole answer of most streams fits, so a slow reader holds neither a thread nor the stream's place.
        """
        unread = self.total_outbufs_len
        if unread <= _BUFFER_BYTES:
            return
        in_memory = sum(len(buffer) for buffer in self.outbufs if not getattr(buffer, "overflowed", True))
        channels = list(self.server.active_channels.values())
        if (
            in_memory <= _MEMORY_BYTES
            and unread <= _UNREAD_BYTES
            and sum(channel.total_outbufs_len for channel in channels) <= _ALL_UNREAD_BYTES
        ):
            return
        with self.outbuf_lock:
            while self.connected and self.total_outbufs_len > _BUFFER_BYTES:
                unread = self.total_outbufs_len
                self.server.pull_trigger()
                if not self.outbuf_lock.wait(_STALLED_SECONDS) and self.total_outbufs_len == unread:
                    raise ClientDisconnected


class _Dispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]
    """Runs requests in at most `most` threads, and starts one only when no other is idle.

    If the system refuses a thread, requests wait for those that there are. Raises RuntimeError if it refuses even
    the first ones.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self.set_thread_count(_OPEN_THREADS)

    def start_new_thread(self, target: Callable[[int], None], thread_no: int) -> None:
        usual = threading.stack_size(_STACK_BYTES)
        try:
            super().start_new_thread(target, thread_no)
        finally:
            threading.stack_size(usual)

    def add_task(self, task: object) -> None:
        super().add_task(task)
        with self.lock:
            idle = len(self.threads) - self.stop_count - self.active_count
            number = len(self.threads)
            if len(self.queue) <= idle or self.stop_count or number >= self._most:
                return
            try:
                self.start_new_thread(self.handler_thread, number)
            except RuntimeError:
                log.warning("the system refuses more threads; requests wait for the %d that answer", number)
            else:
                self.threads.add(number)
                self.active_count += 1


class _Listening(TcpWSGIServer):  # type: ignore[misc]
    """The listening socket. It rests while the system has no file or memory for another connection; waitress would
    try again and again without a pause.
    """

    _rests_until = 0.0

    def accept(self) -> Any:
        try:
            return super().accept()
        except OSError as fault:
            if fault.errno in _SCARCE:
                log.error("connections can't be accepted: %s", fault.strerror)
                self._rests_until = time.monotonic() + _SCARCE_SECONDS
            raise

    def readable(self) -> bool:
        return time.monotonic() >= self._rests_until and bool(super().readable())


def _connections(wanted: int) -> int:
    """Let this process open enough files for so many connections. Returns how many it may have."""
    try:
        import resource
    except ImportError:  # not a Unix system
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + _SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        with suppress(OSError, ValueError):
            soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        possible = max(soft - _SPARE_FILES, soft // 2)
        if possible < wanted:
            log.warning(
                "the system allows %d open files, so there may be %d connections and not %d (ATHANOR_CONNECTIONS)",
                soft,
                possible,
                wanted,
            )
            return possible
    return wanted


class Server:
    """A server on a bound socket. `run` returns after `stop`, which any thread or signal handler may call."""

    def __init__(self, bound: socket.socket, app: Flask, config: Config, searches: SearchPool) -> None:
        self._grace = config.grace_seconds
        self._searches = searches
        self._asked_to_stop = 0
        self._map: dict[int, Any] = {}
        # A stream or a follower keeps its thread after its request has left the desk (`api.access`).
        threads = 2 * config.threads + searches.streams.most + MOST_FOLLOWERS + _OPEN_THREADS
        adjustments = Adjustments(
            channel_request_lookahead=1,  # also watch the sockets of busy connections, to notice disconnects
            channel_timeout=config.idle_seconds,
            cleanup_interval=max(1, int(config.idle_seconds / 4)),
            connection_limit=_connections(config.connections),
            backlog=_BACKLOG,
            max_request_header_size=_HEADER_BYTES,
            # The application refuses what is too large; a client that still sends might not read a refusal.
            max_request_body_size=2 * config.max_body_bytes,
            outbuf_high_watermark=_BUFFER_BYTES,
            asyncore_use_poll=True,
            clear_untrusted_proxy_headers=False,  # `api.proxies` decides whom to trust
            log_socket_errors=False,
            ident="athanor",
        )
        self._server = _Listening(
            app,
            self._map,
            _sock=bound,
            dispatcher=_Dispatcher(threads),
            adj=adjustments,
            sockinfo=(bound.family, bound.type, bound.proto, bound.getsockname()),
            bind_socket=False,
        )
        self._server.channel_class = _Channel
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # waiting requests are not worth a log line

    def stop(self) -> None:
        """Stop accepting connections, and let running requests finish; a second call ends their searches."""
        self._asked_to_stop += 1
        self._server.pull_trigger()

    def run(self, stopping: Callable[[], None] = lambda: None) -> None:
        """Serve until `stop`. `stopping` is called when the shutdown begins."""
        while not self._asked_to_stop:
            self._turn(_TURN_SECONDS)
        self._searches.stopping.set()
        stopping()
        self._turn(0)  # accept those who have already connected,
        wasyncore.dispatcher.close(self._server)  # close only the listening socket,
        self._turn(0)  # and read what they have already sent
        if not self._finished(self._grace, impatient=True):
            log.warning("requests still run after the grace period; their searches are ended")
            self._searches.cancel_all()
            self._finished(_RETURN_SECONDS)
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()
        self._server.task_dispatcher.shutdown(timeout=_EXIT_SECONDS)
        self._server.trigger.close()

    def _turn(self, seconds: float) -> None:
        wasyncore.loop(timeout=seconds, use_poll=True, map=self._map, count=1)

    def _finished(self, seconds: float, *, impatient: bool = False) -> bool:
        """Serve until every request is answered. Returns False if some still run after `seconds` or, with
        `impatient`, when another stop is requested.
        """
        end = time.monotonic() + seconds
        while any(line.requests or line.total_outbufs_len for line in self._server.active_channels.values()):
            if time.monotonic() > end or (impatient and self._asked_to_stop > 1):
                return False
            self._turn(_LOOK_SECONDS)
        return True
