"""Analysis of King × Alchemy with every card known: the value of each move under a model of the others' play.

One player's score against all others (`paranoid`) or with their help (`ally`) is proved by fail-soft search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from statistics import fmean
from typing import Any

import numpy as np

from solver.common import members
from solver.errors import RequestError
from solver.game import ProofSearch
from solver.games.king import bounds, compounding, fast_rules, line
from solver.games.king.bounds import at_least, enter_hard, last_scores, stalled, toll, worth
from solver.games.king.compounding import (
    bonus_bounds,
    reduced,
)
from solver.games.king.deck import CARDS, SUIT_NAMES, SUITS, TRUMP, Card, Deck, house
from solver.games.king.fast_rules import (
    ALLIES,
    BEST,
    BEST_POWER,
    CONTEXTS,
    GAINED,
    LAST,
    LEADER,
    LIVE,
    MOST_MOVES,
    NAMED,
    NAMES,
    NODE_WORDS,
    ORDER,
    PILES,
    PLAYED,
    PLAYER,
    PLAYERS,
    POINTS,
    PROBE_NODES,
    PROBE_TRICKS,
    SCORES,
    SEATS,
    STALLED,
    STATE_WORDS,
    SUIT_CARDS,
    TABLES,
    THE_DANCER,
    TRICK,
    card_at,
    deal_words,
    list_moves,
    list_plays,
    list_ways,
    make,
    maximises,
    move_of,
    node_words,
    offered,
    power_of,
    round_words,
    seat_to_move,
    winning_card,
)
from solver.games.king.line import (
    ALLY_STEPS,
    ASKED_WORDS,
    FIRST_NODES,
    LENGTH,
    LINE,
    PAUSED,
    STEPS,
    STRIDE,
)
from solver.games.king.position import CardSet, KingAnalysis, Round
from solver.games.king.rules import Move, State, legal_moves, move_text, parse, play, play_text
from solver.kernels.jit import Instances, inlined, lean
from solver.kernels.rng import below
from solver.kernels.words import Words, popcount, wrapping_product
from solver.language import say
from solver.limits import Control, Growth, Limit, Part, once
from solver.search.fail_soft import FailSoftProver, FailSoftRules, FailSoftSearch, fail_soft_search
from solver.search.memory import Pool
from solver.search.rules import TABLE
from solver.search.trick_rules import GENERATION, SWITCHES, bare, insert
from solver.search.uct import FAR, Bounds, Tree, TreeKernels, TreeRules, kernels_of
from solver.tricks.analysis import (
    Form,
    Question,
    ScoreBounds,
    Scores,
    all_scores,
    answer,
    asked,
    bracket,
    one_score,
    proved,
)

# ----------------------------------------------------------------------------------------------------
# The shares of a question's limit for King × Alchemy's proofs.


VALUE_NODES = 1000  # for one question about a move's score, which a kernel asks
QUESTIONS = Growth(20_000, 4)  # nodes for one question about a move's score
KEEPERS = Growth(FIRST_NODES, 8)  # nodes for each move when looking for one that keeps the score
BOUND_NODES = 200_000  # for one question of a bound under maxn
_LONGEST_LINE = 128  # words: a round has fewer moves
_PROVABLE = 30  # cards in hands with which a proof is likely to succeed


def proof_share(state: State) -> float:
    """The fraction of a limit to spend on proofs; the rest is for estimates by simulated games if these fail."""
    return 0.85 if sum(hand.bit_count() for hand in state.hands) <= _PROVABLE else 0.1


# ----------------------------------------------------------------------------------------------------
# What searches do when they need a bonus that is too expensive to compute within a node.


def relieve(deck: Deck, deal: Words, control: Control) -> bool:
    """Compute the bonus that a search of this deal is waiting for; False if the control's limit was reached.

    The search is no longer stalled afterwards: it can be resumed, or turn to another question.
    """
    cards = int(deal[STALLED])
    deal[STALLED] = 0
    least, most = bonus_bounds(deck, list(members(cards)), control)
    if least < most:
        return False
    enter_hard(deal, cards, least)
    return True


def scores(state: State) -> Scores:
    """Every seat's score of what it has won, or a lower bound if the best recipes take too long to find."""
    deal = deal_words(state, 0, allies=False)
    node = round_words(state, deal)
    return tuple(int(bounds.reward(deal, node, 0, 0, seat)) for seat in range(state.players))


class Ways:
    """The legal moves of a round, listed by one kernel call.

    `codes` has the moves. The first row of `rounds` is the round itself, the others are the rounds after its
    moves. `nodes` has a row for each move: the node after it, with only the player's pile. `words` has the same
    arrays as kernels take them: the rounds, the codes and the nodes, all flat.
    """

    def __init__(self, deal: Words) -> None:
        self._deal = deal
        self.codes: Words = np.zeros(MOST_MOVES, np.int64)
        self.rounds: Words = np.zeros((MOST_MOVES + 1, NODE_WORDS), np.int64)
        self.nodes: Words = np.zeros((MOST_MOVES, STATE_WORDS), np.int64)
        self.words: tuple[Words, Words, Words] = self.rounds.reshape(-1), self.codes, self.nodes.reshape(-1)

    def of(self, state: State) -> int:
        """List the moves of a state, and return their number."""
        self.rounds[0] = round_words(state, self._deal)
        return self._listed()

    def after(self, index: int) -> int:
        """Make the move at `index`, list the moves after it, and return their number."""
        self.rounds[0] = self.rounds[index + 1]
        return self._listed()

    def _listed(self) -> int:
        rounds, codes, nodes = self.words
        return int(list_ways(self._deal, rounds, 0, codes, NODE_WORDS, nodes))


