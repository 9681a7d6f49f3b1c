"""Puzzles with one line: all matches, the optimum by an objective, limits, and what is told while they run."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import athanor
from solver.answers import Proved
from solver.common import Random
from solver.errors import MoveError, RequestError
from solver.games.alchemy import GAME
from solver.games.alchemy import matches as alchemy_matches
from solver.games.alchemy.deck import JOKER, Move, card, cards, points
from solver.games.alchemy.matches import Enumeration
from solver.games.alchemy.position import OptimumAnalysis, Round
from solver.games.alchemy.rules import match_of, matches
from solver.limits import Control, Limit, Progress
from solver.search import cpsat
from tests.reference import alchemy as ref
from tests.support.timing import LATE, wait_until

# All matches: the kernel, the rules and the position's moves against the slow reference. ------------------------

Witnessed = list[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]]


def listed(line: list[int], hand: int, fewest: int, slices: list[int]) -> tuple[list[Move], int]:
    """The kernel's moves, run in slices of these sizes over and over, and what it counts as found."""
    search = Enumeration(line, hand, fewest)
    turn = 0
    while not search.step(slices[turn % len(slices)])[0]:
        turn += 1
    return search.moves(search.codes()), search.found


def split(move: Move, hand: int) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """A move as the reference has it: the used cards, and the sides without the hand."""
    assert move.sides
    first, second = move.sides
    return move.used, (first if hand == JOKER else first[1:], second)


def random_line(random: Random, longest: int) -> tuple[list[int], int]:
    """A line of few ranks now and of many then, so that there are multiplicities and misses."""
    ranks = 1 + random.below(13)
    lowest = 1 + random.below(14 - ranks)
    line = [lowest + random.below(ranks) for _ in range(random.below(longest + 1))]
    return line, random.below(14)


@pytest.mark.covered
@pytest.mark.small
def test_kernel_and_rules_agree_with_the_reference(amount: Callable[[int], int]) -> None:
    random = Random(1)
    seen = 0
    for case in range(amount(1000)):
        line, hand = random_line(random, 7 if case % 50 else 9)
        fewest = random.below(5)
        expected: Witnessed = list(ref.matches(line, hand, max(fewest, 1)).items())
        kernel, found = listed(line, hand, fewest, [1 << 30])
        assert [split(move, hand) for move in kernel] == expected
        assert [split(move, hand) for move in matches(line, hand, fewest)] == expected
        assert found == len(expected)
        seen += found
    assert seen > amount(1000)  # the lines were not all without a match


@pytest.mark.small
def test_match_of_finds_the_witness_of_exactly_these_cards(amount: Callable[[int], int]) -> None:
    random = Random(2)
    for _ in range(amount(2000)):
        line, hand = random_line(random, 7)
        expected = ref.matches(line, hand, len(line)) if line else {}
        found = match_of(line, hand)
        if found is None:
            assert not expected
        else:
            assert expected == dict([split(found, hand)])


@pytest.mark.small
@pytest.mark.parametrize("slices", [[1], [2, 7], [3, 1, 1], [50, 1]])
def test_resumed_in_odd_slices(slices: list[int]) -> None:
    random = Random(3)
    for _ in range(20):
        line, hand = random_line(random, 9)
        assert listed(line, hand, 1, slices) == listed(line, hand, 1, [1 << 30])


@pytest.mark.small
def test_empty_line_and_lines_without_a_match() -> None:
    assert listed([], 7, 1, [1]) == ([], 0)
    assert list(matches([], 7, 1)) == []
    assert match_of([], 7) is None
    assert listed([2, 4], 13, 1, [1]) == ([], 0)
    assert listed([7], JOKER, 1, [1]) == ([], 0)
    assert [str(move) for move in listed([7], 7, 1, [1])[0]] == ["7=7"]


def counted(line: list[int], hand: int, fewest: int) -> int:
    """How many choices of cards balance, rank by rank: choices are told apart by the set of their part sums."""
    states: dict[tuple[int, int, int], int] = {(0, 0, 1): 1}  # total, cards, part sums -> choices
    for rank in sorted(set(line)):
        grown: dict[tuple[int, int, int], int] = {}
        for (total, many, sums), choices in states.items():
            for number in range(line.count(rank) + 1):
                key = total + number * rank, many + number, sums
                grown[key] = grown.get(key, 0) + choices
                sums |= sums << rank
        states = grown
    return sum(
        choices
        for (total, many, sums), choices in states.items()
        if many >= max(fewest, 1) and total >= hand and (total - hand) % 2 == 0 and sums >> (total - hand) // 2 & 1
    )


