"""Sum-match puzzles of any size: all matches by enumeration, a best one by constraint programming."""

from __future__ import annotations

from collections import Counter

from solver.common.control import Control
from solver.games.alchemy.answers import Match, MatchesAnalysis, OptimumAnalysis, OptimumMove
from solver.games.alchemy.cards.deck import COPIES, KING, cards, points
from solver.games.alchemy.cards.rules import match_of
from solver.games.alchemy.cards.text import Move
from solver.games.alchemy.free.matching import Enumeration
from solver.games.alchemy.positions.known import FreePosition
from solver.search.budget import Part
from solver.search.constraints import cp_model
from solver.search.cpsat import Optimum, optimize

_ACE_BONUS = points([1] * COPIES) - COPIES


MOST_LISTED = 5000  # matches; a line of 24 cards can have 264,039
_LISTED_AT_ONCE = 250  # between two looks at the time: some milliseconds
_COUNTING_SHARE = 0.8  # of a limit of time; the rest is for making the answer


def all_matches(position: FreePosition, control: Control) -> MatchesAnalysis:
    """The distinct matches in canonical order; their number is the value.

    Of very many, or when the time is up, the first ones are listed and the answer is `truncated`.
    """
    search = Enumeration(position.line_ranks, position.hand_rank, position.min_line)

    def number() -> tuple[int, int]:
        # Where a number of cards is asked for, which of the matches have it is not looked at before the end.
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
    return MatchesAnalysis(
        game="alchemy",
        variant="free",
        player=0,
        to_move=0,
        exact=finished,
        value=count if finished else None,
        bounds=(count, count if finished else count + search.choices - control.nodes),
        best=str(moves[0]) if moves else None,
        moves=tuple(Match(move=str(move), used=tuple(cards(move.used))) for move in moves),
        **({"truncated": True} if len(moves) < count else {}),
        line=(str(moves[0]),) if moves else (),
        nodes=control.nodes,
        seconds=control.seconds,
    )


def _outermost(position: FreePosition) -> tuple[int, int]:
    """The worst and the best value that a match could have: all that is known before the search finds one.

    (A bound that the constraint solver gives without a solution may be its starting value, proved by nothing.)
    """
    if position.objective == "most-points":
        return 0, points([position.hand_rank, *position.line_ranks])
    fewest, most = (position.cards or position.min_line), (position.cards or len(position.line))
    return (most, fewest) if position.objective == "fewest-cards" else (fewest, most)


def optimum(position: FreePosition, control: Control) -> OptimumAnalysis:
    """One match that is best by the position's objective, proved.

    The model has two counts a rank, the cards on the hand's side and on the other side: the sides balance,
    and together they are no more than the line holds.
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
    # Implied by the balance, and most of the proofs: cards of odd rank, the hand among them, are even in number.
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
        worth = sum((2 if rank == KING else 1) * both for (rank, _), both in zip(held, used, strict=True))
        all_aces = model.new_bool_var("all_aces")
        aces = sum(both for (rank, _), both in zip(held, used, strict=True) if rank == 1)
        model.add(aces + (hand == 1) >= COPIES * all_aces)
        objective = worth + _ACE_BONUS * all_aces + points([hand])
    model.maximize(objective)

    def match_in(found: Optimum) -> Move | None:
        if found.value is None:
            return None
        taken = [a + b for a, b in zip(found.values[: len(held)], found.values[len(held) :], strict=True)]
        move = match_of((rank for (rank, _), n in zip(held, taken, strict=True) for _ in range(n)), hand)
        assert move is not None
        return move

    def proved(found: Optimum) -> tuple[int, int]:
        near, far = _outermost(position) if found.value is None else (sign * found.value, sign * found.bound)
        return (near, near) if found.exact else (min(near, far), max(near, far))

    def tell(found: Optimum) -> tuple[str | None, tuple[int, int]]:
        move = match_in(found)
        return None if move is None else str(move), proved(found)

    solution = optimize(model, [*ours, *theirs], control, tell=tell)
    value = None if solution.value is None else sign * solution.value
    move = match_in(solution)
    bounds = proved(solution) if solution.feasible else None
    return OptimumAnalysis(
        game="alchemy",
        variant="free",
        player=0,
        to_move=0,
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
        nodes=control.nodes,
        seconds=control.seconds,
    )
