"""Train the networks that ship: ``python -m training GAME``, with one module for each game.

Needs PyTorch: ``pip install athanor-cards[training]``. Without options it repeats the training of the network in
the package; the networks are written to ``training/runs/GAME``.
"""

from __future__ import annotations

import click

from training import aqua_regia, king, kirin


@click.group()
def main() -> None:
    """Train a game's networks."""


main.add_command(kirin.main, "kirin")
main.add_command(king.main, "king")
main.add_command(aqua_regia.main, "aqua-regia")

if __name__ == "__main__":
    main()
