"""All matches of a line: the kernel, the rules and the position's moves against the slow reference."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.answers import Proved
from solver.common import Random
from solver.errors import MoveError, RequestError
from solver.games.alchemy import GAME
from solver.games.alchemy import matches as alchemy_matches
from solver.games.alchemy.deck import JOKER, Move
from solver.games.alchemy.matches import Enumeration
from solver.games.alchemy.position import FreePosition
from solver.games.alchemy.rules import match_of, matches
from solver.limits import Control, Limit
from tests.reference import alchemy as ref
from tests.support.timing import LATE

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
    for case in range(amount(2500)):
        line, hand = random_line(random, 7 if case % 50 else 9)
        fewest = random.below(5)
        expected: Witnessed = list(ref.matches(line, hand, max(fewest, 1)).items())
        kernel, found = listed(line, hand, fewest, [1 << 30])
        assert [split(move, hand) for move in kernel] == expected
        assert [split(move, hand) for move in matches(line, hand, fewest)] == expected
        assert found == len(expected)
        seen += found
    assert seen > amount(2500)  # the lines were not all without a match


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
        for (total, cards, sums), choices in states.items():
            for number in range(line.count(rank) + 1):
                key = total + number * rank, cards + number, sums
                grown[key] = grown.get(key, 0) + choices
                sums |= sums << rank
        states = grown
    return sum(
        choices
        for (total, cards, sums), choices in states.items()
        if cards >= max(fewest, 1)
        and total >= hand
        and (total - hand) % 2 == 0
        and sums >> (total - hand) // 2 & 1
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


def puzzle(line: list[int], hand: int, fewest: int, **more: object) -> FreePosition:
    texts = [ref.text(("discard", (rank,)), None, 0).split()[1] for rank in (*line, hand)]
    return FreePosition.model_validate(
        {"game": "alchemy", "variant": "free", "min_line": fewest, "line": texts[:-1], "hand": texts[-1], **more}
    )


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
    position = FreePosition(
        game="alchemy", variant="free", min_line=1, line=line, hand="K", objective="most-cards"
    )
    with pytest.raises(MoveError, match="not a move here"):
        GAME.parse_move(position, "discard 3")


def test_legal_moves_are_not_listed_by_the_hundred_thousand() -> None:
    with pytest.raises(RequestError, match="531,441 ways") as found:
        GAME.legal_moves(puzzle([*range(1, 13), *range(1, 13)], 13, 1))
    assert (found.value.code, found.value.path) == ("too_large", "line")
