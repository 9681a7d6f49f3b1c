"""`hint` for Aqua Regia: which move to make when the other hands and the stock are hidden.

Worlds are drawn from the deals that agree with the view: uniformly (`deals`), or, where its history shows what the
others did, as likely as they would then have done it (`evidence`, `chain`). In each, every legal move is made and
the game finished by plausible players (`policy`, `rollouts`).

A pass that draws is one move: what to exchange is decided by the plausible player once it knows the card. With
that card given as `drawn`, the exchanges are the moves.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from solver.common.control import Control
from solver.games.aqua_regia.cards.rules import Move, Play, next_field, runs
from solver.games.aqua_regia.cards.text import text_of
from solver.games.aqua_regia.hints import rollouts
from solver.games.aqua_regia.hints.alone import alone
from solver.games.aqua_regia.hints.calibrated import model_error
from solver.games.aqua_regia.hints.causes import because
from solver.games.aqua_regia.hints.chain import play_likely_worlds
from solver.games.aqua_regia.hints.deals import agrees, deals
from solver.games.aqua_regia.hints.evidence import evidence
from solver.games.aqua_regia.hints.policy import Turn, reactivity_rows
from solver.games.aqua_regia.hints.rollouts import LEFT, SCALARS, SCORE, STATISTICS, TOOK, Setting, play_worlds
from solver.games.aqua_regia.hints.weights import PLAYER
from solver.games.aqua_regia.positions import moves
from solver.games.aqua_regia.positions.known import View
from solver.hints import ranking
from solver.hints.causes import Witness
from solver.hints.paired import Sums
from solver.hints.sampled import Sampler
from solver.hints.simulate import GAMES_A_BATCH
from solver.hints.words import alike, share
from solver.inputs.errors import RequestError
from solver.kernels.arrays import Floats
from solver.protocol.answers import AnySampledHint

_QUICK = 256  # cards of decks whose games take microseconds; the house deck has 64
_TIMED_WORLDS = 8
_TIMING_SECONDS = 0.01
_SAFE_SHARE = 0.7  # of the time that is left; the first games may take a little longer than the one that was timed
_NOTED = 24  # metals: the worlds of larger decks are not noted
_LONGEST_BATCH = 2.0  # seconds in which nobody looks whether the client has gone


class Games:
    """What plays the worlds of a view (`solver.hints.simulate.Rollouts`): games ended by plausible players."""

    statistics = STATISTICS

    def __init__(self, view: View, moves: Sequence[Move], seed: int) -> None:
        self.moves = len(moves)
        self._seed = seed
        self._evidence = evidence(view, seed)
        self._deals = deals(view) if self._evidence is None else None
        assert self._deals is None or agrees(self._deals, seed, 0)
        self.chained = self._evidence is not None
        self._setting = _setting(view, moves)
        self._words = view.players * view.metals.size + self.moves if view.metals.size <= _NOTED else 0
        self.witness = Witness()

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        noted = np.empty((len(results), self._words), np.int64)
        if self._evidence is not None:
            play_likely_worlds(self._evidence, self._setting, self._seed, first, results, noted)
        else:
            assert self._deals is not None
            play_worlds(self._setting, self._deals.dealing, self._seed, first, results, noted)
        self.witness.note(first, results, noted)


def _setting(view: View, moves: Sequence[Move]) -> Setting:
    """The view in the kernels' words."""
    deck = view.metals
    hands = np.zeros((view.players, deck.size), np.int64)
    for seat in range(view.players):
        hands[seat] = deck.counts(deck.numbers(view.hand if seat == view.seat else view.known_of(seat)))
    lying = deck.numbers(view.table)
    scalars = np.zeros(SCALARS, np.int64)
    scalars[rollouts.TURN] = view.turn
    scalars[rollouts.FIELD] = view.field_number
    scalars[rollouts.REVERSED] = view.reversed
    scalars[rollouts.STOCKED] = view.stock_count
    scalars[rollouts.COPIES] = deck.copies
    if lying:
        assert view.owner is not None
        top = runs(lying)[-1]
        scalars[rollouts.OWNER] = view.owner
        scalars[rollouts.METAL] = top.metal
        scalars[rollouts.COUNT] = top.count
    return Setting(
        reactivity=reactivity_rows(deck),
        hands=hands,
        piles=np.array([view.pile, deck.counts(lying)], np.int64),
        scalars=scalars,
        drawn=-1 if view.drawn is None else deck.index[view.drawn],
        moves=np.array([_words(view, move) for move in moves], np.int64),
        weights=np.array([PLAYER] * view.players),
    )


def _words(view: View, move: Move) -> tuple[int, int, int]:
    if isinstance(move, Play):
        return rollouts.PLAYS, move.metal, move.count
    if move.discarded is not None and move.taken is not None:
        return rollouts.EXCHANGES, move.discarded, move.taken
    closed = view.drawn is not None or not view.stock_count
    return (rollouts.CLOSED_PASS if closed else rollouts.OPEN_PASS), 0, 0


