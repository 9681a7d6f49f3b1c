"""Small programs in fresh processes, to see what a process finds in the kernel cache of another."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import solver

SOURCES = Path(solver.__file__).parent
HIT, MISS = "hit", "miss"

# A kernel of its own package that inlines a helper of another module.
HELPER = "from solver.kernels.jit import kernel\n\n@kernel\ndef step(word):\n    return word + 1\n"
USER = """\
from solver.kernels.jit import kernel
from den.helper import step

@kernel
def twice(word):
    return step(step(word))
"""
ASK = """\
from den.user import twice
print(twice(5), "miss" if twice.compiles else "hit")
"""


class Den:
    """A package `den` in a folder of its own, and caches beside it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.package = root / "sources" / "den"
        self.home = root / "home"
        self.temporary = root / "temporary"
        for folder in (self.package, self.home, self.temporary):
            folder.mkdir(parents=True)
        self.write("__init__", "")
        self.write("helper", HELPER)
        self.write("user", USER)

    def write(self, module: str, text: str) -> None:
        (self.package / f"{module}.py").write_text(text, encoding="utf-8")

    def start(self, program: str, **environment: str) -> subprocess.Popen[str]:
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
        # A module that is edited twice within a second, to the same length, would be taken from its bytecode.
        folders = {"XDG_CACHE_HOME": str(self.home), "TMPDIR": str(self.temporary), "PYTHONDONTWRITEBYTECODE": "1"}
        path = os.pathsep.join([str(self.package.parent), str(SOURCES.parent)])
        return subprocess.Popen(
            [sys.executable, "-c", program],
            env={**inherited, **folders, "PYTHONPATH": path, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, program: str, **environment: str) -> list[str]:
        """The words that the program prints."""
        return finished(self.start(program, **environment))

    def files(self) -> list[Path]:
        """What was kept, wherever that is."""
        return sorted(self.root.rglob("*.nbc"))


def finished(process: subprocess.Popen[str]) -> list[str]:
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return out.split()
