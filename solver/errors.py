"""Errors that the caller can fix, with the fields of the API's error object."""

from __future__ import annotations

import copyreg
import os
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from copy import copy
from typing import Any, NamedTuple, Self

from solver.common import in_one_line
from solver.language import LANGUAGES, language, say, translated

MOST_FAULTS = 100  # in one error, so that an answer never repeats everything that was sent


class Fault(NamedTuple):
    """One thing wrong with the input: a stable code, a message for people, and the path of the offending key.

    `words` is the path as people read it who wrote a line, counted from 1: ``hand (card 8)`` for ``hand[7]``.
    """

    code: str
    message: str
    path: str
    words: str = ""

    def under(self, prefix: str) -> Fault:
        """Return the same fault with its path prefixed by the key `prefix`."""
        return self._replace(path=joined(prefix, self.path), words="") if prefix else self

    def within(self, prefix: str) -> Fault:
        """Return the same fault with its path relative to the key `prefix`, if the path begins with it."""
        head, rest = split(self.path)
        return self._replace(path=rest) if head == prefix else self

    def __str__(self) -> str:
        return in_one_line(f"{self.words or self.path}: {self.message}" if self.path else self.message)


def joined(prefix: str, path: str) -> str:
    """Join two paths: ``hands`` and ``[2][4]``, or ``solution`` and ``best``, which need a dot between them."""
    return prefix + (f".{path}" if prefix and path and not path.startswith("[") else path)


def split(path: str) -> tuple[str, str]:
    """Split a path into its first key and the rest: ``hands`` and ``[2][4]``, or ``solution`` and ``best``."""
    head = re.split(r"[.\[]", path, maxsplit=1)[0]
    return head, path.removeprefix(head).removeprefix(".")


