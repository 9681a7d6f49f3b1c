"""Making the networks of King × Alchemy: they learn, and are written with a card that tells how good they are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np

from solver.games.king.learned import Brain, policy
from training.choice_learning import ChoiceLearner
from training.choices import Choices
from training.export import commit, write
from training.keeping import mean_and_around
from training.king.heads import KINDS, HeadLearner, players_of, room_of
from training.king.learning import CHOICES, Learner
from training.king.playing import no_heads, players_with
from training.king.records import records
from training.king.strength import gain, gain_on_other_decks, gains_with_other_decks, strength, sureness
from training.torch_networks import for_kernels

WHAT = {
    "picks": "points that a round brings after each pick of a card, by what a seat sees",
    "takings": "points that a round brings after each way to take from a trick, by what a seat sees",
}


def make(minutes: float, heads: float, seed: int, folder: Path) -> None:
    """Learn to play for so many minutes, then what to pick and take for so many, and write what was learned.

    Where nothing was learned of plays, picks and takings are learned for the player in the package.
    """
    learner = Learner(seed)
    _go_on(learner, minutes, folder)
    brain = learner.brain() if learner.learned else policy()[0]
    if learner.learned:
        _plays(learner, folder / "policy.npz")
    if heads == 0:
        return
    by_rule = players_with(brain, no_heads())
    learners = {name: HeadLearner(name, seed, by_rule) for name in KINDS}
    for name, of_head in learners.items():
        _go_on(of_head, heads * KINDS[name].time, folder)
    for name in learners:
        _head(brain, learners, name, folder / f"{name}.npz")
    for seats in (3, 4, 5):
        points, around = strength(players_of(brain, learners, KINDS), 10_000, seats)
        click.echo(f"{seats} players, with all networks: {points:.2f} ± {around:.2f} own points a round")


def _go_on(learner: ChoiceLearner, minutes: float, folder: Path) -> None:
    if (folder / learner.file).exists():
        learner.load(folder / learner.file)
    learner.run(minutes, folder)


def _plays(learner: Learner, path: Path) -> None:
    card = _card("points that each play brings more than others of its choice", learner)
    players = learner.players()
    for seats in (3, 4, 5):
        points, around = strength(players, 10_000, seats)
        card[f"{seats} players"] = f"{points:.2f} ± {around:.2f} own points a round against trained rule players"
    points, around = gain_on_other_decks(players, 200, 50)
    card["200 other decks"] = f"{points:.2f} ± {around:.2f} more than a trained rule player's, 4 players"
    _write(learner, records(CHOICES), card, path)


def _head(brain: Brain, learners: Mapping[str, HeadLearner], name: str, path: Path) -> None:
    card = _card(WHAT[name], learners[name])
    uses, without = (players_of(brain, learners, names) for names in ((name,), ()))
    for seats in sorted(set(KINDS[name].order)):
        points, around = mean_and_around(gain(uses, without, 10_000, seats))
        decks, around_decks = mean_and_around(gains_with_other_decks(uses, without, 100, 50, seats))
        card[f"{seats} players"] = (
            f"{points:.2f} ± {around:.2f} points a round more than by rule, among trained rule players; "
            f"{decks:.2f} ± {around_decks:.2f} with 100 other decks"
        )
    _write(learners[name], room_of(name), card, path)


def _card(what: str, learner: ChoiceLearner) -> dict[str, Any]:
    return {
        "game": "king",
        "what": what,
        "seed": learner.seed,
        "commit": commit(),
        "minutes": round(learner.seconds / 60, 1),
        "choices": learner.learned,
    }


def _write(learner: ChoiceLearner, rows: Choices, card: dict[str, Any], path: Path) -> None:
    further = {
        "trust": np.array([learner.trust.item()], np.float32),
        "sure": np.array([sureness(learner, rows)], np.float32),
    }
    write(for_kernels(learner.mean.net), card, path, **further)
    for key, told in card.items():
        click.echo(f"{key}: {told}")
    click.echo(path)
