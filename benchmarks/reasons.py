"""How many leads of hints get a cause, and which: ``python -m benchmarks.reasons kirin --decisions 300``.

Plausible players play rounds: each draws its move by the chances of its hint's first answer or, in games without
one, makes that of a hint of few nodes. At some of the choices a hint of `--nodes` is asked. Printed are how sure
these hints are, how many leads get one cause and two, and the share of each code among leads beyond doubt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import click

from solver import registry
from solver.answers import Hint, PolicyHint
from solver.common import Random
from solver.errors import RequestError
from solver.game import Game
from solver.limits import Control, Limit
from solver.playing import Round

QUICK_NODES = 200  # of a hint that chooses a move where there is no first answer
ONE_IN = 5  # choices that are asked about


def plausible(game: Game, table: Round, random: Random) -> str:
    """A move that a plausible player makes."""
    moves = table.moves()
    seed, view = random.below(1 << 30), table.seen(table.to_move or 0)
    if len(moves) == 1 or view is None:
        return moves[seed % len(moves)]
    try:
        found = game.hint(view, Control(), worlds=0, seed=seed)
    except RequestError:
        found = game.hint(view, Control(Limit(nodes=QUICK_NODES)), seed=seed)
    if isinstance(found, PolicyHint):
        left = random.below(1 << 30) / (1 << 30)
        for entry in found.moves:
            left -= entry.chance
            if left < 0:
                return entry.move
    return str(found.best)


def decisions(
    game: str, count: int, seed: int, nodes: int, players: int | None = None, variant: str | None = None
) -> Iterator[Hint]:
    """Hints of so many choices of plausible players."""
    random = Random(seed, 1)
    rules = registry.game(game)
    number = 0
    while count > 0:
        table: Round = rules.playing.opening(seed, number=number, players=players, variant=variant, before=())
        number += 1
        while table.to_move is not None and count > 0:
            if len(table.moves()) > 1 and random.below(ONE_IN) == 0:
                count -= 1
                yield table.hint(Control(Limit(nodes=nodes)), seed=random.below(1 << 30))
            table = table.play(plausible(rules, table, random))


def described(found: Sequence[Hint]) -> Iterator[str]:
    """What a list of hints has for reasons, a line a figure."""
    kinds = Counter(str(hint.sure) for hint in found)
    yield ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
    for kinds_of, what in ((("clear",), "clear leads"), (("slight",), "slight leads")):
        leads = [hint.causes for hint in found if hint.sure in kinds_of]
        one, two = (sum(len(causes) >= least for causes in leads) for least in (1, 2))
        of = max(1, len(leads))
        yield f"{what}: {len(leads)}, with a cause {one / of:.0%}, with two {two / of:.0%}"
    leads = [hint.causes for hint in found if hint.sure in ("clear", "slight")]
    codes = Counter(cause.code for causes in leads for cause in causes)
    for code, count in codes.most_common():
        yield f"  {code:20} {count / len(leads):4.0%}"


@click.command()
@click.argument("game")
@click.option("--decisions", "count", default=300)
@click.option("--nodes", default=8000, help="of each hint")
@click.option("--seed", default=1)
@click.option("--players", type=int)
@click.option("--variant")
@click.option("--show", is_flag=True, help="each move with its reason, too")
def main(
    game: str, count: int, nodes: int, seed: int, players: int | None, variant: str | None, show: bool
) -> None:
    """Print how many leads get a cause."""
    found = []
    for hint in decisions(game, count, seed, nodes, players, variant):
        found.append(hint)
        if show:
            click.echo(f"{hint.best} ({hint.sure}): {hint.reason}")
    click.echo(f"{game}, {count} decisions, hints of {nodes} nodes, seed {seed}")
    for line in described(found):
        click.echo(line)


if __name__ == "__main__":
    main()