class PlayerScore:
    """Computes the score that `player` reaches from states of one deal.

    The others work against the player or, with `allies`, help. Results are kept for later questions about the same
    deal. `bounds` uses `part` of the control's limit, by default all of it, and at most `nodes` for a question.
    """

    def __init__(
        self,
        prover: FailSoftProver,
        start: State,
        player: int,
        *,
        allies: bool,
        control: Control,
        part: Part | None = None,
        nodes: int | None = None,
    ) -> None:
        self.start = start
        self.player = player
        self._allies = allies
        self._control = control
        self._prover = prover
        self.deal = deal_words(start, player, allies=allies)
        self._part, self._nodes = part or Part(control), nodes
        self._ways = Ways(self.deal)
        self._ends: Words = np.zeros(2, np.int64)
        self._proved: dict[bytes, tuple[int, int]] = {}
        self.found: dict[Move, tuple[int, int]] = {}  # what `moves` has proved so far

    def maximises(self, state: State) -> bool:
        return self._allies or state.to_move == self.player

    def after(self, state: State, move: Move) -> State:
        return play(state, move)

    def widest(self, state: State) -> tuple[int, int]:
        """Lower and upper bounds on the score of a state, without a search.

        The lower bound is the score of what is already won; the upper bound adds all cards that can still be won.
        """
        return self._widest(self.node(state))

    def _widest(self, node: Words) -> tuple[int, int]:
        bounds.widest(self.deal, node, 0, self._ends, 0)
        least, most = self._ends.tolist()
        return least, most

    def node(self, state: State) -> Words:
        return node_words(state, self.deal)

    def bounds(self, state: State, _guess: int | None = None) -> tuple[int, int]:
        """Lower and upper bounds on the score of a state; they are equal unless a limit was reached.

        The search asks whether the score reaches one value after another.
        """
        return self._narrowed(self.node(state), None, self._part, self._nodes)

    def _narrowed(self, node: Words, guess: int | None, part: Part, nodes: int | None) -> tuple[int, int]:
        key = node.tobytes()
        least, most = self._proved.get(key) or self._widest(node)
        need = guess
        stride = 1  # a guess is seldom far off
        while least < most:
            if need is None:
                need = least + 1 + (most - least) // (ALLY_STEPS if self._allies else STEPS)
            need = min(max(need, least + 1), most)
            worth = self._ask(node, need, nodes, part)
            if worth is None:
                break
            if worth >= need:
                least = worth
                need = None if guess is None else worth + stride
                stride = STRIDE
            else:
                most = worth
                need = None if self._allies else worth
        self._proved[key] = (least, most)
        return least, most

    def reaches(self, state: State, score: int) -> bool | None:
        """Whether the score of a state is at least `score`; None if the limit was reached."""
        proved = self._ask(self.node(state), score)
        return None if proved is None else proved >= score

    def _ask(self, node: Words, need: int, nodes: int | None = None, part: Part | None = None) -> int | None:
        """The bound proved by asking whether the score of a node is at least `need`.

        An answer of at least `need` is a lower bound on the score, a smaller one an upper bound. None if a limit
        was reached.
        """
        part = part or self._part
        return self._prover.ask(
            self.deal,
            node,
            need,
            self._control,
            nodes=part.nodes(nodes),
            until=part.until,
            relief=lambda control: relieve(self.start.deck, self.deal, control),
        )

    def moves(self, share: float = 1.0) -> dict[Move, tuple[int, int]]:
        """Bounds on the score after every legal move, in canonical order.

        The first question about a move is whether its score reaches the lower bound of the move before it. `share`
        is the fraction of the control's limit that may be used. Under a limit, all moves are searched again and
        again, with growing node limits.
        """
        count = self._ways.of(self.start)
        moves = [move_of(self.start, code) for code in self._ways.codes[:count].tolist()]
        part = Part(self._control, share)
        bounds_of = self.found = {}
        self._ask_quickly(moves, part)
        if all(least == most for least, most in bounds_of.values()):
            return bounds_of
        ways = dict(zip(moves, self._ways.nodes.copy(), strict=False))
        # Of equal nodes, the first has the best bounds.
        self._proved |= {node.tobytes(): bounds_of[move] for move, node in reversed(ways.items())}
        for nodes in part.rounds(QUESTIONS):
            guess: int | None = None
            for move, node in ways.items():
                bounds_of[move] = self._narrowed(node, guess, part, nodes)
                guess = bounds_of[move][0]
            if all(least == most for least, most in bounds_of.values()):
                break
        return bounds_of

    def _ask_quickly(self, moves: Sequence[Move], part: Part) -> None:
        """Write bounds on the scores after the moves that `_ways` lists to `found`, exact where that is quick."""
        room, (*_, nodes) = self._prover.room(self.deal), self._ways.words
        ends: Words = np.zeros(2 * MOST_MOVES, np.int64)
        asked: Words = np.zeros(ASKED_WORDS, np.int64)

        def step(budget: int) -> tuple[bool, int]:
            before = self._prover.nodes
            known = short_questions()[0](self.deal, nodes, len(moves), ends, asked, room, VALUE_NODES, budget)
            listed = ends.tolist()
            self.found |= zip(moves, zip(listed[::2], listed[1::2], strict=True), strict=False)
            return known != PAUSED, self._prover.nodes - before

        step(0)  # bounds without a search
        self._control.drive(step, until=part.until, node_share=part.nodes(), stage="prove")

    def line(self, move: Move, worth: int) -> list[Move]:
        """A line of best play by both sides after one of the moves that `moves` has just found, worth `worth`.

        It ends early if the limit is reached.
        """
        count = self._ways.after(list(self.found).index(move))
        played: list[Move] = []
        while count:
            codes, count = self._quick_line(worth)
            played += [move_of(self.start, code) for code in codes]
            way = self._keeper(count, worth) if count else None
            if way is None:
                break
            played.append(move_of(self.start, int(self._ways.codes[way])))
            count = self._ways.after(way)
        return played

    def _quick_line(self, worth: int) -> tuple[list[int], int]:
        """Make the moves that `_keeper` would choose, as long as short questions are enough.

        Returns their codes, and the number of moves that `_ways` then lists.
        """
        room, follow = self._prover.room(self.deal), short_questions()[1]
        codes: Words = np.zeros(_LONGEST_LINE, np.int64)
        count = 0

        def step(budget: int) -> tuple[bool, int]:
            nonlocal count
            before = self._prover.nodes
            count = follow(self.deal, *self._ways.words, codes, room, worth, budget)
            return count != PAUSED, self._prover.nodes - before

        if not self._control.drive(step, stage="prove"):
            count = 0
        return codes[LINE : LINE + int(codes[LENGTH])].tolist(), count

    def _keeper(self, count: int, worth: int) -> int | None:
        """Return the index of a move that keeps the score at `worth`: the one proved with the least work.

        In a tie it is the first in canonical order. None if the limit was reached.
        """
        high = bool(maximises(self.deal, self._ways.words[0], 0))
        need = worth if high else worth + 1
        ways: dict[bytes, tuple[int, Words]] = {}  # one of the moves that lead to the same node
        for way, node in enumerate(self._ways.nodes[:count]):
            ways.setdefault(node.tobytes(), (way, node))
        if len(ways) == 1:
            return 0
        for nodes in KEEPERS.rounds():
            if not ways or self._control.stopped():
                break
            for key, (way, node) in list(ways.items()):
                proved = self._ask(node, need, nodes)
                if proved is None:
                    continue
                if (proved >= need) is high:
                    return way
                del ways[key]
        return None


