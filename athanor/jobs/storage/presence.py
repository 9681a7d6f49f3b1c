"""Which worker holds a unit, and whether it is still there."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

_PROC = Path("/proc")


def own_name() -> str:
    """The name of this process, which no other has: where processes are numbered, its number, and its start.

    Where the system does not tell these, it is a random one, and only a lease tells when the process has gone.
    """
    place, start = _place(), _start(os.getpid())
    if place is None or start is None:
        return secrets.token_hex(8)
    return f"{place}/{os.getpid()}/{start}"


def gone(name: str) -> bool:
    """Whether a process surely runs no more. False where that cannot be told from here."""
    place, *process = name.rsplit("/", 2)
    if len(process) != 2 or place != _place():
        return False
    return _start(int(process[0])) != process[1]


def _place() -> str | None:
    """What the numbers of processes belong to: this start of the system, and the namespace of the numbers."""
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}:{os.readlink(_PROC / 'self/ns/pid')}"
    except OSError:
        return None


def _start(process: int) -> str | None:
    """When a process was started, in ticks since the system was; None where it does not run."""
    try:
        text = (_PROC / str(process) / "stat").read_text()
    except OSError:
        return None
    state, *fields = text.rpartition(")")[2].split()
    return None if state in "ZX" else fields[18]
