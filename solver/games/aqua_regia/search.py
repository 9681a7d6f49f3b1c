"""Proves the outcomes of a position and its moves within a limit: the position first, then each move in turn.

A move's outcome is, for each seat that was asked about, whether it goes out first.
"""

from __future__ import annotations

import time

import numpy as np

from solver.games.aqua_regia import fast_rules
from solver.games.aqua_regia.deck import Deck
from solver.games.aqua_regia.fast_rules import (
    ALLY,
    ASKED,
    BITS,
    DISCARD,
    METAL_OF,
    MODEL,
    OUT,
    RUNS,
    SEATS,
    SEVERAL,
    SINGLY,
    STATE_WORDS,
    STATUS,
    STOCK_SIZE,
    TOTAL,
    asked_of,
    count_of,
    deal_of,
    drawn_of,
    field_of,
    lanes,
    metal_of,
    most_cards,
    most_on,
    move_of,
    next_field,
    node_of,
    reversed_of,
    several,
    turn_of,
    whole,
)
from solver.games.aqua_regia.rules import MOST_AT_ONCE, Move, State
from solver.kernels.jit import inlined, lean
from solver.kernels.words import Words, highest_one, trailing_zeros
from solver.limits import Control, Growth, once
from solver.search.memory import Pool
from solver.search.proof_number import OutcomeRules
from solver.search.winner_search import (
    NO,
    SWITCHES,
    UNKNOWN,
    YES,
    OutcomeProver,
    OutcomeSearch,
    outcome_search,
)

# ----------------------------------------------------------------------------------------------------
# Who can go out first: yes-no questions about the nodes of one game, and lines of play that show the answers.


_KEEPERS = Growth(1000, 4)  # nodes for each move when looking for one that keeps the answer


class Outcomes:
    """Proves who goes out first from nodes of one game, under one model of how the others play."""

    def __init__(
        self,
        prover: OutcomeProver,
        deck: Deck,
        state: State,
        model: str,
        control: Control,
    ) -> None:
        self.model = model
        self.seats = state.seats
        self.deal = deal_of(deck, state, model)
        self.start = node_of(self.deal, state)
        self.control = control
        self._prover = prover

    def turn(self, node: Words) -> int:
        return int(turn_of(node[STATUS]))

    def over(self, node: Words) -> bool:
        return bool(node[STATUS] >> OUT)

    def legal(self, node: Words) -> list[int]:
        """List the legal moves of a node in canonical order, as move numbers of the search."""
        if self.over(node):
            return []
        moves = np.zeros(self.deal.moves, np.int64)
        count = fast_rules.moves(self.deal.words, node, 0, moves, 0, 1)
        listed: list[int] = moves[:count].tolist()
        return listed

    def move(self, number: int) -> Move:
        """Convert a move number of the search to a move of `rules`."""
        return move_of(number, self.deal.metals)

    def after(self, node: Words, move: int) -> Words:
        child = np.empty_like(node)
        fast_rules.play(self.deal.words, node, 0, child, 0, move)
        return child

    def wins(self, node: Words, seat: int, *, nodes: int | None = None, until: float | None = None) -> bool | None:
        """Whether `seat` goes out first from a node; None if a limit was reached.

        `nodes` (a number of nodes) and `until` (a time of `time.monotonic`) limit this question, besides the
        control's own limit.
        """
        question = node.copy()
        question[STATUS] |= seat << ASKED
        return self._prover.ask(self.deal, question, self.control, nodes=nodes, until=until, stage="prove")

    def line(self, node: Words, seat: int, won: bool) -> list[int]:
        """Return a line of play, as move numbers of the search, from a node with a proved answer.

        `won` is that answer: whether `seat` wins. The line ends early if the limit is reached. Under `maxn`, `won`
        must be True, and each seat plays the first of its best moves.
        """
        played: list[int] = []
        while not self.over(node):
            moves = self.legal(node)
            if len(moves) == 1:
                move: int | None = moves[0]
            elif self.model == "maxn":
                move = self._selfish(node, moves)
            else:
                move = self._keeper(node, moves, seat, won)
            if move is None:
                break
            played.append(move)
            node = self.after(node, move)
        return played

    def _selfish(self, node: Words, moves: list[int]) -> int | None:
        """Return the first move that wins for the seat to move, or the very first move if none wins.

        Returns None if a limit was reached.
        """
        turn = self.turn(node)
        if not self.wins(node, turn):
            return None if self.control.stopped() else moves[0]
        for move in moves:
            if (won := self.wins(self.after(node, move), turn)) is None:
                return None
            if won:
                return move
        return None

    def _keeper(self, node: Words, moves: list[int], seat: int, won: bool) -> int | None:
        """Return a move after which it is proved that `seat` wins or, if `won` is False, does not win.

        Of such moves, it is the one proved with the least work, in a tie the first in canonical order. Returns
        None if the limit was reached.
        """
        left = list(moves)
        for nodes in _KEEPERS.rounds():
            if not left or self.control.stopped():
                break
            for move in list(left):
                answer = self.wins(self.after(node, move), seat, nodes=nodes)
                if answer is won:
                    return move
                if answer is not None:
                    left.remove(move)
        return None


