"""The network of King × Alchemy, which predicts the plays of a player who looks ahead; ``python -m training
king``.

Hints play rounds against each other, which are saved, one line each, so that a run continues an earlier one. Then
a small network is fitted to their plays (`training.choosers`). The picks of such a player are predicted by weights
(``python -m training.king_rules watch``).
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np

from solver import registry
from solver.answers import AnyPosition
from solver.games.king.deck import CARDS
from solver.games.king.fast_rules import NAMED, ORDER, PLAYED, THE_DANCER, card_at
from solver.games.king.players import (
    AHEAD_OWN,
    ALL,
    CONTEXTS,
    MOST,
    SHARED,
    context_of,
    features,
    own_inputs,
    plays,
    shared_inputs,
)
from solver.games.king.position import Round
from solver.games.king.rules import TRICKS
from solver.games.king.worlds import GONE, chosen, deals
from solver.hints.rounds import BEFORE, CODE, SEAT, Game
from solver.hints.rounds import CARDS as HELD
from solver.kernels.jit import kernel
from training.choosers import Choices, learn
from training.export import commit, write_chooser
from training.rounds import kept, to_end

GAME = registry.game("king")
WHAT = "how likely hints make each play, by what their seat sees"
MOST_TRICKS = max(TRICKS.values())
ORDER_OF_PLAYERS = (4, 3, 4, 5, 4, 4)


@kernel
def watch(game: Game, seat: int, hand: int, out: Choices) -> int:
    """Write the plays of a seat, which held `hand` after the picks, to `out`; returns how many had a choice."""
    deal, seen = game.setting.deal, game.seen
    codes, table = game.codes, game.room.table
    done = 0
    for row in range(len(seen)):
        if seen[row, SEAT] != seat:
            continue
        node, worths = seen[row, BEFORE:], game.setting.worths[row * CARDS :]
        count = plays(deal, node, hand, codes)
        if count > 1:
            for index in range(node[PLAYED]):
                table[index] = worths[card_at(node[ORDER], index)]
            unseen = ALL & ~node[GONE] & ~hand
            out.counts[done] = count
            out.contexts[done] = context_of(deal, node)
            out.chosen[done] = chosen(codes, node, count, seen[row, CODE])
            shared_inputs(deal, node, hand, unseen, table, out.shared[done])
            for index in range(count):
                move = codes[index]
                own = worths[deal[THE_DANCER] if move >= NAMED else move]
                of_play = features(deal, node, hand, unseen, move, own, table)
                own_inputs(deal, node, hand, unseen, move, of_play, out.own[done, index])
            done += 1
        hand &= ~seen[row, HELD]
    return done


def room_of(rows: int) -> Choices:
    """Allocate room for this many choices."""
    counts, chosen, contexts, rounds = np.zeros((4, rows), np.int64)
    own = np.zeros((rows, MOST, AHEAD_OWN), np.float32)
    return Choices(np.zeros((rows, SHARED), np.float32), own, counts, chosen, contexts, rounds)


def choices_of(position: AnyPosition, number: int) -> Iterator[Choices]:
    """The plays of each seat in a finished round, labelled with this round number."""
    view = GAME.view(position, 0)
    assert isinstance(view, Round)
    game = deals(view).game()
    for seat in range(view.players):
        hand = int(game.seen[game.seen[:, SEAT] == seat, HELD].sum())
        out = room_of(MOST_TRICKS)
        done = watch(game, seat, hand, out)
        out.rounds[:] = number
        yield out.of(slice(done))


def watched(path: Path, rounds: int, nodes: int, seed: int) -> Choices:
    """The plays of this many rounds; those missing from the file are played and appended."""

    def play(number: int) -> AnyPosition:
        players = ORDER_OF_PLAYERS[number % len(ORDER_OF_PLAYERS)]
        dealt = GAME.deal(seed, number=number, players=players, variant="unpicked")
        return to_end(GAME, dealt, GAME.hint, nodes, 1000 * number)

    with click.progressbar(kept(path, rounds, play), rounds, "rounds") as positions:
        parts = [part for number, position in enumerate(positions) for part in choices_of(position, number)]
    return Choices(*(np.concatenate(part) for part in zip(*parts, strict=True)))


@click.command()
@click.option("--rounds", default=1750, help="of three, four and five players in turn")
@click.option("--nodes", default=2000, help="games a hint")
@click.option("--epochs", default=80, help="how often each choice is learned from")
@click.option("--seed", default=1)
@click.option("--folder", type=click.Path(path_type=Path), default=Path("training/runs/king"))
def main(rounds: int, nodes: int, epochs: int, seed: int, folder: Path) -> None:
    """Play and save rounds, fit the network, and write it with its model card."""
    GAME.warm()
    begun = time.process_time()
    learned = learn(watched(folder / "watched.jsonl", rounds, nodes, seed), CONTEXTS, seed, epochs=epochs)
    card = {
        "game": "king",
        "what": WHAT,
        "seed": seed,
        "commit": commit(),
        "minutes": round((time.process_time() - begun) / 60, 1),
        "rounds": rounds,
        "games of a hint": nodes,
        **learned.told(),
    }
    write_chooser(learned.chooser, card, folder / "ahead.npz")
    click.echo(json.dumps(card, indent=2, ensure_ascii=False))
