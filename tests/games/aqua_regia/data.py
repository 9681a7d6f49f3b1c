"""The playthroughs in tests/data/aqua-regia, made
anew by ``python -m tests.games.aqua_regia.data``; the tests compare.
"""

from __future__ import annotations

from collections.abc import Iterator

from solver.common import Random
from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.position import KnownPosition
from solver.games.aqua_regia.rules import Play
from solver.positions import parse_record
from tests.support import places

FOLDER = places.DATA / "aqua-regia"
PLAYTHROUGHS = {2: 14, 3: 22, 4: 1, 5: 22}  # players, and the seed


def playthrough(players: int, seed: int) -> str:
    """A game from the deal to its score; half of the moves are the play of most cards, the others are random."""
    random = Random(seed, players)
    position = GAME.deal(seed, players=players)
    rows = [f"aqua-regia, seed {seed}, {players} players"]
    while moves := GAME.legal_moves(position):
        assert isinstance(position, KnownPosition)
        if not position.table:
            rows += ["", *(f"{label}: {text}" for label, text in GAME.describe(position))]
        move = moves[random.below(len(moves))]
        plays = [move for move in moves if isinstance(move, Play)]
        if plays and random.below(2):
            move = max(plays, key=lambda play: play.count)
        choice = ", ".join(GAME.format_move(position, move) for move in moves)
        rows.append(f"seat {position.seat_to_move}: {GAME.format_move(position, move)}   (of {choice})")
        position = GAME.play(position, move)
    assert isinstance(position, KnownPosition)
    rows += ["", *(f"{label}: {text}" for label, text in GAME.describe(position))]
    record = parse_record({"game": "aqua-regia", "rounds": [{"hands": position.hands}]})
    return "\n".join([*rows, "", GAME.score(record).to_json(), ""])


def files() -> Iterator[tuple[str, str]]:
    """Name and text of every file."""
    for players, seed in PLAYTHROUGHS.items():
        yield f"playthrough-{players}.txt", playthrough(players, seed)


def main() -> None:
    for name, text in files():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
