"""What King × Alchemy's searches do when they need a bonus that is too dear to find within a node."""

from __future__ import annotations

from solver.common.control import Control
from solver.common.masks import members
from solver.games.king.cards.deck import Deck
from solver.games.king.compounding.best import bonus_bounds
from solver.games.king.fast_rules.kernel import STALLED
from solver.games.king.search.bounds.bonus_cache import enter_hard
from solver.kernels.arrays import Words


def relieve(deck: Deck, deal: Words, control: Control) -> bool:
    """Work out the bonus for which a search of this deal is stalled; False when the control's limit came first.

    The search is not stalled afterwards: it can go on, or turn to another question.
    """
    cards = int(deal[STALLED])
    deal[STALLED] = 0
    least, most = bonus_bounds(deck, list(members(cards)), control)
    if least < most:
        return False
    enter_hard(deal, cards, least)
    return True
