"""Which puzzle files the user means, and their puzzles; a bad file is told and does not stop the others."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from api.cli.terminal.inputs import STDIN, name_of, read

if TYPE_CHECKING:
    from puzzles.format import Puzzle
    from solver.errors import PuzzleError


@dataclass
class Loaded:
    """The puzzles of all files in order, each with its file's name, and what was wrong with other files."""

    puzzles: list[tuple[str, Puzzle]] = field(default_factory=list)
    files: int = 0
    failures: list[str] = field(default_factory=list)


def load_all(paths: Sequence[str]) -> Loaded:
    """Every puzzle in the files and folders of `paths`."""
    from puzzles.format import decode, load, loads
    from solver.errors import PuzzleError

    loaded = Loaded()
    for path in _found(paths, loaded.failures):
        try:
            file = loads(decode(read(path))) if path == STDIN else load(path)
        except PuzzleError as found:
            loaded.failures.append(_message(name_of(path), found))
        except click.ClickException as found:
            loaded.failures.append(found.message)
        else:
            loaded.files += 1
            loaded.puzzles += [(name_of(path), puzzle) for puzzle in file.puzzles]
    return loaded


def _message(name: str, found: PuzzleError) -> str:
    """``file:line: path: message``, which editors know how to jump to."""
    if found.code == "unreadable":
        return found.message
    place = f"{name}:{found.line}" if found.line else name
    return f"{place}: {found.path}: {found.message}" if found.path else f"{place}: {found.message}"


def _found(paths: Sequence[str], failures: list[str]) -> Iterator[str]:
    """Each file once, folders searched."""
    seen: set[str] = set()
    for path in paths:
        names = [path]
        if path != STDIN and os.path.isdir(path):
            names = _in_folder(path, failures)
            if not names:
                failures.append(f"{path}: no *.toml in this folder")
        for name in names:
            real = name if name == STDIN else os.path.realpath(name)
            if real not in seen:
                seen.add(real)
                yield name


def _in_folder(folder: str, failures: list[str]) -> list[str]:
    from puzzles.format import files_in

    return sorted(
        files_in(folder, lambda found: failures.append(f"cannot read {found.filename}: {found.strerror}"))
    )
