"""The errors that a caller can cause. Each carries what the contract's error object carries."""

from __future__ import annotations


class AthanorError(Exception):
    """Base of all errors that are the caller's to mend.

    `code` is a stable machine-readable word, `path` the offending key as a path into what was sent
    (``hands[2][4]``; empty when no single key is to blame), `message` a sentence for a person.
    """

    def __init__(self, code: str, message: str, path: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.path = path

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message

    def to_dict(self) -> dict[str, dict[str, str]]:
        """The contract's error object."""
        return {"error": {"code": self.code, "path": self.path, "message": self.message}}

    def under(self, prefix: str) -> AthanorError:
        """The same error, its path seen from the key `prefix` that holds the faulty value."""
        glue = "." if self.path and not self.path.startswith("[") else ""
        return type(self)(self.code, self.message, f"{prefix}{glue}{self.path}")


class PositionError(AthanorError):
    """A position, record or deck that breaks the rules or the format."""


class MoveError(AthanorError):
    """A move that cannot be read, or that the rules do not allow in this position."""


class RequestError(AthanorError):
    """A question that cannot be asked of this position, or an option out of range."""


class PuzzleError(AthanorError):
    """A puzzle file that cannot be read. `line` counts from 1; 0 when it is not known."""

    def __init__(self, code: str, message: str, path: str = "", line: int = 0) -> None:
        super().__init__(code, message, path)
        self.line = line

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return where + super().__str__()

    def under(self, prefix: str) -> PuzzleError:
        moved = super().under(prefix)
        return PuzzleError(moved.code, moved.message, moved.path, self.line)
