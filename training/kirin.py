"""The network of Kirin, which predicts the choices of a player who looks ahead; ``python -m training kirin``.

Hints play rounds against each other, which are written to a file, one line each. A small network is fitted to the
cards that they play (`training.choosers`), with inputs from `solver.games.kirin.players`, and weights to the cards
that they set aside (`training.fitting`).
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
import numpy as np

from benchmarks.kirin import KirinContest
from solver import registry
from solver.answers import AnyPosition
from solver.games.kirin.fast_rules import LIVE, PLAYED, SAME_COLOUR, playable
from solver.games.kirin.players import (
    CONTEXTS,
    DECLARE,
    DECLARE_WEIGHTS,
    OWN,
    SHARED,
    Scratch,
    declare_values,
    look,
    new_scratch,
    own_inputs,
    shared_inputs,
)
from solver.games.kirin.position import Round, number_of
from solver.games.kirin.worlds import deals
from solver.hints.network import Singles
from solver.hints.rounds import BEFORE, CODE, SEAT
from solver.kernels.jit import kernel
from solver.kernels.words import Floats, Words, popcount, trailing_zeros
from training.choosers import Choices, learn
from training.export import commit, write_chooser
from training.fitting import Choices as Asides
from training.fitting import fitted, likely
from training.rounds import kept, to_end

GAME = registry.game("kirin")
TURNS = 8  # of a seat, and cards in its hand
_DEALT = 9
_START = 0.1  # of the weights that were learned by self-play


@kernel
def watch_plays(
    seen: Words,
    seat: int,
    aside: int,
    room: Scratch,
    shared: Singles,
    own: Singles,
    counts: Words,
    chosen: Words,
    contexts: Words,
) -> int:
    """Write the plays of a seat in a whole round, one row each; returns how many had a choice."""
    mine = SAME_COLOUR[aside]
    hand = 0
    for row in range(len(seen)):
        if seen[row, SEAT] == seat:
            hand |= 1 << seen[row, CODE]
    done = 0
    for row in range(len(seen)):
        if seen[row, SEAT] != seat:
            continue
        table, card = seen[row, BEFORE:], seen[row, CODE]
        legal = playable(hand, table, 0)
        count = popcount(legal)
        if count > 1:
            unseen = table[LIVE] & ~hand & ~(1 << aside)
            look(hand, mine, unseen, room.sight)
            shared_inputs(hand, mine, unseen, table, legal, room.sight, shared[done])
            rest = legal
            for index in range(count):
                option = trailing_zeros(rest)
                rest &= rest - 1
                own_inputs(option, hand, mine, unseen, table, room.sight, own[done, index])
                if option == card:
                    chosen[done] = index
            counts[done] = count
            contexts[done] = table[PLAYED]
            done += 1
        hand &= ~(1 << card)
    return done


def watch_aside(hand: int, aside: int, found: Singles) -> int:
    """Write the features of setting aside each card of `hand`, a mask of nine cards.

    Returns the place of the one set aside.
    """
    out = np.zeros(_DEALT)
    for weight in range(DECLARE_WEIGHTS):
        declare_values(hand, np.eye(DECLARE_WEIGHTS)[weight], out)
        found[:, weight] = out
    return (hand & (1 << aside) - 1).bit_count()


def watched(rounds: Iterable[AnyPosition]) -> tuple[Choices, Asides]:
    """The plays that had a choice, and the cards set aside, in finished rounds."""
    room = new_scratch()
    parts: list[tuple[Any, ...]] = []
    hands, places = [], []
    for dealt, position in enumerate(rounds):
        assert isinstance(position, Round)
        seen = deals(GAME.view(position, 0)).game().seen  # type: ignore[arg-type]
        for seat in range(4):
            aside = number_of(position.declared[seat])
            shared, own = np.zeros((TURNS, SHARED), np.float32), np.zeros((TURNS, TURNS, OWN), np.float32)
            counts, chosen, contexts = np.zeros((3, TURNS), np.int64)
            done = watch_plays(seen, seat, aside, room, shared, own, counts, chosen, contexts)
            rows = (shared, own, counts, chosen, contexts, np.full(TURNS, dealt))
            parts.append(tuple(row[:done] for row in rows))
            held = sum(1 << int(row[CODE]) for row in seen if row[SEAT] == seat) | 1 << aside
            hands.append(np.zeros((_DEALT, DECLARE_WEIGHTS), np.float32))
            places.append(watch_aside(held, aside, hands[-1]))
    asides = Asides(np.array(hands), np.full(len(places), _DEALT), np.array(places))
    return Choices(*(np.concatenate(part) for part in zip(*parts, strict=True))), asides


def learn_asides(asides: Asides, held: float) -> tuple[Floats, float]:
    """Weights that predict the cards set aside, and the mean log-likelihood of those in the held-out rounds."""
    first = len(asides.counts) - 4 * int(len(asides.counts) // 4 * held)
    to_fit, back = (
        Asides(asides.features[part], asides.counts[part], asides.chosen[part])
        for part in (slice(None, first), slice(first, None))
    )
    weights = fitted([to_fit], _START * np.array(DECLARE), 0.0)
    return weights, likely(back, weights, 0.0)[0]


@click.command()
@click.option("--rounds", default=3000)
@click.option("--nodes", default=1000, help="games a move")
@click.option("--who", default="club", help="who plays: hint, or club, as the arena names them")
@click.option("--seed", default=4000, help="of the deals and of the network")
@click.option("--epochs", default=120)
@click.option("--held", default=0.1, help="the share of the rounds that is held back")
@click.option("--folder", default="training/runs/kirin", type=click.Path(path_type=Path))
def main(rounds: int, nodes: int, who: str, seed: int, epochs: int, held: float, folder: Path) -> None:
    """Record rounds, continuing those in the folder, learn, and write ahead.npz and its model card there."""
    GAME.warm()
    begun = time.process_time()
    path = folder / f"watched-{who}-{nodes}-{seed}.jsonl"
    hint = GAME.hint if who == "hint" else KirinContest.sampled[who].hint

    def play(number: int) -> AnyPosition:
        return to_end(GAME, GAME.deal(seed, number=number, variant="undeclared"), hint, nodes, 1000 * number)

    choices, asides = watched(kept(path, rounds, play))
    learned = learn(choices, CONTEXTS, seed, held=held, epochs=epochs)
    weights, likely_aside = learn_asides(asides, held)
    card = {
        "game": "kirin",
        "what": "which card who looks ahead plays, and sets aside",
        "seed": seed,
        "commit": commit(),
        "minutes": round((time.process_time() - begun) / 60, 1),
        "watched": f"{rounds} rounds among {who}, {nodes} games a move",
        "epochs": epochs,
        **learned.told(),
        "the same of cards set aside": round(likely_aside, 4),
    }
    write_chooser(learned.chooser, card, folder / "ahead.npz", declare=weights)
    click.echo(json.dumps(card, indent=2, ensure_ascii=False))
