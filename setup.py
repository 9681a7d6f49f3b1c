"""What pyproject.toml cannot say: a wheel with compiled kernels, which `make wheel` builds.

The environment variable ATHANOR_KERNELS names a folder that `api.wheel_kernels` has made. Without it the wheel
holds Python alone and runs everywhere.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

KERNELS = os.environ.get("ATHANOR_KERNELS")


class WithKernels(build_py):
    """Copies the compiled kernels beside the module that looks for them."""

    def run(self) -> None:
        super().run()
        assert KERNELS is not None
        target = Path(self.build_lib, "solver", "kernels", "shipped")
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(KERNELS, target)


class ForThisPlatform(Distribution):
    """Named after this Python and this platform, as what has compiled code must be."""

    def has_ext_modules(self) -> bool:
        return True


if KERNELS:
    setup(cmdclass={"build_py": WithKernels}, distclass=ForThisPlatform)
else:
    setup()