# ----------------------------------------------------------------------------------------------------
# Move generation and ordering.


@inlined
def context(deal: Words, state: Words, at: int) -> int:
    """Return the index of the move-ordering statistics to use.

    It depends on the card to beat and on whether the player is yet to play in this trick. It need not depend on
    the seat to move, since the statistics are kept by card, and each card belongs to one seat.
    """
    if deal[SWITCHES] & CONTEXTS == 0:
        return int(maximises(deal, state, at))
    if state[at + PLAYED] == 0:
        return 2 * CARDS
    turn = deal[PLAYER] - state[at + LEADER]
    if turn < 0:
        turn += deal[PLAYERS]
    return int(2 * winning_card(deal, state, at) + (turn >= state[at + PLAYED]))


@inlined
def probing(deal: Words, tricks: int) -> int:
    """The node limit for trying each move of an opponent briefly, before any is searched in full.

    Returns 0 if the moves are to be searched in full at once, such as when few `tricks` are left.
    """
    return int(deal[PROBE_NODES]) if tricks >= deal[PROBE_TRICKS] else 0


@inlined
def hunch(deal: Words, state: Words, at: int, move: int) -> int:
    """How promising an opponent's play to a begun trick looks, in units of history; it decides before that grows.

    It is good to beat the player's card or, if that is not possible, to lose few points to it. Points are safe in
    a trick that another opponent is winning.
    """
    card = move if move < NAMED else deal[THE_DANCER]
    ahead = state[at + BEST] == deal[PLAYER]
    lifted = move >= NAMED and state[at + TRICK] & deal[SUIT_CARDS + TRUMP] != 0
    if lifted or power_of(deal, state, at, move) > state[at + BEST_POWER]:
        return 12 if ahead else 0
    return int(-4 * deal[POINTS + card] if ahead else 2 * deal[POINTS + card])


