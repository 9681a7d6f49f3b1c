"""The score search for Kirin: a player's points if all others play against it (`paranoid`) or for it (`ally`)."""

from __future__ import annotations

from solver.games.kirin import bounds, fast_rules
from solver.games.kirin.deck import of_colour
from solver.games.kirin.fast_rules import ALL_SWITCHES, INNER, node_words
from solver.games.kirin.last_tricks import Endings, endings
from solver.games.kirin.rules import State
from solver.kernels.words import Words
from solver.limits import Control, once
from solver.search.memory import Pool
from solver.search.score_search import ScoreProver, ScoreSearch, score_search
from solver.search.trick_rules import SWITCHES, ScoreRules, ScoreTable, score_table
from solver.tricks.analysis import Encoded, PlayerScore

# ----------------------------------------------------------------------------------------------------
# The score search instantiated for Kirin, and the deal's words for its own parts.


@once
def _table() -> ScoreTable:
    return score_table("kirin", fast_rules.KEY_BITS, fast_rules.POINT_BITS)


@once
def last_tricks() -> Endings:
    """Return Kirin's special search of the last tricks."""
    return endings(_table())


@once
def search() -> ScoreSearch:
    """Return the score search with Kirin's rules and bounds."""
    rules = ScoreRules(
        game="kirin",
        state_words=fast_rules.STATE_WORDS,
        most_moves=fast_rules.MOST_MOVES,
        point_bits=fast_rules.POINT_BITS,
        key_bits=fast_rules.KEY_BITS,
        boundary=fast_rules.boundary,
        size=fast_rules.size,
        maximises=fast_rules.maximises,
        play=fast_rules.play,
        key=fast_rules.key,
        in_play=fast_rules.in_play,
        listed=fast_rules.listed,
        settle=fast_rules.settle,
        estimate=bounds.estimate,
        finish=last_tricks().finish,
        assured=last_tricks().assured,
        choices=fast_rules.choices,
        moves=bounds.moves,
    )
    return score_search(rules, _table())


PROVERS = Pool(lambda megabytes: ScoreProver(search(), megabytes))


def search_words(state: State, player: int, colour: int, *, allies: bool, switches: int = ALL_SWITCHES) -> Words:
    """Encode a deal for the kernels (see `fast_rules.deal_words`).

    `switches` says which optional parts of the search to use.
    """
    deal = fast_rules.deal_words(state, player, colour, allies=allies)
    deal[SWITCHES] = switches
    deal[fast_rules.FORGET_FROM] = fast_rules.LAST_TRICKS
    return deal


_CODES = dict(enumerate(INNER))


def player_score(
    prover: ScoreProver,
    start: State,
    colour: int,
    player: int,
    *,
    allies: bool,
    control: Control,
    extra: int = 0,
    switches: int = ALL_SWITCHES,
) -> PlayerScore[int]:
    """Return the search for the score of `player`, who collects `colour`.

    `extra` is the number of points that the player has besides those for cards won.
    """
    deal = search_words(start, player, colour, allies=allies, switches=switches)
    encoded = Encoded(
        deal=deal,
        start=node_words(start, deal),
        won=extra + (start.won[player] & of_colour(colour)).bit_count(),
        codes=_CODES,
    )
    return PlayerScore(prover, encoded, allies=allies, control=control)
