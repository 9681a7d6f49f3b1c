"""Where compiled kernels are kept between processes.

A kernel's files lie in a folder named by its module and its stamp (`solver.kernels.stamps`), wherever the sources
lie: an edit leaves everything that does not depend on it compiled, and a copy of the sources finds the same files.
Each file begins with a hash of the rest. A file that is damaged, foreign or out of reach
counts as absent, and a folder that cannot be written costs time alone: the kernel is compiled again.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite
import numba
import platformdirs
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator

from solver.kernels.stamps import stamp

DEPENDENCIES = "kernel_dependencies"  # attribute of a function with `Dependencies`
_STALE_SECONDS = 30 * 24 * 3600
_TOUCH_SECONDS = 24 * 3600
_DIGEST = 16  # bytes
# Beside sources: the compilers' versions, and a switch that Numba's own key leaves out.
_SALT = f"{numba.__version__} {llvmlite.__version__} {'checked' if numba.config.BOUNDSCHECK else 'unchecked'}"


class Dependencies(NamedTuple):
    """What a function's machine code depends on that its own module does not import.

    `modules` are names of modules, `constants` a text that changes when a constant does.
    """

    modules: tuple[str, ...] = ()
    constants: str = ""


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _private(folder: Path) -> bool:
    """Make a folder that only this user can write; whether it is one. A file in it may hold machine code."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        about = folder.lstat()
    except OSError:
        return False
    ours = not hasattr(os, "getuid") or (about.st_uid == os.getuid() and not about.st_mode & 0o077)
    return stat.S_ISDIR(about.st_mode) and ours and _writable(folder)


@cache
def folder() -> Path:
    """The folder of all kernels: the user's cache, or where that cannot be written a private temporary one."""
    root = Path(platformdirs.user_cache_dir("athanor", appauthor=False)) / "kernels"
    if _writable(root):
        return root
    user = os.getuid() if hasattr(os, "getuid") else "user"
    shared = Path(tempfile.gettempdir()) / f"athanor-{user}"
    return shared if _private(shared) else Path(tempfile.mkdtemp(prefix="athanor-"))


def drop_stale(root: Path) -> None:
    """Remove the kernels that nobody has used for a month; each use touches their folder."""
    horizon = time.time() - _STALE_SECONDS
    for kept in root.iterdir():
        if kept.is_dir() and kept.stat().st_mtime < horizon:
            shutil.rmtree(kept, ignore_errors=True)


@cache
def _used(place: Path) -> None:
    """Note that a folder is used, once a process and at most about once a day."""
    try:
        if place.stat().st_mtime < time.time() - _TOUCH_SECONDS:
            os.utime(place)
    except OSError:
        pass


@cache
def _stamp(module: str, more: Dependencies) -> str:
    return stamp([module, *more.modules], f"{_SALT}\n{more.constants}")


class Locator(_CacheLocator):  # type: ignore[misc]
    """The folder of one function's files; its name says all that the stamp of a Numba index would."""

    def __init__(self, function: Callable[..., Any], place: Path) -> None:
        self._line = function.__code__.co_firstlineno
        self._place = place
        self._py_file = function.__code__.co_filename  # what Numba's warnings name

    @classmethod
    def from_function(cls, function: Callable[..., Any], _file: str) -> Locator:
        module = function.__module__
        more = getattr(function, DEPENDENCIES, Dependencies())
        return cls(function, folder() / f"{module}-{_stamp(module, more)}")

    def get_cache_path(self) -> str:
        _used(self._place)
        return str(self._place)

    def ensure_cache_path(self) -> None:
        if not self._place.is_dir():
            self._place.mkdir(parents=True, exist_ok=True)
            drop_stale(self._place.parent)

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return str(self._line)


class _Implementation(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (Locator,)


class _Files(IndexDataCacheFile):  # type: ignore[misc]
    """Numba's index and data files, each behind a hash of its content."""

    def _write(self, path: str, content: bytes) -> None:
        with self._open_for_write(path) as file:
            file.write(hashlib.blake2b(content, digest_size=_DIGEST).digest() + content)

    def _read(self, path: str) -> Any:
        with open(path, "rb") as file:
            digest, content = file.read(_DIGEST), file.read()
        if hashlib.blake2b(content, digest_size=_DIGEST).digest() != digest:
            raise OSError(f"{path} is damaged")
        return pickle.loads(content)

    def _save_index(self, overloads: Mapping[Any, str]) -> None:
        self._write(self._index_path, self._dump((self._version, overloads)))

    def _load_index(self) -> dict[Any, str]:
        try:
            version, overloads = self._read(self._index_path)
        except OSError:
            return {}
        return dict(overloads) if version == self._version else {}

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), self._dump(data))

    def _load_data(self, name: str) -> Any:
        return self._read(self._data_path(name))


class KernelCache(FunctionCache):  # type: ignore[misc]
    """The cache of one function. It never raises: what cannot be read is compiled, what cannot be kept is not."""

    _impl_class = _Implementation

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, "")

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(signature, target_context)
        except Exception:  # whatever is wrong with a file, compiling anew is right
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        try:
            super().save_overload(signature, data)
        except OSError:
            self.disable()
