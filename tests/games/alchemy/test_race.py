"""The duel as a whole: rounds in which every card ends in one place, the match to 100, a known or hidden deck."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import athanor
from solver.common import Random
from solver.errors import AthanorError, MoveError
from solver.games.alchemy.deck import JOKER, NONE, Move, discard
from solver.games.alchemy.position import Round, dealt_duel, next_round, ranks_of, totals_after, winner_of
from solver.games.alchemy.rules import AlchemyReadings
from tests.games.alchemy.turns import deck_of, exchanged, hands_of, random_moves, state_of
from tests.reference import alchemy as ref


def everywhere(state: Round) -> Counter[int]:
    return (
        Counter(deck_of(state))
        + Counter(state.line_ranks)
        + Counter({JOKER: state.table_jokers})
        + Counter(hands_of(state))
        + Counter(state.piles[0])
        + Counter(state.piles[1])
        + Counter(ranks_of(state.discarded))
    )


def thrown(state: Round, first: int, moves: tuple[Move, Move]) -> Counter[int]:
    """What the exchange puts on no pile and leaves out of the line, by the rules."""
    gone: Counter[int] = Counter()
    matched = [move.kind == "match" for move in moves]
    for player, has in zip((first, 1 - first), matched, strict=True):
        if not has:
            gone[state.drawn[player]] += 1
    if state.table_jokers:
        left = Counter(state.line_ranks)
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
        state = dealt_duel(2, number, jokers)
        discarded: Counter[int] = Counter()
        while not state.over:
            assert everywhere(state) == whole
            assert len(state.line) == 6
            assert JOKER not in state.line_ranks
            on_table += state.table_jokers
            in_hand += state.drawn.count(JOKER)
            first = random.below(2)
            moves = random_moves(state, first, random)
            discarded += thrown(state, first, moves)
            before = state
            state = exchanged(state, first, *moves)
            assert Counter(ranks_of(state.discarded)) == discarded
            for player, move in zip((first, 1 - first), moves, strict=True):
                gained = Counter(state.piles[player]) - Counter(before.piles[player])
                expected = Counter(move.used)
                if move.kind == "match":
                    expected += Counter([before.drawn[player], *[JOKER] * before.table_jokers])
                assert gained == expected
        assert everywhere(state) == whole
        # Over: the deck can't fill the line, or can't give both players a card.
        assert (len(state.line) < 6 and not state.stock) or (len(state.line) == 6 and len(deck_of(state)) < 2)
    if jokers:
        assert on_table > 0
        assert in_hand > 0


@pytest.mark.covered
@pytest.mark.small
def test_a_round_is_the_references_exchange_after_exchange() -> None:
    random = Random(3)
    for number in range(25):
        state = dealt_duel(4, number, 2)
        while not state.over:
            expected = ref.duel(state.line_ranks, *state.drawn, state.table_jokers, *state.piles)
            assert {(move.kind, move.used) for move in state.moves(0)} == set(expected)
            first, second = random_moves(state, 0, random)
            after = exchanged(state, 0, first, second)
            gained = ref.points(after.piles[0]) - ref.points(state.piles[0])
            assert gained == expected[first.kind, first.used][0]
            state = after


@pytest.mark.small
def test_jokers_on_the_table_end_the_exchange_with_one_match() -> None:
    state = state_of((1, 2, 3, 6, 12, 12), (6, 12), (5,) * 20, table_jokers=2)
    long = Move("match", (1, 2, 3, 6), ((6, 1, 2), (3, 6)))
    after = exchanged(state, 0, long, NONE)
    assert sorted(after.piles[0]) == [0, 0, 1, 2, 3, 6, 6]
    assert (after.line_ranks, after.table_jokers) == ((5,) * 6, 0)
    queen, queens = Move("match", (12,), ((12,), (12,))), Move("match", (1, 2, 3, 6), ((12,), (1, 2, 3, 6)))
    with pytest.raises(MoveError, match="the line is empty"):
        exchanged(state, 0, long, queen)
    # The first declines: the other may still take it all. Q = A+2+3+6 has five cards.
    after = exchanged(state, 0, NONE, queens)
    assert sorted(after.piles[1]) == [0, 0, 1, 2, 3, 6, 12]
    nobody = exchanged(state, 1, NONE, NONE)
    assert nobody.piles == ((), ())
    assert nobody.line_ranks == (5,) * 6
    with pytest.raises(MoveError):
        exchanged(state, 1, queen, NONE)  # too short


@pytest.mark.small
def test_moves_that_are_not_legal_are_refused() -> None:
    state = state_of((6, 2, 3, 9, 12, 12), (6, 6), (5,) * 20)
    taken = Move("match", (6,), ((6,), (6,)))
    for first, second in ((Move("match", (9,), ((6,), (9,))), NONE), (discard(6), NONE), (taken, taken)):
        with pytest.raises(MoveError) as caught:
            exchanged(state, 0, first, second)
        assert caught.value.code == "illegal_move"
    assert exchanged(state, 1, taken, NONE).piles == ((), (6, 6))


@pytest.mark.small
def test_jokers_that_are_drawn_into_the_line_are_replaced() -> None:
    deck, line = (0, 7, 0, 8, 9, 0, 4, 4), (6, 2, 3, 9, 12, 12)
    # Nothing was taken: the line is whole, so the jokers at the top are drawn as hands.
    assert exchanged(state_of(line, (13, 13), deck), 0, NONE, NONE).drawn == (0, 7)
    queen = Move("match", (12,), ((12,), (12,)))
    state = exchanged(state_of(line, (12, 12), deck), 0, queen, queen)
    assert state.line_ranks == (6, 2, 3, 9, 7, 8)
    assert (state.table_jokers, state.drawn, deck_of(state)) == (2, (9, 0), (4, 4))


@pytest.mark.small
def test_winning_totals() -> None:
    assert winner_of((99, 99)) is None
    assert winner_of((100, 99)) == 0
    assert winner_of((101, 120)) == 1
    assert winner_of((104, 104)) is None  # an exact tie plays another round
    assert totals_after((40, 50), ((13, 0), (1, 1, 1, 1))) == (52, 60)


@pytest.mark.covered
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
            assert everywhere(state) == whole
            while not state.over:
                state = exchanged(state, number % 2, *random_moves(state, number % 2, random))
            after = totals_after(totals, state.piles)
            assert after == (totals[0] + ref.points(state.piles[0]), totals[1] + ref.points(state.piles[1]))
            totals, number = after, number + 1
            with_jokers += late
    assert with_jokers > 0


# A duel with its deck hidden goes as with its deck known. -------------------------------------------------------

BETWEEN = "alchemy duel rules=house_joker,two_jokers totals=0,0 line=-"

RULES = AlchemyReadings(house_joker=True, two_jokers=True)


def opened(position: Any) -> tuple[Any, ...]:
    """What lies open in a position."""
    assert isinstance(position, Round)
    hands = None if position.over else position.drawn
    return (
        position.line_ranks,
        hands,
        position.table_jokers,
        position.piles,
        position.totals,
        position.unseen_ranks,
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_race_with_the_deck_known_and_hidden(seed: int) -> None:
    random = Random(11, seed)
    known: Any = athanor.parse(BETWEEN)
    hidden: Any = athanor.parse(BETWEEN)
    totals, number, jokers = (0, 0), 0, 0
    while winner_of(totals) is None:
        dealt = next_round(seed, number, totals, RULES)
        known = athanor.play(known, f"deal {seed} {number}")
        assert known == dealt
        drawn = [*known.line, *["X"] * known.table_jokers, *filter(None, [known.hand, known.opponent_hand])]
        hidden = athanor.play(hidden, ["deal", *drawn])
        while not known.over:
            assert opened(known) == opened(hidden)
            first = random.below(2)
            moves = random_moves(known, first, random)
            told, before = [f"{first}:{moves[0]}", str(moves[1])], known
            known = athanor.play(known, told)
            hidden = athanor.play(hidden, [*told, *before.stock[: len(before.stock) - len(known.stock)]])
            jokers += known.table_jokers
        assert opened(known) == opened(hidden)
        assert athanor.to_move(known) is athanor.to_move(hidden) is None
        for position in (known, hidden):
            assert athanor.parse(str(position)) == athanor.parse(str(athanor.parse(str(position))))
        totals = totals_after(totals, known.piles)
        number += 1
    assert number > 1
    with pytest.raises(AthanorError, match="the race is over"):
        athanor.play(known, f"deal {seed} {number}")


def test_both_may_grab_and_then_only_the_other() -> None:
    line = "alchemy duel line=2,4,5,10,J,J hand=4 opponent_hand=8"
    found = athanor.table.moves(line)
    assert found.to_move == 0
    assert "4=4" in found.legal_moves
    assert "1:8+2=10" in found.possible_moves
    grabbed = athanor.play(line, "1:10=2+8")
    assert str(grabbed) == f"{line} grabbed=1:8+2=10"
    found = athanor.table.moves(grabbed)
    assert (found.to_move, found.possible_moves) == (0, ())
    assert "4+J=4+J" in found.legal_moves
    assert not [move for move in found.legal_moves if "10" in move]
    with pytest.raises(AthanorError, match="has grabbed in this exchange already"):
        athanor.play(grabbed, "1:none")
    assert athanor.to_move(athanor.play(line, "4=4")) == 1


def test_with_a_joker_aside_the_first_match_leaves_nothing() -> None:
    line = "alchemy duel line=A,2,3,6,Q,Q hand=6 opponent_hand=Q table_jokers=1"
    grabbed = athanor.play(line, "0:6+A+2=3+6")
    assert athanor.legal_moves(athanor.view(grabbed, 1)) == ["none"]
    with pytest.raises(AthanorError, match="the line is empty"):
        athanor.play(grabbed, "1:Q=Q")
    assert len(athanor.legal_moves(athanor.view(athanor.play(line, "0:none"), 1))) > 1


def test_what_is_turned_up_has_to_be_told() -> None:
    line = "alchemy duel line=2,4,5,10,J,J hand=4 opponent_hand=8 discarded=4"
    with pytest.raises(AthanorError, match="Which card do you draw\\?") as lacking:
        athanor.play(line, ["1:none", "none"])
    assert (lacking.value.code, lacking.value.path) == ("incomplete_move", "moves[1]")
    with pytest.raises(AthanorError, match="4 cannot be turned up"):
        athanor.play(line, ["1:none", "none", "4", "4"])
    after: Any = athanor.play(line, ["1:10=2+8", "4=4", "q", "K", "3", "9", "A"])
    assert (after.line, after.hand, after.opponent_hand) == (("5", "J", "J", "Q", "K", "3"), "9", "A")
    assert Counter(after.opponent_pile) == Counter(["2", "8", "10"])
    with pytest.raises(AthanorError, match="seat 0 drew 9"):
        athanor.play(after, "9=9")
    with pytest.raises(AthanorError, match="this one is not over"):
        athanor.play(after, "deal 5")


def test_each_sees_a_duel_from_the_own_side() -> None:
    dealt: Any = athanor.deal("alchemy", variant="duel", seed=5)
    mine, theirs = (athanor.view(athanor.play(dealt, "1:8+2=10"), seat) for seat in (0, 1))
    assert "grabbed=1:8+2=10" in str(mine)
    assert "grabbed=0:8+2=10" in str(theirs)
    assert "stock" not in str(mine)
    assert opened(mine)[-1] == opened(theirs)[-1] == tuple(sorted(dealt.unseen_ranks))


def test_a_hint_does_not_change_with_the_order_of_the_deck() -> None:
    dealt: Any = athanor.deal("alchemy", variant="duel", seed=5).model_copy(update={"totals": (40, 60)})
    turned = dealt.model_copy(update={"stock": dealt.stock[::-1]})
    for move in (None, "1:8+2=10"):
        one, other = (at if move is None else athanor.play(at, move) for at in (dealt, turned))
        first, second = (athanor.hint(at, worlds=2, seed=1).to_dict() for at in (one, other))
        for found in (first, second):
            del found["seconds"], found["text"]
        assert first == second


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("alchemy duel line=2,4,5,10,J,J hand=4", "opponent_hand is missing"),
        ("alchemy duel line=2,4,5,10,J,J", "hand is missing: with 46 cards in the deck"),
        ("alchemy duel line=2,4,5,10,J,J stock=4,4", "hand is missing: with 2 cards in the deck"),
        ("alchemy duel line=2,4,5,10,J,J hand=4 opponent_hand=8 grabbed=1:8+3=J", "not a match of this line"),
        ("alchemy duel line=2,4,5,10,J,J stock=4 grabbed=1:8+2=10", "nobody can have grabbed"),
    ],
)
def test_what_is_no_duel(line: str, message: str) -> None:
    with pytest.raises(AthanorError, match=message):
        athanor.parse(line)


def test_a_round_that_is_over_asks_nothing() -> None:
    over = athanor.parse("alchemy duel line=2,4,5,10,J,J stock=4 pile=A,A")
    assert athanor.to_move(over) is None
    for ask in (athanor.hint, athanor.analyze):
        with pytest.raises(AthanorError, match="the round is over"):
            ask(over)
    with pytest.raises(AthanorError, match="you have grabbed"):
        athanor.hint("alchemy duel line=2,4,5,10,J,J hand=4 opponent_hand=8 grabbed=0:4=4")


def test_moves_go_by_their_chances_however_few_decks_were_dealt() -> None:
    for seed in range(12):
        dealt: Any = athanor.deal("alchemy", variant="duel", seed=seed).model_copy(update={"totals": (40, 60)})
        for worlds in (2, 60):
            chances = [move.win_probability for move in athanor.hint(dealt, worlds=worlds, seed=seed).moves]
            assert chances == sorted(chances, reverse=True)


def test_errors_hold_with_few_decks_even_when_the_race_is_almost_decided() -> None:
    lines = [
        "totals=45,67 line=K,3,10,6,A,10 hand=5 opponent_hand=3",
        "totals=68,85 line=4,8,A,5,8,7 hand=K opponent_hand=6",
        "totals=97,60 line=8,4,Q,J,10,2 hand=2 opponent_hand=10",
    ]
    held = []
    for line in lines:
        position = athanor.parse(f"alchemy duel {line}")
        found = athanor.hint(position, worlds=500, seed=1)
        chances = {move.move: move.win_probability for move in found.moves}
        for seed in range(8):
            moves: Any = athanor.hint(position, worlds=25, seed=2 + seed).moves
            held += [abs(move.win_probability - chances[move.move]) <= 1.96 * move.stderr for move in moves]
    assert sum(held) >= 0.93 * len(held)
