"""The analysis under `maxn`: every move's scores by a memoised search, or bounds by what each seat can be held
to.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.games.king.bounds import best_bonus, last_scores, stalled, toll
from solver.games.king.compounding_kernel import reduced
from solver.games.king.fast_rules import (
    ALL_SWITCHES,
    LAST,
    LEADER,
    LIVE,
    MOST_MOVES,
    NODE_WORDS,
    PILES,
    PLAYED,
    PLAYERS,
    SCORES,
    SEATS,
    STALLED,
    TABLES,
    THE_DANCER,
    deal_words,
    list_moves,
    make,
    move_of,
    round_words,
    seat_to_move,
)
from solver.games.king.rules import Move, State, legal_moves, play
from solver.games.king.search import BOUND_NODES, PlayerScore, Ways, proof_share, relieve
from solver.kernels.jit import inlined, lean
from solver.kernels.words import Words, popcount, wrapping_product
from solver.limits import Control, Part
from solver.search.fail_soft import FailSoftProver
from solver.search.rules import TABLE
from solver.search.trick_rules import GENERATION, SWITCHES
from solver.tricks.analysis import ScoreBounds, Scores, bracket, merit

# ----------------------------------------------------------------------------------------------------
# `maxn` by memoised search: everybody's scores when each seat maximizes its own.
#
# A node has the words of `fast_rules`, followed by every seat's pile and points. Moves are looked at in canonical
# order, so that the first of equals is kept. Boundaries are remembered: the key is the cards in hands, the leader,
# and the part of each pile that still matters; the worth is what each seat adds to its points.


# Words of a frame: moves looked at, their number, the mover's score with the best so far and the others' total;
# the scores of that move; whether the node is remembered, and its key; the moves; the node.
NEXT, MOVE_COUNT, OWN, OTHERS, FOUND = range(5)
REMEMBERED = FOUND + SEATS
KEY = REMEMBERED + 1
MOVES = KEY + SEATS + 1
NODE = MOVES + MOST_MOVES
FRAME = NODE + NODE_WORDS
# Words of the control array; it ends with the scores of the finished search.
DEPTH, NODES, SCORE = range(3)
CONTROL_WORDS = SCORE + SEATS
ENTRY = 8  # words of a table entry, one cache line: the key, then the scores
WORTH_BITS = 20
_LIVE_BITS = 53  # cards in hands and the leader; then a part of the generation; the highest bit is never set
_GENERATION_PART = 9


@lean
def identify(deal: Words, stack: Words, at: int) -> None:
    """Write a boundary's key to its frame; the generation is in the unused bits of the first two words."""
    node = at + NODE
    live = stack[node + LIVE]
    generation = deal[GENERATION]
    stack[at + KEY] = (
        live | (stack[node + LEADER] << 50) | ((generation & ((1 << _GENERATION_PART) - 1)) << _LIVE_BITS)
    )
    for seat in range(SEATS):
        pile = 0
        if seat < deal[PLAYERS]:
            pile = reduced(deal[TABLES:], stack[node + PILES + seat], live)
        stack[at + KEY + 1 + seat] = pile
    stack[at + KEY + 1] |= (generation >> _GENERATION_PART) << 50


@inlined
def place_of(stack: Words, at: int, table: Words) -> int:
    """The table's word for a node's key."""
    mixed = 0
    for word in range(at + KEY, at + KEY + SEATS + 1):
        mixed = int(wrapping_product(mixed ^ int(stack[word]), 0x1E3779B97F4A7C15)) & 0x7FFFFFFFFFFFFFFF
        mixed ^= mixed >> 29
    return int(((mixed >> 8) * ENTRY) & (len(table) - 1))