_POSITION_SHARE = 0.5  # of a limit, for the question about the position itself
_MOVES_SHARE = 0.4  # of the limit then left, for the moves, if the position is still open
_SHORT_SECONDS = 0.02
_SLOWEST = 300_000  # nodes per second
_QUESTIONS = Growth(2000, 4)  # nodes for each question about a move

Known = dict[int, bool]  # seat -> whether it goes out first, if proved


class Proving:
    """Proves who goes out first from a position and after each of its moves, as far as the limit allows.

    `seats` are the seats asked about: under `maxn` every seat, beginning with the one to move; otherwise only the
    player's.
    """

    def __init__(self, outcomes: Outcomes, seats: list[int]) -> None:
        self._outcomes = outcomes
        self._control = outcomes.control
        self._seats = seats
        self.turn = outcomes.turn(outcomes.start)
        self.moves: dict[int, Known] = {move: {} for move in outcomes.legal(outcomes.start)}
        self.position: Known = {}

    @property
    def open_moves(self) -> list[int]:
        """The moves for which the outcome of at least one seat asked about is not yet proved."""
        return [move for move, known in self.moves.items() if len(known) < len(self._seats)]

    @property
    def undecided_moves(self) -> list[int]:
        """The moves that may still reach the goal of the seat to move."""
        return [move for move, known in self.moves.items() if self.asked not in known]

    @property
    def asked(self) -> int:
        """The seat that the first question is about. The question is whether it goes out first."""
        return self._seats[0]

    @property
    def decided(self) -> bool:
        """Whether it is proved that the seat to move reaches its goal, or that it does not."""
        return self._seats[0] in self.position

    def run(self) -> None:
        """Prove as many outcomes as the limit allows.

        If the search for the position's own outcome does not finish, a part of the limit is left for estimating
        moves by simulated games.
        """
        nodes, until = self._share(_POSITION_SHARE)
        first = self._seats[0]
        answer = self._outcomes.wins(self._outcomes.start, first, nodes=nodes, until=until)
        if answer is not None:
            self.position[first] = answer
        if self.decided:
            self._settle_all()
            nodes, until = None, None
        else:
            nodes, until = self._share(_MOVES_SHARE)
        self._rounds(nodes, until)
        self._conclude()

    def _conclude(self) -> None:
        """Derive the position's outcome from the moves' outcomes."""
        first = self._seats[0]
        own = self.wanted
        answers = [known.get(first) for known in self.moves.values()]
        if own in answers:
            self._note(self.position, first, own)
        elif None not in answers:
            self._note(self.position, first, not own)
            if len(self._seats) > 1:  # a seat that can't win plays the first move
                self.position.update(next(iter(self.moves.values())))
        if self.decided:
            self._settle_all()

    @property
    def wanted(self) -> bool:
        """Whether the seat to move wants the first of `seats` to go out first."""
        return self._outcomes.model == "ally" or self.turn == self._seats[0]

    def _share(self, share: float) -> tuple[int | None, float | None]:
        """Return a share of what is left of the limit: a number of nodes, and an end time (`time.monotonic`).

        Each is None if there is no such limit.
        """
        nodes, seconds = self._control.nodes_left(), self._control.seconds_left()
        if nodes is not None:
            nodes = max(1, int(share * nodes))
        if seconds is None:
            return nodes, None
        if seconds < _SHORT_SECONDS:  # too short for the checks of the clock
            few = max(1, int(share * seconds * _SLOWEST))
            nodes = few if nodes is None else min(nodes, few)
        return nodes, time.monotonic() + share * seconds

    def _settle_all(self) -> None:
        """Derive the moves' outcomes from the position's outcome.

        If the seat to move can't reach its goal, no move reaches it. If it can, and all moves but one are proved
        to fail, the remaining one succeeds. If there is only one move, its outcome and the position's are the
        same.
        """
        first = self._seats[0]
        answer = self.position[first]
        if answer is not self.wanted:
            for known in self.moves.values():
                self._note(known, first, answer)
        left = [known for known in self.moves.values() if known.get(first) in (None, answer)]
        if len(left) == 1:
            self._note(left[0], first, answer)
        if len(self.moves) == 1:
            only = next(iter(self.moves.values()))
            only.update(self.position)
            self.position.update(only)

    def _note(self, known: Known, seat: int, answer: bool) -> None:
        """Record an answer about a seat, and what follows for the others: exactly one seat goes out first."""
        known[seat] = answer
        if answer:
            known.update({other: other == seat for other in self._seats})
        elif len(self._seats) > 1 and len(known) == len(self._seats) - 1 and not any(known.values()):
            known.update({other: True for other in self._seats if other not in known})

    def _rounds(self, nodes: int | None, until: float | None) -> None:
        """Ask about every unproved move with more and more nodes per question, until the limit."""
        spent_before = self._control.nodes
        for share in _QUESTIONS.rounds():
            if not self.open_moves or self._control.stopped():
                return
            for move in self.open_moves:
                known = self.moves[move]
                child = self._outcomes.after(self._outcomes.start, move)
                for seat in self._seats:
                    if seat in known:
                        continue
                    left = None if nodes is None else nodes - (self._control.nodes - spent_before)
                    if (left is not None and left <= 0) or (until is not None and time.monotonic() >= until):
                        return
                    allowed = share if left is None else min(share, left)
                    answer = self._outcomes.wins(child, seat, nodes=allowed, until=until)
                    if answer is not None:
                        self._note(known, seat, answer)


