"""The examples of games from other packages: they are installed, found, and held to all that a game is held to."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import guests
from tests.support.places import ROOT

MOST_LINES = {"hearts": 750, "whist": 550}
# What stands in the tests that have a case for every game that is registered: to collect all others, too, takes
# longer than to run them.
_TABLES = r"names\(|games\(|GAMES\b|support(\.| import .*)(games|rounds)"
LISTING = re.compile(rf"\b({_TABLES}|{'|'.join(guests.EXAMPLES)})")

# Not marked slow, so that it comes after the journeys, which compile what the examples need.


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return guests.install_examples(tmp_path_factory.mktemp("examples"))


def run(*arguments: str, paths: list[Path]) -> str:
    """What Python prints, run with these folders before all others."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, [*paths, ROOT])), "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_installed_games_are_found(installed: list[Path]) -> None:
    script = "import athanor; print(athanor.games()); print(athanor.game('whist').rules())"
    printed = run("-c", script, paths=installed)
    assert "'aqua-regia', 'hearts', 'whist')" in printed
    assert "# Whist" in printed


_PARTNERS = """
import athanor
from puzzles.format import from_data
from puzzles.wording import question

position = "whist trump=D hands=C2,HA/C3,HK/CK,S2/S3,S4 leader=0"
for model in ("paranoid", "maxn"):
    print(dict(athanor.analyze(position, model=model).parts()[0].rows)["For"])
for ask, player, solution in (("best-move", 2, "best"), ("best-move", 1, "best"), ("value", 0, "value")):
    best = {"best": ["HA"]} if solution == "best" else {"value": 2}
    puzzle = {"id": "a", "title": "A", "ask": ask, "position": position, "player": player, "solution": best}
    print(question(from_data({"puzzle": [puzzle | {"model": "paranoid"}]}).puzzles[0]).partition("?")[0])
"""


def test_partners_are_not_said_to_play_against_each_other(installed: list[Path]) -> None:
    assert run("-c", _PARTNERS, paths=installed).splitlines() == [
        "seat 0, to move; the other side plays against it (paranoid)",
        "seat 0, to move; each side plays for its own score (maxn)",
        "Which move brings the side of seat 2 the most points, if the other plays against it",
        "Which move of seat 0 leaves the side of seat 1 the fewest points",
        "How many points can the side of seat 0 be sure of, if the other plays against it",
    ]


def test_the_suite_and_the_examples_own_tests_hold_where_they_are_installed(installed: list[Path]) -> None:
    """Of the suite, the files that list all games, each example by one reading: its own tests try the other.
    Of what names no game, the tests that list them or call some unknown."""
    listing = "documented_request and unknown or every_key or names_one or makefile or with_its_path"
    names = f"({' or '.join(guests.EXAMPLES)}) and not no-moon and not no-trumps"
    tests = [*(ROOT / "examples" / name / "tests" for name in guests.EXAMPLES), ROOT / "tests/examples/doors.py"]
    tests += [file for file in (ROOT / "tests").rglob("test_*.py") if LISTING.search(file.read_text("utf-8"))]
    run("-m", "pytest", "-k", f"{names} or {listing}", "-m", "not slow", *map(str, tests), paths=installed)


def test_the_examples_are_small() -> None:
    assert MOST_LINES.keys() == set(guests.EXAMPLES)
    for name, most in MOST_LINES.items():
        package = ROOT / "examples" / name
        files = [path for path in package.rglob("*") if path.suffix in {".py", ".md", ".toml"}]
        assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) < most
