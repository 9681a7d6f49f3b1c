"""Making the networks of Aqua Regia, with a card beside each that says how it was made and how good it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np

from solver.games.aqua_regia.network import policy
from training.aqua_regia.critic import CriticLearner
from training.aqua_regia.learning import PLAYERS, Learner
from training.aqua_regia.playing import GREEDY, LEARNED, TRAINED, players_with
from training.aqua_regia.records import SURE
from training.export import commit, write

_STEPS = 6  # of games that the critic never saw, which judge it


def make(minutes: float, judging: float, seed: int, folder: Path) -> None:
    """Learn to play for so many minutes, then to judge for so many, and write what was learned.

    Where nothing was learned of playing, judging is learned for the player in the package.
    """
    learner = Learner(seed)
    if (folder / learner.file).exists():
        learner.load(folder / learner.file)
    learner.run(minutes, folder)
    brain, _ = policy()
    players = learner.players() if learner.learned else players_with(brain.net, float(brain.trust[0]))
    if learner.learned:
        _player(learner, folder / "policy.npz")
    if judging == 0:
        return
    critic = CriticLearner(players, seed)
    if (folder / critic.file).exists():
        critic.load(folder / critic.file)
    critic.run(judging, folder)
    _critic(critic, folder / "critic.npz")


def _player(learner: Learner, path: Path) -> None:
    made: dict[str, Any] = {
        "game": "aqua-regia",
        "what": "the chance to go out first that each move brings more than others of its choice",
        "seed": learner.seed,
        "commit": commit(),
        "minutes": round(learner.seconds / 60, 1),
        "choices": learner.learned,
    }
    for players in PLAYERS:
        found = []
        for others, name, deals in (
            (TRAINED, "rule players", 5000),
            (GREEDY, "greedy", 5000),
            (LEARNED, "its like", 1500),
        ):
            won, around = learner.strength(deals, players, others)
            more, about = learner.gain(deals, players, others)
            found.append(
                f"{won:.3f} ± {around:.3f} won against {name}, {more:.3f} ± {about:.3f} more than a rule player"
            )
        more, around = learner.gain_on_other_decks(100, 30, players)
        found.append(f"with 100 other decks {more:.3f} ± {around:.3f} more than a rule player")
        made[f"{players} players"] = "; ".join(found)
        click.echo(f"{players} players: {made[f'{players} players']}")
    brain = learner.players().brain
    further = {
        "trust": brain.trust.astype(np.float32),
        "sure": np.array([SURE], np.float32),
    }
    write(brain.net, made, path, **further)
    click.echo(path)


def _critic(critic: CriticLearner, path: Path) -> None:
    made: dict[str, Any] = {
        "game": "aqua-regia",
        "what": "how likely the seat to move goes out first, where every hand is known",
        "seed": critic.seed,
        "commit": commit(),
        "minutes": round(critic.seconds / 60, 1),
        "states": critic.learned,
    }
    for players in PLAYERS:
        told, states = critic.told(players, _STEPS)
        made[f"{players} players"] = (
            f"the squared error is {told:.3f} smaller, as a share, than if all seats are taken to be equal, in "
            f"{states} states of games that it never saw, six in ten with the house deck"
        )
        click.echo(f"{players} players: {made[f'{players} players']}")
    write(critic.network(), made, path)
    click.echo(path)
