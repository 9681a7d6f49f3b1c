"""The score search instantiated for Kirin, and the words of a deal that its own parts need."""

from __future__ import annotations

from solver.common.threads import once
from solver.games.kirin.cards.rules import State
from solver.games.kirin.fast_rules import encode, kernel
from solver.games.kirin.fast_rules.switches import ALL_SWITCHES
from solver.games.kirin.search import bounds, move_order
from solver.games.kirin.search.endings import forgetting
from solver.games.kirin.search.endings.rules import Endings, endings
from solver.kernels.arrays import Words
from solver.search.pool import Pool
from solver.search.tricks.rules import ScoreRules
from solver.search.tricks.score_prover import ScoreProver
from solver.search.tricks.score_search import ScoreSearch, score_search
from solver.search.tricks.score_table import ScoreTable, score_table
from solver.search.tricks.words import SWITCHES


@once
def _table() -> ScoreTable:
    return score_table("kirin", kernel.KEY_BITS, kernel.POINT_BITS)


@once
def last_tricks() -> Endings:
    """Kirin's own search of the last tricks."""
    return endings(_table())


@once
def search() -> ScoreSearch:
    """The search with Kirin's rules and bounds."""
    rules = ScoreRules(
        game="kirin",
        state_words=kernel.STATE_WORDS,
        most_moves=kernel.MOST_MOVES,
        point_bits=kernel.POINT_BITS,
        key_bits=kernel.KEY_BITS,
        boundary=kernel.boundary,
        size=kernel.size,
        maximises=kernel.maximises,
        play=kernel.play,
        key=kernel.key,
        in_play=kernel.in_play,
        listed=kernel.listed,
        settle=kernel.settle,
        estimate=bounds.estimate,
        finish=last_tricks().finish,
        assured=last_tricks().assured,
        choices=kernel.choices,
        moves=move_order.moves,
    )
    return score_search(rules, _table())


PROVERS = Pool(lambda megabytes: ScoreProver(search(), megabytes))


def search_words(state: State, player: int, colour: int, *, allies: bool, switches: int = ALL_SWITCHES) -> Words:
    """The words of a deal (see `encode.deal_words`) for a search with these switches on."""
    deal = encode.deal_words(state, player, colour, allies=allies)
    deal[SWITCHES] = switches
    deal[kernel.FORGET_FROM] = kernel.LAST_TRICKS
    forgetting.forgettable(deal)
    return deal
