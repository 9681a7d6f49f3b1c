"""Solitaires with a known stock: which moves win, the fewest stock cards that can be left, and how to play."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.games.alchemy.deck import Move, cards
from solver.games.alchemy.fast_rules import Lines, lines
from solver.games.alchemy.position import (
    Outcome,
    Round,
    SolitaireAnalysis,
    SolitaireHint,
    SolitaireHintMove,
    SolitaireMove,
    about,
)
from solver.games.alchemy.rules import Turn, Variant, solitaire_moves, solitaire_play
from solver.hints.causes import only, said
from solver.hints.ranking import Why
from solver.kernels.jit import kernel, lean
from solver.language import say
from solver.limits import Bounded, Control

# ----------------------------------------------------------------------------------------------------
# Solitaire with a known stock: depth-first search over turns with a memo of lost states.
#
# A state is (pos, line): `cards[pos]` is the hand just drawn and the line is full, so the line's size is the cap.
# Its value is the fewest stock cards left over all lines of play, 0 for won. A won state ends the search; a lost
# one has been searched completely, so its value is exact and is remembered.


# Words of the control array.
DEPTH, NODES, STAMP, RESULT, FAILED = range(5)
_UNKNOWN = 127  # more than any stock
_MOST_CARDS = 52
_LEFT_BITS = 7
# Columns of a stack frame.
_POS, _LINE, _NEXT, _END, _BEST, _WIDTH = range(6)


class Search:
    """The arrays of one search, reused for successive deals of at most `most` cards. Each thread needs its own."""

    def __init__(self, lines: Lines, most: int = _MOST_CARDS) -> None:
        self.lines = lines
        self.cards = np.zeros(_MOST_CARDS, np.int8)
        self.count = 0
        self.stack = np.zeros((_MOST_CARDS + 1) * _WIDTH, np.int64)
        self.memo = np.zeros(most * len(lines.size), np.int32)
        self.control = np.zeros(8, np.int64)

    def deal(self, cards: list[int]) -> None:
        """Start a new deal: the drawn card, then the stock in draw order, as ranks from 1. Clears the memo."""
        self.count = len(cards)
        self.cards[: self.count] = np.array(cards, np.int8) - 1
        next_stamp(self.control, self.memo)

    def enter(self, pos: int, line: int) -> None:
        """Set up the search of a turn.

        `pos` is the index of the drawn card in the deal, `line` the index of the full line in `Lines`.
        """
        enter(pos, line, self.stack, self.control)

    def step(self, budget: int) -> tuple[bool, int]:
        """Continue for `budget` nodes; return whether the search is finished, and how many nodes it visited."""
        before = int(self.control[NODES])
        tables = self.lines
        finished = run(
            tables, self.cards, self.count,
            self.stack, self.memo, self.control, budget,
        )  # fmt: skip
        return bool(finished), int(self.control[NODES]) - before

    @property
    def left(self) -> int:
        """The fewest stock cards that can be left, once the search is finished."""
        return int(self.control[RESULT])


@lean
def next_stamp(control: NDArray[np.int64], memo: NDArray[np.int32]) -> None:
    """Clear the memo: entries with an older stamp no longer count."""
    control[STAMP] += 1
    control[FAILED] = 0
    if control[STAMP] >= 1 << (31 - _LEFT_BITS):
        memo[:] = 0
        control[STAMP] = 1


@lean
def enter(pos: int, line: int, stack: NDArray[np.int64], control: NDArray[np.int64]) -> None:
    """Set the root state of the search: the index of the drawn card, and that of the line in `Lines`."""
    control[DEPTH] = 1
    control[RESULT] = _UNKNOWN
    stack[_POS] = pos
    stack[_LINE] = line
    stack[_NEXT] = -1
    stack[_BEST] = _UNKNOWN


@lean
def run(
    tables: Lines,
    cards: NDArray[np.int8],
    count: int,
    stack: NDArray[np.int64],
    memo: NDArray[np.int32],
    control: NDArray[np.int64],
    budget: int,
) -> bool:
    ranks, shortest, size = tables.ranks, tables.shortest, tables.size
    insert, start, outcome = tables.insert, tables.start, tables.outcome
    lines = len(size)
    stamp = control[STAMP]
    depth = control[DEPTH]
    nodes = 0
    back = np.int64(-1)  # the value of the state just left, -1 while descending
    while depth > 0:
        frame = (depth - 1) * _WIDTH
        pos = stack[frame + _POS]
        line = stack[frame + _LINE]
        if back >= 0:
            stack[frame + _BEST] = min(stack[frame + _BEST], back)
            back = np.int64(-1)
            if stack[frame + _BEST] == 0:
                depth = 0
                control[RESULT] = 0
                break
        elif stack[frame + _NEXT] < 0:
            if nodes >= budget:
                break
            nodes += 1
            if pos + 1 >= count:  # the last stock card is drawn: won
                depth = 0
                control[RESULT] = 0
                break
            if control[FAILED] > 0:
                known = np.int64(memo[pos * lines + line])
                if known >> _LEFT_BITS == stamp:
                    back = known & ((1 << _LEFT_BITS) - 1)
                    depth -= 1
                    continue
            key = line * ranks + cards[pos]
            stack[frame + _NEXT] = start[key]
            stack[frame + _END] = start[key + 1]
        index = stack[frame + _NEXT]
        if index == stack[frame + _END]:
            back = stack[frame + _BEST]
            memo[pos * lines + line] = (stamp << _LEFT_BITS) | back
            control[FAILED] += 1
            depth -= 1
            continue
        stack[frame + _NEXT] = index + 1
        rest = np.int64(outcome[index])
        cap = np.int64(size[line])
        if rest < 0:
            rest = ~rest
            cap -= 1
        pos += 1
        end = pos + cap - size[rest]
        if end >= count:  # the refill takes the last stock card: won
            depth = 0
            control[RESULT] = 0
            break
        if cap < shortest:
            back = np.int64(count - pos)
            continue
        while pos < end:
            rest = np.int64(insert[rest * ranks + cards[pos]])
            pos += 1
        frame += _WIDTH
        stack[frame + _POS] = pos
        stack[frame + _LINE] = rest
        stack[frame + _NEXT] = -1
        stack[frame + _BEST] = _UNKNOWN
        depth += 1
    if depth == 0 and control[RESULT] != 0:
        control[RESULT] = back
    control[DEPTH] = depth
    control[NODES] += nodes
    return bool(depth == 0)


@kernel
def solve_deals(
    tables: Lines,
    deals: NDArray[np.int8],
    cap: int,
    stack: NDArray[np.int64],
    memo: NDArray[np.int32],
    control: NDArray[np.int64],
    left: NDArray[np.int8],
) -> None:
    """Write to `left` the fewest stock cards that can be left from each deal (0 if it can be won).

    Each row of `deals` is a shuffled deck, whose first `cap` cards are the line.
    """
    ranks, insert = tables.ranks, tables.insert
    count = deals.shape[1] - cap
    for deal in range(len(deals)):
        cards = deals[deal]
        line = 0
        for index in range(cap):
            line = int(insert[line * ranks + int(cards[index])])
        next_stamp(control, memo)
        enter(0, line, stack, control)
        run(
            tables, cards[cap:], count, stack, memo, control, 1 << 62
        )  # fmt: skip
        left[deal] = control[RESULT]


class KnownStock:
    """The solver of one deal's turns. Lost states are remembered from one call to the next."""

    def __init__(self, variant: Variant, turn: Turn, control: Control) -> None:
        assert turn.hand is not None
        self._variant = variant
        self._control = control
        self._tables = lines(variant)
        self._search = Search(self._tables, 1 + len(turn.stock))
        self._search.deal([turn.hand, *turn.stock])
        self._found: dict[Move, int | None] = {}

    def left(self, turn: Turn) -> int | None:
        """Return the fewest stock cards that can be left after `turn`, 0 for a win; None if not solved in time."""
        if turn.won is not None:
            return len(turn.stock)
        self._search.enter(self._search.count - len(turn.stock) - 1, self._tables.number(turn.line))
        return self._search.left if self._control.drive(self._search.step, stage="solve") else None

    def moves(self, turn: Turn) -> list[tuple[Move, int | None]]:
        """Return every move in canonical order with the fewest stock cards it can leave, None if not solved.

        During the call, `proved` reports the moves solved so far.
        """
        assert turn.hand is not None
        self._found = dict.fromkeys(solitaire_moves(self._variant, turn.line, turn.hand))
        for move in self._found:
            self._found[move] = self.left(solitaire_play(self._variant, turn, move))
        return list(self._found.items())

    def proved(self) -> list[Bounded]:
        """Return the moves of the current or last call of `moves` that are known to win or to lose."""
        return [Bounded(str(move), _bounds(left)) for move, left in self._found.items()]

    def line(self, turn: Turn, best: int) -> list[Move]:
        """Return moves that leave `best` stock cards: at each turn, the first such move in canonical order.

        The list is cut short if the limit is reached.
        """
        moves: list[Move] = []
        while turn.hand is not None:
            for move in solitaire_moves(self._variant, turn.line, turn.hand):
                after = solitaire_play(self._variant, turn, move)
                if self.left(after) == best:
                    break
            else:
                break
            moves.append(move)
            turn = after
        return moves


