"""Exit codes, and failures as messages for a person."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

import click

UNCONFIRMED = 1
FAILED = 2
INTERRUPTED = 130  # what a shell reports of a program that Ctrl-C ended
PIPE_CLOSED = 141  # and of one whose output nobody reads
# Why stdout takes no more, where an error names no file. (Windows knows no quotas.)
_UNPRINTED = (errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EBADF, getattr(errno, "EDQUOT", errno.ENOSPC))


class CommandFailure(click.ClickException):
    """A message on stderr and exit code 2."""

    exit_code = FAILED

    def format_message(self) -> str:
        from solver.common import visible

        return visible(self.message)


def failure_of(found: Exception) -> click.ClickException:
    """What to show for an exception that ended a command."""
    from solver.errors import AthanorError

    if isinstance(found, AthanorError):
        return CommandFailure(str(found))
    if isinstance(found, OSError):
        if found.filename is None and found.errno in _UNPRINTED:
            return CommandFailure(f"cannot write the output: {reason_of(found)}")
        return CommandFailure(reason_of(found) + (f": {found.filename}" if found.filename else ""))
    if isinstance(found, MemoryError):
        return CommandFailure(str(found) or "out of memory")
    if os.environ.get("ATHANOR_TRACEBACK"):
        raise found
    return CommandFailure(
        f"internal error, {type(found).__name__}: {found} (ATHANOR_TRACEBACK=1 shows where; please report it)"
    )


def reason_of(found: OSError | ValueError) -> str:
    """Why the system refused, in words."""
    return getattr(found, "strerror", None) or str(found)


@contextmanager
def about(name: str) -> Iterator[None]:
    """Put the name of the file that is read before the message of an error about it."""
    from solver.errors import AthanorError

    try:
        yield
    except AthanorError as found:
        raise CommandFailure(f"{name}: {found}") from None
