"""Train a game's networks: ``python -m training --help``.

Needs PyTorch: ``pip install athanor-cards[training]``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np


@click.command()
@click.argument("game", type=click.Choice(["kirin", "king", "aqua-regia"]))
@click.option("--minutes", default=30.0, help="of processor time to learn to play, those of runs before counted")
@click.option("--hands", default=2_000_000, help="of kirin, to learn what each card is worth set aside; 0: none")
@click.option("--heads", default=5.0, help="minutes of king to learn what to pick and take; 0: none")
@click.option("--seed", default=1)
@click.option("--folder", type=click.Path(path_type=Path), help="of checkpoints and the curve; training/runs/GAME")
def main(game: str, minutes: float, hands: int, heads: float, seed: int, folder: Path | None) -> None:
    """Learn to play by self-play, going on from a run before in the folder; then what else the game asks for."""
    folder = folder or Path("training/runs") / game
    folder.mkdir(parents=True, exist_ok=True)
    if game == "kirin":
        _kirin(minutes, hands, seed, folder)
    elif game == "king":
        from training.king.making import make

        make(minutes, heads, seed, folder)
    else:
        _aqua_regia(minutes, seed, folder)


def _aqua_regia(minutes: float, seed: int, folder: Path) -> None:
    from training.aqua_regia.learning import PLAYERS, Learner
    from training.aqua_regia.playing import GREEDY, LEARNED, TRAINED
    from training.aqua_regia.records import SURE
    from training.export import commit, write

    learner = Learner(seed)
    if (folder / "checkpoint.pt").exists():
        learner.load(folder / "checkpoint.pt")
    learner.run(minutes, folder)
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
    write(brain.net, made, folder / "policy.npz", **further)
    click.echo(folder / "policy.npz")


def _kirin(minutes: float, hands: int, seed: int, folder: Path) -> None:
    from training.export import commit, write
    from training.kirin.asides import AsideLearner
    from training.kirin.learning import Learner
    from training.kirin.playing import LEARNED

    learner = Learner(seed)
    if (folder / "checkpoint.pt").exists():
        learner.load(folder / "checkpoint.pt")
    learner.run(minutes, folder)
    points, around = learner.strength(10_000)
    made: dict[str, Any] = {
        "game": "kirin",
        "seed": learner.seed,
        "commit": commit(),
        "minutes": round(learner.seconds / 60, 1),
        "rows": learner.learned,
        "player": f"{points:.3f} ± {around:.3f} own points a round against three trained rule players",
    }
    policy, critic = learner.players(mean=True)[:2]
    trust = np.array([learner.trust.item()], np.float32)
    write(policy, {**made, "what": "which card to play"}, folder / "policy.npz", trust=trust)
    what = "what a seat that has to choose wins from there on, where every card is known"
    write(critic, {**made, "what": what}, folder / "critic.npz")
    click.echo(f"{folder / 'policy.npz'}, {folder / 'critic.npz'}: {made['player']}")
    if hands == 0:
        return
    asides = AsideLearner(learner.players(mean=True), LEARNED, learner.seed)
    net = asides.run(hands)
    what = "points of each card set aside, and how many more they are than the plausible player's"
    write(net, {**made, "what": what, "hands": asides.hands}, folder / "asides.npz")
    click.echo(f"{folder / 'asides.npz'}: {asides.hands} hands")


if __name__ == "__main__":
    main()
