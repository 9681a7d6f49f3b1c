"""Most clear leads get a cause, in rounds of players who draw their moves by the chances of first answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from solver import registry
from solver.answers import Hint, PolicyHint
from solver.common import Random
from solver.kernels.machine import OFF
from solver.limits import Control, Limit
from solver.playing import Round

GAME = registry.game("kirin")


def drawn(table: Round, random: Random) -> str:
    """A move by the chances of the first answer."""
    seed, moves = random.below(1 << 30), table.moves()
    view = table.seen(table.to_move or 0)
    if len(moves) == 1 or view is None:
        return moves[seed % len(moves)]
    found = GAME.hint(view, Control(), worlds=0, seed=seed)
    assert isinstance(found, PolicyHint)
    left = random.below(1 << 30) / (1 << 30)
    for entry in found.moves:
        left -= entry.chance
        if left < 0:
            return entry.move
    return str(found.best)


def hints(count: int) -> Iterator[Hint]:
    """Hints at one in five choices, this many in all."""
    random, number = Random(1, 1), 0
    while True:
        table: Round = GAME.playing.opening(1, number=number, players=None, variant=None, before=())
        number += 1
        while table.to_move is not None:
            if len(table.moves()) > 1 and random.below(5) == 0:
                yield table.hint(Control(Limit(nodes=4000)), seed=random.below(1 << 30))
                count -= 1
                if not count:
                    return
            table = table.play(drawn(table, random))


@pytest.mark.skipif(OFF, reason="without the JIT hints take minutes")
def test_most_clear_leads_get_a_cause() -> None:
    causes = [hint.causes for hint in hints(40) if hint.sure == "clear"]
    assert len(causes) > 8
    assert sum(bool(named) for named in causes) >= 0.7 * len(causes)
