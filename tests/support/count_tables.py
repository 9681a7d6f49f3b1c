"""Move-count tables of King × Alchemy and Aqua Regia, made by the references.

Made anew by ``python -m tests.support.count_tables``.

Each row has a position and in how many ways its next 1, 2, … moves can be made.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from tests.games.aqua_regia.random_positions import random_position as aqua_position
from tests.games.aqua_regia.random_positions import random_table
from tests.games.king.random_positions import random_deck
from tests.games.king.random_positions import random_position as king_position
from tests.reference import aqua, king
from tests.support import places

FOLDER = places.DATA
COUNTED_LINES = 2_000  # a position's row ends with the first count above this

Data = dict[str, Any]
State = TypeVar("State")


def king_positions() -> Iterator[Data]:
    """Rounds about to start, then endings: as dealt, with trumps and the Dancer, of decks of any kind."""
    rng = random.Random(41)
    for players, cards in ((3, 14), (4, 11), (5, 9)):
        yield king_position(rng, players=players, cards=cards, played=0, brewing=False)
    for players in (3, 4, 5):
        for heavy in (None, "dancer", "trump"):
            yield king_position(rng, players=players, cards=3, heavy=heavy)
        yield king_position(rng, players=players, cards=2, played=players, heavy="dancer")
        yield king_position(
            rng, players=players, cards=3, deck=random_deck(rng), heavy=rng.choice((None, "dancer"))
        )


def aqua_positions() -> Iterator[Data]:
    """Games about to start, then later positions: with pairs and fours, of tables of any kind."""
    rng = random.Random(42)
    for players in (2, 3, 4, 5):
        yield aqua_position(rng, players=players, cards=10 * players, stock=64, climbing=False, crowded=False)
        yield aqua_position(rng, players=players, cards=4 * players, crowded=True, climbing=False)
        yield aqua_position(rng, players=players, cards=3 * players, crowded=True, climbing=True, stock=2)
        yield aqua_position(rng, players=players, cards=2 * players, crowded=False, climbing=True, stock=0)
        yield aqua_position(rng, players=players, cards=3 * players, deck=random_table(rng, metals=10, copies=4))


def counts(start: State, over: Callable[[State], bool], after: Callable[[State], list[State]]) -> list[int]:
    """The lines of 1, 2, … moves, to the last move of the longest or to the first count above COUNTED_LINES."""
    found: list[int] = []
    ended, ways = 0, Counter({start: 1})
    while not found or found[-1] <= COUNTED_LINES:
        later: Counter[State] = Counter()
        for now, many in ways.items():
            if over(now):
                ended += many
            else:
                for following in after(now):
                    later[following] += many
        if not later:
            break
        found.append(ended + later.total())
        ways = later
    return found


def king_counts(position: Data) -> list[int]:
    deck, start = king.load(position)
    return counts(start, king.over, lambda now: [king.play(deck, now, move) for move in king.legal(deck, now)])


def aqua_counts(position: Data) -> list[int]:
    table, start = aqua.load(position)
    return counts(start, aqua.over, lambda now: [aqua.play(table, now, move) for move in aqua.legal(table, now)])


TABLES = (("king", king_positions, king_counts), ("aqua-regia", aqua_positions, aqua_counts))


def main() -> None:
    for name, positions, found in TABLES:
        rows = [json.dumps({"lines": found(position), "position": position}) for position in positions()]
        (FOLDER / name).mkdir(parents=True, exist_ok=True)
        (FOLDER / name / "counts.json").write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