@lean
def promising_moves(
    deal: Words, state: Words, at: int, out: Words, to: int, first: int, history: Words, past: int
) -> int:
    """Write the moves of the seat to move to `out`, starting at `to`, most promising first; return their number.

    In a full trick, they are the ways to share it out with different gains for the player. Otherwise the move
    `first` (-1 if none) comes first, then the others by their history scores ``history[past + move]``, with a
    `hunch` for those of opponents.
    """
    count = 0
    side = maximises(deal, state, at)
    if state[at + PLAYED] == deal[PLAYERS]:
        offer = offered(deal, state, at)
        order = state[at + ORDER]
        pair = state[at + BEST] == deal[PLAYER]
        for turn in range(deal[PLAYERS]):
            if (offer >> card_at(order, turn)) & 1 == 0:
                continue
            points = deal[POINTS + card_at(order, turn)]
            if pair:
                for other in range(turn):
                    if (offer >> card_at(order, other)) & 1:
                        move = GAINED + (1 << turn) + (1 << other)
                        count = insert(out, to, count, move, points + deal[POINTS + card_at(order, other)])
            else:
                count = insert(out, to, count, GAINED + (1 << turn), points if side == 1 else 1000 - points)
    else:
        begun = side == 0 and state[at + PLAYED] > 0
        for index in range(list_plays(deal, state, at, out, to)):
            move = out[to + index]
            merit = 1 << 50 if move == first else int(history[past + move])
            if begun:
                merit += hunch(deal, state, at, move)
            count = insert(out, to, index, move, merit)
    return bare(out, to, count)


# ----------------------------------------------------------------------------------------------------
# The fail-soft search, instantiated for King × Alchemy.


@once
def search() -> FailSoftSearch:
    """The fail-soft search with King's rules and bounds."""
    return fail_soft_search(
        FailSoftRules(
            game="king",
            state_words=fast_rules.STATE_WORDS,
            most_moves=fast_rules.MOST_MOVES,
            boundary=fast_rules.boundary,
            size=fast_rules.size,
            maximises=fast_rules.maximises,
            play=fast_rules.search_play,
            settle=bounds.settle,
            estimate=bounds.estimate,
            first_key=bounds.first_key,
            second_key=bounds.second_key,
            moves=promising_moves,
            context=context,
            relaxed=bounds.relaxed,
            probing=probing,
            stalled=bounds.stalled,
            toll=bounds.toll,
        )
    )


@once
def short_questions() -> tuple[Callable[..., int], Callable[..., int]]:
    """The kernels `values` and `follow` of `line.py`, with King's search."""
    instances = Instances("king", {"begin_soft": search().begin, "run_soft": search().run})
    instances.of(line.keeper)
    return instances.of(line.values), instances.of(line.follow)


PROVERS = Pool(lambda megabytes: FailSoftProver(search(), megabytes))


# ----------------------------------------------------------------------------------------------------
# `maxn` by memoised search: everybody's scores when each seat maximizes its own.
#
# A node has the words of `fast_rules`, followed by every seat's pile and points. Moves are looked at in canonical
# order, so that the first of equals is kept. Boundaries are remembered: the key is the cards in hands, the leader,
# and the part of each pile that still matters; the worth is what each seat adds to its points.


# Words of a frame: moves looked at, their number, the mover's score with the best so far; the total of all scores,
# and the scores, of that move; whether the node is remembered, and its key; the moves; the node.
NEXT, MOVE_COUNT, OWN, TOTAL, FOUND = range(5)
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
    """Write the transposition-table key of a node to its stack frame, which starts at `at`.

    The unused bits of the key's first two words hold the table's generation number.
    """
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
    """Return the index in `table` of the entry for the key in the frame at `at`."""
    mixed = 0
    for word in range(at + KEY, at + KEY + SEATS + 1):
        mixed = int(wrapping_product(mixed ^ int(stack[word]), 0x1E3779B97F4A7C15)) & 0x7FFFFFFFFFFFFFFF
        mixed ^= mixed >> 29
    return int(((mixed >> 8) * ENTRY) & (len(table) - 1))