@lean
def recall(stack: Words, at: int, table: Words, players: int) -> bool:
    """Write the remembered scores of a node to its frame; False if there are none."""
    entry = place_of(stack, at, table)
    for word in range(SEATS + 1):
        if table[entry + word] != stack[at + KEY + word]:
            return False
    for seat in range(players):
        packed = table[entry + SEATS + 1 + seat // 3]
        more = (packed >> (WORTH_BITS * (seat % 3))) & ((1 << WORTH_BITS) - 1)
        stack[at + FOUND + seat] = stack[at + NODE + SCORES + seat] + more
    return True


@lean
def remember(stack: Words, at: int, table: Words, players: int) -> None:
    entry = place_of(stack, at, table)
    for word in range(SEATS + 1):
        table[entry + word] = stack[at + KEY + word]
    table[entry + SEATS + 1] = 0
    table[entry + SEATS + 2] = 0
    for seat in range(players):
        more = stack[at + FOUND + seat] - stack[at + NODE + SCORES + seat]
        table[entry + SEATS + 1 + seat // 3] |= more << (WORTH_BITS * (seat % 3))


@lean
def begin_maxn(root: Words, stack: Words, control: Words) -> None:
    """Put a root node on an empty stack."""
    stack[MOVE_COUNT] = -1
    for word in range(NODE_WORDS):
        stack[NODE + word] = root[word]
    control[DEPTH] = 1


@lean
def run_maxn(deal: Words, stack: Words, table: Words, control: Words, budget: int) -> bool:
    """Continue for at most `budget` nodes; True when `control` holds the root's scores.

    It pauses when it is stalled for a bonus (`bounds`), and looks at that node again when it continues.
    """
    depth = control[DEPTH]
    players = deal[PLAYERS]
    nodes = 0
    left_child = False
    while depth > 0:
        at = (depth - 1) * FRAME
        node = at + NODE
        if left_child:
            # The child's scores are in its own frame.
            seat = seat_to_move(deal, stack, node)
            child = at + FRAME + FOUND
            others = 0
            for other in range(players):
                others += stack[child + other]
            own = stack[child + seat]
            others -= own
            if own > stack[at + OWN] or (own == stack[at + OWN] and others < stack[at + OTHERS]):
                stack[at + OWN] = own
                stack[at + OTHERS] = others
                for other in range(players):
                    stack[at + FOUND + other] = stack[child + other]
            left_child = False
        elif stack[at + MOVE_COUNT] < 0:
            if nodes >= budget:
                break
            nodes += 1 + toll(deal)
            live = stack[node + LIVE]
            between = stack[node + PLAYED] == 0
            if between and live == 0:
                for seat in range(players):
                    stack[at + FOUND + seat] = stack[node + SCORES + seat] + best_bonus(
                        deal, stack[node + PILES + seat]
                    )
                if stalled(deal):
                    nodes -= 1
                    break
                left_child = True
                depth -= 1
                continue
            if (
                between
                and deal[SWITCHES] & LAST
                and popcount(live) == players
                and not (live >> deal[THE_DANCER]) & 1
            ):
                last_scores(deal, stack, node, at + FOUND)
                if stalled(deal):
                    nodes -= 1
                    break
                left_child = True
                depth -= 1
                continue
            stack[at + REMEMBERED] = 0
            if deal[SWITCHES] & TABLE and between and popcount(live) > players:
                stack[at + REMEMBERED] = 1
                identify(deal, stack, at)
                if recall(stack, at, table, players):
                    left_child = True
                    depth -= 1
                    continue
            stack[at + MOVE_COUNT] = list_moves(deal, stack, node, stack, at + MOVES)
            stack[at + NEXT] = 0
            stack[at + OWN] = -1
            stack[at + OTHERS] = 0
        index = stack[at + NEXT]
        if index == stack[at + MOVE_COUNT]:
            if stack[at + REMEMBERED]:
                remember(stack, at, table, players)
            left_child = True
            depth -= 1
            continue
        stack[at + NEXT] = index + 1
        below = at + FRAME
        make(deal, stack, node, below + NODE, stack[at + MOVES + index])
        stack[below + MOVE_COUNT] = -1
        depth += 1
    if depth == 0:
        for seat in range(players):
            control[SCORE + seat] = stack[FOUND + seat]
    control[DEPTH] = depth
    control[NODES] += nodes
    return bool(depth == 0)


# ----------------------------------------------------------------------------------------------------
# `maxn`: everybody's scores if each seat maximizes its own and, in ties, minimizes the others' total, by an exact
# memoised search.
#
# If a limit is reached, each seat's score lies between what it can guarantee (`paranoid`) and what it can reach
# with everybody's help (`ally`), for any way to break ties.


_FRAMES = 2 * 50 + 2


class MaxnScores:
    """The scores under `maxn` of the states of one deal."""

    def __init__(
        self, prover: FailSoftProver, start: State, control: Control, *, switches: int = ALL_SWITCHES
    ) -> None:
        self.start = start
        self._control = control
        self._prover = prover  # for its table
        self._deal = deal_words(start, 0, allies=False, switches=switches)
        self._ways = Ways(self._deal)
        self._stack: Words = np.zeros(_FRAMES * FRAME, np.int64)
        self._words: Words = np.zeros(CONTROL_WORDS, np.int64)
        self._proved: dict[bytes, Scores] = {}
        self.found: dict[Move, ScoreBounds] = {}  # of the moves solved so far

    def scores(self, state: State, part: Part | None = None) -> Scores | None:
        """The score of every seat from a state on; None if the control's limit or that of `part` was reached."""
        return self._scores(round_words(state, self._deal), part)

    def _scores(self, node: Words, part: Part | None) -> Scores | None:
        key = node.tobytes()
        if key not in self._proved:
            self._prover.take(self._deal)
            begin_maxn(node, self._stack, self._words)
            part = part or Part(self._control, 1)
            if not self._solve(part):
                return None
            self._proved[key] = tuple(self._words[SCORE : SCORE + self.start.players].tolist())
        return self._proved[key]

    def _solve(self, part: Part) -> bool:
        """Run the kernel to its end; False if a limit was reached."""
        while self._control.drive(self._step, until=part.until, node_share=part.nodes(), stage="maxn"):
            if self._words[DEPTH] == 0:
                return True
            with self._control.part(until=part.until, nodes=part.nodes()) as rest:
                if not relieve(self.start.deck, self._deal, rest):
                    return False
        return False

    def _step(self, budget: int) -> tuple[bool, int]:
        before = int(self._words[NODES])
        finished = run_maxn(self._deal, self._stack, self._prover.table, self._words, budget)
        return bool(finished or self._deal[STALLED]), int(self._words[NODES]) - before

    def moves(self, share: float = 1.0) -> dict[Move, Scores | None]:
        """The scores of every seat after each legal move, in canonical order.

        Meanwhile, those solved so far are in `found`. `share` is the part of the control's limit that may be used.
        None for unsolved moves.
        """
        part = Part(self._control, share)
        solved: dict[Move, Scores | None] = {}
        count = self._ways.of(self.start)
        for code, node in zip(self._ways.codes[:count].tolist(), self._ways.rounds[1:], strict=False):
            move = move_of(self.start, code)
            scores = solved[move] = self._scores(node, part)
            if scores is not None:
                self.found[move] = scores, scores
        return solved

    def line(self) -> list[Move]:
        """The line of play: each seat's first best move, to the end of the round."""
        played: list[Move] = []
        count = self._ways.of(self.start)
        while count:
            ways = [self._scores(node, None) for node in self._ways.rounds[1 : count + 1]]
            if any(scores is None for scores in ways):
                break
            seat = self._ways.seat_to_move()
            place = max(range(count), key=lambda way: merit(ways[way] or (), seat))
            played.append(move_of(self.start, int(self._ways.codes[place])))
            count = self._ways.after(place)
        return played


_EXACT_SHARE = 0.7  # of the proofs' part of a limit; the rest is for bounds, if some moves are not solved


def of_state(
    state: State, control: Control, prover: FailSoftProver, found: dict[Move, ScoreBounds]
) -> tuple[dict[Move, ScoreBounds], list[Move]]:
    """The bounds of all seats' scores after every legal move, and the line of play.

    Meanwhile, `found` has the bounds so far. The line is empty when the round is over, and if some scores are not
    exact.
    """
    if state.over:
        return {}, []
    search = MaxnScores(prover, state, control)
    search.found = found
    solved = search.moves(_EXACT_SHARE * proof_share(state))
    left = [move for move, scores in solved.items() if scores is None]
    if not left:
        return found, search.line()
    bounded(state, control, prover, left, found)
    return {move: found[move] for move in legal_moves(state)}, []


@dataclass(frozen=True)
class _AfterMove:
    """The score of one seat after each of some moves (`ways`), bounded within a part of the limit."""

    search: PlayerScore
    ways: dict[Move, State]
    part: Part

    def widest(self, move: Move) -> tuple[int, int]:
        return self.search.widest(self.search.node(self.ways[move]))

    def bounds(self, move: Move, guess: int | None) -> tuple[int, int]:
        return self.search.bounds(self.ways[move], part=self.part, nodes=BOUND_NODES)


def bounded(
    state: State, control: Control, prover: FailSoftProver, moves: list[Move], found: dict[Move, ScoreBounds]
) -> None:
    """Write the bounds of all seats' scores after each of `moves` to `found`.

    A seat gets at least what it can guarantee against all others, and at most what it reaches with their help. The
    searches take the part of the limit reserved for proofs.
    """
    part = Part(control, proof_share(state))
    ways = {move: play(state, move) for move in moves}

    def score_of(seat: int, allies: bool) -> _AfterMove:
        return _AfterMove(PlayerScore(prover, state, seat, allies=allies, control=control), ways, part)

    bracket(moves, state.players, score_of, found)
