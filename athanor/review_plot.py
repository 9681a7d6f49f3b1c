"""The picture of a review: what each seat has given away up to each move of a round."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from matplotlib.figure import Figure

from solver.playing import Review


def plot(review: Review, target: Path | IO[bytes], file_format: str | None = None) -> None:
    """Draw to a file or stream, PNG or SVG by `file_format` or the file's ending. Raises OSError, ValueError.

    There is a row of two diagrams for each round: on what was known, and in truth where that was proved.
    """
    numbers = sorted({move.round for move in review.moves}) or [1]
    figure = Figure(figsize=(10, 3.6 * len(numbers)), layout="constrained")
    rows = figure.subplots(len(numbers), 2, squeeze=False)
    for number, row in zip(numbers, rows, strict=True):
        for axes, name, title in zip(row, ("lost", "true_lost"), ("on what was known", "in truth"), strict=True):
            for seat in review.seats:
                places, given, total = [0], [0.0], 0.0
                for move in review.moves:
                    found = getattr(move, name)
                    if move.round == number and move.seat == seat.seat and found is not None:
                        total += found
                        places.append(move.number)
                        given.append(total)
                axes.step(places, given, where="post", marker="o", markersize=3, label=f"seat {seat.seat}")
            axes.set_title(f"round {number}: given away {title}", fontsize="medium")
            axes.set_xlabel("move of the round")
            axes.set_ylabel(review.unit)
            axes.set_ylim(bottom=0)
            axes.grid(alpha=0.3)
    rows[0][0].legend(fontsize="small")
    figure.suptitle(review.game)
    figure.savefig(target, format=file_format, dpi=150)
