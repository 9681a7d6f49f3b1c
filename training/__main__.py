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
@click.option("--judging", default=14.0, help="minutes of aqua-regia to learn to judge games; 0: none")
@click.option("--seed", default=1)
@click.option("--folder", type=click.Path(path_type=Path), help="of checkpoints and the curve; training/runs/GAME")
def main(
    game: str, minutes: float, hands: int, heads: float, judging: float, seed: int, folder: Path | None
) -> None:
    """Learn to play by self-play, going on from a run before in the folder; then what else the game asks for."""
    folder = folder or Path("training/runs") / game
    folder.mkdir(parents=True, exist_ok=True)
    if game == "kirin":
        _kirin(minutes, hands, seed, folder)
    elif game == "king":
        from training.king.making import make

        make(minutes, heads, seed, folder)
    else:
        from training.aqua_regia.making import make as make_aqua_regia

        make_aqua_regia(minutes, judging, seed, folder)


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
