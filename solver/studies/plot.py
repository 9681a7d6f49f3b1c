"""Pictures of estimates: a bar with its interval for each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from solver.studies.estimates import Estimate


def bars(estimates: Sequence[Estimate], unit: str, title: str, target: Path) -> None:
    """Draw a group of bars for each model, PNG or SVG by the file's ending. Raises OSError, ValueError."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    models = list(dict.fromkeys(one.model for one in estimates))
    labels = list(dict.fromkeys(one.what for one in estimates))
    width = 0.8 / len(labels)
    for index, label in enumerate(labels):
        of_label = {one.model: one for one in estimates if one.what == label}
        there = [place for place, model in enumerate(models) if model in of_label]
        heights = [of_label[models[place]].mean for place in there]
        halves = [of_label[models[place]].half or 0.0 for place in there]
        middle = [place + (index - (len(labels) - 1) / 2) * width for place in there]
        axes.bar(middle, heights, width, yerr=halves, capsize=3, label=label)
    axes.set_xticks(range(len(models)), models)
    axes.set_ylabel(unit)
    axes.set_title(title)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(target, dpi=150)
