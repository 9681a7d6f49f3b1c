"""Which sources the machine code of a kernel depends on, as a hash.

Numba inlines the kernels that a kernel calls and freezes the globals that it reads, wherever they are defined. Its
own cache looks at the kernel's file alone, so an edit of a helper in another file would go unseen. A *stamp* is a
hash of the kernel's module and of every module that it imports, directly or not. Imports inside functions do not
count: a kernel's globals are bound when its module is imported.
"""

from __future__ import annotations

import hashlib
import re
import sys
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path

# Imports that a module makes when it is imported begin at the left margin.
_IMPORT = re.compile(r"^(?:from +([\w.]+) +import +(\([^)]*\)|[^\n]*)|import +([^\n]*))", re.MULTILINE)
_NAME = re.compile(r"\w+")
_STARTED = time.time()


def stamp(modules: Iterable[str], salt: str = "") -> str | None:
    """The hash of these modules' sources and of all that they import from their own packages and from this one.

    `salt` is hashed too: what else the machine code depends on. The answer is None, and machine code must not be
    kept, when one of the modules has no file (a shell's, a notebook's), when a source cannot be read, and when a
    source was edited while this process ran: what was imported is then perhaps not what the file says.
    """
    names = frozenset(modules)
    tops = frozenset(name.partition(".")[0] for name in [*names, __name__])
    digest = hashlib.blake2b(salt.encode(), digest_size=10)
    try:
        for name in sorted(_closure(names, tops)):
            source = _file(name)
            if source is None and name in names:
                return None
            if source is not None:
                digest.update(name.encode() + b"\0" + _text(source))
                if _edited(source):
                    return None
    except OSError:
        return None
    return digest.hexdigest()


@cache
def _closure(names: frozenset[str], tops: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [other for other in _imported(name) if other.partition(".")[0] in tops]
    return frozenset(found)


@cache
def _imported(name: str) -> frozenset[str]:
    """The modules that a module imports; relative imports are not followed (the project has none)."""
    source = _file(name)
    if source is None:
        return frozenset()
    found: set[str] = set()
    for package, wanted, plain in _IMPORT.findall(_text(source).decode("utf-8", "replace")):
        if plain:
            found.update(part.split()[0] for part in plain.split(",") if part.strip())
            continue
        found.add(package)
        found.update(f"{package}.{word}" for word in _NAME.findall(wanted) if _file(f"{package}.{word}"))
    return frozenset(found)


@cache
def _file(name: str) -> Path | None:
    """The source of a module; None for a module without one."""
    if name == "__main__":
        main = getattr(sys.modules.get(name), "__file__", None)
        return Path(main) if main else None
    top, *rest = name.split(".")
    roots = getattr(sys.modules.get(top), "__path__", None)
    if roots is None:
        alone = getattr(sys.modules.get(top), "__file__", None)
        return Path(alone) if alone and not rest else None
    for root in roots:
        path = Path(root, *rest)
        for source in (path.with_suffix(".py"), path / "__init__.py") if rest else (path / "__init__.py",):
            if source.is_file():
                return source
    return None


@cache
def _text(source: Path) -> bytes:
    return source.read_bytes()


def _edited(source: Path) -> bool:
    """Whether a file was written since this process began; a time to come is a wrong clock's, not an edit."""
    return _STARTED < source.stat().st_mtime <= time.time()
