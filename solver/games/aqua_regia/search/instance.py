"""The search for outcomes instantiated for Aqua Regia."""

from __future__ import annotations

from solver.common.threads import once
from solver.games.aqua_regia.fast_rules import kernel
from solver.games.aqua_regia.search import sure_winners
from solver.search.outcome.prover import OutcomeProver, OutcomeSearch, outcome_search
from solver.search.outcome.rules import OutcomeRules
from solver.search.pool import Pool


@once
def search() -> OutcomeSearch:
    """The search with Aqua Regia's rules and static tests."""
    return outcome_search(
        OutcomeRules(
            game="aqua_regia",
            state_words=kernel.STATE_WORDS,
            scratch_words=sure_winners.SCRATCH_WORDS,
            any_suffices=kernel.any_suffices,
            moves=kernel.moves,
            play=kernel.play,
            ask=kernel.ask,
            settle=sure_winners.settle,
            digest=kernel.digest,
            efforts=kernel.efforts,
        )
    )


PROVERS = Pool(lambda megabytes: OutcomeProver(search(), megabytes))
