"""Games of other packages: a package with an entry point, made in a folder that a process is run with.

``python -m tests.support.guests`` compiles the examples' kernels into the cache.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from solver import registry
from tests.support import places


def install(folder: Path, name: str, module: str, *, attribute: str = "GAME") -> None:
    """Put a module with a game, and the metadata of a package that names it as an entry point, into `folder`."""
    package = name.replace("-", "_")
    (folder / f"{package}.py").write_text(module, encoding="utf-8")
    _describe(folder, name, "1.0", {name: f"{package}:{attribute}"})


def _describe(folder: Path, name: str, version: str, games: Mapping[str, str]) -> None:
    """Write the metadata of a package with these entry points."""
    about = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    entries = "".join(f"{game} = {target}\n" for game, target in games.items())
    (about / "entry_points.txt").write_text(f"[athanor.games]\n{entries}", encoding="utf-8")


EXAMPLES = ("hearts", "whist")


def name_examples(folder: Path, names: Collection[str]) -> list[Path]:
    """Return the folders that a process needs on its path to have examples, as if they were installed.

    The code is read from the checkout, where its machine code is kept from run to run; what pip would write about
    it goes into `folder`.
    """
    for name in names:
        project = tomllib.loads((places.ROOT / "examples" / name / "pyproject.toml").read_text(encoding="utf-8"))[
            "project"
        ]
        _describe(folder, project["name"], project["version"], project["entry-points"]["athanor.games"])
    return [*(places.ROOT / "examples" / name for name in names), folder]


def install_examples(folder: Path) -> list[Path]:
    """Install the packages of examples into `folder` with pip; the folders are those of `name_examples`."""
    target, sources = folder / "target", []
    for name in EXAMPLES:
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
    return [*(places.ROOT / "examples" / name for name in EXAMPLES), target]


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


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        sys.path[:0] = map(str, name_examples(Path(folder), EXAMPLES))
        for example in EXAMPLES:
            registry.game(example).warm()