@pytest.mark.parametrize("size", [10, 15, 20, 24])
def test_long_lines_have_as_many_matches_as_counted(size: int) -> None:
    random = Random(4, size)
    for high in (3, 8, 13) if size <= 20 else (3, 7):
        line = [14 - high + random.below(high) for _ in range(size)]  # high ranks: the sums are largest
        hand = random.below(14)
        fewest = 1 + random.below(8)
        moves, found = listed(line, hand, fewest, [100_003])
        assert found == len(moves)
        assert found == counted(line, hand, fewest)
        assert all(first.used < second.used for first, second in pairwise(moves))
        for move in moves[:: 1 + len(moves) // 200]:
            assert split(move, hand) == split(match_of(move.used, hand) or move, hand)
            assert move.sides
            first, second = move.sides
            assert sum(first) == sum(second)


@pytest.mark.parametrize(("hand", "expected"), [(13, 352_250), (12, 352_331), (JOKER, 350_708)])
def test_the_largest_number_of_choices(hand: int, expected: int) -> None:
    # 24 cards of 13 ranks, as evenly as can be. The numbers are those of `counted`, which takes seconds here.
    search = Enumeration([*range(1, 12), *range(1, 14)], hand, 1)
    assert search.choices == 3**11 * 2**2
    assert search.step(1 << 30)[0]
    assert search.found == expected


@pytest.mark.covered
@pytest.mark.small
@given(st.lists(st.integers(1, 13), max_size=7), st.integers(1, 13), st.integers(1, 4), st.data())
def test_free_lists_the_matches_of_exactly_so_many_cards(
    line: list[int], hand: int, fewest: int, data: st.DataObject
) -> None:
    wanted = data.draw(st.none() | st.integers(1, 8))
    answer = alchemy_matches.all_matches(puzzle(line, hand, fewest, cards=wanted), Control())
    expected = {
        used: sides for used, sides in ref.matches(line, hand, fewest).items() if wanted in (None, len(used))
    }
    assert [move.move for move in answer.moves] == [ref.text(u, s, hand) for u, s in expected.items()]
    assert answer.exact
    assert answer.value == len(expected)
    assert answer.bounds == (len(expected), len(expected))
    assert answer.best == (answer.moves[0].move if expected else None)


def test_a_node_limit_gives_right_bounds() -> None:
    line = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    truth = alchemy_matches.all_matches(puzzle(line, 9, 1), Control())
    assert truth.value is not None
    widths = []
    for nodes in (1, 10, 100, 1000, truth.nodes - 2):
        answer = alchemy_matches.all_matches(puzzle(line, 9, 1), Control(Limit(nodes=nodes)))
        assert not answer.exact
        assert answer.value is None
        low, high = answer.bounds
        assert low <= truth.value <= high
        assert {move.move for move in answer.moves} <= {move.move for move in truth.moves}
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)
    assert alchemy_matches.all_matches(puzzle(line, 9, 1), Control(Limit(nodes=truth.nodes))).exact


def test_of_very_many_matches_the_first_are_listed_and_all_counted() -> None:
    """The whole list would take seconds after the limit, and megabytes; it has 264,039 matches."""
    line = [*range(1, 13), *range(1, 13)]
    position = puzzle(line, 13, 1)
    answer = alchemy_matches.all_matches(position, Control())
    assert (answer.value, answer.exact, answer.truncated) == (264_039, True, True)
    assert len(answer.moves) == alchemy_matches.MOST_LISTED
    search = Enumeration(line, 13, 1)
    assert search.step(1 << 30)[0]
    first = search.moves(search.codes()[: alchemy_matches.MOST_LISTED])
    assert [move.move for move in answer.moves] == [str(move) for move in first]
    few = alchemy_matches.all_matches(puzzle(line, 13, 1, cards=2), Control()).to_dict()
    assert (few["exact"], few["value"], "truncated" in few) == (True, len(few["moves"]), False)

    control = Control(Limit(seconds=0.05))
    cut = alchemy_matches.all_matches(position, control)
    assert control.seconds < LATE
    assert cut.bounds[0] <= 264_039 <= cut.bounds[1]


def test_a_cut_list_proves_the_number_and_a_list_of_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    position = puzzle([1, 2, 3, 4, 5], 6, 1)
    every = [*map(str, matches([1, 2, 3, 4, 5], 6, 1))]
    monkeypatch.setattr(alchemy_matches, "MOST_LISTED", 2)
    answer = alchemy_matches.all_matches(position, Control())
    assert [move.move for move in answer.moves] == every[: len(answer.moves)]
    assert answer.truncated
    stated = [GAME.parse_move(position, text) for text in every]
    assert GAME.proved(position, answer, stated).best == tuple(every)
    assert GAME.proved(position, answer, stated[1:]) == Proved(value=len(every), best=None)


