"""The picture of a `winrate`: where deals are lost, with the stock seen and by simple players."""

from __future__ import annotations

from math import nan
from pathlib import Path
from typing import IO

from matplotlib.figure import Figure

from solver.games.alchemy.surveys.winrate import WinrateResult


def plot(result: WinrateResult, target: Path | IO[bytes], file_format: str | None = None) -> None:
    """Draw to a file or stream, PNG or SVG by `file_format` or the file's ending. Raises OSError, ValueError."""
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    players = [
        ("stock seen (solver)", result),
        *((policy.name, policy) for policy in result.policies if policy.deals),
    ]
    farthest = max((n for _, share in players for n, lost in enumerate(share.lost_at) if lost), default=1)
    for index, (name, share) in enumerate(players):
        ends = range(1, farthest + 1)
        heights = [share.lost_at[n] / share.deals or nan for n in ends]  # nothing is drawn at none
        label = f"{name}: {100 * share.share:.2f}% won ({100 * share.low:.2f}–{100 * share.high:.2f})"
        if index == 0:
            axes.bar(ends, heights, color="0.75", label=label, zorder=1)
        else:
            axes.plot(ends, heights, marker="o", markersize=3, linewidth=1.2, label=label, zorder=2)
    axes.set_yscale("log")
    axes.set_xlabel("stock cards left when the deal is lost (stock seen: the fewest that can be)")
    axes.set_ylabel("share of deals")
    axes.set_title(f"alchemy {result.variant}: {result.deals:,} deals, seed {result.seed}")
    axes.grid(axis="y", alpha=0.3)
    figure.legend(fontsize="small", loc="outside lower center", ncols=2)
    figure.savefig(target, format=file_format, dpi=150)
