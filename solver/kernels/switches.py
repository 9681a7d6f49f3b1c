"""What the environment says about compiling, in Numba's words; read without Numba."""

from __future__ import annotations

import os
import sys
from functools import cache

import llvmlite

from solver.kernels.machine import numba_folder

OFF = int(os.environ.get("NUMBA_DISABLE_JIT") or 0) != 0  # kernels are plain Python
CHECKED = int(os.environ.get("NUMBA_BOUNDSCHECK") or 0) != 0  # a place outside an array is an IndexError
CPU_NAME = os.environ.get("NUMBA_CPU_NAME")
CPU_FEATURES = os.environ.get("NUMBA_CPU_FEATURES")
_OTHERS = ("NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_DEBUGINFO", "NUMBA_LOOP_VECTORIZE", "NUMBA_SLP_VECTORIZE")


@cache
def salt() -> str:
    """What machine code depends on beside its source and its processor: the compilers and their switches."""
    numba = (numba_folder() / "_version.py").read_text(encoding="utf-8")
    switches = [f"{name}={os.environ.get(name) or ''}" for name in _OTHERS]
    return "\n".join([sys.implementation.cache_tag or sys.version, llvmlite.__version__, numba, *switches])
