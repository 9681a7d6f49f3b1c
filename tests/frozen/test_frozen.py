"""A small part of the kept answers is as it was. `python -m tests.frozen` compares all of them."""

from __future__ import annotations

import subprocess
import sys

from tests.frozen import hashes
from tests.frozen.asking import kinds
from tests.frozen.positions import GAMES
from tests.frozen.service import ROOT, Answer
from tests.support.games import check_rows


def test_a_sample_of_the_answers_is_as_it_was() -> None:
    command = [sys.executable, "-m", "tests.frozen", "--sample", "30"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


def test_every_game_is_asked_about() -> None:
    check_rows(GAMES)


def test_the_kept_hashes_are_those_of_these_requests() -> None:
    kept = hashes.load()
    assert set(kept) == set(kinds())
    for kind, found in kinds().items():
        digested, answers = kept[kind]
        assert digested == hashes.digest(found), kind
        assert len(answers) == len(found), kind
    assert sum(map(len, kinds().values())) >= 12_000


def test_nodes_have_a_hash_of_their_own() -> None:
    one, other = (hashes.hash_of(Answer('200 application/json\n{"best": "S4"}', nodes)) for nodes in ("5", "6"))
    assert one != other
    assert one.partition(":")[0] == other.partition(":")[0]
