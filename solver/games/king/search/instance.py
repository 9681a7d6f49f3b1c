"""The fail-soft trick search instantiated for King × Alchemy."""

from __future__ import annotations

from solver.common.threads import once
from solver.games.king.fast_rules import kernel
from solver.games.king.search import move_order
from solver.games.king.search.bounds import bonus_cache, static
from solver.search.pool import Pool
from solver.search.tricks.fail_soft_prover import FailSoftProver, FailSoftSearch, fail_soft_search
from solver.search.tricks.rules import FailSoftRules


@once
def search() -> FailSoftSearch:
    """The search with King's rules and bounds."""
    return fail_soft_search(
        FailSoftRules(
            game="king",
            state_words=kernel.STATE_WORDS,
            most_moves=kernel.MOST_MOVES,
            boundary=kernel.boundary,
            size=kernel.size,
            maximises=kernel.maximises,
            play=kernel.play,
            settle=static.settle,
            estimate=static.estimate,
            key=static.key,
            moves=move_order.moves,
            context=move_order.context,
            relaxed=static.relaxed,
            probing=move_order.probing,
            stalled=bonus_cache.stalled,
            toll=bonus_cache.toll,
        )
    )


PROVERS = Pool(lambda megabytes: FailSoftProver(search(), megabytes))
