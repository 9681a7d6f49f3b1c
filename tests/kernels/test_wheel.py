"""A wheel with compiled kernels: built, installed into an empty environment with an empty home, and asked.

Its kernels are for the processor that the suite itself compiles for: by default this machine's own, and in
`.ci/run` the level that `make wheel` compiles for; that has just made them, and says where they lie.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import numba
import pytest

from tests.kernels import asking
from tests.support.places import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")]
KERNELS = os.environ.pop("ATHANOR_KERNELS", "")  # which the service would not know
PACKAGES = ("api", "athanor", "puzzles", "solver")
QUIET = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-index")
# A small kernel of Kirin, called as the analysis calls it.
SMALL = """
import numpy as np
from solver.games.kirin.fast_rules import maximises
words = np.zeros(64, np.int64)
print(maximises(words, words, 0), "miss" if maximises.compiles else "hit")
"""


def run(*command: object, **environment: str) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("wheel")
    if not (kernels := KERNELS):
        kernels = str(made / "kernels")
        cpu = os.environ.get("NUMBA_CPU_NAME", "native")
        run(sys.executable, "-m", "api.wheel_kernels", kernels, "--cpu", cpu, PYTHONPATH=str(ROOT))
    source = made / "source"  # building leaves files beside the source
    for package in PACKAGES:
        shutil.copytree(ROOT / package, source / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md"):
        shutil.copy(ROOT / name, source)
    run(
        *(sys.executable, "-m", "pip", "wheel", *QUIET, "--no-build-isolation", "--wheel-dir", made, source),
        ATHANOR_KERNELS=kernels,
    )
    [path] = made.glob("*.whl")
    return path


class Installed:
    """An environment with the wheel, and an empty home."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        venv.create(folder / "venv")
        self.python = folder / "venv" / "bin" / "python"
        run(sys.executable, "-m", "pip", "--python", self.python, "install", "--no-compile", *QUIET, wheel)
        [packages] = (folder / "venv" / "lib").glob("python*/site-packages")
        self.packages = packages
        # What Athanor needs already exists; paths of such a file are not searched for further such files, so
        # the checkout, if it is installed, stays out of sight.
        (packages / "needs.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")

    def run(self, *arguments: object) -> str:
        """What Python prints there, without any of this process's environment."""
        done = subprocess.run(
            [str(self.python), "-I", *map(str, arguments)],
            cwd=self.home,
            env={"HOME": str(self.home), "TMPDIR": str(self.home)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return done.stdout

    def compiled(self) -> list[Path]:
        """The kernels that were compiled here."""
        return list(self.home.rglob("*.nbc"))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Installed:
    return Installed(tmp_path_factory.mktemp("installed"), wheel)


def test_the_wheel_is_for_this_python_and_platform(wheel: Path) -> None:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    assert wheel.name.endswith(f"-{python}-{python}-{platform}.whl")


def test_the_games_answer_from_shipped_machine_code(installed: Installed) -> None:
    told = json.loads(installed.run(asking.__file__))
    assert Path(told["from"]).is_relative_to(installed.packages)
    assert told["answers"] == json.loads(json.dumps(asking.answers()))
    assert not installed.compiled()


def test_a_kernel_that_is_damaged_is_compiled_in_silence(installed: Installed) -> None:
    assert installed.run("-c", SMALL).split()[1] == "hit"
    [kernel] = installed.packages.glob("solver/kernels/shipped/*kirin.fast_rules.maximises-*.nbc")
    whole = kernel.read_bytes()
    kernel.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    try:
        assert installed.run("-c", SMALL).split()[1] == "miss"
    finally:
        kernel.write_bytes(whole)
    assert installed.compiled()
