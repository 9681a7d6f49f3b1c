"""A release as a process that is asked for hints, or for analyses.

A release is a commit, a tag or a branch of this repository, or a wheel. Its code is unpacked once, into its own
folder under the user's cache folder, and hints are requested through its own Python interface (`release_answers`).
So hints of two releases can be compared on the same deals, with equal time or equal nodes.
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
from typing import Any

import platformdirs

from solver.errors import RequestError
from solver.limits import Limit

REPOSITORY = Path(__file__).parents[1]
_ANSWERING = Path(__file__).with_name("release_answers.py")
_KEPT = Path(platformdirs.user_cache_dir("athanor", appauthor=False), "releases")


def code_of(release: str, repository: Path = REPOSITORY, kept: Path = _KEPT) -> Path:
    """The folder with a release's code. Raises RequestError if there is no such release."""
    if release.endswith(".whl"):
        return _laid(_wheel(Path(release)), kept)
    commit = _git(repository, "rev-parse", "--verify", "--quiet", f"{release}^{{commit}}")
    if not commit:
        message = f"{release!r} is neither a commit of {repository} nor a wheel"
        raise RequestError("unknown_value", message, "player")
    name = commit.decode().strip()
    folder = kept / name
    return folder if folder.exists() else _laid((name, _git(repository, "archive", name)), kept)


def _git(repository: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, check=False).stdout


def _wheel(path: Path) -> tuple[str, bytes]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RequestError("unknown_value", f"{path} cannot be read: {error.strerror}", "player") from None
    return hashlib.sha256(data).hexdigest()[:40], data


def _laid(named: tuple[str, bytes], kept: Path) -> Path:
    """Unpack an archive into a folder with that name, unless it exists; the folder appears only when complete."""
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
    """A process that runs a script with the code of a folder, and answers lines of JSON."""

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
        """The answer to a question. Raises RequestError if the process has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(asked) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # then there is no answer to read either
        line = self._process.stdout.readline()
        if not line:
            raise RequestError("not_offered", "the release has ended without an answer", "player")
        found: dict[str, Any] = json.loads(line)
        return found

    def end(self) -> None:
        """End the process."""
        if self._process.stdin is not None and not self._process.stdin.closed:
            self._process.stdin.close()
        self._process.wait()


class Release(Apart):
    """A running release, for one game."""

    def __init__(self, folder: Path, game: str) -> None:
        super().__init__(folder, str(_ANSWERING))
        file = Path(self.ask({"game": game})["file"])
        if not file.is_relative_to(folder):  # another Athanor is installed and found first
            raise RequestError("unknown_value", f"not {folder} runs, but {file}", "player")

    def best(self, view: dict[str, Any], limit: Limit, seed: int) -> str:
        """The best move of a view, as text. Raises RequestError if the release answers with an error."""
        told = self.ask({"view": view, "seconds": limit.seconds, "nodes": limit.nodes, "seed": seed})
        if "error" in told:
            raise RequestError("not_offered", f"the release says: {told['error']}", "player")
        return str(told["best"])


@cache
def running(release: str, game: str) -> Release:
    """A running release for a game: one process serves all its seats and all rounds."""
    return Release(code_of(release), game)
