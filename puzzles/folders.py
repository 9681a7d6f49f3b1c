"""Which puzzle files lie in a folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

SUFFIX = ".toml"


def files_in(folder: str | os.PathLike[str], tell: Callable[[OSError], None]) -> Iterator[str]:
    """The paths of the puzzle files under a folder, in order, without those in hidden folders such as ``.venv``.

    `tell` is called with the error of each folder that cannot be read.
    """
    for place, folders, files in os.walk(folder, onerror=tell):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from sorted(str(Path(place, name)) for name in files if name.endswith(SUFFIX))