class AthanorError(Exception):
    """Base class of all errors that the caller can fix.

    `code` is a stable machine-readable word, `path` leads to the offending key in the input (``hands[2][4]``;
    empty when no single key is to blame), and `message` is a sentence for people. They describe the first fault;
    `faults` has all of them, at most a hundred.
    """

    def __init__(
        self, code: str, message: str, path: str = "", others: Sequence[Fault] = (), words: str = ""
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.path = path
        self.words = words
        self.others = tuple(others)[: MOST_FAULTS - 1]

    def __reduce__(self) -> tuple[Any, ...]:
        # For copies and pickles, which would give `__init__` nothing but the message.
        return copyreg.__newobj__, (type(self), self.message), self.__dict__  # type: ignore[attr-defined]

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All faults; the first is the one that `code`, `message` and `path` describe."""
        return Fault(self.code, self.message, self.path, self.words), *self.others

    @classmethod
    def of(cls, faults: Iterable[Fault]) -> Self:
        """Make one error from one or more faults."""
        (code, message, path, words), *others = faults
        return cls(code, message, path, others, words)

    def __str__(self) -> str:
        return "\n".join(map(str, self.faults))

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return the API's error object."""
        return {"error": error_object(self.faults)}

    def under(self, prefix: str) -> Self:
        """Return the same error with its paths prefixed by the key `prefix`."""
        return self._with(*(fault.under(prefix) for fault in self.faults))

    def within(self, prefix: str) -> Self:
        """Return the same error with paths relative to the key `prefix`, where they begin with it."""
        return self._with(*(fault.within(prefix) for fault in self.faults))

    def beside(self, keys: Container[str], prefix: str) -> Self:
        """Return the same error with paths that begin with none of these keys prefixed by the key `prefix`."""
        return self._with(
            *(
                fault.under(prefix) if fault.path and split(fault.path)[0] not in keys else fault
                for fault in self.faults
            )
        )

    def _with(self, first: Fault, *others: Fault) -> Self:
        error = copy(self)
        error.code, error.message, error.path, error.words = first
        error.others = others
        return error


def error_object(faults: Sequence[Fault]) -> dict[str, Any]:
    """Return the API's error object: the first fault and, if there are several, a list of all."""
    described = [{"code": fault.code, "path": fault.path, "message": fault.message} for fault in faults]
    return {**described[0], "faults": described} if len(described) > 1 else dict(described[0])


class PositionError(AthanorError):
    """A position, record or deck that breaks the rules or the format."""


class MoveError(AthanorError):
    """A move that cannot be read, or that the rules do not allow in this position."""


class IncompleteMoveError(MoveError):
    """A move that needs more input: the next move of `seat` or, if `seat` is None, what the message asks for."""

    def __init__(self, message: str, seat: int | None = None) -> None:
        super().__init__("incomplete_move", message)
        self.seat = seat


class RequestError(AthanorError):
    """A question that cannot be asked of this position, or an option out of range."""


class PuzzleError(AthanorError):
    """A puzzle file that cannot be read. `lines` has the line of each fault, from 1; 0 where it is unknown."""

    def __init__(
        self,
        code: str,
        message: str,
        path: str = "",
        others: Sequence[Fault] = (),
        words: str = "",
        *,
        lines: Sequence[int] = (),
    ) -> None:
        super().__init__(code, message, path, others, words)
        self.lines = tuple(lines) or (0,) * len(self.faults)

    def __str__(self) -> str:
        return "\n".join(f"line {line}: {fault}" if line else str(fault) for line, fault in self.placed())

    def placed(self) -> Iterator[tuple[int, Fault]]:
        """Yield the line and the fault of each fault."""
        return zip(self.lines, self.faults, strict=True)

    def at_lines(self, lines: Sequence[int]) -> PuzzleError:
        """Return the same error with the line of each fault."""
        return PuzzleError(self.code, self.message, self.path, self.others, self.words, lines=lines)


# Where a text cannot be read, as packages put it; and the part of such a message that quotes the text.
_AT_PLACE = re.compile(r"(?::\sline\s(\d+)\scolumn\s(\d+)\s\(char\s\d+\)|\s\(at\sline\s(\d+),\scolumn\s(\d+)\))\Z")
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\(.*\)", re.DOTALL)


def reason_of(error: BaseException) -> str:
    """Return what the system or a package says of an error, in the current language as far as that is known.

    Of a path with a NUL, Python says it by a ValueError.
    """
    text = getattr(error, "strerror", None) or str(error)
    if language() == LANGUAGES[0]:
        return text
    where = _AT_PLACE.search(text)
    what = text[: where.start()] if where else text
    found = translated(what)
    quoted = _QUOTED.search(what)
    if found == what and quoted:
        template = f"{what[: quoted.start()]}{{name}}{what[quoted.end() :]}"
        found = translated(template).replace("{name}", quoted[0])
    if where is None:
        return found
    line, column = filter(None, where.groups())
    return say("{what} in line {line}, column {column}", what=found, line=line, column=column)


def cannot_read(path: object, error: OSError | ValueError) -> str:
    """Return the message that a file can't be read."""
    return say("cannot read {path}: {reason}", path=path, reason=reason_of(error))


def cannot_write(path: object, error: OSError | ValueError) -> str:
    """Return the message that a file can't be written."""
    return say("cannot write {path}: {reason}", path=path, reason=reason_of(error))


# ----------------------------------------------------------------------------------------------------
# Environment variables, read strictly.


_SHOWN = 40  # characters of a rejected value
_DIGITS = 9


def whole_number(variable: str, least: int, most: int, unit: str = "") -> int | None:
    """Read a whole number from an environment variable; None if the variable is not set.

    Raises RequestError, which names the variable, unless the number is from `least` to `most`. The message
    mentions `unit`, such as "seconds", if it is given.
    """
    text = os.environ.get(variable)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS and least <= int(text) <= most):
        template = "{variable} must be a number from {least} to {most}, not {text!r}"
        if unit:
            template = "{variable} must be a number of {unit} from {least} to {most}, not {text!r}"
        message = say(template, variable=variable, unit=unit, least=least, most=most, text=text[:_SHOWN])
        raise RequestError("out_of_range", message)
    return int(text)
