"""Networks in files, each beside a model card (JSON) that says how it was made and how good it is."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from solver.hints import network
from solver.hints.network import Chooser, Network, Singles


def commit() -> str:
    """The current commit: with "-dirty" if there are uncommitted changes, "unknown" without a repository."""
    run = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return run.stdout.strip() or "unknown"


def write(net: Network, card: dict[str, Any], path: Path, **further: Singles) -> None:
    """Write a network and further arrays to a file (`solver.hints.network.write`), and its model card beside
    it.
    """
    network.write(net, path, **further)
    _write_card(card, path)


def write_chooser(chooser: Chooser, card: dict[str, Any], path: Path, **further: Any) -> None:
    """Write a small network and further arrays to a file, and its model card beside it.

    `solver.hints.network.read_chooser` reads the network.
    """
    np.savez(path, **chooser._asdict(), **further)
    _write_card(card, path)


def _write_card(card: dict[str, Any], path: Path) -> None:
    text = json.dumps(card, indent=2, ensure_ascii=False)
    path.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
