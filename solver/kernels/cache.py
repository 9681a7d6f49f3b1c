"""Where compiled kernels are kept between processes.

A kernel's files lie in a folder named by its module and its stamp (`solver.kernels.stamps`), wherever the sources
lie: an edit leaves everything that does not depend on it compiled, and a copy of the sources finds the same files.
There is one file for each signature and processor, named by both, so that processes that compile at once can only
write the same file with the same content. Each file begins with a hash of the rest. A file that is damaged,
foreign or out of reach counts as absent, and a folder that cannot be written costs time alone: the kernel is kept
in a temporary folder, or compiled again. What is nowhere else may have come with a wheel
(`solver.kernels.shipped`).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import shutil
import stat
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs

from solver.kernels import shipped
from solver.kernels.stamps import stamp
from solver.kernels.switches import salt

DEPENDENCIES = "kernel_dependencies"  # attribute of a function with `Dependencies`
_STALE_SECONDS = 30 * 24 * 3600
_TOUCH_SECONDS = 24 * 3600
_DIGEST = 16  # bytes
_COMPILER = "solver.kernels.compiling.forms"  # kernels import it when they are compiled, so it is not seen


class Dependencies(NamedTuple):
    """What a function's machine code depends on that its own module does not import.

    `modules` are names of modules, `constants` a text that changes when a constant does.
    """

    modules: tuple[str, ...] = ()
    constants: str = ""


class Root(NamedTuple):
    """A folder of all kernels. Where others can write too, it must be private: it holds machine code."""

    path: Path
    beside_others: bool = False

    def readable(self) -> bool:
        return not self.beside_others or _private(self.path)

    def writable(self) -> bool:
        """Make the folder if need be; raises OSError if that is impossible."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self.readable()


def _private(folder: Path) -> bool:
    """Whether this is a folder, not a link to one, that belongs to this user and that nobody else can enter."""
    try:
        about = folder.lstat()
    except OSError:
        return False
    ours = not hasattr(os, "getuid") or (about.st_uid == os.getuid() and not about.st_mode & 0o077)
    return stat.S_ISDIR(about.st_mode) and ours


@cache
def roots() -> tuple[Root, ...]:
    """Where kernels are looked for, in this order, and kept, in the first folder that can be written.

    They are the user's cache and a temporary folder.
    """
    found = [Root(Path(platformdirs.user_cache_dir("athanor", appauthor=False), "kernels"))]
    with contextlib.suppress(OSError):  # no temporary folder at all
        user = os.getuid() if hasattr(os, "getuid") else "user"
        found.append(Root(Path(tempfile.gettempdir(), f"athanor-{user}"), beside_others=True))
    return tuple(root for root in found if root.path.is_absolute())  # without a home the path begins with "~"


def drop_stale(root: Path) -> None:
    """Remove the kernels that nobody has used for a month; each use touches their folder."""
    horizon = time.time() - _STALE_SECONDS
    for kept in root.iterdir():
        with contextlib.suppress(OSError):  # another process drops them too
            if kept.is_dir() and kept.stat().st_mtime < horizon:
                shutil.rmtree(kept)


@cache
def _used(place: Path) -> None:
    """Note that a folder is used, once a process and at most about once a day."""
    with contextlib.suppress(OSError):
        if place.stat().st_mtime < time.time() - _TOUCH_SECONDS:
            os.utime(place)


@cache
def _stamp(module: str, more: Dependencies) -> str | None:
    return stamp([module, *more.modules, _COMPILER], f"{salt()}\n{more.constants}")


def _called(function: Callable[..., Any]) -> Iterator[str]:
    """The modules of the kernels that a function names: they may be of a package that imports do not lead to."""
    for name in sorted(function.__code__.co_names):
        called = getattr(function.__globals__.get(name), "py_func", None)
        if called is not None:
            yield called.__module__


class Files:
    """What is kept of one function, by a key: its arguments' types, the processor, and its bytecode.

    `form` tells apart what is kept of one function in several forms (`solver.kernels.compiling.linking`). Of a
    function without a stamp nothing is kept: `able` is False.
    """

    def __init__(self, function: Callable[..., Any], form: str = "") -> None:
        module = function.__module__
        more = getattr(function, DEPENDENCIES, Dependencies())
        found = _stamp(module, more._replace(modules=(*more.modules, *_called(function))))
        self.able = found is not None and function.__closure__ is None
        self._folder = f"{module}-{found}"
        name = function.__qualname__.replace("<", "").replace(">", "")
        self._base = f"{name}-{function.__code__.co_firstlineno}{form}"

    def load(self, key: tuple[Any, ...]) -> Any:
        """What was kept under this key, or None."""
        if not self.able:
            return None
        for root in roots():
            path = root.path / self._folder / self._name(key)
            try:
                if root.readable():
                    found = _read(path, key)
                    _used(path.parent)
                    return found
            except Exception:  # whatever is wrong with a file, compiling anew is right
                continue
        return self._shipped(key)

    def _shipped(self, key: tuple[Any, ...]) -> Any:
        """What a wheel brought along for this key, or None."""
        try:
            there = shipped.key(key)
            return there and _read(shipped.FOLDER / self._folder / self._name(there), there)
        except Exception:  # as above
            return None

    def kept(self, key: tuple[Any, ...]) -> Path | None:
        """The file with what was kept under this key, if there is one."""
        paths = (root.path / self._folder / self._name(key) for root in roots())
        return next((path for path in paths if path.is_file()), None)

    def save(self, key: tuple[Any, ...], data: Any) -> None:
        """Keep the data under the first root that can be written, if there is one."""
        if not self.able:
            return
        content = pickle.dumps((key, data), pickle.HIGHEST_PROTOCOL)
        for root in roots():
            folder = root.path / self._folder
            with contextlib.suppress(OSError):
                if root.writable():
                    if not folder.is_dir():
                        folder.mkdir(exist_ok=True)
                        drop_stale(root.path)
                    _write(folder / self._name(key), content)
                    return

    def flush(self) -> None:
        """Forget what is kept of this function, when it is to be compiled anew."""
        for root in roots():
            for path in (root.path / self._folder).glob(f"{self._base}.*.nbc"):
                with contextlib.suppress(OSError):
                    path.unlink()

    def _name(self, key: tuple[Any, ...]) -> str:
        return f"{self._base}.{hashlib.blake2b(repr(key).encode(), digest_size=8).hexdigest()}.nbc"


def _read(path: Path, key: tuple[Any, ...]) -> Any:
    """The data of a file. Raises OSError if it cannot be read, is damaged or was kept under another key."""
    with path.open("rb") as file:
        digest, content = file.read(_DIGEST), file.read()
    if hashlib.blake2b(content, digest_size=_DIGEST).digest() != digest:
        raise OSError(f"{path} is damaged")
    kept, data = pickle.loads(content)
    if kept != key:
        raise OSError(f"{path} belongs to another kernel")
    return data


def _write(path: Path, content: bytes) -> None:
    """Write a file behind its hash; nobody sees it half written. Raises OSError."""
    digest = hashlib.blake2b(content, digest_size=_DIGEST).digest()
    draft = path.with_name(f"{path.name}.{uuid.uuid4().hex[:16]}")
    try:
        with draft.open("wb") as file:
            file.write(digest + content)
        draft.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