def test_a_discard_is_no_move_of_a_puzzle_however_long() -> None:
    """It does not take a list of all matches, which cannot be made, to say so."""
    line = (*"A23456789JQK", "10") * 4
    position = Round(game="alchemy", variant="free", min_line=1, line=line, hand="K", objective="most-cards")
    with pytest.raises(MoveError, match="not a move here"):
        GAME.parse_move(position, "discard 3")


def test_legal_moves_are_not_listed_by_the_hundred_thousand() -> None:
    with pytest.raises(RequestError, match="531,441 ways") as found:
        GAME.legal_moves(puzzle([*range(1, 13), *range(1, 13)], 13, 1))
    assert (found.value.code, found.value.path) == ("too_large", "line")


# With an objective: the optimum against the reference and the enumeration. --------------------------------------

OBJECTIVES = ("most-cards", "fewest-cards", "most-points")


def puzzle(line: list[int], hand: int, fewest: int, **more: Any) -> Round:
    return Round(game="alchemy", variant="free", min_line=fewest, line=tuple(cards(line)), hand=card(hand), **more)


def worth(objective: str, hand: int, used: tuple[str, ...]) -> int:
    ranks = [
        hand,
        *(["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"].index(c) + 1 for c in used),
    ]
    return ref.points(ranks) if objective == "most-points" else len(used)


def check(position: Round, answer: OptimumAnalysis, expected: int | None) -> None:
    """The value, and that the move found is a match that has it."""
    assert answer.exact
    assert answer.value == expected
    if expected is None:
        assert (answer.moves, answer.best, answer.bounds, answer.line) == ((), None, None, ())
        return
    assert answer.bounds == (expected, expected)
    (found,) = answer.moves
    assert found.move == answer.best == answer.line[0]
    assert found.value == expected == worth(position.objective or "", position.hand_rank, found.used)
    left = list(position.line)
    for text in found.used:
        left.remove(text)
    first, second = ([card_sum(c) for c in side.split("+")] for side in found.move.split("="))
    assert sum(first) == sum(second)
    assert sorted([*first, *second]) == sorted([position.hand_rank, *map(card_sum, found.used)])


def card_sum(text: str) -> int:
    return {"A": 1, "J": 11, "Q": 12, "K": 13}.get(text) or int(text)


@settings(max_examples=100)
@given(
    st.lists(st.integers(1, 13), max_size=7), st.integers(1, 13), st.integers(1, 4), st.sampled_from(OBJECTIVES),
    st.none() | st.integers(1, 8),
)  # fmt: skip
def test_small_lines_against_the_reference(
    line: list[int], hand: int, fewest: int, objective: str, wanted: int | None
) -> None:
    position = puzzle(line, hand, fewest, objective=objective, cards=wanted)
    check(
        position, alchemy_matches.optimum(position, Control()), ref.optimum(line, hand, fewest, objective, wanted)
    )


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_many_aces(objective: str) -> None:
    # Four aces together are 10, the hand's counted too; each further one is 1.
    for hand, line in ((1, [1, 1, 1, 5, 9]), (1, [1] * 7), (3, [1, 1, 1, 1, 1, 2, 13]), (4, [1, 1, 1, 1, 13])):
        position = puzzle(line, hand, 1, objective=objective)
        check(position, alchemy_matches.optimum(position, Control()), ref.optimum(line, hand, 1, objective))


@pytest.mark.parametrize("size", [13, 17, 18])
def test_longer_lines_against_the_enumeration(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alchemy_matches, "MOST_LISTED", 1 << 30)
    random = Random(1, size)
    for case in range(3 if size < 18 else 1):
        line = [1 + random.below(13) for _ in range(size)]
        hand = 1 + random.below(13)
        for wanted in (None, 3 + random.below(size - 3)):
            matches = alchemy_matches.all_matches(puzzle(line, hand, 2, cards=wanted), Control()).moves
            for objective in OBJECTIVES[case:] if size > 13 else OBJECTIVES:
                position = puzzle(line, hand, 2, cards=wanted, objective=objective)
                values = [worth(objective, hand, match.used) for match in matches]
                best = min if objective == "fewest-cards" else max
                check(position, alchemy_matches.optimum(position, Control()), best(values, default=None))