def _policy(view: View, moves: Sequence[Move]) -> list[float]:
    """How likely each move is made by the player that finishes the sampled games."""
    deck, top = view.metals, view.top or Play(0, 0)
    held = np.array(view.held, np.int64)
    following = next_field(view.field_number, view.reversed)
    turn = Turn(view.field_number, following, top.metal, top.count, int(view.stock_count > 0))
    words = np.array([_words(view, move) for move in moves], np.int64)
    out = np.empty(len(moves))
    alone(reactivity_rows(deck), held, len(view.hand), turn, words, np.array(PLAYER), out)
    return out.tolist()


def _text(view: View, move: Move) -> str:
    return text_of(view.metals, move)


def _nothing_to_lead(view: View) -> str:
    message = f"seat {view.seat} has nothing to lead in {view.field}: the deal goes on to the left by itself"
    raise RequestError("not_to_move", message, "turn")


def _reason(view: View, moves: Sequence[Move], sums: Sums) -> str:
    """What the sampled games say for the best move, and nothing that they do not."""
    texts = [_text(view, move) for move in moves]
    means = sums.means
    lead = ranking.lead(sums, len(texts))
    if lead is None:
        often = share(float(means[0, SCORE]))
        return f"{texts[0]} is the only legal move; after it the game is won in {often} of the sampled games."
    first, second = texts[lead.best], texts[lead.second]
    wins = [share(float(means[move, SCORE])) for move in (lead.best, lead.second)]
    if not lead.clear:
        text = f"After {first} the game is won in {wins[0]} of the sampled games; "
        return text + alike(texts, sums, f"{100 * lead.gap:.0f}% of them", "games")
    text = f"After {first} the game is won in {wins[0]} of the sampled games, "
    text += f"after the next best, {second}, in {wins[1]}"
    took = [float(means[move, TOOK]) for move in (lead.best, lead.second)]
    left = [float(means[move, LEFT]) for move in (lead.best, lead.second)]
    if abs(took[0] - took[1]) >= 0.05:
        text += f"; it wins this trick in {share(took[0])} of them, {second} in {share(took[1])}"
    elif left[1] - left[0] >= 0.05:
        text += f"; it leaves {left[0]:.1f} cards at the end on average, {second} {left[1]:.1f}"
    return text + "."


def _games_at_once(view: View) -> int:
    """How many games are played between two looks at the time: fewer where a large deck makes them long."""
    cards = view.metals.size * view.metals.copies
    return max(1, GAMES_A_BATCH * _QUICK // max(_QUICK, cards))


SAMPLER = Sampler[View, Move](
    game="aqua-regia",
    method="sampled games",
    legal_moves=moves.legal_moves,
    text=_text,
    rollouts=Games,
    reason=_reason,
    no_moves=_nothing_to_lead,
    games=_games_at_once,
    because=because,
    policy=_policy,
    model_error=model_error,
)


def hint(
    view: View, control: Control, *, worlds: int | None = None, seed: int = 0, threads: int | None = None
) -> AnySampledHint:
    """`Sampler.reply`. Raises RequestError too for a finished game, and for a deck too large for the limit."""
    if 0 in view.counts:
        winner = view.counts.index(0)
        raise RequestError("game_over", f"the game is over: seat {winner} has no cards left", f"counts[{winner}]")
    if view.seat_to_move == view.seat and control.deadline is not None and worlds != 0:
        _check_time(view, control, seed)
    return SAMPLER.reply(view, control, worlds=worlds, seed=seed, threads=threads)


def _check_time(view: View, control: Control, seed: int) -> None:
    """Refuse at once a hint whose first games, which nobody ends, would take longer than there is time.

    A deck of thousands of cards has games of thousands of moves. One game tells how long they take.
    """
    legal = moves.legal_moves(view)
    if _games_at_once(view) == GAMES_A_BATCH or not legal:
        return
    tried = [legal[0], legal[-1]]
    games = Games(view, tried, seed)
    begun = time.monotonic()
    worlds = 0
    while worlds == 0 or (worlds < _TIMED_WORLDS and time.monotonic() - begun < _TIMING_SECONDS):
        games.play(worlds, np.empty((1, len(tried), STATISTICS)), np.ones(1))
        worlds += 1
    one = (time.monotonic() - begun) / (worlds * len(tried))
    seconds = one * max(len(legal), _games_at_once(view))
    left = control.seconds_left()
    if left is not None and seconds > min(_LONGEST_BATCH, _SAFE_SHARE * left):
        raise RequestError(
            "too_large",
            f"a hint takes a game played to its end after each of {len(legal)} moves: with these cards about "
            f"{seconds:.2g} seconds at once, more than there is time for",
            "deck",
        )


def warm() -> None:
    """Compile or load every kernel."""
    start = moves.deal(0)
    for position in (start, moves.play(start, moves.legal_moves(start)[0])):  # the second has a history
        for worlds in (0, 1):
            hint(moves.view(position, position.seat_to_move), Control(), worlds=worlds)
