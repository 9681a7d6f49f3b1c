"""What the service and the process that searches for it tell each other: pickled messages, each after its length.

Both ends are this program, and the pipes between them are nobody else's, so what is read may be unpickled.
"""

from __future__ import annotations

import pickle
import struct
import threading
from dataclasses import dataclass
from typing import Any, BinaryIO, ClassVar, Generic, Protocol, TypeVar

from solver.errors import AthanorError, Fault
from solver.limits import Limit, Progress, ProgressCallback

T = TypeVar("T", covariant=True)

_LENGTH = struct.Struct("<Q")


class Search(Protocol[T]):
    """What is searched for within a limit, until a flag is set; whoever wants to know is told how far it is."""

    def __call__(self, limit: Limit, cancel: threading.Event, progress: ProgressCallback | None, /) -> T: ...


class Portable:
    """Base of searches that are data, so that they can be sent. If they are `written`, their answers are sent back
    as the text that clients get.
    """

    __slots__ = ()
    written: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Written:
    """An answer as it is sent, written where it was found. `exact` is that of the answer."""

    text: str
    exact: bool

    @classmethod
    def of(cls, answer: Any) -> Written:
        return cls(answer.to_json(), bool(getattr(answer, "exact", True)))

    def to_json(self) -> str:
        return self.text


def check(found: object) -> None:
    """Raises what pickle raises where an answer cannot be sent, before anybody waits for it in vain."""
    pickle.dumps(found)


@dataclass(frozen=True, slots=True)
class Ask:
    """Begin a search. `deadline` is on the monotonic clock, which both have; `tells` asks for its progress.

    One that is only `tried` is cut after a quantum.
    """

    number: int
    search: Any
    limit: Limit
    deadline: float | None
    tells: bool = False
    tried: bool = False


@dataclass(frozen=True, slots=True)
class End:
    """End a search early."""

    number: int


@dataclass(frozen=True, slots=True)
class Bound:
    """Take no more than so many bytes of memory in all."""

    size: int


@dataclass(frozen=True, slots=True)
class Ready:
    """Every game is loaded."""


@dataclass(frozen=True, slots=True)
class Told:
    """How far a search is."""

    number: int
    progress: Progress


@dataclass(frozen=True, slots=True)
class Tables:
    """What the tables of searches take, in bytes, and what they may take."""

    used: int
    limit: int


@dataclass(frozen=True, slots=True)
class Failure:
    """What a search raised: the caller's error by its type and faults, any other as it is or as words."""

    kind: type[AthanorError] | None
    faults: tuple[Fault, ...]
    error: BaseException | None

    @classmethod
    def of(cls, error: BaseException) -> Failure:
        if isinstance(error, AthanorError):
            return cls(type(error), error.faults, None)
        try:
            pickle.loads(pickle.dumps(error))  # some can be sent, but not made again from what was sent
        except Exception:
            error = RuntimeError(f"{type(error).__name__}: {error}")
        return cls(None, (), error)

    def raised(self) -> BaseException:
        """The error, to be raised again."""
        if self.kind is not None:
            return self.kind.of(self.faults)
        assert self.error is not None
        return self.error


@dataclass(frozen=True, slots=True)
class Done(Generic[T]):
    """The end of a search, which took so many seconds of processor time, and whether the quantum cut it."""

    number: int
    found: T | Written | Failure
    seconds: float
    cut: bool = False


class Line:
    """One direction of a pair of pipes. Any thread may send; one thread receives."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def send(self, message: object) -> None:
        """Raises OSError, or ValueError where the stream is closed, when nobody reads any more."""
        body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        with self._lock:
            self._stream.write(_LENGTH.pack(len(body)) + body)
            self._stream.flush()

    def receive(self) -> Any:
        """The next message. Raises EOFError when the other end has gone."""
        head = self._stream.read(_LENGTH.size)
        if len(head) < _LENGTH.size:
            raise EOFError
        [length] = _LENGTH.unpack(head)
        body = self._stream.read(length)
        if len(body) < length:
            raise EOFError
        return pickle.loads(body)