@pytest.mark.parametrize("objective", ["most-cards", "fewest-cards"])
@pytest.mark.parametrize("wanted", [None, 31])
def test_sixty_cards_are_proved(objective: str, wanted: int | None) -> None:
    random = Random(2)
    line = [1 + random.below(13) for _ in range(60)]
    position = puzzle(line, 9, 1, objective=objective, cards=wanted)
    answer = alchemy_matches.optimum(position, Control())
    assert answer.exact
    assert answer.value is not None
    check(position, answer, answer.value)
    if wanted is not None:
        assert answer.value == wanted
    elif objective == "most-cards":
        # All cards or, when the sum is odd, all but one.
        assert answer.value == 60 - (sum(line) + 9) % 2
    else:
        assert answer.value == 1 if 9 in line else 2


def test_sixty_cards_by_points() -> None:
    line = [13] * 20 + [1] * 4 + [2] * 36
    position = puzzle(line, 2, 1, objective="most-points")
    check(position, alchemy_matches.optimum(position, Control()), points([2, *line]))
    odd = puzzle([13] * 20 + [1] * 3 + [2] * 37, 2, 1, objective="most-points")
    check(odd, alchemy_matches.optimum(odd, Control()), points([2, *[13] * 20, *[1] * 2, *[2] * 37]))


def test_no_match_satisfies_it() -> None:
    for line, hand, more in (
        ([2, 4, 6], 9, {}),
        ([9, 9], 9, {"cards": 2}),
        ([9], 9, {"cards": 5}),
        ([], 9, {}),
        ([13] * 60, 12, {}),
    ):
        for objective in OBJECTIVES:
            position = puzzle(line, hand, 1, objective=objective, **more)
            check(position, alchemy_matches.optimum(position, Control()), None)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("limit", [Limit(seconds=1e-9), Limit(seconds=0.001), Limit(nodes=1)])
def test_limits_end_the_search_with_bounds_that_hold(objective: str, limit: Limit) -> None:
    random = Random(3)
    for wanted in (None, 31):
        line = [1 + random.below(13) for _ in range(60)]
        position = puzzle(line, 9, 1, objective=objective, cards=wanted)
        truth = alchemy_matches.optimum(position, Control(Limit(seconds=20.0)))
        answer = alchemy_matches.optimum(position, Control(limit))
        assert truth.bounds is not None
        assert answer.bounds is not None
        assert answer.bounds[0] <= truth.bounds[1]
        assert truth.bounds[0] <= answer.bounds[1]
        if truth.value is not None:
            assert answer.bounds[0] <= truth.value <= answer.bounds[1]
        if answer.exact:
            assert answer.value == truth.value
        else:
            assert answer.bounds[0] < answer.bounds[1] or answer.value is None


# What is told while it runs. ------------------------------------------------------------------------------------

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q"]

EAGER = {"_PROGRESS_SECONDS": 0.0, "_FIRST_PROGRESS_SECONDS": 0.0, "_FIRST_SLICE": 50}


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in EAGER.items():
        monkeypatch.setattr(f"solver.limits.{name}", value)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("cards", [None, 5])
def test_bounds_of_the_number_of_matches_close_in_on_it(cards: int | None) -> None:
    asked = {"cards": cards} if cards else {}
    position = Round(game="alchemy", variant="free", min_line=1, line=tuple(RANKS), hand="2", **asked)
    seen: list[Progress] = []
    found = alchemy_matches.all_matches(position, Control(Limit(nodes=1500), progress=seen.append))
    assert not found.exact
    told = [step.bounds for step in seen]
    bounds = [one for one in told if one is not None]
    whole = alchemy_matches.all_matches(position, Control()).value
    assert len(bounds) == len(told) > 1
    assert all(low <= whole <= high for low, high in bounds)
    assert bounds == sorted(bounds, key=lambda one: one[1] - one[0], reverse=True)
    assert bounds[-1][1] - bounds[-1][0] < bounds[0][1] - bounds[0][0]


@pytest.mark.usefixtures("eager")
def test_the_best_match_so_far_is_told_with_bounds_of_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpsat, "_POLL_SECONDS", 0.001)
    line = [*"22222333335555555666666668889999999AAAAAAAAAJJJJJJJJQQQQQQQQ"]
    position = {"game": "alchemy", "variant": "free", "min_line": 40, "line": line, "hand": "3"}

    def is_told() -> bool:
        seen: list[Progress] = []
        found = athanor.analyze({**position, "objective": "fewest-cards"}, progress=seen.append, seconds=20)
        assert found.exact
        told = [step for step in seen if step.bounds is not None]
        assert all(step.bounds[0] <= found.value <= step.bounds[1] for step in told if step.bounds)
        return any(step.best for step in told)

    wait_until(is_told)  # on a busy machine, the solver may end before it is looked at
