"""Learn what hints of King × Alchemy pick, to infer hands by it: ``python -m benchmarks.king_watching --help``.

Hints play rounds among themselves; the weights of `solver.games.king.players` are fitted to what they
pick by maximum likelihood (a softmax, a share of the choices made at random, and a pull towards a third of the
plausible player's own weights). Prints ``SEEN_PICK`` of `solver/games/king/players.py`, and the mean
log-likelihood of rounds that were held out. Of plays a network tells more (`training.king.watching`).
"""

from __future__ import annotations

import click
import numpy as np
from numpy.typing import NDArray

from benchmarks.watching import Choices, fitted, likely
from solver import registry
from solver.common import mask, members
from solver.games.king.players import (
    AHEAD,
    MIXED,
    PICK,
    PICK_FEATURES,
    CardValues,
    book_of,
    pick_features,
    setting,
)
from solver.games.king.position import PickPosition, PickView, cards_at
from solver.games.king.rules import DEALT
from solver.limits import Control, Limit

GAME = registry.game("king")
START = 1 / 3  # of the plausible player's weights
RANDOM = float(MIXED[AHEAD])


def watch_pick(
    values: CardValues, seat: int, dealt: int, pick: int, found: NDArray[np.float32]
) -> tuple[int, int]:
    """Write the features of the cards that a seat could pick; how many, and the place of the one picked.

    `values` are those before the picks; `dealt` and `pick` are masks.
    """
    cards, out = list(members(dealt)), np.zeros(PICK_FEATURES)
    for place, card in enumerate(cards):
        pick_features(values, seat, dealt, len(cards) - 1, card, out)
        found[place] = out
    return len(cards), cards.index(pick.bit_length() - 1)


def watched(players: int, rounds: int, nodes: int, seed: int) -> Choices:
    """The picks of so many deals by hints of so many games a card."""
    most = max(DEALT.values())
    picks = np.zeros((rounds * players, most, PICK_FEATURES), np.float32)
    counts, chosen = np.zeros((2, rounds * players), np.int64)
    for number in range(rounds):
        position = GAME.deal(seed, number=number, players=players, variant="unpicked")
        assert isinstance(position, PickPosition)
        deck, removed = position.full_deck, mask(cards_at(position.full_deck, position.removed, "removed"))
        for seat in range(players):
            view = GAME.view(position, seat)
            assert isinstance(view, PickView)
            values = setting(view).values._replace(book=book_of(deck, (0,) * players, removed))
            answer = GAME.hint(view, Control(Limit(nodes=nodes)), seed=1000 * number + seat)
            pick, at = GAME.parse_move(view, str(answer.best)), number * players + seat
            counts[at], chosen[at] = watch_pick(values, seat, view.hand_mask, 1 << pick.card, picks[at])
    return Choices(picks, counts, chosen)


@click.command()
@click.option("--rounds", default=200, help="of four players; of three and of five a third as many")
@click.option("--nodes", default=4000, help="games a hint")
@click.option("--seed", default=1)
def main(rounds: int, nodes: int, seed: int) -> None:
    """Watch, fit, and print the weights."""
    GAME.warm()
    sizes = {4: rounds, 3: max(1, rounds // 3), 5: max(1, rounds // 3)}
    seen = [watched(players, count, nodes, seed) for players, count in sizes.items()]
    held = watched(4, max(1, rounds // 10), nodes, seed + 1)
    weights = fitted(seen, START * np.array(PICK), RANDOM)
    click.echo("SEEN_PICK = (\n" + "".join(f"    {value:.3f},\n" for value in weights) + ")")
    told = [likely(held, np.array(one), RANDOM)[0] for one in (weights, PICK, np.zeros(len(PICK)))]
    click.echo("# held out: {:.3f}; by the plausible player {:.3f}, at random {:.3f}".format(*told))


if __name__ == "__main__":
    main()
