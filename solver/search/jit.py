"""`kernel`: the one way to compile a function. Importing this module sets up Numba's cache folder.

Numba finds a cached kernel by its own file only, so an edited helper in another file would go unseen, and a
folder that cannot be written makes the import fail. Both go away with a cache folder of our own, named by a
hash of every source file of `solver` and of the options that change the machine code unseen.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numba
import platformdirs
from numba.core.cpu import CPUTargetOptions

_SOURCES = Path(__file__).resolve().parents[1]
_STALE_SECONDS = 30 * 24 * 3600

F = TypeVar("F", bound=Callable[..., object])


def _fingerprint() -> str:
    digest = hashlib.blake2b(numba.__version__.encode(), digest_size=8)
    digest.update(b"checked" if numba.config.BOUNDSCHECK else b"unchecked")  # Numba's own key leaves it out
    for source in sorted(_SOURCES.rglob("*.py")):
        digest.update(str(source.relative_to(_SOURCES)).encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _drop_stale(root: Path, keep: Path) -> None:
    """Remove caches of sources that nobody has run for a month; each use touches its folder."""
    os.utime(keep)
    horizon = time.time() - _STALE_SECONDS
    for folder in root.glob("kernels-*"):
        if folder != keep and folder.stat().st_mtime < horizon:
            shutil.rmtree(folder, ignore_errors=True)


def _cache_folder() -> Path:
    root = Path(platformdirs.user_cache_dir("athanor", appauthor=False))
    folder = root / f"kernels-{_fingerprint()}"
    if _writable(folder):
        _drop_stale(root, folder)
        return folder
    user = os.getuid() if hasattr(os, "getuid") else "user"
    shared = Path(tempfile.gettempdir()) / f"athanor-{user}" / folder.name
    if _writable(shared):
        return shared
    return Path(tempfile.mkdtemp(prefix="athanor-"))


CACHE_FOLDER = _cache_folder()
numba.config.CACHE_DIR = str(CACHE_FOLDER)


def kernel(function: F) -> F:
    """Compile on first call, cache on disk, release the GIL while running."""
    compiled: F = numba.njit(cache=True, nogil=True)(function)
    return compiled


# Kernels of a search allocate nothing. Without Numba's reference counting each array that is passed to a helper
# saves two atomic additions, more than most helpers cost: measured, searches run five to ten times as fast.
_LEAN = {"_nrt": False} if hasattr(CPUTargetOptions, "_nrt") else {}


def lean(function: F) -> F:
    """Like `kernel`, for one that makes no arrays and returns none."""
    compiled: F = numba.njit(cache=True, nogil=True, **_LEAN)(function)
    return compiled


def inlined(function: F) -> F:
    """Like `lean`, for a helper of lean kernels that is to be inlined whatever its size."""
    compiled: F = numba.njit(cache=True, nogil=True, forceinline=True, **_LEAN)(function)
    return compiled