# ----------------------------------------------------------------------------------------------------
# Wins without a search: the seat to move plays cards that nobody can answer until it goes out, possibly now.
#
# A run: each play but the last cannot be beaten by any other seat. So all others pass, the field is cleared, and
# the same player leads again, in a known field. Before the first play of a run is answered, the others' hands are
# known; after it, each has passed once for each play, and so may have drawn one card and taken one from the
# discard pile: every card outside the player's own hand is assumed to be within reach, but of each metal no more
# copies than those passes can have brought.


_MOST_STEPS = 200  # of a search for a run

# Words of a level of the search for a run: the hand, the field and whether its order is reversed (bit 2), the
# metals not tried yet, the current metal, and the next number of its cards to try.
_HAND, _FIELD, _REST, _METAL, _NUMBER, _LEVEL = range(6)
_MOST_PLAYS = 16  # in a run
SCRATCH_WORDS = STATE_WORDS + _MOST_PLAYS * _LEVEL


@inlined
def goes_out(deal: Words, state: Words, at: int) -> bool:
    """Whether the seat to move can play its whole hand now. `run_wins` finds this too, but takes longer."""
    status = state[at + STATUS]
    hand = state[at + turn_of(status)]
    metal = deal[METAL_OF + trailing_zeros(hand)]
    shift = deal[BITS] * metal
    number = (hand >> shift) & ((1 << deal[BITS]) - 1)
    field, count = field_of(status), count_of(status)
    if hand != number << shift or hand & ~deal[SINGLY + field] != 0:
        return False
    if number != most_cards(number, most_on(count), hand & ~several(deal, field, count) == 0):
        return False
    return bool(count == 0 or (metal > metal_of(status) and number >= count))


@inlined
def answered_now(deal: Words, state: Words, at: int, turn: int, field: int, metal: int, number: int) -> bool:
    """Whether another seat can beat a play of `number` cards of `metal` in `field` with its current hand.

    `turn` is the seat that makes the play.
    """
    bits = deal[BITS]
    above = -1 << (bits * (metal + 1))
    for seat in range(deal[SEATS]):
        if seat == turn:
            continue
        if number == 1:
            if state[at + seat] & deal[SINGLY + field] & above != 0:
                return True
            continue
        rest = state[at + seat] & deal[SEVERAL + field] & above
        while rest != 0:
            shift = bits * deal[METAL_OF + trailing_zeros(rest)]
            held = (rest >> shift) & ((1 << bits) - 1)
            if held >= number:
                return True
            rest ^= held << shift
    return False


@inlined
def answered_later(
    deal: Words, state: Words, at: int, turn: int, out: int, field: int, metal: int, number: int, gained: int
) -> bool:
    """Whether another seat may be able to beat a later play of `number` cards of `metal` in `field`.

    `out` has the cards outside the hand of the seat that makes the play (`turn`). Each other seat is assumed to
    gain at most `gained` cards of any one metal before the play.
    """
    bits = deal[BITS]
    above = -1 << (bits * (metal + 1))
    if number == 1:
        return bool(out & deal[SINGLY + field] & above != 0)
    rest = out & deal[SEVERAL + field] & above
    while rest != 0:
        shift = bits * deal[METAL_OF + trailing_zeros(rest)]
        reach = (rest >> shift) & ((1 << bits) - 1)
        rest ^= reach << shift
        if reach < number:
            continue
        for seat in range(deal[SEATS]):
            if seat != turn and ((state[at + seat] >> shift) & ((1 << bits) - 1)) + gained >= number:
                return True
    return False


