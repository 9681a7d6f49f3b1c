"""What memory the machine has for this process, as the system tells it, and how much of it is used."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

_PROC = Path("/proc/self")
_GROUPS = Path("/sys/fs/cgroup")
_LIMITS = ("memory.max", "memory/memory.limit_in_bytes", "memory.limit_in_bytes")  # of version 2, and of version 1


def available() -> int | None:
    """The least of all limits on the memory of this process, in bytes; None where the system tells none.

    They are the machine's memory, those of the control groups that a container sets, and those of `ulimit`.
    """
    return min(_limits(), default=None)


def _limits() -> Iterator[int]:
    with contextlib.suppress(AttributeError, ValueError, OSError):  # not every system has these names
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for folder in _groups():
        for name in _LIMITS:
            with contextlib.suppress(OSError, ValueError):  # no such file, or it says "max"
                yield int((folder / name).read_text())
    with contextlib.suppress(ImportError):  # Windows
        import resource

        for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
            soft, _ = resource.getrlimit(kind)
            if soft != resource.RLIM_INFINITY:
                yield soft


def _groups() -> Iterator[Path]:
    """The folders of the control groups that this process is in, from the innermost out."""
    with contextlib.suppress(OSError):
        for line in (_PROC / "cgroup").read_text().splitlines():
            _, kinds, name = line.split(":", 2)
            if kinds in ("", "memory"):
                inner = Path(name.lstrip("/"))
                root = _GROUPS / kinds
                yield from (root / folder for folder in (inner, *inner.parents))
    yield _GROUPS


def resident(process: int | None = None) -> int | None:
    """The bytes of a process, by default this one, that are in memory now; None where the system does not tell."""
    try:
        folder = _PROC if process is None else _PROC.with_name(str(process))
        pages = int((folder / "statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def trim() -> None:
    """Give back to the system what the C library keeps of freed memory, where it is glibc."""
    import ctypes

    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
