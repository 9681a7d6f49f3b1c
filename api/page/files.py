"""The files of the page, read once, with their digests and compressed forms."""

from __future__ import annotations

import gzip
import hashlib
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from importlib.resources.abc import Traversable

HOME = "index.html"
MAIN = "main.js"  # the module that the home page runs
_MARK = b"@version@"  # in the home file: the version of all files together
_PRELOADS = b"<!-- preloads -->"  # in the home file: where the modules are announced
_IMPORTS = re.compile(r'\b(?:from|import) ?"(\.[^"]+)"')
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}


@dataclass(frozen=True)
class File:
    """What lies at an address of the page."""

    content: bytes
    content_type: str

    @cached_property
    def packed(self) -> bytes:
        """The content, compressed as well as gzip can."""
        return gzip.compress(self.content, 9, mtime=0)

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.content).hexdigest()[:20]


@cache
def files() -> Mapping[str, File]:
    """Every file that browsers may get, by its path below the folder, but for the home page."""
    found = dict(_below(resources.files("api.page").joinpath("static"), ""))
    del found[HOME]
    return found


@cache
def version() -> str:
    """A word that changes with every change of any file, so that browsers may keep the files for ever."""
    told = "".join(f"{path} {file.digest}\n" for path, file in sorted(files().items()))
    return hashlib.sha256(told.encode()).hexdigest()[:12]


@cache
def home() -> File:
    """The home page. It announces the modules of the first view: a browser would find them one after the other."""
    content = resources.files("api.page").joinpath("static", HOME).read_bytes()
    links = "\n  ".join(f'<link rel="modulepreload" href="page/@version@/{path}">' for path in first_modules())
    content = content.replace(_PRELOADS, links.encode()).replace(_MARK, version().encode())
    return File(content, TYPES[".html"])


@cache
def first_modules() -> tuple[str, ...]:
    """The main module and all that it imports, and these import; not what is imported when it is wanted."""
    found: dict[str, None] = {}
    waiting = [MAIN]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found[path] = None
            imported = _IMPORTS.findall(files()[path].content.decode())
            waiting += [posixpath.normpath(posixpath.join(posixpath.dirname(path), other)) for other in imported]
    return tuple(found)


def _below(folder: Traversable, prefix: str) -> list[tuple[str, File]]:
    found = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _below(entry, f"{prefix}{entry.name}/")
        else:
            kind = TYPES.get(entry.name[entry.name.rfind(".") :])
            if kind is not None:
                found.append((prefix + entry.name, File(entry.read_bytes(), kind)))
    return found
