"""The duel's exchange against the reference: points, replies, denial, jokers, both orders of grabbing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from solver import registry
from solver.answers import Cause
from solver.common import Random
from solver.errors import RequestError
from solver.games.alchemy import duel, solving
from solver.games.alchemy.deck import JOKER, card, cards
from solver.games.alchemy.position import DuelMove, DuelPosition
from solver.limits import Control
from tests.reference import alchemy as ref

GAME = registry.game("alchemy")
Scores = dict[ref.Move, tuple[int, int, int, bool]]


def random_exchange(random: Random) -> DuelPosition:
    """Six cards, two hands, and piles rich in aces and kings; jokers on the table or in hand at times."""
    deck = [rank for rank in range(1, 14) for _ in range(4)]
    if random.below(3) == 0:  # few low ranks: many long matches, such as the ones that jokers ask for
        deck = [rank for rank in deck if rank <= 4] + deck[-4:]
    random.shuffle(deck)
    line = [deck.pop() for _ in range(6)]
    jokers = random.below(3) if random.below(2) else 0
    hands = [JOKER if random.below(6) == 0 else deck.pop() for _ in range(2)]
    deck.sort(key=lambda rank: rank not in (1, 13))
    piles: list[list[int]] = [[], []]
    for rank in deck[:8]:
        if random.below(3):
            piles[random.below(2)].append(rank)
    if random.below(5) == 0:
        piles[random.below(2)].append(JOKER)
    return DuelPosition(
        game="alchemy", variant="duel", line=tuple(cards(line)), hand=card(hands[0]), opponent_hand=card(hands[1]),
        table_jokers=jokers, pile=tuple(cards(piles[0])), opponent_pile=tuple(cards(piles[1])),
    )  # fmt: skip


def reference(position: DuelPosition, first: int) -> Scores:
    second = 1 - first
    return ref.duel(
        position.line_ranks, position.drawn[first], position.drawn[second], position.table_jokers,
        position.piles[first], position.piles[second],
    )  # fmt: skip


def check_order(
    position: DuelPosition, first: int, moves: tuple[DuelMove, ...], best: str, line: tuple[str, ...]
) -> Scores:
    expected = reference(position, first)
    hand = position.drawn[first]
    fewest = (5 if position.table_jokers else 4) if hand == JOKER else (4 if position.table_jokers else 1)
    witnesses = ref.matches(position.line_ranks, hand, fewest)
    by_swing = sorted(expected.items(), key=lambda item: -item[1][2])  # stable: canonical order on ties
    assert [(m.move, m.points, m.reply, m.swing, m.denies) for m in moves] == [
        (ref.text(move, witnesses.get(move[1]), hand), *scores) for move, scores in by_swing
    ]
    for entry, (move, _) in zip(moves, by_swing, strict=True):
        assert entry.value == entry.swing
        assert entry.bounds == (entry.swing, entry.swing)
        assert entry.exact
        assert entry.used == tuple(cards(move[1]))
    assert best == moves[0].move == line[0]
    # The second move of the line is a reply that is worth what it says.
    second = 1 - first
    left = list(position.line_ranks)
    for rank in by_swing[0][0][1]:
        left.remove(rank)
    other = position.drawn[second]
    if line[1] == "none":
        assert moves[0].denies
        assert moves[0].reply == 0
    else:
        fewest = (5 if position.table_jokers else 4) if other == JOKER else (4 if position.table_jokers else 1)
        replies = {ref.text(u, w, other): u for u, w in ref.matches(left, other, fewest).items()}
        pile = position.piles[second]
        gained = ref.points([*pile, *replies[line[1]], other, *[JOKER] * position.table_jokers]) - ref.points(pile)
        assert gained == moves[0].reply
    return expected


@pytest.mark.covered
@pytest.mark.small
def test_random_exchanges_in_both_orders(amount: Callable[[int], int]) -> None:
    random = Random(1)
    denials = joker_matches = declined = 0
    for _ in range(amount(1500)):
        position = random_exchange(random)
        answer = duel.analyze(position, Control())
        mine = check_order(position, 0, answer.moves, answer.best or "", answer.line)
        theirs = answer.if_opponent_first
        check_order(position, 1, theirs.moves, theirs.best, theirs.line)
        assert (answer.value, theirs.value) == (answer.moves[0].swing, theirs.moves[0].swing)
        denials += answer.moves[0].denies and answer.best != "none"
        joker_matches += len(mine) > 1 and (position.table_jokers > 0 or position.drawn[0] == JOKER)
        declined += answer.best == "none"
        # Nobody gains by declining: only who has no match does.
        assert (answer.best == "none") == (len(mine) == 1)
    if amount(100) == 100:
        assert min(denials, joker_matches, declined) > 20


@pytest.mark.small
@pytest.mark.parametrize(
    ("hand", "table", "line", "matched"),
    [
        ("6", 0, ["A", "2", "3", "K", "K", "Q"], True),
        ("6", 0, ["3", "6", "6", "7", "Q", "Q"], True),
        ("6", 1, ["3", "6", "6", "7", "Q", "Q"], False),  # too short: five cards in all
        ("6", 1, ["A", "2", "3", "6", "K", "K"], True),
        ("6", 2, ["A", "2", "3", "6", "K", "K"], True),  # two jokers ask no more than one
        ("X", 0, ["2", "6", "10", "J", "Q", "Q"], False),  # 2+10=Q is three cards
        ("X", 0, ["A", "2", "3", "6", "K", "Q"], True),
        ("X", 1, ["2", "4", "4", "4", "Q", "K"], False),  # 4+4+4=Q is four cards; both at once ask for five
        ("X", 1, ["A", "2", "3", "6", "Q", "J"], True),
    ],
)
def test_the_jokers_rulings(hand: str, table: int, line: list[str], matched: bool) -> None:
    position = DuelPosition(
        game="alchemy", variant="duel", line=tuple(line), hand=hand, opponent_hand="K", table_jokers=table
    )
    answer = duel.analyze(position, Control())
    matches = [entry for entry in answer.moves if entry.move != "none"]
    if table and matches:
        # Whoever matches takes all jokers, and the rest of the line is gone.
        assert all(entry.points >= 10 * table + 4 and entry.reply == 0 and entry.denies for entry in matches)
    if hand == "X":
        assert all(entry.points >= 14 for entry in matches)
    assert bool(matches) == matched


@pytest.mark.small
def test_the_hint_is_the_analysis_and_its_reason_holds(amount: Callable[[int], int]) -> None:
    random = Random(2)
    for _ in range(amount(400)):
        position = random_exchange(random)
        answer = solving.hint(position, Control(), seed=3)
        analysis = duel.analyze(position, Control())
        best = analysis.moves[0]
        assert answer.best == best.move
        assert [m.model_dump(exclude_unset=True) for m in answer.moves] == [
            m.model_dump(include={"move", "used", "points", "reply", "swing", "denies"}) for m in analysis.moves
        ]
        assert ("There is no match" in answer.reason) == (len(analysis.moves) == 1)
        level = sum(m.swing == best.swing for m in analysis.moves)
        assert answer.sure == ("only" if len(analysis.moves) == 1 else "close" if level > 1 else "clear")
        if answer.sure == "clear":
            check_causes(answer.causes, {m.move: m for m in analysis.moves}, best)


def check_causes(causes: Sequence[Cause], moves: dict[str, DuelMove], best: DuelMove) -> None:
    """What the causes say is so."""
    assert causes
    for cause in causes:
        other = moves.get(cause.other or "")
        if cause.code == "takes_more":
            assert (cause.points, cause.other_points) == (best.points, other and other.points)
        elif cause.code == "leaves_nothing":
            assert best.denies
        elif cause.code == "leaves_less":
            assert (cause.points, cause.other_points) == (best.reply, other and other.reply)
        elif cause.code == "takes_needed_card":
            assert cause.card in best.used
            assert (cause.points or 0) > best.reply == cause.other_points
        else:
            assert cause.code in ("joker", "four_aces", "gains_more")


def test_an_exchange_has_no_models() -> None:
    position = random_exchange(Random(4))
    with pytest.raises(RequestError, match="no models"):
        GAME.analyze(position, Control(), model="paranoid")
    with pytest.raises(RequestError, match="seat 0"):
        GAME.analyze(position, Control(), player=1)
