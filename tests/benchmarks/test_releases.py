"""Other releases as players of the arena: their code is laid out and runs apart. Here they are made up."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from benchmarks.kirin import KirinContest
from benchmarks.players import Player, limit_of, named, parted
from benchmarks.release import Release, ReleaseError, code_of
from solver.limits import Limit

CONTEST = KirinContest()
VIEW = CONTEST.game.view(CONTEST.game.deal(3), 0)

# Says that the last card of the hand is best; answers with an error to 13 nodes, and ends at 14.
_MADE_UP = """
class AthanorError(Exception):
    pass

class game:
    def __init__(self, name): print("loading", name)
    def warm(self): pass

class hint:
    def __init__(self, view, *, seconds, nodes, seed):
        if nodes == 13: raise AthanorError("not so many")
        if nodes == 14: raise SystemExit
        self.best = view["hand"][-1] if seconds is None else view["hand"][0]
"""


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    path = tmp_path / "athanor-0.0.1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("athanor/__init__.py", _MADE_UP)
    return path


def test_a_wheel_runs_apart(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = Release(code_of(str(wheel), kept=tmp_path / "kept"), "kirin")
    try:
        hand = VIEW.hand

        def running(_name: str, _game: str) -> Release:
            return release

        monkeypatch.setattr("benchmarks.players.running", running)

        def player(limit: str) -> Player:
            return named(CONTEST, f"release:{wheel}{limit}", 1)

        assert CONTEST.game.format_move(VIEW, player(":20n")(VIEW)) == hand[-1]
        assert CONTEST.game.format_move(VIEW, player("")(VIEW)) == hand[0]  # which has seconds
        with pytest.raises(ReleaseError, match="the release says: not so many"):
            player(":13n")(VIEW)
        with pytest.raises(ReleaseError, match="has ended"):
            player(":14n")(VIEW)
    finally:
        release.end()


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git to take commits from")
def test_a_commit_is_laid_out_once(tmp_path: Path) -> None:
    repository, kept = tmp_path / "repository", tmp_path / "kept"
    package = repository / "athanor"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(_MADE_UP)
    git = ["git", "-C", str(repository), "-c", "user.name=a", "-c", "user.email=b"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"], ["tag", "old"]):
        subprocess.run([*git, *command], check=True)
    folder = code_of("old", repository, kept)
    assert (folder / "athanor" / "__init__.py").read_text() == _MADE_UP
    (folder / "mark").touch()
    assert code_of("HEAD", repository, kept) == folder
    assert (folder / "mark").exists()
    with pytest.raises(ReleaseError, match="neither a commit"):
        code_of("new", repository, kept)
    with pytest.raises(ReleaseError, match="cannot be read"):
        code_of(str(tmp_path / "none.whl"), kept=kept)


def test_the_parts_of_a_name() -> None:
    assert parted("release:HEAD~3:600n") == ("release", "HEAD~3", "600n")
    assert parted("release:HEAD~3") == ("release", "HEAD~3", "")
    assert parted("hint:0.05") == ("hint", "", "0.05")
    assert limit_of("release:HEAD~3:600n") == Limit(nodes=600)
    assert limit_of("release:HEAD~3") is None