@lean
def run_wins(deal: Words, state: Words, at: int) -> bool:
    """Whether the seat to move can go out with a series of plays that nobody can beat (a run).

    Under ALLY, a play also counts as unbeaten if others could beat it, since they need not. The words that follow
    the node in `state` are scratch memory.
    """
    status = state[at + STATUS]
    turn = turn_of(status)
    bits = deal[BITS]
    ally = deal[MODEL] == ALLY
    live = deal[TOTAL] & ~whole(deal, state[at + DISCARD])
    a_pass = 2 if drawn_of(status) < deal[STOCK_SIZE] else 1
    count = count_of(status)
    base = at + STATE_WORDS
    hand = state[at + turn]
    field = field_of(status)
    rest = hand & deal[SINGLY + field]
    if count > 0:
        rest &= -1 << (bits * (metal_of(status) + 1))
    state[base + _HAND] = hand
    state[base + _FIELD] = field | (reversed_of(status) << 2)
    state[base + _REST] = lanes(deal, rest)
    state[base + _NUMBER] = 0
    level = 0
    steps = 0
    while level >= 0:
        frame = base + level * _LEVEL
        hand = state[frame + _HAND]
        field = state[frame + _FIELD] & 3
        number = state[frame + _NUMBER]
        if number == 0:
            rest = state[frame + _REST]
            if rest == 0:
                level -= 1
                continue
            bit = highest_one(rest)
            state[frame + _REST] = rest ^ (1 << bit)
            metal = deal[METAL_OF + bit]
            state[frame + _METAL] = metal
            held, below = (hand >> (bits * metal)) & ((1 << bits) - 1), count if level == 0 else 0
            number = most_cards(held, most_on(below), (several(deal, field, below) >> (bits * metal)) & 1 != 0)
        metal = state[frame + _METAL]
        state[frame + _NUMBER] = number - 1
        if level == 0 and number < count:
            state[frame + _NUMBER] = 0
            continue
        steps += 1
        if steps > _MOST_STEPS:
            return False
        left = hand - (number << (bits * metal))
        if left == 0:
            return True
        if not ally:
            if level == 0:
                if answered_now(deal, state, at, turn, field, metal, number):
                    continue
            elif answered_later(deal, state, at, turn, live - hand, field, metal, number, level * a_pass):
                continue
        reverse = (state[frame + _FIELD] >> 2) ^ (1 if number == MOST_AT_ONCE else 0)
        field = next_field(field, reverse)
        rest = lanes(deal, left & deal[SINGLY + field])
        if rest == 0 or level + 1 >= _MOST_PLAYS:
            continue
        level += 1
        frame += _LEVEL
        state[frame + _HAND] = left
        state[frame + _FIELD] = field | (reverse << 2)
        state[frame + _REST] = rest
        state[frame + _NUMBER] = 0
    return False


@lean
def sure_winner(deal: Words, state: Words, at: int) -> int:
    """Return the seat that has gone out or, if the seat to move is sure to go out, that seat; otherwise -1.

    Under ALLY, this considers only the player: another seat that could go out need not do so.
    """
    status = state[at + STATUS]
    if status >> OUT != 0:
        return int((status >> OUT) - 1)
    turn = turn_of(status)
    if deal[MODEL] == ALLY and turn != asked_of(status):
        return -1
    won = goes_out(deal, state, at) or (deal[SWITCHES] & RUNS != 0 and run_wins(deal, state, at))
    return turn if won else -1


@inlined
def settle(deal: Words, state: Words, at: int) -> int:
    """Return YES or NO if the question about a node can be answered without a search, else UNKNOWN.

    It can if a seat has gone out, or if the seat to move is sure to.
    """
    winner = sure_winner(deal, state, at)
    if winner < 0:
        return UNKNOWN
    return YES if winner == asked_of(state[at + STATUS]) else NO


# ----------------------------------------------------------------------------------------------------
# The search for outcomes, instantiated for Aqua Regia.


@once
def search() -> OutcomeSearch:
    """Return the search for outcomes with Aqua Regia's rules."""
    return outcome_search(
        OutcomeRules(
            game="aqua_regia",
            state_words=fast_rules.STATE_WORDS,
            scratch_words=SCRATCH_WORDS,
            any_suffices=fast_rules.any_suffices,
            candidates=fast_rules.moves,
            play=fast_rules.play,
            ask=fast_rules.ask,
            known=settle,
            digest=fast_rules.digest,
            efforts=fast_rules.efforts,
        )
    )


PROVERS = Pool(lambda megabytes: OutcomeProver(search(), megabytes))
