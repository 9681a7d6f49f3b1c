"""The short cuts tell the same as what they stand for, and nobody but kernels takes them."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from numba.core import analysis
from numba.core.compiler import run_frontend
from numba.core.registry import cpu_target

from solver.kernels.compiling import shortcuts

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")


def sample(words: Any, most: int) -> Any:
    total, pair = 0, (most, words)
    for place, word in enumerate(words[1:most]):
        if word > total and pair[0] != place:
            total += min(word, *pair[:1])
        elif not word:
            raise ValueError("none")
        words[place] = total
    return total, words.sum(axis=0)


def listed() -> Any:
    """Of each statement the variables, of the blocks what they use and define, and what LLVM types take."""
    blocks = run_frontend(sample).blocks
    variables = [
        [variable.name for variable in item.list_vars()] for block in blocks.values() for item in block.body
    ]
    context = cpu_target.target_context
    kinds = map(context.get_value_type, (numba.int64, numba.float32, numba.int64[:], numba.types.boolean))
    return variables, analysis.compute_use_defs(blocks), [context.get_abi_sizeof(kind) for kind in kinds]


def test_they_tell_the_same() -> None:
    usual = listed()
    with shortcuts.shortened():
        assert listed() == usual
        assert listed() == usual


def test_others_do_not_take_them() -> None:
    places = [(owner, name) for owner, name, _ in shortcuts._INSTEAD]
    usual = [vars(owner)[name] for owner, name in places]
    with shortcuts.shortened():
        assert not any(vars(owner)[name] is before for (owner, name), before in zip(places, usual, strict=True))
    assert [vars(owner)[name] for owner, name in places] == usual


def test_what_numba_compiles_for_others_runs() -> None:
    with shortcuts.shortened():
        pass
    assert numba.njit(lambda words: np.zeros(3) + words.max())(np.ones(2)).tolist() == [1, 1, 1]
