"""Networks in files, each beside a card that says how it was made and how good it is."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from training.network import Network, kept, network

MOST_BYTES = 1_000_000  # of a game's weights


def commit() -> str:
    """The commit that is checked out, marked where files differ from it."""
    run = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return run.stdout.strip() or "unknown"


def write(net: Network, card: dict[str, Any], path: Path) -> None:
    """Write the weights in float16, and the card beside them. Raises a ValueError for more than a megabyte."""
    np.savez_compressed(path, allow_pickle=False, **kept(net))
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path} has more than {MOST_BYTES} bytes")
    text = json.dumps(card, indent=2, ensure_ascii=False)
    path.with_suffix(".json").write_text(text + "\n", encoding="utf-8")


def read(path: Path) -> Network:
    """The network that was written to a file."""
    with np.load(path) as arrays:
        return network(arrays)
