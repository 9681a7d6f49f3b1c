"""Recorded rounds of King × Alchemy, made anew by
``python -m tests.games.king.data``. A test makes them and compares.
"""

from __future__ import annotations

from collections.abc import Iterator

from solver.common import Random
from solver.games.king import GAME
from solver.games.king.moves import FinishedRound, KingRecord
from solver.games.king.position import Round
from solver.positions import parse_position, position_data
from tests.support import places

FOLDER = places.DATA / "king"
PLAYERS = (3, 4, 5)


def playthrough(players: int) -> str:
    """A round from the deal to its score, every trick's position and all legal moves; the moves are random."""
    random = Random(players)
    position = GAME.deal(players, players=players, variant="unpicked")
    rows = [f"king, seed {players}, {players} players, unpicked"]
    while moves := GAME.legal_moves(position):
        move = moves[random.below(len(moves))]
        assert isinstance(position, Round)
        if not position.trick:
            rows += ["", *(f"{label}: {text}" for label, text in GAME.describe(position))]
        seat = position.seat_to_move
        choice = ", ".join(GAME.format_move(position, move) for move in moves)
        rows.append(f"seat {seat}: {GAME.format_move(position, move)}   (of {choice})")
        position = GAME.play(position, move)
        assert parse_position(position_data(position)) == position
    rows += ["", *(f"{label}: {text}" for label, text in GAME.describe(position))]
    assert isinstance(position, Round)
    record = KingRecord(game="king", deck="house", rounds=(FinishedRound(won=position.won),))
    return "\n".join([*rows, "", GAME.score(record).to_json(), ""])


def files() -> Iterator[tuple[str, str]]:
    """Name and text of every file."""
    for players in PLAYERS:
        yield f"playthrough-{players}.txt", playthrough(players)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in files():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
