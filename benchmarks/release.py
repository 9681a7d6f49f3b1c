"""Runs a release of Athanor in its own process, which is asked for hints or for analyses.

A release is a commit, a tag or a branch of this repository, or a wheel. Its code is unpacked once, into its own
folder under the user's cache folder, and hints are requested through its own Python interface. So hints of two
releases can be compared on the same deals, with equal time or equal nodes.

This file also runs in the release's process, as a script (`answer_hints`): it imports nothing of Athanor that a
release might not have.
"""

from __future__ import annotations

import atexit
import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

if TYPE_CHECKING:
    from solver.limits import Limit

REPOSITORY = Path(__file__).parents[1]
_KEPT = Path(platformdirs.user_cache_dir("athanor", appauthor=False), "releases")


class ReleaseError(Exception):
    """There is no such release, or it doesn't answer."""


def code_of(release: str, repository: Path = REPOSITORY, kept: Path = _KEPT) -> Path:
    """The folder with a release's code. Raises ReleaseError if there is no such release."""
    if release.endswith(".whl"):
        return _laid(_wheel(Path(release)), kept)
    commit = _git(repository, "rev-parse", "--verify", "--quiet", f"{release}^{{commit}}")
    if not commit:
        raise ReleaseError(f"{release!r} is neither a commit of {repository} nor a wheel")
    name = commit.decode().strip()
    folder = kept / name
    return folder if folder.exists() else _laid((name, _git(repository, "archive", name)), kept)


def _git(repository: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, check=False).stdout


def _wheel(path: Path) -> tuple[str, bytes]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ReleaseError(f"{path} cannot be read: {error.strerror}") from None
    return hashlib.sha256(data).hexdigest()[:40], data


def _laid(named: tuple[str, bytes], kept: Path) -> Path:
    """Unpack an archive, given by its name and bytes, into a folder of that name, unless it exists.

    The folder appears only when it is complete.
    """
    name, data = named
    folder = kept / name
    if folder.exists():
        return folder
    kept.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept) as temporary:
        beside = Path(temporary) / name
        if data.startswith(b"PK"):
            zipfile.ZipFile(io.BytesIO(data)).extractall(beside)
        else:
            with tarfile.open(fileobj=io.BytesIO(data)) as archive:
                if hasattr(tarfile, "data_filter"):  # in Python 3.11 from 3.11.4 on
                    archive.extraction_filter = tarfile.data_filter
                archive.extractall(beside)
        beside.rename(folder)
    return folder


class Apart:
    """A process that runs a script with the code in a folder, and answers each line of JSON with another."""

    def __init__(self, folder: Path, *script: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", *script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(folder)},
        )
        atexit.register(self.end)

    def ask(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The answer to a question. Raises ReleaseError if the process has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(asked) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # then there is no answer to read either
        line = self._process.stdout.readline()
        if not line:
            raise ReleaseError("the release has ended without an answer")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def end(self) -> None:
        """End the process."""
        if self._process.stdin is not None and not self._process.stdin.closed:
            self._process.stdin.close()
        self._process.wait()


class Release(Apart):
    """A process that runs a released version and answers questions about one game."""

    def __init__(self, folder: Path, game: str) -> None:
        super().__init__(folder, __file__)
        file = Path(self.ask({"game": game})["file"])
        if not file.is_relative_to(folder):  # another Athanor is installed and found first
            raise ReleaseError(f"not {folder} runs, but {file}")

    def best(self, view: dict[str, Any], limit: Limit, seed: int) -> str:
        """The best move of a view, as text. Raises ReleaseError if the release answers with an error."""
        answer = self.ask({"view": view, "seconds": limit.seconds, "nodes": limit.nodes, "seed": seed})
        if "error" in answer:
            raise ReleaseError(f"the release says: {answer['error']}")
        return str(answer["best"])


@cache
def running(release: str, game: str) -> Release:
    """A running release for a game: one process serves all its seats and all rounds."""
    return Release(code_of(release), game)


# ----------------------------------------------------------------------------------------------------
# In the release's process


def _answer(asked: dict[str, Any]) -> dict[str, Any]:
    """Answer a line of input.

    For a game, returns the file from which Athanor was imported, once the game is ready; for a view, the best move
    as text, or an error.
    """
    import athanor

    if "game" in asked:
        athanor.game(asked["game"]).warm()
        return {"file": athanor.__file__}
    try:
        hint = athanor.hint(asked["view"], seconds=asked["seconds"], nodes=asked["nodes"], seed=asked["seed"])
    except athanor.AthanorError as error:
        return {"error": str(error)}
    return {"best": hint.best}


def answer_hints() -> None:
    """Answer line after line. Other output to standard output is redirected to standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        out.write(json.dumps(_answer(json.loads(line))) + "\n")
        out.flush()


if __name__ == "__main__":
    answer_hints()
