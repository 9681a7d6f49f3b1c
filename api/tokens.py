"""Who may use a public service, and how much: tokens, and the file that lists them.

A token is 256 random bits. Nobody can guess it or recover it from its SHA-256, which is all that the file
contains; a slow salted hash, as for passwords, would add nothing. Each line of the file is ``NAME sha256:HEX``
and, if the client has limits of its own, ``requests=…`` and ``searches=…``. Empty lines and text after ``#`` are
ignored.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import os
import re
import secrets
import threading
from dataclasses import dataclass
from pathlib import Path

from solver.errors import RequestError, reason_of
from solver.language import say

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one client: `requests` per minute, and simultaneous `searches`.

    0 means no limit, and None that the client has no limit of its own.
    """

    requests: int | None = None
    searches: int | None = None

    def over(self, others: Limits) -> Limits:
        """Return these limits, with each None replaced by the value in `others`."""
        return Limits(
            others.requests if self.requests is None else self.requests,
            others.searches if self.searches is None else self.searches,
        )


NO_LIMITS = Limits()  # no limits of its own: those of the service apply


MARK = "athanor_"  # prefix of tokens, by which scanners recognize leaked ones
MOST_TOKENS = 1000  # in a file: a request's token is compared with each
_BYTES = 32
_HASH = "sha256:"
_NAME = re.compile(r"[A-Za-z0-9][\w.@-]{0,63}", re.ASCII)
_LIMITS = ("requests", "searches")
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Token:
    """A line of the token file: the client's name, the SHA-256 of its token, and its limits."""

    name: str
    digest: bytes
    limits: Limits = NO_LIMITS

    @property
    def line(self) -> str:
        limits = {key: getattr(self.limits, key) for key in _LIMITS}
        kept = [f"{key}={value:g}" for key, value in limits.items() if value is not None]
        return " ".join([self.name, _HASH + self.digest.hex(), *kept])


def made(name: str, limits: Limits = NO_LIMITS) -> tuple[str, Token]:
    """Create a token. Returns the token itself and its entry for the file. Raises RequestError for an invalid
    name.
    """
    if not _NAME.fullmatch(name):
        raise RequestError("invalid_name", say(_NAMES, name=name), "name")
    token = MARK + secrets.token_urlsafe(_BYTES)
    return token, Token(name, _digest(token), limits)


def read(text: str, source: str) -> tuple[tuple[Token, ...], tuple[RequestError, ...]]:
    """Parse the text of a token file.

    Returns the tokens of its valid lines and, for each other line, an error that names `source` and the line.
    """
    by_name: dict[str, Token] = {}
    lines: dict[bytes, int] = {}
    faults: list[RequestError] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            token = _token(words)
            if token.name in by_name:
                raise ValueError(
                    say(
                        "the name {name} is already in line {line}",
                        name=token.name,
                        line=lines[by_name[token.name].digest],
                    )
                )
            if token.digest in lines:
                raise ValueError(say("the hash is already in line {line}", line=lines[token.digest]))
            if len(by_name) == MOST_TOKENS:
                raise ValueError(say("there are more than {most} tokens", most=MOST_TOKENS))
        except ValueError as fault:
            message = say("{source}, line {number}: {fault}", source=source, number=number, fault=fault)
            faults.append(RequestError("invalid_tokens", message))
            continue
        by_name[token.name] = token
        lines[token.digest] = number
    return tuple(by_name.values()), tuple(faults)


class TokenFile:
    """The tokens in a file, which is read again when it changes. Thread-safe.

    Faulty lines of the changed file are logged and left out; everything else takes effect, so that a token is
    revoked whatever else is in the file. If the file cannot be read at all, that is logged and the old tokens stay
    valid.
    """

    def __init__(self, path: str) -> None:
        """Read the file. Raises RequestError if it cannot be read or has a faulty line."""
        self._path = Path(path)
        self._lock = threading.Lock()
        self._seen = _state(self._path)
        self._tokens, faults = self._read()
        if faults:
            raise faults[0]

    def find(self, presented: str) -> Token | None:
        """Return the matching token, if any. The time taken does not reveal how much of a hash matched."""
        digest = _digest(presented)
        matching = None
        for token in self._now():
            if hmac.compare_digest(token.digest, digest):
                matching = token
        return matching

    def _now(self) -> tuple[Token, ...]:
        state = _state(self._path)
        with self._lock:
            if state != self._seen:
                self._seen = state
                try:
                    self._tokens, faults = self._read()
                    log.info("%s was read again: %d tokens", self._path, len(self._tokens))
                    for fault in faults:
                        log.error("a line of the tokens is left out: %s", fault.message)
                except RequestError as error:
                    log.error("the tokens stay as they were: %s", error.message)
            return self._tokens

    def _read(self) -> tuple[tuple[Token, ...], tuple[RequestError, ...]]:
        try:
            text = self._path.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError as error:
            problem = reason_of(error).lower()
            raise RequestError(
                "invalid_tokens",
                say("cannot read the tokens of {path}: {problem}", path=self._path, problem=problem),
            ) from None
        return read(text, str(self._path))


_NAMES = (
    "a name has up to 64 English letters, digits and . _ @ -, and begins with a letter or digit; {name!r} does not"
)


def _token(words: list[str]) -> Token:
    """Parse a line of the token file, split into words. Raises ValueError if a word is wrong."""
    if any("\udc80" <= letter <= "\udcff" for word in words for letter in word):  # as they were decoded
        raise ValueError(say("this is not UTF-8"))
    name, *rest = words
    if not _NAME.fullmatch(name):
        raise ValueError(say(_NAMES, name=name[:64]))
    if not rest or not rest[0].startswith(_HASH) or not _DIGEST.fullmatch(rest[0].removeprefix(_HASH)):
        raise ValueError(say("after the name {prefix} and 64 hexadecimal digits are expected", prefix=_HASH))
    return Token(name, bytes.fromhex(rest[0].removeprefix(_HASH)), _limits(rest[1:]))


def _limits(words: list[str]) -> Limits:
    """Parse the limits in a line of the token file, split into words. Raises ValueError if a word is wrong."""
    limits: dict[str, int] = {}
    for word in words:
        key, _, value = word.partition("=")
        if key not in _LIMITS or key in limits:
            raise ValueError(
                say(
                    "one of {names}, each once, is expected, not {word!r}",
                    names=", ".join(f"{limit}=…" for limit in _LIMITS),
                    word=word[:64],
                )
            )
        if not _NUMBER.fullmatch(value):
            raise ValueError(
                say("{key} must be a whole number, 0 for no limit, not {value!r}", key=key, value=value[:64])
            )
        limits[key] = int(value)
    return Limits(**limits)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="surrogateescape")).digest()


def _state(path: Path) -> tuple[int, ...] | None:
    """A value that changes when the file changes; None if the file is not accessible."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