def _outcome(left: int) -> Outcome:
    return "lost" if left else "won"


def _bounds(left: int | None) -> tuple[Outcome, Outcome]:
    return ("lost", "won") if left is None else (_outcome(left), _outcome(left))


def analyze(position: Round, control: Control) -> SolitaireAnalysis:
    """Return the value of every legal move, best first.

    Moves not solved within the limit come between winning and losing ones.
    """
    turn = position.turn
    values: list[tuple[Move, int | None]] = []
    play: list[Move] = []
    left: int | None = 0 if turn.won else len(position.unseen_ranks)
    if turn.hand is not None:
        known = KnownStock(position.solitaire, turn, control)
        with control.telling(known.proved):
            values = known.moves(turn)
            values.sort(key=lambda item: 0.5 if item[1] is None else item[1])  # stable: canonical order on ties
            lefts = [value for _, value in values]
            left = 0 if 0 in lefts else None if None in lefts else min(lefts)  # type: ignore[type-var]
            play = known.line(turn, left) if left is not None else []
    return SolitaireAnalysis(
        **about(position, control),
        player=0,
        exact=left is not None,
        value=None if left is None else _outcome(left),
        bounds=_bounds(left),
        left=left,
        best=str(values[0][0]) if values else None,
        moves=tuple(
            SolitaireMove(
                move=str(move),
                value=None if value is None else _outcome(value),
                bounds=_bounds(value),
                exact=value is not None,
                left=value,
                used=tuple(cards(move.used)),
            )
            for move, value in values
        ),
        line=tuple(map(str, play or [move for move, _ in values[:1]])),
    )


