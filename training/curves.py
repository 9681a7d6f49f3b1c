"""Draw how players learned: ``python -m training.curves FILE``, a picture of the runs of ``make train``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

_TITLES = {"kirin": "Kirin", "king": "King × Alchemy, 4 players", "aqua-regia": "Aqua Regia"}
_POINTS = {"kirin": 3.063, "king": 17.60}  # of a trained rule player in the learned player's place


class Line(NamedTuple):
    """How the `values` of a player, within `around` each (95%), grew over `minutes` of processor time.

    `rule` is what a trained rule player has in its place.
    """

    name: str
    minutes: Sequence[float]
    values: Sequence[float]
    around: Sequence[float]
    rule: float


def lines_of(game: str, runs: Path) -> list[Line]:
    """The lines of a game's curve: own points a round, or for each number of players the share of games won."""
    text = (runs / game / "curve.jsonl").read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = [json.loads(row) for row in text.splitlines()]
    if game in _POINTS:
        names = {"points": ("", "interval", _POINTS[game])}
    else:
        names = {
            f"won of {players}": (f"{players} players", f"± of {players}", 1 / players) for players in (2, 3, 4, 5)
        }
    found = []
    for key, (name, around, rule) in names.items():
        told = [row for row in rows if key in row]
        minutes, values, halves = ([float(row[word]) for row in told] for word in ("minutes", key, around))
        found.append(Line(name, minutes, values, halves, rule))
    return found


def draw(path: Path, games: dict[str, list[Line]]) -> None:
    """A picture, a part for each game; a dotted line is where a trained rule player is."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 3.5), layout="constrained")
    parts = figure.subplots(1, len(games), squeeze=False)[0]
    for axes, (game, lines) in zip(parts, games.items(), strict=True):
        for step, line in enumerate(lines):
            colour = f"C{step}"
            axes.errorbar(
                line.minutes,
                line.values,
                yerr=line.around,
                marker="o",
                markersize=3,
                capsize=2,
                color=colour,
                label=line.name,
            )
            axes.axhline(line.rule, color=colour, linestyle=":", linewidth=1)
        unit = "own points a round" if game in _POINTS else "games won"
        axes.set(title=_TITLES[game], xlabel="minutes of one processor", ylabel=unit)
        if len(lines) > 1:
            axes.set_ylim(0)
            axes.legend(loc="lower right", fontsize="small", ncols=2)
    figure.savefig(path)


@click.command()
@click.argument("picture", type=click.Path(path_type=Path))
@click.option(
    "--runs", type=click.Path(path_type=Path), default=Path("training/runs"), help="the folder of all runs"
)
def main(picture: Path, runs: Path) -> None:
    """Draw the curves of all games that have one in the folder: .svg or .png."""
    games = {game: lines_of(game, runs) for game in _TITLES if (runs / game / "curve.jsonl").exists()}
    if not games:
        raise click.UsageError(f"there is no curve in {runs}: make train writes them")
    draw(picture, games)


if __name__ == "__main__":
    main()
