"""The files in tests/data/kirin, made anew by
``python -m tests.games.kirin.data``. The tests make them and compare.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from solver.common import Random
from solver.games.kirin import GAME
from solver.games.kirin.moves import FinishedRound, KirinRecord
from solver.games.kirin.position import Round
from solver.games.kirin.rules import State
from solver.positions import parse_position, position_data
from tests.support import count_tables, places
from tests.support.kinds import of_kind

FOLDER = places.DATA / "kirin"
PLAYTHROUGHS = range(3)

_ENDINGS: tuple[dict[str, Any], ...] = (
    {
        "direction": "ascending",
        "leader": 0,
        "hands": ["D6 S1 B+", "DT G3 S-", "B4 B5 GT", "D- S5 G1"],
        "declared": "D1 S2 B1 G2",
    },
    {
        "direction": "descending",
        "leader": 2,
        "trick": "S3 D6",
        "hands": ["G+ B2 D3", "S+ BT D1", "G5 D2", "S6 S4"],
        "declared": "G6 G4 D4 S1",
    },
    {  # kirin only: every trick is discarded, and the same seat leads for ever
        "direction": "ascending",
        "leader": 1,
        "hands": ["D+ G-", "S+ B-", "B+ S-", "G+ D-"],
        "declared": "D1 S1 B1 G1",
    },
    {
        "direction": "descending",
        "leader": 3,
        "trick": "B1",
        "hands": ["D5 S2 GT B-", "D2 S3 B6 G+", "DT S+ B2 G4", "D- ST G6"],
        "declared": "D1 S1 B3 G1",
        "won": ["D3 D4 S4 B4", "", "", ""],
    },
)


def _known(ending: dict[str, Any]) -> Round:
    lists = {
        key: [pile.split() for pile in value] if isinstance(value, list) else value.split()
        for key, value in ending.items()
        if key not in ("direction", "leader")
    }
    return of_kind(Round, parse_position({"game": "kirin"} | ending | lists))


def counted() -> Iterator[Round]:
    """The positions whose lines are counted: two deals, one of them three cards on, and endings."""
    for number in range(2):
        deal = of_kind(Round, GAME.deal(1, number=number))
        yield deal
    later: BaseModel = deal
    for _ in range(3):
        later = GAME.play(later, GAME.legal_moves(later)[-1])
    assert isinstance(later, Round)
    yield later
    yield from map(_known, _ENDINGS)


def lines(state: State) -> list[int]:
    """The lines of 1, 2, … cards."""
    return count_tables.counts(state, lambda now: now.over, lambda now: [now.after(card) for card in now.moves()])


def counts_text() -> str:
    """``counts.json``: positions, and how many lines of 1, 2, … cards each has."""
    rows = [
        json.dumps({"lines": lines(position.state), "position": position_data(position)}) for position in counted()
    ]
    return "[\n" + ",\n".join(rows) + "\n]\n"


def playthrough(seed: int) -> str:
    """A round from the deal to its score, every position and its legal moves; the moves are random."""
    random = Random(seed)
    position = GAME.deal(seed, variant="undeclared")
    rows = [f"kirin, seed {seed}, undeclared"]
    while moves := GAME.legal_moves(position):
        move = moves[random.below(len(moves))]
        starts = not position.trick
        if starts:
            rows += ["", *(f"{label}: {text}" for label, text in GAME.describe(position))]
        seat = position.seat_to_move  # type: ignore[attr-defined]  # every kind of kirin position has it
        choice = " ".join(GAME.format_move(position, move) for move in moves)
        rows.append(f"seat {seat}: {GAME.format_move(position, move)}   (of {choice})")
        position = GAME.play(position, move)
    rows += ["", *(f"{label}: {text}" for label, text in GAME.describe(position))]
    assert isinstance(position, Round)
    record = KirinRecord(
        game="kirin", rounds=(FinishedRound(declared=position.declared, history=position.history),)
    )
    return "\n".join([*rows, "", GAME.score(record).to_json(), ""])


def files() -> Iterator[tuple[str, str]]:
    """Name and text of every file."""
    yield "counts.json", counts_text()
    for seed in PLAYTHROUGHS:
        yield f"playthrough-{seed}.txt", playthrough(seed)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in files():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
