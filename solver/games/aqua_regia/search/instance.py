"""The proof-number search with Aqua Regia's rules, and this thread's prover."""

from __future__ import annotations

from functools import cache

from solver.games.aqua_regia.fast_rules import kernel
from solver.games.aqua_regia.search import sure_winners
from solver.kernels.template import Kernels
from solver.search.proof_prover import Prover, build
from solver.search.threads import of_this_thread

ALL_SWITCHES = sure_winners.RUNS


@cache
def kernels() -> Kernels:
    """The proof-number search with Aqua Regia's rules."""
    names = ["any_suffices", "moves", "play", "ask", "digest", "efforts", "STATE_WORDS"]
    rules = {name: getattr(kernel, name) for name in names}
    return build(
        "aqua_regia", {**rules, "settle": sure_winners.settle, "SCRATCH_WORDS": sure_winners.SCRATCH_WORDS}
    )


def prover() -> Prover:
    """This thread's prover for Aqua Regia."""
    return of_this_thread("aqua-regia", lambda: Prover(kernels()))