# ----------------------------------------------------------------------------------------------------
# `hint` for a solitaire whose stock is known, or empty: a move wins or loses, without chance.


def hint(position: Round, control: Control, seed: int) -> SolitaireHint:
    """Rank the moves of a turn and explain the best one. For a finished game, the hint has no moves.

    Moves not solved within the limit have the chance 0.5 and are not exact.
    """
    if position.turn.hand is None:
        if position.turn.won:
            text = say("The stock is empty: the game is won.")
        else:
            text = say("The line is too short to play on, and cards are left in the stock: the game is lost.")
        return answer(position, control, (), Why(None, (), text), seed=seed)
    analysis = analyze(position, control)
    moves = tuple(
        SolitaireHintMove(
            move=m.move,
            used=m.used,
            win_probability=float(m.value == "won") if m.exact else 0.5,
            stderr=0.0 if m.exact else 0.5,
            exact=m.exact,
            clairvoyant=float(m.value == "won") if m.exact else None,
            method="search",
        )
        for m in analysis.moves
    )
    return answer(position, control, moves, _why(position, analysis), method="search", seed=seed)


def _why(position: Round, analysis: SolitaireAnalysis) -> Why:
    best, winning = analysis.moves[0], tuple(m.move for m in analysis.moves if m.value == "won")
    losing = sum(m.value == "lost" for m in analysis.moves)
    if not position.unseen_ranks:
        return said(None, "last_card", "The last card is drawn: every move wins.")
    if len(analysis.moves) == 1:
        return only(best.move)
    if best.value == "lost":
        template = "No move wins. {move} gets furthest: it leaves {count} in the stock."
        level = analysis.moves[1].left == best.left
        return said("close" if level else "clear", "all_lost", template, move=best.move, count=best.left)
    if not winning:
        return Why(None, (), say("The search ended before a winning move was found."))
    if losing == len(analysis.moves) - 1:
        return said("clear", "only_win", "Only {move} wins.", move=best.move)
    if losing + len(winning) < len(analysis.moves):
        return said(
            None, "wins", "{move} wins; the search ended before all other moves were solved.", move=best.move
        )
    if losing:
        return said("close", "winning", "{moves} win; the others lose.", moves=winning, count=losing)
    return said("close", "all_win", "Every move wins.", moves=winning)


def answer(
    position: Round,
    control: Control,
    moves: tuple[SolitaireHintMove, ...],
    why: Why,
    *,
    method: str = "rules",
    worlds: int = 0,
    seed: int,
) -> SolitaireHint:
    """Assemble the hint for a solitaire from its moves, best first, and the reason."""
    return SolitaireHint(
        **about(position, control),
        kind="solitaire",
        exact=all(move.exact for move in moves),
        best=moves[0].move if moves else None,
        moves=moves,
        **why._asdict(),
        method=method,
        worlds=worlds,
        seed=seed,
    )
