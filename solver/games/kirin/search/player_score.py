"""`paranoid` and `ally` for Kirin: one player's points, by the score search."""

from __future__ import annotations

from solver.common.control import Control
from solver.games.kirin.cards.deck import of_colour
from solver.games.kirin.cards.rules import State
from solver.games.kirin.fast_rules.encode import node_words
from solver.games.kirin.fast_rules.order import INNER
from solver.games.kirin.fast_rules.switches import ALL_SWITCHES
from solver.games.kirin.search.instance import search_words
from solver.search.tricks.score_prover import ScoreProver
from solver.tricks.player_score import Encoded, PlayerScore

_CODES = dict(enumerate(INNER))


def player_score(
    prover: ScoreProver,
    start: State,
    colour: int,
    player: int,
    *,
    allies: bool,
    control: Control,
    switches: int = ALL_SWITCHES,
) -> PlayerScore[int]:
    """What `player`, who collects `colour`, reaches from the nodes of one deal."""
    encoded = Encoded(
        deal=search_words(start, player, colour, allies=allies, switches=switches),
        start=node_words(start),
        won=(start.won[player] & of_colour(colour)).bit_count(),
        codes=_CODES,
    )
    return PlayerScore(prover, encoded, allies=allies, control=control)
