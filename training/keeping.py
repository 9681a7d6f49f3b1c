"""What a run of training keeps: where it stands, and its curve; and how strong players are, within what error."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch

from solver.kernels.arrays import Floats


def save(kept: Mapping[str, Any], path: Path) -> None:
    """Write a checkpoint; what was there before is replaced by a whole one only."""
    torch.save(kept, path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)


def add_to_curve(folder: Path, line: Mapping[str, Any]) -> None:
    """Add a line to the curve of a run, and print it."""
    text = json.dumps(line)
    with (folder / "curve.jsonl").open("a", encoding="utf-8") as file:
        file.write(text + "\n")
    click.echo(text)


def mean_and_around(found: Floats) -> tuple[float, float]:
    """The mean of independent values, and half of its 95% interval."""
    return float(np.mean(found)), float(1.96 * np.std(found, ddof=1) / len(found) ** 0.5)
