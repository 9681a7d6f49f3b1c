"""Where a command finds the services that this user runs on this machine.

Each service has a socket in a folder that only the user can enter. The socket's name tells from which sources and
with which settings the service answers, so that a command that would answer otherwise does not even find it.
"""

from __future__ import annotations

import os
import socket
import sys

_ROOT = os.path.abspath(f"{__file__}/../../../..")
_PACKAGES = ("api", "athanor", "puzzles", "solver")
# What answers depend on beside the question: decks, tables, threads, and how Numba compiles.
_SETTINGS = ("ATHANOR_TABLE_MB", "ATHANOR_THREADS", "ATHANOR_TRACEBACK", "HOME", "XDG_CONFIG_HOME")
_LONGEST = 100  # bytes of a socket's path, which systems limit to 104 or more
SUFFIX = ".sock"


def folder() -> str | None:
    """The folder of the sockets, which need not be there; None on a system without such sockets."""
    if not hasattr(socket, "AF_UNIX"):
        return None
    base = os.environ.get("XDG_RUNTIME_DIR")
    base = base if base and os.path.isabs(base) else os.environ.get("TMPDIR") or "/tmp"
    found = os.path.join(base, f"athanor-running-{os.getuid()}")
    return found if len(os.fsencode(found)) + len("/0123456789abcdef-1234567890.sock") <= _LONGEST else None


def service_name() -> str | None:
    """What sockets of services are called that answer as this process would; None where games were added.

    The name changes with every edit of a source. What other packages add is edited and installed elsewhere.
    """
    from solver import registry

    if registry.guests():
        return None
    from hashlib import blake2b

    return blake2b(repr((sys.version, sys.prefix, _settings(), _sources())).encode(), digest_size=8).hexdigest()


def sockets() -> list[str]:
    """The sockets of the services that a command may ask; it is not sure that they still run."""
    place = folder()
    names = _listed(place) if place is not None and private(place) else []
    if place is None or not names:
        return []
    wanted = service_name()
    return [os.path.join(place, name) for name in names if name.startswith(f"{wanted}-")]


def private(path: str) -> bool:
    """Whether this is a folder, not a link to one, that belongs to this user and that nobody else can enter."""
    import stat

    try:
        about = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid() and not about.st_mode & 0o077


def _listed(place: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(place) if name.endswith(SUFFIX))
    except OSError:
        return []


def _settings() -> list[tuple[str, str]]:
    decks = os.environ.get("ATHANOR_DECKS")
    found = [("ATHANOR_DECKS", os.path.abspath(decks) if decks else "")]
    found += [(name, os.environ[name]) for name in _SETTINGS if name in os.environ]
    return found + sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))


def _sources() -> list[tuple[str, int, int]]:
    """The path, size and time of every file of the packages."""
    waiting = [os.path.join(_ROOT, name) for name in _PACKAGES]
    found = []
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != "__pycache__":
                        waiting.append(entry.path)
                else:
                    about = entry.stat()
                    found.append((entry.path, about.st_size, about.st_mtime_ns))
    return sorted(found)
