"""Sum-matching puzzles of any size: all matches by enumeration, or a best one by constraint programming."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.games.alchemy.deck import COPIES, FOUR_ACES, WORTH, Move, cards, match, points
from solver.games.alchemy.position import (
    MatchesAnalysis,
    OptimumAnalysis,
    OptimumMove,
    Round,
    about,
    listed,
)
from solver.games.alchemy.rules import match_of
from solver.kernels.jit import kernel
from solver.limits import Control, Part
from solver.search.cpsat import Optimum, cp_model, optimize

# ----------------------------------------------------------------------------------------------------
# All matches of a line of up to 24 cards with a hand, in canonical order, each with its witness.
#
# A choice of line cards is a count for each rank. The kernel goes through all choices from the highest rank down,
# keeping at each rank the set of sums that the chosen cards of that rank and above can make (a bit set of 192
# bits). When all ranks are chosen, these sets give, rank by rank from the lowest, the smallest hand side. The
# canonical place of a choice is computed on the way, so writing each match to its place sorts them.


# Fields of a level's state, about the choice made for the level's rank and all higher ones.
_CHOSEN, _SUM, _CARDS, _PLACE, _CODE, _SUMS = range(6)  # the bit set takes three words from _SUMS on
_FIELDS = 8
# Words of the control array.
_LEVEL, NODES, FOUND = range(3)
_SIDE_BITS = 31  # the code of a choice is below 3**12 * 2, so two fit in a word


class Enumeration:
    """A resumable enumeration of all matches of a line; `codes` and `moves` return those found so far.

    `line` holds ranks from 1; `hand` is the drawn card's rank, 0 for a joker, which counts in no sum.
    """

    def __init__(self, line: Sequence[int], hand: int, min_line: int) -> None:
        held = sorted(Counter(line).items())
        self.hand = hand
        self.fewest = max(1, min_line)
        self.ranks = np.array([rank for rank, _ in held], np.int64)
        self.counts = np.array([count for _, count in held], np.int64)
        # above[k]: the number of choices of the ranks from the k-th on.
        self.above = np.ones(len(held) + 1, np.int64)
        self.above[:-1] = np.cumprod((self.counts + 1)[::-1])[::-1]
        self.state = np.zeros((len(held) + 1, _FIELDS), np.int64)
        self.control = np.zeros(3, np.int64)
        self.slots = np.full(int(self.above[0]), -1, np.int64)
        begin(self.state, self.control)

    def step(self, budget: int) -> tuple[bool, int]:
        """Continue for `budget` choices of line cards; return whether it is finished, and how many it tried."""
        before = int(self.control[NODES])
        done = enumerate_matches(
            self.ranks, self.counts, self.above, self.hand, self.fewest,
            self.state, self.control, self.slots, budget,
        )  # fmt: skip
        return bool(done), int(self.control[NODES]) - before

    @property
    def found(self) -> int:
        return int(self.control[FOUND])

    @property
    def choices(self) -> int:
        """The number of distinct subsets of the line's cards, the empty one included."""
        return len(self.slots)

    def codes(self, cards: int | None = None) -> NDArray[np.int64]:
        """Return the matches found as integer codes, in canonical order.

        With `cards`, returns only the matches that use that many line cards.
        """
        codes: NDArray[np.int64] = self.slots[self.slots >= 0]
        if cards is not None:
            codes = codes[self._unpack(codes & ((1 << _SIDE_BITS) - 1)).sum(axis=1) == cards]
        return codes

    def moves(self, codes: NDArray[np.int64]) -> list[Move]:
        """Convert matches, as the integers that `codes` returns, to moves."""
        used = self._unpack(codes & ((1 << _SIDE_BITS) - 1))
        ours = self._unpack(codes >> _SIDE_BITS)
        ranks = self.ranks.tolist()

        def side(chosen: list[int]) -> tuple[int, ...]:
            return tuple(rank for rank, count in zip(ranks, chosen, strict=True) for _ in range(count))

        return [
            match(self.hand, side(o), side(t)) for o, t in zip(ours.tolist(), (used - ours).tolist(), strict=True)
        ]

    def _unpack(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Convert codes (n,) to the number of cards of each rank (n, ranks)."""
        counts = np.zeros((len(codes), len(self.ranks)), np.int64)
        for level, count in enumerate(self.counts):
            codes, counts[:, level] = np.divmod(codes, count + 1)
        return counts


@kernel
def begin(state: NDArray[np.int64], control: NDArray[np.int64]) -> None:
    """Initialize the arrays for the first call of `enumerate_matches`."""
    levels = len(state) - 1
    control[_LEVEL] = max(levels - 1, 0)
    control[NODES] = 0
    control[FOUND] = 0
    state[levels] = 0
    state[levels, _SUMS] = 1
    if levels > 0:
        state[levels - 1, _CHOSEN] = -1


@kernel
def _makes(state: NDArray[np.int64], level: int, total: int) -> bool:
    """Whether some of the cards chosen at this level and above sum to `total`."""
    return bool((state[level, _SUMS + (total >> 6)] >> (total & 63)) & 1)


@kernel
def _lowest_rank(
    ranks: NDArray[np.int64],
    counts: NDArray[np.int64],
    above: NDArray[np.int64],
    hand: int,
    fewest: int,
    state: NDArray[np.int64],
    slots: NDArray[np.int64],
) -> int:
    """Complete the cards chosen with each possible number of cards of the lowest rank.

    Writes the code of each match to `slots`, and returns the number of matches.
    """
    matches = 0
    rank = ranks[0]
    for chosen in range(counts[0] + 1):
        spare = state[1, _SUM] + chosen * rank - hand
        if spare < 0 or spare & 1 or state[1, _CARDS] + chosen < fewest:
            continue
        # The smallest hand side takes as many of each rank, from the lowest, as the higher ones can complete.
        spare >>= 1
        part = chosen
        while part >= 0 and not (part * rank <= spare and _makes(state, 1, spare - part * rank)):
            part -= 1
        if part < 0:
            continue
        spare -= part * rank
        scale = counts[0] + 1
        level = 1
        while spare > 0:
            taken = state[level, _CHOSEN]
            while not (taken * ranks[level] <= spare and _makes(state, level + 1, spare - taken * ranks[level])):
                taken -= 1
            spare -= taken * ranks[level]
            part += taken * scale
            scale *= counts[level] + 1
            level += 1
        index = chosen
        if state[1, _CARDS] > 0:
            index += (counts[0] - chosen) * above[1] + state[1, _PLACE]
        slots[index] = (part << _SIDE_BITS) | (state[1, _CODE] * (counts[0] + 1) + chosen)
        matches += 1
    return matches


@kernel
def enumerate_matches(
    ranks: NDArray[np.int64],
    counts: NDArray[np.int64],
    above: NDArray[np.int64],
    hand: int,
    fewest: int,
    state: NDArray[np.int64],
    control: NDArray[np.int64],
    slots: NDArray[np.int64],
    budget: int,
) -> bool:
    """Continue the enumeration for about `budget` choices of line cards; return True when it is finished.

    Writes the code of each match to `slots`, at its place in canonical order. The high bits of a code hold the
    cards on the drawn card's side, the low bits all line cards used. The other arrays are those of `Enumeration`.
    """
    levels = len(ranks)
    level = control[_LEVEL]
    nodes = 0
    matches = 0
    while level < levels:
        if level == 0:
            if nodes >= budget:
                break
            nodes += counts[0] + 1
            matches += _lowest_rank(ranks, counts, above, hand, fewest, state, slots)
            level = 1
            continue
        chosen = state[level, _CHOSEN] + 1
        if chosen > counts[level]:
            level += 1
            continue
        state[level, _CHOSEN] = chosen
        rank = ranks[level]
        if chosen == 0:
            for field in range(_SUM, _FIELDS):
                state[level, field] = state[level + 1, field]
            state[level, _CODE] *= counts[level] + 1
        else:
            state[level, _SUM] += rank
            state[level, _CARDS] += 1
            state[level, _CODE] += 1
            low = state[level, _SUMS]
            middle = state[level, _SUMS + 1]
            high = state[level, _SUMS + 2]
            carry = (1 << rank) - 1
            state[level, _SUMS] = low | (low << rank)
            state[level, _SUMS + 1] = middle | (middle << rank) | ((low >> (64 - rank)) & carry)
            state[level, _SUMS + 2] = high | (high << rank) | ((middle >> (64 - rank)) & carry)
        # The place of this choice, in canonical order, among the choices from this level up.
        state[level, _PLACE] = chosen
        if state[level + 1, _CARDS] > 0:
            state[level, _PLACE] += (counts[level] - chosen) * above[level + 1] + state[level + 1, _PLACE]
        level -= 1
        state[level, _CHOSEN] = -1
    control[_LEVEL] = level
    control[NODES] += nodes
    control[FOUND] += matches
    return bool(level == levels)


MOST_LISTED = 5000  # matches; a line of 24 cards can have 264,039
_LISTED_AT_ONCE = 250  # between two checks of the clock: some milliseconds
_COUNTING_SHARE = 0.8  # of a time limit; the rest is for making the answer


def all_matches(position: Round, control: Control) -> MatchesAnalysis:
    """Return the distinct matches in canonical order; the analysis's `value` is their number.

    If there are too many to list, or if time runs out, only the first ones are listed, and `truncated` is set.
    """
    search = Enumeration(position.line_ranks, position.hand_rank, position.min_line)

    def number() -> tuple[int, int]:
        # With a minimum number of cards, the matches are filtered only at the end.
        return search.found if position.cards is None else 0, search.found + search.choices - control.nodes

    finished = control.drive(
        search.step,
        until=Part(control, _COUNTING_SHARE).until,
        stage="matches",
        done=lambda: min(1.0, control.nodes / search.choices),
        bounds=number,
    )
    codes = search.codes(position.cards)
    moves: list[Move] = []
    count, codes = len(codes), codes[:MOST_LISTED]
    for first in range(0, len(codes), _LISTED_AT_ONCE):
        if first and control.late():
            break
        moves += search.moves(codes[first : first + _LISTED_AT_ONCE])
    return listed(position, control, moves, (count, count if finished else count + search.choices - control.nodes))


def _outermost(position: Round) -> tuple[int, int]:
    """Return the worst and the best value that a match can have, used as bounds until the search finds a match.

    Until then the constraint solver's own bound can't be used, since it may be an unproved starting value.
    """
    if position.objective == "most-points":
        return 0, points([position.hand_rank, *position.line_ranks])
    fewest, most = (position.cards or position.min_line), (position.cards or len(position.line))
    return (most, fewest) if position.objective == "fewest-cards" else (fewest, most)


def optimum(position: Round, control: Control) -> OptimumAnalysis:
    """Find a match that is best for the position's objective.

    The model has two variables per rank, the numbers of cards on the drawn card's side and on the other side: the
    sums are equal, and the line holds all cards used.
    """
    held = sorted(Counter(position.line_ranks).items())
    hand = position.hand_rank
    model = cp_model.CpModel()
    ours = [model.new_int_var(0, count, f"with_hand_{rank}") for rank, count in held]
    theirs = [model.new_int_var(0, count, f"against_{rank}") for rank, count in held]
    used = [a + b for a, b in zip(ours, theirs, strict=True)]
    model.add(
        hand + sum(rank * a for (rank, _), a in zip(held, ours, strict=True))
        == sum(rank * b for (rank, _), b in zip(held, theirs, strict=True))
    )
    for (_, count), both in zip(held, used, strict=True):
        model.add(both <= count)
    # Implied by the balance, and useful for most proofs: the number of cards of odd rank, including the hand, is
    # even.
    pairs = model.new_int_var(0, len(position.line) + 1, "pairs_of_odd_rank")
    odd = sum(both for (rank, _), both in zip(held, used, strict=True) if rank % 2)
    model.add(odd + hand % 2 == 2 * pairs)
    total = sum(used)
    model.add(total >= position.min_line)
    if position.cards is not None:
        model.add(total == position.cards)
    sign = -1 if position.objective == "fewest-cards" else 1
    objective = sign * total
    if position.objective == "most-points":
        worth = sum(WORTH[rank] * both for (rank, _), both in zip(held, used, strict=True))
        all_aces = model.new_bool_var("all_aces")
        aces = sum(both for (rank, _), both in zip(held, used, strict=True) if rank == 1)
        model.add(aces + (hand == 1) >= COPIES * all_aces)
        objective = worth + FOUR_ACES * all_aces + points([hand])
    model.maximize(objective)

    def match_in(solved: Optimum) -> Move | None:
        if solved.value is None:
            return None
        taken = [a + b for a, b in zip(solved.values[: len(held)], solved.values[len(held) :], strict=True)]
        move = match_of((rank for (rank, _), n in zip(held, taken, strict=True) for _ in range(n)), hand)
        assert move is not None
        return move

    def proved(solved: Optimum) -> tuple[int, int]:
        near, far = _outermost(position) if solved.value is None else (sign * solved.value, sign * solved.bound)
        return (near, near) if solved.exact else (min(near, far), max(near, far))

    def tell(solved: Optimum) -> tuple[str | None, tuple[int, int]]:
        move = match_in(solved)
        return None if move is None else str(move), proved(solved)

    solution = optimize(model, [*ours, *theirs], control, tell=tell)
    value = None if solution.value is None else sign * solution.value
    move = match_in(solution)
    bounds = proved(solution) if solution.feasible else None
    return OptimumAnalysis(
        **about(position, control),
        player=0,
        exact=solution.exact,
        value=value,
        bounds=bounds,
        best=None if move is None else str(move),
        moves=()
        if move is None or value is None or bounds is None
        else (
            OptimumMove(
                move=str(move), value=value, bounds=(value, value), exact=True, used=tuple(cards(move.used))
            ),
        ),
        line=() if move is None else (str(move),),
    )
