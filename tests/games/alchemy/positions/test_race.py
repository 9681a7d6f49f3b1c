"""The duel as a whole: rounds in which every card ends in one place, jokers, and the match to 100."""

from __future__ import annotations

from collections import Counter

import pytest

from solver.common import Random
from solver.errors import MoveError
from solver.games.alchemy.deck import JOKER, NONE, Move, discard
from solver.games.alchemy.position import Round, deal_round, exchange, next_round, totals_after, winner_of
from solver.games.alchemy.rules import AlchemyReadings
from tests.reference import alchemy as ref


def everywhere(state: Round, discarded: Counter[int]) -> Counter[int]:
    return (
        Counter(state.deck)
        + Counter(state.line)
        + Counter({JOKER: state.table_jokers})
        + Counter(state.hands or ())
        + Counter(state.piles[0])
        + Counter(state.piles[1])
        + discarded
    )


def random_moves(state: Round, first: int, random: Random) -> tuple[Move, Move]:
    """Legal moves of both players; matches more often than not."""
    assert state.hands is not None
    moves = state.moves(first)
    mine = moves[random.below(len(moves))]
    line = list(state.line)
    for rank in mine.used:
        line.remove(rank)
    if mine is not NONE and state.table_jokers:
        return mine, NONE
    others = state.moves(1 - first, line)
    return mine, others[random.below(len(others))]


def thrown(state: Round, first: int, moves: tuple[Move, Move]) -> Counter[int]:
    """What the exchange puts on no pile and leaves out of the line, by the rules."""
    assert state.hands is not None
    gone: Counter[int] = Counter()
    matched = [move.kind == "match" for move in moves]
    for player, has in zip((first, 1 - first), matched, strict=True):
        if not has:
            gone[state.hands[player]] += 1
    if state.table_jokers:
        left = Counter(state.line)
        for move in moves:
            left.subtract(move.used)
        gone += left
        if not any(matched):
            gone[JOKER] += state.table_jokers
    return gone


@pytest.mark.covered
@pytest.mark.small
@pytest.mark.parametrize("jokers", [0, 1, 2, 4])
def test_every_card_is_in_exactly_one_place(jokers: int) -> None:
    random = Random(1, jokers)
    whole = Counter(dict.fromkeys(range(1, 14), 4)) + Counter({JOKER: jokers})
    on_table = in_hand = 0
    for number in range(40):
        state = deal_round(2, number, jokers)
        discarded: Counter[int] = Counter()
        while state.hands is not None:
            assert everywhere(state, discarded) == whole
            assert len(state.line) == 6
            assert JOKER not in state.line
            on_table += state.table_jokers
            in_hand += state.hands.count(JOKER)
            first = random.below(2)
            moves = random_moves(state, first, random)
            discarded += thrown(state, first, moves)
            before = state
            state = exchange(state, first, *moves)
            for player, move in zip((first, 1 - first), moves, strict=True):
                gained = Counter(state.piles[player]) - Counter(before.piles[player])
                expected = Counter(move.used)
                if move.kind == "match":
                    assert before.hands is not None
                    expected += Counter([before.hands[player], *[JOKER] * before.table_jokers])
                assert gained == expected
        assert everywhere(state, discarded) == whole
        # Over: the deck can't fill the line, or can't give both players a card.
        assert (len(state.line) < 6 and not state.deck) or (len(state.line) == 6 and len(state.deck) < 2)
    if jokers:
        assert on_table > 0
        assert in_hand > 0


@pytest.mark.covered
@pytest.mark.small
def test_a_round_is_the_references_exchange_after_exchange() -> None:
    random = Random(3)
    for number in range(25):
        state = deal_round(4, number, 2)
        while state.hands is not None:
            position = state.position(0)
            other = state.position(1)
            assert other.piles == (position.piles[1], position.piles[0])
            expected = ref.duel(
                state.line, state.hands[0], state.hands[1], state.table_jokers, state.piles[0], state.piles[1]
            )
            assert {(move.kind, move.used) for move in state.moves(0)} == set(expected)
            first, second = random_moves(state, 0, random)
            after = exchange(state, 0, first, second)
            gained = ref.points(after.piles[0]) - ref.points(state.piles[0])
            assert gained == expected[first.kind, first.used][0]
            state = after


