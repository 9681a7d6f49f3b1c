"""A client's connection, byte by byte, and what holds for every answer, whatever was asked."""

from __future__ import annotations

import contextlib
import gzip
import json
import math
import re
import socket
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import brotli

from tests.attack.case import Case

# Seconds without a byte, besides what the case may take, after which an answer counts as none, even on a machine
# that is very busy.
_PATIENCE = 60.0
_SLICE_SECONDS = 1.0  # of that; so a client who was stopped with the service, to measure something else, waits on
_QUIET_SECONDS = 0.15  # without a byte, after which what was no whole request is not waited for any more
_CODINGS = {"": bytes, "gzip": gzip.decompress, "br": brotli.decompress}
_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) [^\r\n]*")
_HEADER = re.compile(rb"([!-9;-~]+): ?([ -~\x80-\xff]*)")


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. `fault` tells in place of a status what was wrong with its form, or that none came."""

    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float
    fault: str = ""


class BadReplyError(Exception):
    """What came is no answer in HTTP, or only half of one."""


class Connection:
    """A connection that is opened when needed, and kept as long as the server keeps it."""

    def __init__(self, host: str, port: int) -> None:
        self._address = host, port
        self._socket: socket.socket | None = None
        self._read = b""
        self._patience = _PATIENCE

    def ask(self, case: Case) -> list[Reply]:
        """The answers to what a case sends: of a whole one exactly one, else whatever comes."""
        if not case.whole:
            self.close()
        kept = self._socket is not None
        begun = time.monotonic()
        found = self._asked(case, begun)
        if found == [] and kept and case.whole:  # the server had closed the connection after its last answer
            found = self._asked(case, begun)
        if not case.whole:
            self.close()
        elif not found:
            found = [Reply(0, {}, b"", time.monotonic() - begun, "the connection was closed without an answer")]
        return found

    def close(self) -> None:
        """Leave."""
        if self._socket is not None:
            self._socket.close()
        self._socket, self._read = None, b""

    def _asked(self, case: Case, begun: float) -> list[Reply]:
        if self._socket is None:
            self._socket = socket.create_connection(self._address, timeout=_PATIENCE)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._patience = _PATIENCE + case.seconds
        self._socket.settimeout(self._patience)
        found: list[Reply] = []
        with contextlib.suppress(ConnectionError):  # who is refused in the middle of a body still has an answer
            self._socket.sendall(case.sent)
        try:
            while self._more(case.whole):
                found.append(self._reply(case, begun))
                if found[-1].headers.get("connection", "").lower() == "close":
                    self.close()
                    break
                if case.whole:
                    break
        except BadReplyError as fault:
            found.append(Reply(0, {}, self._read[:200], time.monotonic() - begun, str(fault)))
            self.close()
        return found

    def _more(self, whole: bool) -> bool:
        """Whether another answer begins. What is no whole request may get none."""
        if self._read:
            return True
        assert self._socket is not None
        try:
            self._read = self._received(self._patience if whole else _QUIET_SECONDS)
        except TimeoutError:
            if whole:
                raise BadReplyError(f"no answer in {self._patience:g} s") from None
            return False
        except ConnectionError:
            pass
        if not self._read:
            self.close()
        return bool(self._read)

    def _reply(self, case: Case, begun: float) -> Reply:
        status, headers = self._head()
        while 100 <= status < 200:
            status, headers = self._head()
        if case.sent.startswith(b"HEAD ") or status in (204, 304):
            body = b""
        elif headers.get("transfer-encoding") == "chunked":
            body = self._chunks()
        elif "content-length" in headers:
            body = self._bytes(int(headers["content-length"]))
        else:
            body = self._rest()
        return Reply(status, headers, body, time.monotonic() - begun)

    def _head(self) -> tuple[int, dict[str, str]]:
        line, *lines = self._until(b"\r\n\r\n").split(b"\r\n")
        matched = _STATUS.fullmatch(line)
        if matched is None:
            raise BadReplyError(f"no status: {line[:80]!r}")
        headers: dict[str, str] = {}
        for text in lines:
            header = _HEADER.fullmatch(text)
            if header is None:
                raise BadReplyError(f"no header: {text[:80]!r}")
            name = header[1].decode().lower()
            if name in headers:
                raise BadReplyError(f"the header {name} twice")
            headers[name] = header[2].decode("latin-1")
        return int(matched[1]), headers

    def _chunks(self) -> bytes:
        found = b""
        while size := int(self._until(b"\r\n"), 16):
            found += self._bytes(size)
            self._bytes(2)
        self._until(b"\r\n")
        return found

    def _until(self, end: bytes) -> bytes:
        while end not in self._read:
            self._take()
        found, _, self._read = self._read.partition(end)
        return found

    def _bytes(self, count: int) -> bytes:
        while len(self._read) < count:
            self._take()
        found, self._read = self._read[:count], self._read[count:]
        return found

    def _rest(self) -> bytes:
        with contextlib.suppress(BadReplyError):
            while True:
                self._take()
        found, self._read = self._read, b""
        self.close()
        return found

    def _received(self, patience: float) -> bytes:
        """The next bytes; none at the end. Raises TimeoutError."""
        assert self._socket is not None
        self._socket.settimeout(min(patience, _SLICE_SECONDS))
        for _ in range(math.ceil(patience / _SLICE_SECONDS) - 1):
            with contextlib.suppress(TimeoutError):
                return self._socket.recv(1 << 16)
        return self._socket.recv(1 << 16)

    def _take(self) -> None:
        if self._socket is None:
            raise BadReplyError("half an answer")
        try:
            found = self._received(self._patience)
        except TimeoutError:
            raise BadReplyError(f"half an answer, and no more in {self._patience:g} s") from None
        except ConnectionError as reset:
            raise BadReplyError(f"half an answer: {reset}") from None
        if not found:
            raise BadReplyError("half an answer")
        self._read += found


# What holds for every answer.


BUSY = 503
_NOT_OURS = 501  # what HTTP wants for framings that a server does not know
_PARTS = ("code", "path", "message")  # of an error
_LONGEST = 500  # characters of a message
_INSIDE = re.compile(  # what shows the inside of the program
    r"Traceback \(most recent|File \\?\"/|errors\.pydantic|<class '|<function |object at 0x"
    r"|\b[A-Z]\w+(Error|Exception): "
)


def faults(case: Case, reply: Reply) -> Iterator[str]:
    """What is wrong with an answer, in words; nothing, as it should be. Its time is not looked at."""
    if reply.fault:
        yield reply.fault
        return
    if reply.status >= 500 and not (reply.status == BUSY or (reply.status == _NOT_OURS and not case.whole)):
        yield f"the status {reply.status}: {reply.body[:200]!r}"
    if reply.status == BUSY and not re.fullmatch(r"[1-9]\d*", reply.headers.get("retry-after", "")):
        yield "a status 503 without Retry-After"
    has_body = not case.sent.startswith(b"HEAD ")
    try:
        body = _CODINGS[reply.headers.get("content-encoding", "") if has_body else ""](reply.body)
    except (OSError, EOFError, zlib.error, brotli.error, KeyError) as found:
        yield f"not as it is coded: {found}"
        return
    text = body.decode("utf-8", "replace")
    if reply.status >= 400:
        if has_body:
            yield from _error(text, reply.headers.get("content-type", ""))
    elif reply.status == 200 and has_body:
        yield from _answer(reply.headers.get("content-type", ""), text)
    if case.whole and reply.headers.get("x-content-type-options") != "nosniff":
        yield "no nosniff"
    if case.whole and "content-security-policy" not in reply.headers:
        yield "no Content-Security-Policy"


def late(case: Case, reply: Reply, slack: float = 0.0) -> bool:
    """Whether an answer took longer than it may, and `slack` more."""
    return reply.seconds > case.seconds + slack


def _error(text: str, kind: str) -> Iterator[str]:
    if kind.partition(";")[0] != "application/json":
        yield f"an error of type {kind!r}"
    try:
        data = json.loads(text)
        error = dict(data["error"])
        told = [*error.pop("faults", []), {part: error.pop(part) for part in _PARTS}]
        ours = list(data) == ["error"] and set(error) <= {"request_id"} and all(map(_told, told))
    except (ValueError, TypeError, KeyError):
        ours = False
    if not ours:
        yield f"an error of another shape: {text[:300]}"
    elif any(_INSIDE.search(fault["message"]) for fault in told):
        yield f"the inside of the program: {text[:300]}"


def _told(fault: Any) -> bool:
    """Whether a fault is told as faults are: with a code, a path, and a message that is not too long."""
    return (
        list(fault) == list(_PARTS)
        and all(isinstance(part, str) and len(part) <= _LONGEST for part in fault.values())
        and re.fullmatch(r"[a-z0-9_]+", fault["code"]) is not None
        and fault["message"] != ""
    )


def _answer(kind: str, text: str) -> Iterator[str]:
    kind = kind.partition(";")[0]
    lines = text.splitlines() if kind == "application/x-ndjson" else [text] if kind == "application/json" else []
    for line in lines:
        try:
            data = json.loads(line, parse_constant=_refuse)
        except ValueError as found:
            yield f"no JSON ({found}): {line[:100]}"
            continue
        if isinstance(data, dict):
            yield from _searched(data)


def _refuse(name: str) -> None:
    raise ValueError(name)


def _searched(data: dict[str, Any]) -> Iterator[str]:
    """What the parts of an answer have to say about one another."""
    if "error" in data and "status" not in data:
        yield from _error(json.dumps({"error": data["error"]}), "application/json")
        if "internal_error" in str(data["error"]):
            yield f"an error in the middle: {str(data)[:200]}"
    if isinstance(data.get("answer"), dict):
        data = data["answer"]
    bounds, value = data.get("bounds"), data.get("value")
    if isinstance(bounds, list) and len(bounds) == 2 and all(isinstance(bound, int) for bound in bounds):
        if bounds[0] > bounds[1]:
            yield f"the bounds {bounds}"
        if isinstance(value, int) and not bounds[0] <= value <= bounds[1]:
            yield f"the value {value} outside {bounds}"
        if data.get("exact") is True and bounds[0] != bounds[1]:
            yield f"exact, and bounds {bounds}"
    moves, best = data.get("moves"), data.get("best")
    if (
        isinstance(moves, list)
        and moves
        and isinstance(moves[0], dict)
        and best not in (None, moves[0].get("move"))
    ):
        yield f"the best move {best!r} is not the first one"
