"""Games of other packages: a package with an entry point, made in a folder that a process is run with."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

from tests.support import places


def install(folder: Path, name: str, module: str, *, attribute: str = "GAME") -> None:
    """Put a module with a game, and the metadata of a package that names it as an entry point, into `folder`."""
    package = name.replace("-", "_")
    (folder / f"{package}.py").write_text(module, encoding="utf-8")
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    entry = f"[athanor.games]\n{name} = {package}:{attribute}\n"
    (about / "entry_points.txt").write_text(entry, encoding="utf-8")


EXAMPLES = ("hearts", "whist")


def install_examples(folder: Path, names: Collection[str] = EXAMPLES) -> list[Path]:
    """Install the packages of examples into `folder`; return the folders that a process needs on its path.

    The code is read from the checkout, where its machine code is kept from run to run.
    """
    target, sources = folder / "target", []
    for name in names:
        sources.append(folder / "source" / name)  # building leaves files beside the source
        shutil.copytree(places.ROOT / "examples" / name, sources[-1])
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--target", str(target), *map(str, sources)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return [*(places.ROOT / "examples" / name for name in names), target]


def run(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a process of its own that has the packages of `folder`."""
    path = os.pathsep.join([str(folder), str(places.ROOT)])
    return subprocess.run(
        [sys.executable, "-c", script],
        cwd=places.ROOT,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
