"""Files with faults, as commands read them: ``python -m tests.attack.files --files 10000 --seed 1``.

A game that was watched at a table, a deck as a table, and a certificate, each garbled. Each is read, or refused in
our words, soon; and a certificate that is still proved claims no more than the whole one did.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

from athanor.sessions import Session, read_one
from puzzles.check_proof import BrokenProofError, check
from puzzles.proofs import text_of
from solver import decks
from solver.errors import AthanorError
from tests.attack.case import changed, scratched
from tests.proofs.making import provable, small_certificates
from tests.support.deck_tables import JAPANESE, ROWS, spelled, table
from tests.support.places import ROOT

SECONDS = 2.0  # of processor time, for any of them
_LINES = (
    "pass",
    "round",
    "[seat 2]",
    "d+",
    "x" * 3000,
    "s3 d+ d6 gt",
    "; x",
    "undo",
    "[game king]",
    "round kirin",
)
_CELLS = ("", "-1", "9" * 40, "=1+1", '"', "Iron + Iron", "鉄", "\x00", "1e9", ",", "|", "A" * 5000)


def watched(rng: random.Random) -> None:
    """A game of a real table."""
    lines = (ROOT / "docs" / "examples" / "table.txt").read_text(encoding="utf-8").splitlines()
    for _ in range(rng.randrange(4)):
        place = rng.randrange(len(lines))
        lines[place : place + rng.randrange(2)] = [rng.choice((*_LINES, *lines))] * rng.choice((1, 1, 2, 300))
    content = "\n".join(lines).encode()
    session = Session(read_one(scratched(content, rng) if rng.random() < 0.4 else content))
    session.round.moves()


def tabled(rng: random.Random) -> None:
    """A deck as a table, in English or Japanese."""
    rows = [dict(row) for row in spelled(ROWS[rng.choice([*ROWS])])]
    for _ in range(rng.randrange(4)):
        row = rng.choice(rows)
        row[rng.choice([*row])] = rng.choice((*_CELLS, *rng.choice(rows).values()))
    rng.shuffle(rows)
    text = table(rows * rng.choice((1, 1, 1, 2, 60)), rng.choice(",;\t|"))
    if rng.random() < 0.3:
        head, _, rest = text.partition("\n")
        text = ",".join(JAPANESE.get(label, label) for label in head.split(",")) + "\n" + rest
    content = text.encode("cp932" if rng.random() < 0.1 else "utf-8", "replace")
    decks.read(scratched(content, rng) if rng.random() < 0.5 else content, "mine")


def proved(rng: random.Random) -> None:
    """A certificate. Raises AssertionError where a garbled one proves something else."""
    text = rng.choice(_certificates())
    whole = json.loads(text)
    data = json.loads(scratched(text.encode(), rng)) if rng.random() < 0.5 else changed(whole, rng)
    check(data)
    told = {key: value for key, value in data["claim"].items() if key in ("value", "total")}
    if data["claim"]["position"] == whole["claim"]["position"] and data["claim"].get("player") == (
        whole["claim"].get("player")
    ):
        assert data["claim"].get("model") != whole["claim"].get("model") or told.items() <= whole["claim"].items()


@cache
def _certificates() -> list[str]:
    """Small certificates of puzzles from all over the collection."""
    return [text_of(proof) for proof in small_certificates(20_000, provable()[:: len(provable()) // 40])]


KINDS: dict[str, Callable[[random.Random], None]] = {"watched": watched, "table": tabled, "certificate": proved}


def attacked(files: int, seed: int, report: Callable[[str, str], Any]) -> Counter[str]:
    """Read so many garbled files of each kind; what became of them. A fault is reported with its traceback."""
    counts: Counter[str] = Counter()
    _certificates()
    for number in range(files):
        for kind, read in KINDS.items():
            name = f"{kind} {seed}/{number}"
            began = time.thread_time()
            try:
                read(random.Random(name))
                counts[f"{kind} read"] += 1
            except (AthanorError, BrokenProofError, json.JSONDecodeError, UnicodeDecodeError):
                counts[f"{kind} refused"] += 1
            except Exception:
                counts[f"{kind} wrong"] += 1
                report(name, traceback.format_exc())
            if time.thread_time() - began > SECONDS:
                counts[f"{kind} late"] += 1
                report(name, f"{time.thread_time() - began:.1f} s")
    return counts


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = attacked(given.files, given.seed, lambda name, text: print(f"{name}\n{text}"))
    print(dict(found))
    sys.exit(any(kind.endswith(("wrong", "late")) for kind in found))
