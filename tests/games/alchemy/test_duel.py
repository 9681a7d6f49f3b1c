"""Duels: an exchange against the reference, rounds played many at once, races, and the causes of a hint."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import athanor
from solver import registry
from solver.answers import Cause
from solver.common import Random
from solver.errors import RequestError
from solver.games.alchemy import duel, solving
from solver.games.alchemy.deck import JOKER, NONE, Move, card, cards, points
from solver.games.alchemy.duel import DuelInPlay, grabs, options, race
from solver.games.alchemy.playing import AlchemyPlaying
from solver.games.alchemy.position import DuelHint, DuelMove, Round, dealt_duel, duel_view, ranks_of
from solver.games.alchemy.rules import match_of
from solver.limits import Control, Limit
from solver.positions import parse_position
from tests.games.alchemy.turns import deck_of, exchanged, shuffled
from tests.reference import alchemy as ref

# Exchanges: points, replies, denial, jokers, both orders of grabbing. -------------------------------------------

GAME = registry.game("alchemy")

Scores = dict[ref.Move, tuple[int, int, int, bool]]


def random_exchange(random: Random) -> Round:
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
    return Round(
        game="alchemy", variant="duel", line=tuple(cards(line)), hand=card(hands[0]), opponent_hand=card(hands[1]),
        table_jokers=jokers, pile=tuple(cards(piles[0])), opponent_pile=tuple(cards(piles[1])),
    )  # fmt: skip


def reference(position: Round, first: int) -> Scores:
    second = 1 - first
    return ref.duel(
        position.line_ranks, position.drawn[first], position.drawn[second], position.table_jokers,
        position.piles[first], position.piles[second],
    )  # fmt: skip


def check_order(
    position: Round, first: int, moves: tuple[DuelMove, ...], best: str, line: tuple[str, ...]
) -> Scores:
    expected = reference(position, first)
    hand = position.drawn[first]
    fewest = (5 if position.table_jokers else 4) if hand == JOKER else (4 if position.table_jokers else 1)
    witnesses = ref.matches(position.line_ranks, hand, fewest)
    by_swing = sorted(expected.items(), key=lambda item: -item[1][2])  # stable: canonical order on ties
    assert [(m.move, m.points, m.opponent_points, m.swing, m.denies) for m in moves] == [
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
        assert moves[0].opponent_points == 0
    else:
        fewest = (5 if position.table_jokers else 4) if other == JOKER else (4 if position.table_jokers else 1)
        replies = {ref.text(u, w, other): u for u, w in ref.matches(left, other, fewest).items()}
        pile = position.piles[second]
        gained = ref.points([*pile, *replies[line[1]], other, *[JOKER] * position.table_jokers]) - ref.points(pile)
        assert gained == moves[0].opponent_points
    return expected


@pytest.mark.covered
@pytest.mark.small
def test_random_exchanges_in_both_orders(amount: Callable[[int], int]) -> None:
    random = Random(1)
    denials = joker_matches = declined = 0
    for _ in range(amount(200)):
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
        assert min(denials, joker_matches, declined) > 2


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
    position = Round(
        game="alchemy", variant="duel", line=tuple(line), hand=hand, opponent_hand="K", table_jokers=table
    )
    answer = duel.analyze(position, Control())
    matches = [entry for entry in answer.moves if entry.move != "none"]
    if table and matches:
        # Whoever matches takes all jokers, and the rest of the line is gone.
        assert all(entry.points >= 10 * table + 4 for entry in matches)
        assert all(entry.opponent_points == 0 and entry.denies for entry in matches)
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
            m.model_dump(include={"move", "used", "points", "opponent_points", "swing", "denies"})
            for m in analysis.moves
        ]
        assert ("There is no match" in answer.reason) == (len(analysis.moves) == 1)
        level = sum(m.swing == best.swing for m in analysis.moves)
        assert answer.sure == ("only" if len(analysis.moves) == 1 else "close" if level > 1 else "clear")
        if answer.sure == "clear":
            check_causes(answer.causes, analysis.moves, position)


def check_causes(causes: Sequence[Cause], moves: Sequence[DuelMove], position: Round) -> None:
    """What the causes say is so, of the best move beside others such as the next one."""
    best, following, *_ = moves
    by_name = {move.move: move for move in moves}
    assert causes
    for cause in causes:
        other = by_name.get(cause.other or "")
        if cause.code == "takes_more":
            assert (cause.points, cause.other_points) == (best.points, other and other.points)
        elif cause.code == "leaves_nothing":
            assert best.denies
        elif cause.code == "leaves_less":
            assert (cause.points, cause.other_points) == (best.opponent_points, other and other.opponent_points)
        elif cause.code == "takes_needed_card":
            assert cause.card in best.used
            assert (cause.points or 0) > best.opponent_points == cause.other_points
            needed = Counter(re.split("[+=]", cause.other or "")) - Counter([position.opponent_hand])
            line = Counter(position.line)
            assert needed <= line - Counter(following.used)
            left = line - Counter(best.used)
            assert not needed <= left
            assert needed <= left + Counter([cause.card])
        else:
            assert cause.code in ("joker", "four_aces", "gains_more")


def test_an_exchange_has_no_models() -> None:
    position = random_exchange(Random(4))
    with pytest.raises(RequestError, match="no models"):
        GAME.analyze(position, Control(), model="paranoid")
    with pytest.raises(RequestError, match="seat 0"):
        GAME.analyze(position, Control(), player=1)


# Rounds and races. ----------------------------------------------------------------------------------------------


def places_of(used: int, line: list[int]) -> list[int]:
    return [line[place] for place in range(6) if used >> place & 1]


def begun(number: int, jokers: int) -> tuple[Round, duel.Worlds]:
    """A round about to start, both ways."""
    return dealt_duel(8, number, jokers), duel.fresh(np.array([shuffled(8, number, jokers)], np.int64))


def same(state: Round, worlds: duel.Worlds, scored: list[int]) -> None:
    assert worlds.going[0] == (not state.over)
    assert Counter(worlds.line[0].tolist()) - Counter({JOKER: 6}) == Counter(state.line_ranks)
    assert worlds.table[0] == state.table_jokers
    assert worlds.points[0].tolist() == [points(pile) for pile in state.piles] == scored
    assert worlds.aces[0].tolist() == [pile.count(1) for pile in state.piles]
    assert worlds.jokers[0].tolist() == [pile.count(JOKER) for pile in state.piles]
    assert worlds.deck.shape[1] - worlds.place[0] == len(deck_of(state))
    if not state.over:
        assert tuple(worlds.hands[0].tolist()) == state.drawn


@pytest.mark.covered
@pytest.mark.small
@pytest.mark.parametrize("jokers", [0, 3])
def test_whole_rounds_by_the_rules_with_the_best_of_each_exchange(jokers: int) -> None:
    tabled = held = 0
    for number in range(12):
        state, worlds = begun(number, jokers)
        first, scored = number % 2, [0, 0]
        same(state, worlds, scored)
        while not state.over:
            tabled += state.table_jokers > 0
            held += JOKER in state.drawn
            line = worlds.line[0].tolist()
            mine, theirs = duel.gains(worlds, first)[0], duel.gains(worlds, 1 - first)[0]
            position = duel_view(state, first)
            known = {move.move: move.points for move in grabs(position, 0, line)}
            for used in range(64):
                move = match_of(places_of(used, line), position.drawn[0]) if used else NONE
                assert (mine[used] >= 0) == (move in known)
                assert mine[used] < 0 or mine[used] == known[move]  # type: ignore[index]
            values = mine - duel.replies(worlds, duel.gains(worlds, 1 - first))[0]
            grabbed = int(np.argmax(values))
            assert values[grabbed] == options(position, 0)[0].swing
            denied = state.table_jokers and grabbed
            left = [used for used in range(64) if not used & grabbed and (used == 0 or not denied)]
            answer = max(left, key=lambda used: (theirs[used], -used))
            moves: list[Move] = []
            for used, player in ((grabbed, first), (answer, 1 - first)):
                moves.append((match_of(places_of(used, line), state.drawn[player]) or NONE) if used else NONE)
            scored[first] += int(mine[grabbed])
            scored[1 - first] += int(theirs[answer])
            state = exchanged(state, first, *moves)
            duel.exchange(worlds, first)
            same(state, worlds, scored)
            first = 1 - first
    assert (tabled > 0) == (held > 0) == (jokers > 0)


def test_races_by_hand() -> None:
    """Rounds that give 50 points to either player, each as likely; and to 100 a tie is even."""
    results = np.array([[50, 0], [0, 50]])
    value = duel._solved(results, results)
    assert value[99, 99] == value[50, 50] == value[0, 0] == 0.5
    assert value[60, 40] == 0.5 + 0.5 * value[60, 90]
    assert value[60, 90] == 0.5
    later = duel._solved(results, np.array([[10, 0], [0, 10]]))
    assert later[80, 80] == 0.5
    assert later[85, 75] == pytest.approx(0.5 * later[95, 75] + 0.5 * later[85, 85])
    assert later[60, 60] == 0.5


def in_race(**more: object) -> Round:
    position = parse_position({
        "game": "alchemy", "variant": "duel", "line": ["A", "2", "3", "4", "6", "9"], "hand": "7",
        "opponent_hand": "5", "pile": ["A", "A", "A"], "opponent_pile": ["K"], **more,
    })  # fmt: skip
    assert isinstance(position, Round)
    return position


def asked(position: Round, **more: int) -> DuelHint:
    found = solving.hint(position, Control(), **more)
    assert isinstance(found, DuelHint)
    return found


def test_the_last_exchange_decides_the_race_by_its_points() -> None:
    """With an empty deck the round ends here: 84 + 3 + 10 points win, 90 + 2 and an answer worth 8 do not."""
    position = in_race(totals=[87, 90], unseen=[])
    found = asked(position, worlds=20)
    for move in found.moves:
        mine, theirs = 87 + 3 + move.points, 90 + 2 + move.opponent_points
        expected = duel.after_round(np.array([mine]), np.array([theirs]), 0, 0).mean()
        assert move.win_probability == pytest.approx(float(expected))
        if max(mine, theirs) >= 100 and mine != theirs:
            assert move.win_probability == float(mine > theirs)
    assert found.moves[0].win_probability == 1.0
    assert not found.exact


def test_without_totals_a_hint_is_the_exchange_alone() -> None:
    found = asked(in_race())
    assert found.exact
    assert "win_probability" not in found.moves[0].to_dict()
    assert [move.swing for move in found.moves] == sorted((move.swing for move in found.moves), reverse=True)


def test_the_same_seed_gives_the_same_chances_and_ahead_is_better() -> None:
    ahead, behind = (asked(in_race(totals=totals), worlds=20, seed=3) for totals in ([80, 40], [40, 80]))
    assert ahead == asked(in_race(totals=[80, 40]), worlds=20, seed=3).model_copy(
        update={"seconds": ahead.seconds}
    )
    assert ahead.worlds == 20
    for one in ahead.moves:
        other = next(move for move in behind.moves if move.move == one.move)
        assert one.win_probability > other.win_probability  # type: ignore[operator]
        assert one.stderr is not None
    none = solving.hint(in_race(totals=[80, 40]), Control(Limit(seconds=1e-9)))
    assert isinstance(none, DuelHint)
    assert none.moves[0].win_probability is None
    assert "no time" in none.reason


def test_a_service_that_is_warm_has_the_chances_of_a_race_ready() -> None:
    """Simulating their rounds takes longer than the time that many a hint is given."""
    duel.chances.cache_clear()
    solving.hints()
    for _ in range(200):
        if duel.chances.cache_info().currsize == 3:
            break
        time.sleep(0.1)
    computed = duel.chances.cache_info().misses
    for rules in ({}, {"one_joker": True}, {"two_jokers": True}):
        assert asked(in_race(totals=[80, 40], rules=rules), worlds=1).worlds == 1
    assert duel.chances.cache_info().misses == computed


def test_what_is_left_in_the_deck() -> None:
    assert len(in_race(totals=[0, 0]).unseen_ranks) == 52 - 12
    assert len(in_race(totals=[0, 0], discarded=["K", "K"]).unseen_ranks) == 52 - 14
    late = in_race(totals=[0, 80], rules={"house_joker": True, "two_jokers": True}, table_jokers=1)
    assert late.unseen_ranks.count(JOKER) == 2
    early = in_race(totals=[0, 20], rules={"house_joker": True, "two_jokers": True})
    assert early.unseen_ranks.count(JOKER) == 1


def cards_in(played: DuelInPlay) -> Counter[int]:
    position = played.position
    assert position.stock is not None
    hands, jokers = position.drawn, Counter({JOKER: position.table_jokers})
    return Counter(ranks_of(position.stock)) + Counter(position.line_ranks) + Counter(hands) + jokers


@pytest.mark.parametrize(("rules", "early", "late"), [
    (None, 0, 0), ({"one_joker": True}, 0, 1), ({"two_jokers": True}, 0, 2),
    ({"house_joker": True, "one_joker": True}, 1, 2),
])  # fmt: skip
def test_jokers_are_added_from_75_points_on(rules: dict[str, bool] | None, early: int, late: int) -> None:
    playing = AlchemyPlaying(GAME)
    pile = ("A", "2", "3", "4", "5", "6", "K") * 4  # 38 points
    rich = DuelInPlay(GAME, Round(game="alchemy", variant="duel", line=(), pile=pile, stock=()), 2)
    found = [
        playing.opening(4, number=7, players=2, variant="duel", before=before, rules=rules)
        for before in ([], [rich], [rich] * 2)
    ]
    for played, jokers, total in zip(found, (early, early, late), (0, 38, 76), strict=True):
        assert isinstance(played, DuelInPlay)
        assert cards_in(played)[JOKER] == jokers
        assert sum(cards_in(played).values()) == 52 + jokers
        assert played.position.totals == (total, 0)
        view = played.seen(1)
        assert view.totals == (0, total)
        assert view.jokers == (early, late)
    dealt = GAME.deal(4, number=7, variant="duel", rules=rules)
    assert isinstance(dealt, Round)
    assert dealt.jokers == (early, late)


# What is behind the lead of a move, on positions made for it. ---------------------------------------------------

# The opponent's only match with what K+K=3+5+6+Q leaves would be 6+7=K, for which a K is lacking: 8 points to
# none, and with the K to 4. K+3+7=5+6+Q takes 7, and leaves nothing either.
DENIED = "alchemy duel {} line=3,5,6,7,Q,K hand=K opponent_hand=6"

NEEDED = "alchemy duel {} line=8,J,Q,K,K,K hand=A opponent_hand=5"

NEEDS = "A+Q+K=K+K takes the K that the opponent needs for 5+8=K, worth 4 points."

ACES = "alchemy duel line=A,2,3,6,J,Q hand=Q opponent_hand=6 pile=A,A,A"

WITH_JOKER = "alchemy duel rules=house_joker line=4,4,7,8,8,10 hand=X opponent_hand=6"

SECOND = "alchemy duel line=2,3,4,7,9,K hand=9 opponent_hand=5 grabbed=1:5+2=7"

REACH = (
    "alchemy duel totals=81,90 line=8,8,9,9,K,K hand=10 opponent_hand=4 pile=A,3,4,6,6,7,9,Q "
    "opponent_pile=A,A,2,5,7,7,J,Q discarded=A,2,2,3,3,4,5,6,6,7,8,9,10,10,J,J,J,Q,Q,K"
)


@pytest.mark.parametrize(
    ("position", "worlds", "codes", "reason"),
    [
        (
            DENIED.format(""),
            1,
            ["takes_more"],  # the next best move leaves nothing either
            "K+K=3+5+6+Q scores 8 points; K+3+7=5+6+Q scores 7.",
        ),
        (NEEDED.format(""), 1, ["takes_needed_card"], NEEDS),
        # The four aces are no reason, since the next best move completes them too.
        (ACES, 1, ["takes_more"], "Q+A+2+3=6+Q scores 12 points; Q=A+2+3+6 scores 11."),
        (WITH_JOKER, 1, ["joker"], "4+8=4+8 brings 10 points for jokers."),
        (SECOND, 1, ["takes_more"], "9+4=K scores 4 points; 9=9 scores 2."),
        # 92 + 8 points win against 97, and lose against 97 + 4.
        (NEEDED.format("totals=92,97 unseen=-"), 40, ["takes_needed_card"], " takes the K that "),
        (REACH, 400, ["reaches_100"], "10+8=9+9 reaches 100 in this round in 10% of deals, "),
        ("alchemy duel line=A,2,3,8,9,J hand=3 opponent_hand=Q", 1, ["equal"], " are worth the same: 6 points."),
        ("alchemy duel line=2,4,6,8,10,Q hand=3 opponent_hand=2", 1, ["no_match"], "There is no match."),
        (DENIED.format("totals=40,20"), 40, ["close"], "the match is almost certainly won"),
        (DENIED.format("totals=10,99 unseen=-"), 40, ["close"], "the match is almost certainly lost"),
    ],
)
def test_the_causes_of_a_lead(position: str, worlds: int, codes: list[str], reason: str) -> None:
    found = athanor.hint(position, worlds=worlds)
    assert [cause.code for cause in found.causes] == codes
    assert reason in found.reason


def test_points_that_are_changed_are_judged_in_the_same_decks() -> None:
    """What a race tells of other points is what it tells of totals that differ by as much."""

    def found(totals: str) -> Any:
        position = athanor.parse(f"alchemy duel totals={totals} line=2,3,4,7,9,K hand=9 opponent_hand=5")
        assert isinstance(position, Round)
        moves = [match_of(ranks_of(["4", "K"]), 9) or NONE, NONE]
        return race(position, moves, Control(), 20, 3)

    one, other = found("70,80"), found("68,83")
    for move in range(2):
        assert one.with_points(move, np.array([0, 0])) == pytest.approx(one.results[:, move])
        assert one.with_points(move, np.array([-2, 3])) == pytest.approx(other.results[:, move])
    assert (one.ended[:, 0, 0] >= 74).all()
    chances = duel.after_round(one.ended[..., 0], one.ended[..., 1], 0, 0).mean(axis=0)
    assert np.allclose(chances, one.results)


# Who grabs second: the most points or, in a race, what wins it. -------------------------------------------------

LEFT = "line=2,3,4,7,9,K hand=9 opponent_hand=5"


def test_without_a_race_the_most_points_are_best() -> None:
    found: Any = athanor.hint(f"alchemy duel {LEFT} grabbed=1:5+2=7")
    assert (found.best, found.exact, found.to_move) == ("9+4=K", True, 0)
    assert [(row.move, row.points, row.win_probability) for row in found.moves] == [
        ("9+4=K", 4, None), ("9=9", 2, None), ("none", 0, None),
    ]  # fmt: skip
    assert "9+4=K scores 4 points; " in found.reason


def test_in_the_last_exchange_of_a_race_the_chances_are_those_of_the_totals() -> None:
    """With no deck left the race is decided, or it goes on from totals that are known."""
    found: Any = athanor.hint(f"alchemy duel totals=96,95 {LEFT} grabbed=1:5+2=7 unseen=-", worlds=2)
    chances = {row.move: row.win_probability for row in found.moves}
    assert chances["9+4=K"] == 1  # 100 to 98
    assert 0.2 < chances["none"] < chances["9=9"] < 0.8  # 96 to 98, 98 to 98
    assert chances["9=9"] == pytest.approx(0.5, abs=1e-9)
    lost: Any = athanor.hint(f"alchemy duel totals=95,98 {LEFT} grabbed=1:5+2=7 unseen=-", worlds=2)
    assert {row.win_probability for row in lost.moves} == {0}  # 99 to 101 at the best


def test_the_opponents_grab_is_made_before_the_rest_is_played_out() -> None:
    """What the opponent has taken counts for the opponent, and can be taken by nobody else."""
    rest = "unseen=- totals=90,95 line=2,3,4,7,9,K hand=5 opponent_hand=9"
    low: Any = athanor.hint(f"alchemy duel {rest} grabbed=1:none", worlds=2)
    high: Any = athanor.hint(f"alchemy duel {rest} grabbed=1:9+4=K", worlds=2)
    assert {row.move for row in high.moves} < {row.move for row in low.moves}
    shared = {row.move: row.win_probability for row in high.moves}
    assert all(shared.get(row.move, 0) < row.win_probability for row in low.moves)
