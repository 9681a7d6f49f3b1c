"""`hint` for Aqua Regia: which move to make when the other hands and the stock are hidden.

Worlds are drawn from the deals that agree with the view: uniformly (`deals`), or, where its history shows what the
others did, as likely as they would then have done it (`evidence`, `chain`). In each, every legal move is made and
the game finished by plausible players (`policy`, `rollouts`), the other seats by such of several `kinds`. Where
few deals are left and few cards are held, the best reply over all of them is worked out (`endings`); else the mean
scores lean to what a network finds moves worth (`learned`).

A pass that draws is one move: what to exchange is decided by the plausible player once it knows the card. With
that card given as `drawn`, the exchanges are the moves.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from solver.answers import AnySampledHint
from solver.errors import RequestError
from solver.games.aqua_regia import moves
from solver.games.aqua_regia.endings import all_deals
from solver.games.aqua_regia.network import chances, prior
from solver.games.aqua_regia.position import KnownPosition, View
from solver.games.aqua_regia.reasons import because
from solver.games.aqua_regia.rollouts import USUAL, Games, usual
from solver.games.aqua_regia.rules import Move, text_of
from solver.hints.ranking import CHANCE, error_of
from solver.hints.sampled import GAMES_A_BATCH, Sampler
from solver.language import say
from solver.limits import Control, Limit

# ----------------------------------------------------------------------------------------------------
# How far the chances of Aqua Regia's hints are off, from 0 to 1: see `solver.hints.ranking`.
#
# They are of hints with the house deck, by the number of players and by the cards in the hand. One follows the
# hints among others of three kinds: trained rule players, greedy and random ones. With two cards and two players
# luck hides some of the error, and that with one stands.


MEASURED: dict[int, dict[int, float]] = {
    2: {
        1: 0.063, 2: 0.063, 3: 0.070, 4: 0.079, 5: 0.081, 6: 0.093, 7: 0.081, 8: 0.083, 9: 0.078, 10: 0.087,
        11: 0.093, 12: 0.107,
    },
    3: {
        1: 0.088, 2: 0.059, 3: 0.059, 4: 0.055, 5: 0.096, 6: 0.124, 7: 0.157, 8: 0.179, 9: 0.193, 10: 0.204,
        11: 0.225, 12: 0.244, 13: 0.260,
    },
    4: {
        1: 0.108, 2: 0.122, 3: 0.087, 4: 0.093, 5: 0.075, 6: 0.103, 7: 0.139, 8: 0.170, 9: 0.202, 10: 0.224,
        11: 0.243, 12: 0.260, 13: 0.284, 14: 0.280, 15: 0.288,
    },
}  # fmt: skip


def model_error(view: View) -> float | None:
    """The error of the chances to go out first; None for other decks, rules and numbers of players."""
    if view.deck != "house" or view.rules is not None or view.players not in MEASURED:
        return None
    return error_of(MEASURED[view.players], len(view.hand))


# ----------------------------------------------------------------------------------------------------
# Whether a hint of Aqua Regia has time for what nobody ends: one batch of games.
#
# A deck of thousands of cards has games of thousands of moves, and a long history makes a chain of likely worlds
# slow. A few steps and a few games, which are cut off if they take too long, tell what all of a batch takes.


_TIMING_SECONDS = 0.003  # for timing the chain, and the games
_MOST_GAMES = 8
_SAFE_SHARE = 0.6  # of the time that is left; the games of a batch may take longer than those that were timed
_LONGEST_BATCH = 2.0  # seconds in which nobody looks whether the client has gone


def games_at_once(view: View) -> int:
    """How many games are played between two looks at the time: fewer where a large deck makes them long."""
    return max(1, GAMES_A_BATCH * USUAL // max(USUAL, view.metals.size**2 * view.metals.copies))


def check_time(view: View, control: Control, seed: int) -> None:
    """Refuse at once a hint whose first batch would take longer than there is time. Raises RequestError."""
    if usual(view.metals):
        return
    legal = moves.legal_moves(view)
    if not legal:
        return
    games = Games(view, legal, seed)
    left = control.seconds_left()
    if left is None:
        return
    allowed = min(_LONGEST_BATCH, _SAFE_SHARE * left)
    count = max(len(legal), games_at_once(view))
    seconds = _chain_seconds(games)
    if seconds <= allowed:
        seconds += count * _game_seconds(games, (allowed - seconds) / count)
    if seconds > allowed:
        raise RequestError(
            "too_large",
            say(
                "a hint takes a game played to its end after each of {count} moves: with these cards "
                "at least {seconds:.2g} seconds at once, more than there is time for",
                count=len(legal),
                seconds=seconds,
            ),
            "deck",
        )


def _chain_seconds(games: Games) -> float:
    """About how long a chain takes to its first world, by its first steps."""
    steps, all_steps = 4, games.steps
    while steps < all_steps:
        seconds = _seconds(partial(games.ends, None, steps=steps))[0]
        if seconds >= _TIMING_SECONDS:
            return seconds * all_steps / steps
        steps *= 4
    return _seconds(partial(games.ends, None))[0] if all_steps else 0.0


def _game_seconds(games: Games, allowed: float) -> float:
    """About how long a game takes, a mean over moves; at least that long where it is more than is `allowed`."""
    total, played, fuel = 0.0, 0, 16
    while played < min(_MOST_GAMES, games.moves) and (played == 0 or total < _TIMING_SECONDS):
        move = played * (games.moves - 1) // max(1, min(_MOST_GAMES, games.moves) - 1)
        seconds, ended = _seconds(partial(games.ends, move, fuel=fuel, steps=1))
        if not ended and seconds <= allowed:
            fuel *= 4
            continue
        total += seconds
        played += 1
    return total / played


def _seconds(work: Callable[[], bool]) -> tuple[float, bool]:
    """How long some work took, and what it returned."""
    begun = time.monotonic()
    done = work()
    return time.monotonic() - begun, done


_A_SMALL_ENDING = 20_000  # nodes are enough to work one out


def _text(view: View, move: Move) -> str:
    return text_of(view.metals, move)


def _nothing_to_lead(view: View) -> str:
    message = say(
        "seat {seat} has nothing to lead in {field}: the deal goes on to the left by itself",
        seat=view.seat,
        field=view.field,
    )
    raise RequestError("not_to_move", message, "turn")


SAMPLER = Sampler[View, Move](
    game="aqua-regia",
    method="sampled games",
    legal_moves=moves.legal_moves,
    text=_text,
    rollouts=Games,
    no_moves=_nothing_to_lead,
    games=games_at_once,
    unit=lambda _view: CHANCE,
    because=because,
    policy=chances,
    ending=all_deals,
    prior=prior,
    model_error=model_error,
)


def hint(
    view: View, control: Control, *, worlds: int | None = None, seed: int = 0, threads: int | None = None
) -> AnySampledHint:
    """`Sampler.reply`. Raises RequestError too for a finished game, and for a deck too large for the limit."""
    if 0 in view.counts:
        winner = view.counts.index(0)
        raise RequestError(
            "game_over",
            say("the game is over: seat {winner} has no cards left", winner=winner),
            f"counts[{winner}]",
        )
    if view.seat_to_move == view.seat and control.deadline is not None and worlds != 0:
        check_time(view, control, seed)
    return SAMPLER.reply(view, control, worlds=worlds, seed=seed, threads=threads)


def warm() -> None:
    """Compile or load every kernel."""
    start = moves.deal(0)
    for position in (start, moves.play(start, moves.legal_moves(start)[0])):  # the second has a history
        for worlds in (0, 1):
            hint(moves.view(position, position.seat_to_move), Control(), worlds=worlds)
    few = KnownPosition(game="aqua-regia", hands=(("Li", "Cu"), ("K", "Ag")), field="water", turn=0)
    last = moves.play(few, moves.legal_moves(few)[0])
    hint(moves.view(last, 1), Control(Limit(nodes=_A_SMALL_ENDING)))