@lean
def recall(stack: Words, at: int, table: Words, players: int) -> bool:
    """Look up a node in the table and write its scores to its frame; return False if it is not there."""
    entry = place_of(stack, at, table)
    for word in range(SEATS + 1):
        if table[entry + word] != stack[at + KEY + word]:
            return False
    total = 0
    for seat in range(players):
        packed = table[entry + SEATS + 1 + seat // 3]
        more = (packed >> (WORTH_BITS * (seat % 3))) & ((1 << WORTH_BITS) - 1)
        score = stack[at + NODE + SCORES + seat] + more
        stack[at + FOUND + seat] = score
        total += score
    stack[at + TOTAL] = total
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
    """Start a search: put the root node on the stack."""
    stack[MOVE_COUNT] = -1
    for word in range(NODE_WORDS):
        stack[NODE + word] = root[word]
    control[DEPTH] = 1


@lean
def run_maxn(deal: Words, stack: Words, table: Words, control: Words, budget: int) -> bool:
    """Continue the search for at most `budget` nodes; return True once `control` holds the root's scores.

    The search also pauses when it needs a bonus that is too expensive to compute here (see `bounds`). When it
    continues, it visits that node again.
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
            child = at + FRAME
            own = stack[child + FOUND + seat]
            if own > stack[at + OWN] or (own == stack[at + OWN] and stack[child + TOTAL] < stack[at + TOTAL]):
                stack[at + OWN] = own
                stack[at + TOTAL] = stack[child + TOTAL]
                for other in range(players):
                    stack[at + FOUND + other] = stack[child + FOUND + other]
            left_child = False
        elif stack[at + MOVE_COUNT] < 0:
            if nodes >= budget:
                break
            nodes += 1 + toll(deal)
            live = stack[node + LIVE]
            between = stack[node + PLAYED] == 0
            if between and live == 0:
                total = 0
                for seat in range(players):
                    score = worth(deal, stack[node + SCORES + seat], stack[node + PILES + seat], 0)
                    stack[at + FOUND + seat] = score
                    total += score
                stack[at + TOTAL] = total
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
                stack[at + TOTAL] = last_scores(deal, stack, node, at + FOUND)
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
            stack[at + TOTAL] = 0
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


# Words of the task: the moves listed, and how many of them are solved; whether a line of best play is to follow;
# the length of that line, and its moves; the scores after each of the moves listed.
LISTED, SOLVED, FOLLOWED, LINE_LENGTH, LINE_MOVES = range(5)
WAY_SCORES = LINE_MOVES + _LONGEST_LINE
TASK_WORDS = WAY_SCORES + MOST_MOVES * SEATS


@inlined
def best_way(task: Words, players: int, seat: int) -> int:
    """Return the index of the move that is best for a seat, the first of equals."""
    best, own, others = 0, -1, 0
    for way in range(task[LISTED]):
        at = WAY_SCORES + way * SEATS
        total = 0
        for other in range(players):
            total += task[at + other]
        this = task[at + seat]
        if this > own or (this == own and total - this < others):
            best, own, others = way, this, total - this
    return best


@lean
def run_ways(
    deal: Words,
    rounds: Words,
    codes: Words,
    nodes: Words,
    task: Words,
    stack: Words,
    table: Words,
    control: Words,
    budget: int,
) -> bool:
    """Find the scores after each move that is listed, then, if the task says so, a line of best play.

    `rounds`, `codes` and `nodes` have what `list_ways` lists. Works for at most `budget` nodes, or until a bonus
    is too expensive to compute here; then another call continues. Returns whether the task is done.
    """
    last = control[NODES] + budget
    players = deal[PLAYERS]
    while True:
        while task[SOLVED] < task[LISTED]:
            way = task[SOLVED]
            if control[DEPTH] == 0:
                begin_maxn(rounds[(way + 1) * NODE_WORDS : (way + 2) * NODE_WORDS], stack, control)
            if not run_maxn(deal, stack, table, control, last - control[NODES]):
                return False
            for seat in range(players):
                task[WAY_SCORES + way * SEATS + seat] = control[SCORE + seat]
            task[SOLVED] += 1
        if task[FOLLOWED] == 0 or task[LISTED] == 0:
            return True
        way = best_way(task, players, seat_to_move(deal, rounds, 0))
        task[LINE_MOVES + task[LINE_LENGTH]] = codes[way]
        task[LINE_LENGTH] += 1
        for word in range(NODE_WORDS):
            rounds[word] = rounds[(way + 1) * NODE_WORDS + word]
        task[LISTED] = list_ways(deal, rounds, 0, codes, NODE_WORDS, nodes)
        task[SOLVED] = 0


# ----------------------------------------------------------------------------------------------------
# `maxn`: everybody's scores if each seat maximizes its own and, in ties, minimizes the others' total, by an exact
# memoised search.
#
# If a limit is reached, each seat's score lies between what it can guarantee (`paranoid`) and what it can reach
# with everybody's help (`ally`), for any way to break ties.


_FRAMES = 2 * 50 + 2


class MaxnScores:
    """Computes all seats' final scores under `maxn` for states of one deal, and remembers them."""

    def __init__(self, prover: FailSoftProver, start: State, control: Control) -> None:
        self.start = start
        self._control = control
        self._prover = prover  # for its table
        self.deal = deal_words(start, 0, allies=False)
        self._ways = Ways(self.deal)
        self._stack: Words = np.zeros(_FRAMES * FRAME, np.int64)
        self._words: Words = np.zeros(CONTROL_WORDS, np.int64)
        self._task: Words = np.zeros(TASK_WORDS, np.int64)
        self._listed: list[Move] = []
        self.found: dict[Move, ScoreBounds] = {}  # of the moves solved so far

    def scores(self, state: State) -> Scores | None:
        """Return every seat's final score from a state, or None if the control's limit runs out."""
        self._ways.rounds[1] = round_words(state, self.deal)
        self._begin(1)
        return next(self._solved()) if self._solve(Part(self._control)) else None

    def moves(self, share: float = 1.0) -> dict[Move, Scores | None]:
        """Return every seat's score after each legal move, in canonical order; None for unsolved moves.

        `share` is the fraction of the control's limit that may be used. Solved moves are also written to `found`
        as the search goes on.
        """
        count = self._ways.of(self.start)
        self._listed = [move_of(self.start, code) for code in self._ways.codes[:count].tolist()]
        self._begin(count)
        self._solve(Part(self._control, share))
        solved: dict[Move, Scores | None] = dict.fromkeys(self._listed)
        return solved | dict(zip(self._listed, self._solved(), strict=False))

    def line(self) -> list[Move]:
        """The principal variation: best moves of every seat, until the round ends or the limit is reached.

        Of several best moves, the first in canonical order is shown. `moves` must have solved all moves before.
        """
        self._listed = []
        self._task[FOLLOWED] = 1
        self._solve(Part(self._control))
        played = self._task[LINE_MOVES : LINE_MOVES + int(self._task[LINE_LENGTH])].tolist()
        return [move_of(self.start, code) for code in played]

    def _begin(self, count: int) -> None:
        """Begin with the rounds after the first `count` moves that `_ways` lists."""
        self._task[:] = 0
        self._task[LISTED] = count
        self._words[DEPTH] = 0

    def _solved(self) -> Iterator[Scores]:
        """The scores after the moves solved so far, in order."""
        rows = self._task[WAY_SCORES:].reshape(-1, SEATS)[: self._task[SOLVED], : self.start.players]
        return map(tuple, rows.tolist())

    def _solve(self, part: Part) -> bool:
        """Run the kernel until its task is done; return False if a limit was reached first."""
        self._prover.take(self.deal)
        while self._control.drive(self._step, until=part.until, node_share=part.nodes(), stage="maxn"):
            if not self.deal[STALLED]:
                return True
            with self._control.part(until=part.until, nodes=part.nodes()) as rest:
                if not relieve(self.start.deck, self.deal, rest):
                    return False
        return False

    def _step(self, budget: int) -> tuple[bool, int]:
        words, own = self._words, (self._stack, self._prover.table, self._words)
        before = int(words[NODES])
        finished = run_ways(self.deal, *self._ways.words, self._task, *own, budget)
        self.found |= {move: (scores, scores) for move, scores in zip(self._listed, self._solved(), strict=False)}
        return bool(finished or self.deal[STALLED]), int(words[NODES]) - before


_EXACT_SHARE = 0.7  # of the proofs' part of a limit; the rest is for bounds, if some moves are not solved


def of_state(
    state: State, control: Control, prover: FailSoftProver, proofs: dict[Move, ScoreBounds]
) -> tuple[dict[Move, ScoreBounds], list[Move]]:
    """Bounds on all seats' scores after every legal move, and the principal variation.

    The bounds are also written to `proofs` as the search goes on. The principal variation is empty if the round is
    over or some scores are not exact.
    """
    if state.over:
        return {}, []
    search = MaxnScores(prover, state, control)
    search.found = proofs
    solved = search.moves(_EXACT_SHARE * proof_share(state))
    left = [move for move, scores in solved.items() if scores is None]
    if not left:
        return proofs, search.line()
    bounded(state, control, prover, left, proofs)
    return {move: proofs[move] for move in legal_moves(state)}, []


def bounded(
    state: State, control: Control, prover: FailSoftProver, moves: list[Move], proofs: dict[Move, ScoreBounds]
) -> None:
    """Write bounds on all seats' scores after each of `moves` to `proofs`.

    A seat gets at least what it can guarantee against all others, and at most what it reaches with their help. The
    searches use the part of the limit reserved for proofs.
    """
    part = Part(control, proof_share(state))

    def score_of(seat: int, allies: bool) -> PlayerScore:
        return PlayerScore(prover, state, seat, allies=allies, control=control, part=part, nodes=BOUND_NODES)

    bracket(moves, state.players, score_of, proofs)


# ----------------------------------------------------------------------------------------------------
# King × Alchemy's rules for the Monte-Carlo tree search: every seat maximizes what it wants under the model.
#
# Beyond the tree, the player and its opponents fight for the tricks, other plays are random, and a full trick is
# shared out for what is worth most immediately.


EVERYBODY = 2  # in place of a deal's ALLIES word: each seat for itself
_SLIPS = 8  # a seat that fights for a trick plays anything once in so many plays
_EXPLORATION = 0.2  # less than usual: best replies count sooner (means are half as far from the values)
_OTHERS_POINT = 0.02  # how much a point in any score reduces what a selfish seat wants


@inlined
def moves(deal: Words, work: Words, at: int, codes: Words) -> int:
    return list_moves(deal, work, at, codes, 0)


@inlined
def result(deal: Words, work: Words, at: int) -> int:
    """Return 0 if the round is over, or -1 while cards are in hands or on the table."""
    return 0 if work[at + LIVE] | work[at + PLAYED] == 0 else -1


@inlined
def wanted(deal: Words, tree: Words, sums: int, visits: int, seat: int) -> float:
    """Return the mean, over the `visits` games played through a tree node, of what a seat maximizes.

    ``tree[sums + s]`` is the sum of seat s's scores in these games. Under `maxn`, a seat maximizes its own score
    less a small share of all scores; otherwise the player's score, negated for a seat that plays against the
    player.
    """
    if deal[ALLIES] == EVERYBODY:
        total = 0
        for other in range(deal[PLAYERS]):
            total += tree[sums + other]
        return float(tree[sums + seat] - _OTHERS_POINT * total) / float(visits)
    mean = float(tree[sums + deal[PLAYER]]) / float(visits)
    return mean if deal[ALLIES] != 0 or seat == deal[PLAYER] else -mean


@inlined
def fights(deal: Words, work: Words, at: int, seat: int) -> bool:
    """Whether a seat wants to be ahead in the trick: the player, or an opponent that the player may still beat."""
    if deal[ALLIES] != 0:
        return False
    if seat == deal[PLAYER] or work[at + BEST] == deal[PLAYER]:
        return True
    turn = deal[PLAYER] - work[at + LEADER]
    return bool((turn if turn >= 0 else turn + deal[PLAYERS]) >= work[at + PLAYED])


@inlined
def rollout(deal: Words, work: Words, at: int, spare: int, codes: Words, count: int, random: Words) -> int:
    """Choose a move and return its code; `codes` has the `count` legal ones.

    A seat that `fights` usually plays to be ahead, others at random. A full trick is shared out for what is worth
    most right now to the player or, to its opponents, least; if each seat plays for itself, most to the winner.
    """
    start = below(random, count)
    chosen = codes[start]
    if work[at + PLAYED] < deal[PLAYERS]:
        seat = seat_to_move(deal, work, at)
        if not fights(deal, work, at, seat) or below(random, _SLIPS) == 0:
            return int(chosen)
        for step in range(count):
            index = start + step
            move = codes[index - count if index >= count else index]
            make(deal, work, at, spare, move)
            if work[spare + BEST] == seat:
                return int(move)
        return int(chosen)
    winner = work[at + BEST]
    seat = winner if deal[ALLIES] == EVERYBODY else deal[PLAYER]
    sign = -1 if deal[ALLIES] == 0 and winner != deal[PLAYER] else 1
    most = -FAR
    for step in range(count):
        index = start + step
        move = codes[index - count if index >= count else index]
        make(deal, work, at, spare, move)
        score = sign * at_least(deal, work[spare + SCORES + seat], work[spare + PILES + seat], 0)
        if score > most:
            most = score
            chosen = move
    return int(chosen)


@once
def kernels() -> TreeKernels:
    """The Monte-Carlo tree search, instantiated with King × Alchemy's rules."""
    return kernels_of(
        TreeRules(
            game="king",
            state_words=NODE_WORDS,
            moves=moves,
            play=make,
            seat_to_move=seat_to_move,
            result=result,
            reward=bounds.reward,
            wanted=wanted,
            rollout=rollout,
            exploration=_EXPLORATION,
            first_at_random=True,
        )
    )


# ----------------------------------------------------------------------------------------------------
# The best-looking move in a position too large to prove: Monte-Carlo tree search with all cards known.


_BOUNDS = Bounds(nodes=1 << 18, moves=MOST_MOVES, plays=120)
_STEPS_A_CARD = 3  # a card played in a rollout costs about this many nodes of a proof

Means = dict[Move, tuple[float, ...]]


def sampled(start: State, player: int, model: str, control: Control) -> Means:
    """All seats' mean scores after each move of `start` that a tree search tried within the limit.

    All seats play according to `model`. `start` must have cards in hands or on the table.
    """
    tree = tree_of(start, player, model)
    control.drive(tree.step, stage="sample")
    return means_of(start, tree)


def tree_of(start: State, player: int, model: str) -> Tree:
    """Set up a Monte-Carlo tree search from a state, without running it."""
    # Keep the names of the Dancer apart, so that each has its own estimate.
    deal = deal_words(start, player, allies=model == "ally")
    deal[SWITCHES] &= ~NAMES
    if model == "maxn":
        deal[ALLIES] = EVERYBODY
    cards = sum(hand.bit_count() for hand in start.hands)
    return Tree(
        kernels(),
        deal,
        round_words(start, deal),
        seats=start.players,
        bounds=_BOUNDS,
        game_nodes=_STEPS_A_CARD * (cards + 1),
    )


def means_of(start: State, tree: Tree) -> Means:
    """The mean scores of all seats after each move of `start` that the search tried."""
    return {
        move_of(start, code): tuple(tried.mean(seat) for seat in range(start.players))
        for code, tried in tree.tried().items()
    }


def estimates(means: Means, seat: int, bounds: Mapping[Move, tuple[int, int]]) -> dict[Move, float | None]:
    """Estimate a seat's score after each move of `bounds`, within these; None for a move that no game began with.

    Sampled games flatter the player, whose opponents find the best replies too rarely, and about equally after
    every move. So the error that the bounds show in the means of some moves is taken from the means of all. What
    is left is an error of almost a point: an estimate is a whole number, and moves that share one are equal.
    """
    own_means = {move: means[move][seat] for move in bounds if move in means}
    errors = []
    for move, mean in own_means.items():
        least, most = bounds[move]
        if least == most or not least <= mean <= most:
            errors.append(mean - min(max(mean, least), most))
    error = fmean(errors) if errors else 0.0

    def within(move: Move) -> float | None:
        least, most = bounds[move]
        return float(round(min(max(own_means[move] - error, least), most))) if move in own_means else None

    return {move: within(move) for move in bounds}


def analyze(
    position: Round, control: Control, *, model: str | None = None, player: int | None = None
) -> KingAnalysis:
    """Value every legal move, best first for the seat to move.

    The values are exact, or bounds if the limit was reached. Raises RequestError for an unknown model or player.
    """
    state = position.state
    question = asked(model, player, state.to_move, state.players, control)
    if state.over:
        return _over(state, question)
    with PROVERS.lend(control.seconds_left()) as prover:
        return (_everybody if question.model == "maxn" else _one)(state, question, prover)


def _form(deck: Deck) -> Form[KingAnalysis, Move]:
    return Form("king", KingAnalysis, lambda move: move_text(deck, move))


def _over(state: State, question: Question) -> KingAnalysis:
    """Build the answer for a finished round, in which only the best recipes have to be found."""

    def score(seat: int) -> tuple[int, int]:
        return compounding.score_bounds(state, seat, question.control)

    if question.model != "maxn":
        return answer(_form(state.deck), question, {}, score(question.player), (), ())
    least, most = zip(*map(score, range(state.players)), strict=True)
    return answer(_form(state.deck), question, {}, (least, most), (), ())


def _one(state: State, question: Question, prover: FailSoftProver) -> KingAnalysis:
    control, player = question.control, question.player
    search = PlayerScore(prover, state, player, allies=question.model == "ally", control=control)
    with control.telling(lambda: proved(partial(move_text, state.deck), search.found)):
        moves = search.moves(proof_share(state))
        exact = all(least == most for least, most in moves.values())
        return one_score(
            _form(state.deck),
            question,
            moves,
            high=search.maximises(state),
            line=search.line,
            estimates=None if exact else _estimates(state, question, player, moves),
        )


def _everybody(state: State, question: Question, prover: FailSoftProver) -> KingAnalysis:
    proofs: dict[Move, ScoreBounds] = {}
    with question.control.telling(lambda: proved(partial(move_text, state.deck), proofs)):
        moves, line = of_state(state, question.control, prover, proofs)
    exact = all(low == high for low, high in moves.values())
    seat = state.to_move
    own = {move: (low[seat], high[seat]) for move, (low, high) in moves.items()}
    return all_scores(
        _form(state.deck),
        question,
        moves,
        scores=scores(state),
        line=line,
        estimates=None if exact else _estimates(state, question, seat, own),
    )


def _estimates(
    state: State, question: Question, seat: int, bounds: Mapping[Move, tuple[int, int]]
) -> dict[Move, float | None]:
    """Sample games until the limit is reached; estimate `seat`'s score after each move."""
    return estimates(sampled(state, question.player, question.model, question.control), seat, bounds)


def warm() -> None:
    """Compile or load every kernel that analyses need."""
    state = State(house(), (0b11, 0b1100, 0b110000), 0, (), (0, 0, 0))
    with PROVERS.lend() as prover:
        search = PlayerScore(prover, state, 0, allies=False, control=Control())
        move, (score, _) = next(iter(search.moves().items()))
        search.line(move, score)
        search.bounds(state)  # a question that is not asked by a kernel, as long ones are
        of_state(state, Control(), prover, {})
        prover.search.stalled(prover.deal)  # called only when a question is resumed
    scores(state)
    deal = deal_words(state, 0, allies=False)
    deal[STALLED] = state.won[0] | state.hands[0]
    relieve(state.deck, deal, Control())
    sampled(state, 0, "maxn", Control(Limit(nodes=1000)))


# ----------------------------------------------------------------------------------------------------
# Certificates of a player's score in King × Alchemy, or of the best compounding: the search's part.


def claim(position: object) -> dict[str, Any]:
    """The position to certify, with its deck, as JSON data.

    It is either a set of won cards or a round with every card known. Raises RequestError for other positions.
    """
    if isinstance(position, CardSet):
        return {"game": "king", "deck": _deck(position.full_deck), "cards": list(position.cards)}
    assert isinstance(position, Round)
    if position.choosing:
        raise RequestError("not_offered", say("a certificate begins when every seat has picked a card"))
    state = position.state
    deck = state.deck
    data = {
        "game": "king",
        "deck": _deck(deck),
        "leader": state.leader,
        "trick": [play_text(deck, play) for play in state.trick],
        "hands": [deck.codes(members(hand)) for hand in state.hands],
        "won": [deck.codes(members(pile)) for pile in state.won],
    }
    if position.rules is not None:
        data["rules"] = position.rules.model_dump()
    return data


def _deck(deck: Deck) -> dict[str, Any]:
    suits = dict(zip(deck.suits, SUIT_NAMES, strict=False))
    return {"name": deck.name, "suits": suits, "card": [_card(deck, card) for card in deck.cards]}


def _card(deck: Deck, card: Card) -> dict[str, Any]:
    data: dict[str, Any] = {"code": card.code, "kind": card.kind, "name": card.name}
    if card.suit < SUITS:
        data["suit"] = deck.suits[card.suit]
    data |= {"number": card.number, "vp": card.vp}
    if card.provides is not None:
        data["provides"] = card.provides
    if card.recipe is not None:
        recipe = card.recipe
        data["recipe"] = {"item": recipe.item, "needs": list(recipe.needs), "bonus": recipe.bonus}
    return data


@contextmanager
def proving(position: Round, control: Control, *, model: str | None, player: int) -> Iterator[ProofSearch]:
    """Context manager with a search for the score of `player`, whom all others oppose or, under ``ally``, help."""
    start = position.state

    def after(state: State, text: str) -> State:
        return play(state, parse(state.deck, text))

    with PROVERS.lend(control.seconds_left()) as prover:
        search = PlayerScore(prover, start, player, allies=model == "ally", control=control)
        yield ProofSearch(start=start, after=after, reaches=search.reaches)
