"""Writing a file whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def _target(path: str | os.PathLike[str]) -> Path:
    """The file itself: a symbolic link goes on pointing at it."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    return target


def _temporary(target: Path) -> Path:
    temporary = target.with_name(f".{target.stem}-{secrets.token_hex(4)}{target.suffix}")
    os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    return temporary


def check_replaceable(path: str | os.PathLike[str]) -> None:
    """Raise the OSError that `replacing` would raise, before any work is done for it."""
    _temporary(_target(path)).unlink()


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary file to write; when the block ends well it takes the place of `path`, else it is removed.

    The file keeps the mode of the one it replaces, and the suffix of `path`, which some writers go by.
    Raises OSError when the folder cannot be written, before the block is entered.
    """
    target = _target(path)
    temporary = _temporary(target)
    try:
        yield temporary
        if target.exists():
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