@pytest.mark.small
def test_jokers_on_the_table_end_the_exchange_with_one_match() -> None:
    line = (1, 2, 3, 6, 12, 12)
    state = Round(deck=(5,) * 20, line=line, table_jokers=2, hands=(6, 12))
    long = Move("match", (1, 2, 3, 6))
    after = exchange(state, 0, long, NONE)
    assert sorted(after.piles[0]) == [0, 0, 1, 2, 3, 6, 6]
    assert (after.line, after.table_jokers) == ((5,) * 6, 0)
    with pytest.raises(MoveError, match="not a move of player 1"):
        exchange(state, 0, long, Move("match", (12,)))
    # The first declines: the other may still take it all. Q = A+2+3+6 has five cards.
    after = exchange(state, 0, NONE, Move("match", (1, 2, 3, 6)))
    assert sorted(after.piles[1]) == [0, 0, 1, 2, 3, 6, 12]
    nobody = exchange(state, 1, NONE, NONE)
    assert nobody.piles == ((), ())
    assert nobody.line == (5,) * 6
    with pytest.raises(MoveError):
        exchange(state, 1, Move("match", (12,)), NONE)  # too short


@pytest.mark.small
def test_moves_that_are_not_legal_are_refused() -> None:
    state = Round(deck=(5,) * 20, line=(6, 2, 3, 9, 12, 12), hands=(6, 6))
    taken = Move("match", (6,))
    for first, second in ((Move("match", (9,)), NONE), (discard(6), NONE), (taken, taken)):
        with pytest.raises(MoveError) as caught:
            exchange(state, 0, first, second)
        assert caught.value.code == "illegal_move"
    assert exchange(state, 1, taken, NONE).piles == ((), (6, 6))


@pytest.mark.small
def test_jokers_that_are_drawn_into_the_line_are_replaced() -> None:
    state = exchange(
        Round(deck=(0, 7, 0, 8, 9, 0, 4, 4), line=(6, 2, 3, 9, 12, 12), hands=(13, 13)), 0, NONE, NONE
    )
    # Nothing was taken: the line is whole, so the jokers at the top are drawn as hands.
    assert state.hands == (0, 7)
    state = Round(deck=(0, 7, 0, 8, 9, 0, 4, 4), line=(6, 2, 3, 9, 12, 12), hands=(12, 12))
    state = exchange(state, 0, Move("match", (12,)), Move("match", (12,)))
    assert state.line == (6, 2, 3, 9, 7, 8)
    assert (state.table_jokers, state.hands, state.deck) == (2, (9, 0), (4, 4))


@pytest.mark.small
def test_winning_totals() -> None:
    assert winner_of((99, 99)) is None
    assert winner_of((100, 99)) == 0
    assert winner_of((101, 120)) == 1
    assert winner_of((104, 104)) is None  # an exact tie plays another round
    assert totals_after((40, 50), ((13, 0), (1, 1, 1, 1))) == (52, 60)


@pytest.mark.small
@pytest.mark.parametrize("added", [0, 2])
def test_a_match_ends_with_its_winner(added: int) -> None:
    rules = AlchemyReadings(two_jokers=True) if added else None
    with_jokers = 0
    for seed in range(12):
        random, totals, number = Random(5, seed), (0, 0), 0
        while winner_of(totals) is None:
            state = next_round(seed, number, totals, rules)
            late = max(totals) >= 75
            whole = Counter(dict.fromkeys(range(1, 14), 4)) + Counter({JOKER: added if late else 0})
            assert everywhere(state, Counter()) == whole
            while state.hands is not None:
                state = exchange(state, number % 2, *random_moves(state, number % 2, random))
            after = totals_after(totals, state.piles)
            assert after == (totals[0] + ref.points(state.piles[0]), totals[1] + ref.points(state.piles[1]))
            totals, number = after, number + 1
            with_jokers += late
    assert with_jokers > 0
