"""`athanor.review`: what a kept game's moves gave away, on what was known and in truth."""

from __future__ import annotations

import random
import re
import statistics
import threading
from collections.abc import Callable
from decimal import Decimal
from io import BytesIO
from itertools import combinations
from typing import Any

import pytest

import athanor
from athanor import reviews
from athanor.sessions import Saved, Session, read_one
from solver.answers import Analysis, MoveValue, SampledHint, SampledMove, ScoreAnalysis, ScoreMove
from solver.errors import AthanorError
from solver.games.alchemy.deck import points as points_of
from solver.games.alchemy.position import ranks_of
from solver.limits import Control, Limit
from solver.positions import text_of
from solver.reviewing import Decided, Expectation, Foreign, Judged, Review, account, loss, reviewed, totals
from tests.journeys.real_tables import seen_at
from tests.journeys.table import Row
from tests.support import rounds


def played(game: str, step: int = 1, **options: Any) -> Saved:
    """A game whose moves are taken from the lists of legal moves in turn."""
    table = Session(Saved(game=game, seed=3, seconds=0.1, rounds=1, **options))
    while not table.over:
        moves = table.round.moves()
        table.play(moves[table.count * step % len(moves)])
    return table.saved


class Choice:
    """A round at a decision of seat 1; `draw` may turn into either of two moves."""

    to_move = 1
    unit = "points"

    def moves(self) -> list[str]:
        return ["A", "B", "draw"]

    def leads_to(self, move: str) -> list[str]:
        return ["draw X", "draw Y"] if move == "draw" else [move]


def analysis(**spans: Any) -> Analysis:
    moves = tuple(
        ScoreMove(move=name.replace("_", " "), value=None, bounds=span, exact=span[0] == span[1])
        for name, span in spans.items()
    )
    return ScoreAnalysis(
        game="toy", to_move=1, exact=False, value=None, bounds=None, best=None, moves=moves, line=(), nodes=1,
        seconds=0.0,
    )  # fmt: skip


LOSSES = [
    ("A", {"A": (3, 3), "B": (5, 5), "draw_X": (1, 1), "draw_Y": (4, 4)}, (("B",), 2, 2)),
    ("draw", {"A": (3, 3), "B": (5, 5), "draw_X": (1, 1), "draw_Y": (5, 5)}, (("B", "draw"), 0, 0)),
    ("A", {"A": (3, 4), "B": (1, 6), "draw_X": (0, 0), "draw_Y": (5, 9)}, (None, 1, 6)),
    ("draw", {"A": (3, 4), "B": (1, 5), "draw_X": (0, 0), "draw_Y": (6, 9)}, (("draw",), 0, 0)),
    ("B", {"A": (3, 3), "B": (3, 3), "draw_X": (0, 2), "draw_Y": (0, 3)}, (None, 0, 0)),
    ("A", {"A": ((9, 1), (9, 1)), "B": ((0, 4), (0, 4)), "draw_X": ((5, 4), (5, 4))}, (("B", "draw"), 3, 3)),
]


@pytest.mark.parametrize(("move", "spans", "expected"), LOSSES)
def test_what_a_move_loses_in_truth(move: str, spans: dict[str, Any], expected: tuple[Any, ...]) -> None:
    found: Any = loss(Choice(), move, analysis(**spans), 1)  # type: ignore[arg-type]
    assert found is not None
    best, least, most = found
    assert (least, most) == expected[1:]
    assert (None if best is None else set(best)) == (None if expected[0] is None else set(expected[0]))


def test_what_the_analysis_does_not_have_is_not_told() -> None:
    assert loss(Choice(), "A", analysis(A=(1, 1), B=(2, 2)), 1) is None  # type: ignore[arg-type]


def hint(**gaps: tuple[float, float | None]) -> SampledHint:
    moves = tuple(
        SampledMove(move=name, mean=0.0, stderr=0.1, gap=gap, gap_stderr=error, worlds=9, method="toy")
        for name, (gap, error) in gaps.items()
    )
    return SampledHint(
        game="toy", kind="sampled", to_move=1, exact=False, best=moves[0].move, moves=moves, reason="",
        method="toy", worlds=9, seed=0, nodes=1, seconds=0.0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("move", "verdict", "note"),
    [
        ("A", "best", "could not know"),
        ("B", "equal", "could not know"),
        ("F", "equal", "could not know"),
        ("C", "worse", "bad move"),
        ("G", "worse", "mistake"),
        ("D", "unknown", ""),
        ("H", "unknown", ""),
        ("draw", "worse", "no harm"),
        ("E", "unknown", ""),
    ],
)
def test_what_was_known_and_the_truth_are_kept_apart(move: str, verdict: str, note: str) -> None:
    class Wide(Choice):
        def moves(self) -> list[str]:
            return ["A", "B", "C", "D", "E", "F", "G", "H", "draw"]

    told = hint(A=(0, 0), B=(0.1, 0.1), F=(0.04, 0.01), C=(0.5, 0.1), G=(0.07, 0.01), D=(0.2, None),
                H=(0.2, 0.2), draw=(0.5, 0.1))  # fmt: skip
    truth = analysis(**dict.fromkeys("ABCDEFGH", (1, 1)), draw_X=(2, 2))
    found = reviewed(Wide(), move, Judged(told, truth), number=1, round_number=1)  # type: ignore[arg-type]
    assert (found.verdict, found.note) == (verdict, note)
    assert found.true_loss == (0 if move == "draw" else 1)


def test_small_losses_that_are_unclear_alone_are_clear_together() -> None:
    class Passing(Choice):
        def moves(self) -> list[str]:
            return ["A", "pass"]

    first, other = hint(A=(0, 0), **{"pass": (0.9, 0.5)}), hint(A=(0, 0), **{"pass": (0.3, 0.2)})
    better = hint(**{"pass": (0, 0)}, A=(0.1, 0.2))  # on other samples than those that chose A
    judged = [Judged(first, again=other)] * 8 + [Judged(first, again=better)]
    moves = [
        reviewed(Passing(), "pass", one, number=number, round_number=1)  # type: ignore[arg-type]
        for number, one in enumerate(judged, start=1)
    ]
    assert [(move.expected_loss, move.verdict) for move in moves] == [(0.3, "unknown")] * 8 + [(-0.1, "equal")]
    (seat,) = totals(moves, [(1, None)], [1], "points")
    assert (seat.decisions, seat.best, seat.unknown, seat.worst) == (9, 1, 8, ())
    assert (seat.doubtful_passes, seat.doubtful_passes_loss, seat.doubtful_passes_error) == (9, 2.3, 0.6)
    found = Review(game="kirin", unit="points", complete=True, seats=(seat,), moves=tuple(moves))
    assert "9 passes where another move seemed better; cost in all: 2.30 points ±0.60" in str(found)


@pytest.mark.parametrize(
    ("lost", "error", "said"), [(0.6, 0.1, "≈0.60 ±0.10"), (0.3, 0.2, "≈0.30 ±0.20"), (0.6, 0.4, "unclear")]
)
def test_a_figure_that_is_smaller_than_its_error_is_unclear(lost: float, error: float, said: str) -> None:
    told, truth = hint(A=(0, 0), B=(0.9, 0.1)), hint(A=(0, 0), B=(lost, error))
    move = reviewed(Choice(), "B", Judged(told, truth=truth), number=1, round_number=1)  # type: ignore[arg-type]
    known, actual = Expectation(3.0, 2.1, 0.1, 0.1), Expectation(3.0, 3.0 - lost, 0.1, error)
    parts = account([Decided(known, actual, Foreign(moved=False))], 3.0, unit="points", others=Foreign(moved=True))
    (seat,) = totals([move], [(1, parts)], [1], "points")
    found = Review(game="kirin", unit="points", complete=True, seats=(seat,), moves=(move,))
    assert (found.truth(move), move.note) == (said, "bad move")
    assert ("true_loss" in move.unclear) == ("mistakes" in seat.unclear) == (said == "unclear")
    assert ("– seen" in str(found)) == ("seen" not in seat.unclear) == (said != "unclear")
    assert re.search(rf"mistakes +{'unclear' if said == 'unclear' else f'-{lost:.2f} ±{error:.2f}'}", str(found))


def test_a_solitaire_against_its_known_stock() -> None:
    game = played("alchemy", variant="alternative")
    found = athanor.review(game, nodes=2_000)
    table = Session(game.model_copy(update={"moves": ()}))
    lost = 0
    by_number = {move.number: move for move in found.moves}
    for number, made in enumerate(game.moves[0], start=1):
        position: Any = table.round.known
        if number in by_number:
            values = {entry.move: entry.value for entry in athanor.analyze(position).moves}
            threw_away = "won" in values.values() and values[made] == "lost"
            assert by_number[number].true_loss == threw_away
            assert by_number[number].move == made
            lost += threw_away
        else:
            assert len(table.round.moves()) == 1
        table.play(made)
    assert lost  # the deal can be won, and these moves lose it
    assert found.seats[0].true_loss == lost
    assert found.unit == "chance"


def test_kirin_by_hints_and_analyses_of_each_moment() -> None:
    game = played("kirin")
    found = athanor.review(game, nodes=300, seed=4)
    assert found == athanor.review(game.model_dump_json(exclude_none=True), nodes=300, seed=4)
    assert len(found.moves) > 10
    table = Session(game.model_copy(update={"moves": ()}))
    states = [table.round]
    for made in game.moves[0]:
        table.play(made)
        states.append(table.round)
    last: MoveValue
    checked = 0
    for move in found.moves:
        state: Any = states[move.number - 1]
        assert state.to_move == move.seat
        assert len(state.moves()) > 1
        assert move.text is not None
        assert athanor.parse(move.text) == state.known
        assert move.true_loss is not None
        assert move.true_bounds is None or move.true_bounds[0] <= move.true_loss <= move.true_bounds[1]
        if move.true_bounds is not None and move.true_bounds[0] == move.true_bounds[1]:
            answer = athanor.analyze(state.position)
            [last] = [entry for entry in answer.moves if entry.move == move.move]
            assert isinstance(answer.value, int)
            assert isinstance(last.value, int)
            assert move.true_loss == answer.value - last.value
            checked += 1
    assert checked >= 8
    for seat in found.seats:
        own = [move for move in found.moves if move.seat == seat.seat]
        assert seat.expected_loss == pytest.approx(sum(move.expected_loss or 0 for move in own))
        assert seat.decisions == len(own)
    assert any(move.verdict == "worse" for move in found.moves)
    for move in found.moves:  # how sure, the causes and the sentence are those of the hint, in JSON too
        assert move.sure in ("clear", "slight", "close")
        assert move.reason.endswith(".")
        told = move.to_dict()
        assert told["sure"] == move.sure
        assert [cause["code"] for cause in told["causes"]] == [cause.code for cause in move.causes]
        assert len(move.causes) <= 2
    assert any(move.causes for move in found.moves)


def test_a_pass_of_aqua_regia_is_two_decisions_of_one_position() -> None:
    game = played("aqua-regia", players=2)
    found = athanor.review(game, nodes=20)
    assert any(move.move == "pass" for move in found.moves)
    assert any(">" in move.move for move in found.moves)
    assert all(move.true_bounds is not None for move in found.moves)
    assert all(move.best is not None and move.expected_loss is not None for move in found.moves)
    assert all(move.text and move.text.startswith("aqua-regia hands=") for move in found.moves)
    log = list(Session(game).log())
    assert [move.trick for move in found.moves] == [log[move.number - 1].trick for move in found.moves]


@pytest.mark.parametrize(("game", "players"), [("kirin", 4), ("aqua-regia", 3)])
def test_in_the_actual_deal_only_the_best_move_and_the_move_made_are_judged(game: str, players: int) -> None:
    table = Session(Saved(game=game, seed=8, seconds=0.1, rounds=1, players=players))
    table.play(table.round.moves()[-1])
    found = reviews.Decision(1, 1, Limit(nodes=500), 0, None).judged(table, None, proving=False)
    assert found.truth is not None
    assert {move.move for move in found.truth.moves} == {found.hint.best, table.moves_of(0)[0]}
    assert len(found.hint.moves) > 2
    assert found.again is not None
    assert {move.move for move in found.again.moves} == {found.hint.best, table.moves_of(0)[0]}
    assert found.again.seed != found.truth.seed


def test_at_kings_pick_there_is_no_truth() -> None:
    king = athanor.review(played("king", players=5), nodes=200, seat=2)
    assert king.moves[0].true_bounds is None
    assert king.moves[0].text is None
    assert king.moves[0].best
    assert {move.seat for move in king.moves} == {2}
    assert any(move.true_bounds is not None for move in king.moves)


def test_a_duel_counts_the_lead_and_its_truth_is_play_in_the_actual_deck() -> None:
    game = played("alchemy", variant="duel")
    found = athanor.review(game, nodes=500)
    assert found.unit == "lead"
    table = Session(game)
    points = table.score().totals
    assert [seat.result for seat in found.seats] == [points[0] - points[1], points[1] - points[0]]
    states = table.rounds()[0]
    for move in found.moves:
        state: Any = states[move.number - 1]
        leads = {text: _lead_after(state, text, move.seat) for text in state.moves()}
        assert move.true_loss == max(leads.values()) - leads[move.move]
        assert (move.true_stderr, move.true_bounds) == (0, None)
        assert move.view
        assert move.view == text_of(state.seen(move.seat))
    assert any(move.true_loss for move in found.moves)


def test_a_duel_of_a_real_table_is_reviewed_like_the_duel_itself() -> None:
    game = played("alchemy", step=2, variant="duel")
    table = Session(game)
    states: Any = table.rounds()[0]
    lines = [f"round {text_of(states[0].seen(0))}"]
    for state, move, after in zip(states, table.moves_of(0), states[1:], strict=False):
        lines.append(f"1:{move}" if state.to_move else move)
        turned = state.position.stock[: len(state.position.stock) - len(after.position.stock)]
        lines.append(" ".join(turned))  # on one line, though some are alike
    whole = athanor.review(game, nodes=200, seat=0)
    found = athanor.review("\n".join(["[game alchemy]", "[variant duel]", *lines]), nodes=200)
    assert [(move.move, move.true_loss) for move in found.moves] == [(m.move, m.true_loss) for m in whole.moves]
    seat, same = found.seats[0], whole.seats[0]
    assert (found.unit, seat.result, seat.finished) == ("lead", same.result, True)
    amounts = (seat.result, seat.expected, seat.luck, seat.others, seat.mistakes)
    result, expected, luck, others, mistakes = (Decimal(str(amount)) for amount in amounts)
    assert result == expected + luck + others + mistakes
    assert others

    part = athanor.review("\n".join(["[game alchemy]", "[variant duel]", *lines[:-4]]), nodes=200).seats[0]
    assert (part.finished, part.others) == (False, None)
    parts = (part.expected, part.luck, part.mistakes)
    assert Decimal(str(part.result)) == sum(Decimal(str(amount)) for amount in parts)


def test_others_gave_what_they_chose_and_who_is_quicker_in_a_duel_is_luck() -> None:
    turns = athanor.review(played("alchemy", step=2, variant="duel"), nodes=200, seat=0)
    assert {move.luck for move in turns.moves[1:]} == {0.0}  # both alternate, as the account expects
    assert any(move.others for move in turns.moves)
    table = Session(Saved(game="alchemy", seed=3, seconds=0.1, rounds=1, variant="duel", race=True))
    while not table.over:
        state: Any = table.round
        quick = [move for move in state.moves() if state.opens and ":" not in move] if state.first == 0 else []
        own = quick or [move for move in state.moves() if state.opens and move.startswith("0:")]
        meant = [move for move in state.moves() if state.given(move) == 0]
        table.play((own or meant)[0])
    (seat,) = athanor.review(table.saved, nodes=200, seat=0).seats
    assert seat.others == 0
    assert abs(seat.luck or 0.0) > 3


def test_a_review_says_from_where_on_it_reviews_a_round_that_was_cut() -> None:
    start = "round alchemy duel totals=0,0 line=4,8,9,5,9,3 hand=10 opponent_hand=J unseen=2,7"
    moves = ["10+3=4+9", "none", "2 7"]
    said = "Round 1 is reviewed from 3–0 on: earlier moves are not known."
    for piles, notes in (("", ()), (" pile=A,K", (said,))):
        lines = ["[game alchemy]", "[variant duel]", start + piles, *moves]
        assert athanor.review("\n".join(lines), nodes=100, seat=0).notes == notes


@pytest.mark.parametrize(("name", "totals"), [("kirin", "3,9,0,1"), ("king", "30,71,20")])
def test_the_last_round_at_a_real_table_is_reviewed_in_points(name: str, totals: str) -> None:
    """A hint in it goes for the match, and a chance to win that is no part of a score."""
    start, lines = seen_at(Row(name), "")

    def reviewed_with(*more: str) -> Review:
        line = " ".join(["round", name, *start, *more])
        return athanor.review("\n".join([f"[game {name}]", line, *lines]), nodes=5, round=1, seat=0)

    of_match, alone = reviewed_with("round=3", f"totals={totals}"), reviewed_with()
    assert of_match.seats == alone.seats
    assert alone.seats[0].expected
    assert [(move.best, move.expected) for move in of_match.moves] == [
        (move.best, move.expected) for move in alone.moves
    ]


def test_a_round_in_which_a_picked_card_was_not_seen_is_read_back_and_reviewed() -> None:
    start = "king seat=1 hand=F6,F9,F10,W1,W6,W8,E2,E8,E9,A2,A4,A7,A11,T4,T5 removed=F8,W10,E1,A1,T2 leader=0"
    moves = ["F10", "?", "E3", "W4", "T5", "D:W", "take W4 T5", "?", "F3", "W6", "0", "take -", "A8"]
    table = Session(read_one("\n".join(["[game king]", "[seat 1]", f"round {start}", *moves])))
    for state in table.states(0):
        seen = state.seen(1)
        assert seen is not None
        assert str(athanor.parse(str(seen))) == str(seen)
    assert "pick=E3,F10,-" in str(table.states(0)[3].seen(1))
    assert [move.move for move in athanor.review(table.saved, nodes=20).moves] == ["F10", "T5"]


def test_a_solitaire_of_a_real_table_is_won_or_lost_and_nobody_else_gives() -> None:
    start = "round alchemy alternative line=2,4,5,9 hand=7 cap=4 unseen=A,3,6,6,8,9,10,10"
    lines = ["[game alchemy]", "[variant alternative]", start, "7+2=4+5", "10 6 8 A", "A+8=9", "3 10 9", "9=3+6"]
    review = athanor.review("\n".join([*lines, "6"]), nodes=500)
    (seat,) = review.seats
    assert (seat.result, seat.finished, seat.others) == (1.0, True, 0.0)
    told = Session(read_one("\n".join([*lines, "6"]).encode())).outcome()
    assert told == "You have won in 3 turns: the stock is used up."
    (part,) = athanor.review("\n".join(lines), nodes=500).seats
    assert not part.finished


def _lead_after(state: Any, move: str, seat: int) -> int:
    """The lead of a seat at the end of a round in which both take the best of each exchange after a move.

    Cards of the line keep their places, and of equally good sets of places the first counts, the leftmost place
    being the lowest bit.
    """
    position, first = state.position, state.first
    line, deck, hands = list(position.line_ranks), list(ranks_of(position.stock)), list(position.drawn)
    piles = [list(pile) for pile in position.piles]
    given = [_places(line, position.grab[1].used)] if position.grab else []
    left = list(line)
    for place in given[0] if given else ():
        left[place] = 0
    given.append(_places(left, state.game.parse_move(state.view(), move).used))
    while True:
        mine, theirs = (_gains(line, hands[player], piles[player]) for player in (first, 1 - first))
        if not given:
            worth = {
                places: points - max(other for sets, other in theirs.items() if not places & sets)
                for places, points in mine.items()
            }
            given.append(max(worth, key=lambda places: (worth[places], -_bits(places))))
        if len(given) == 1:
            free = {places: points for places, points in theirs.items() if not places & given[0]}
            given.append(max(free, key=lambda places: (free[places], -_bits(places))))
        for player, places in zip((first, 1 - first), given, strict=True):
            piles[player] += [*(line[place] for place in places), *([hands[player]] if places else [])]
        for place in {*given[0], *given[1]}:
            line[place] = 0
        given, first = [], 1 - first
        line = [rank or (deck.pop(0) if deck else 0) for rank in line]
        if 0 in line or len(deck) < 2:
            return int(points_of(piles[seat]) - points_of(piles[1 - seat]))
        hands = [deck.pop(0), deck.pop(0)]


def _places(line: list[int], used: tuple[int, ...]) -> frozenset[int]:
    found: set[int] = set()
    for rank in used:
        found.add(next(place for place, held in enumerate(line) if held == rank and place not in found))
    return frozenset(found)


def _bits(places: frozenset[int]) -> int:
    return sum(1 << place for place in places)


def _gains(line: list[int], hand: int, pile: list[int]) -> dict[frozenset[int], int]:
    """The points of every set of places of a line that is a match with a hand, and of declining."""
    found = {frozenset[int](): 0}
    for bits in range(1, 64):
        places = frozenset(place for place in range(6) if bits >> place & 1)
        used = [line[place] for place in places]
        whole = sum(used) + hand
        if whole % 2 == 0 and any(
            hand + sum(some) == whole // 2 for size in range(len(used)) for some in combinations(used, size)
        ):
            found[places] = points_of([*pile, *used, hand]) - points_of(pile)
    return found


def test_a_round_that_is_not_over_is_reviewed_as_far_as_it_went() -> None:
    table = Session(Saved(game="alchemy", seed=3, seconds=0.1, variant="duel"))
    with pytest.raises(AthanorError, match="no move of this game was made yet"):
        athanor.review(table.saved, nodes=100)
    while table.number == 0:
        table.play(table.round.moves()[0])
    table.play(table.round.moves()[0])
    assert {move.round for move in athanor.review(table.saved, nodes=100).moves} == {1, 2}
    for wrong, message in (
        ({"round": 3}, "no round 3; 2 rounds were begun"),
        ({"round": 0}, "round: at least 1 is expected, not 0"),
        ({"seat": 2}, "no seat 2"),
        ({"model": "maxn"}, "not a model of alchemy"),
    ):
        with pytest.raises(AthanorError, match=message):
            athanor.review(table.saved, nodes=100, **wrong)


def test_progress_cancelling_and_the_picture() -> None:
    game = played("alchemy")
    shares: list[float | None] = []
    cancel = threading.Event()

    def report(found: Any) -> None:
        shares.append(found.done)
        if len(shares) == 3:
            cancel.set()

    found = athanor.review(game, nodes=500, progress=report, cancel=cancel)
    assert not found.complete
    assert len(found.moves) == 2
    assert shares == sorted(shares, key=lambda share: share or 0)
    assert "interrupted" in str(found)
    picture = BytesIO()
    reviews.plot(found, picture, "svg")
    assert b"<svg" in picture.getvalue()


@pytest.mark.parametrize("case", rounds.FEWEST, ids=str)
def test_the_parts_of_a_score_add_up_to_the_last_digit(case: rounds.Case) -> None:
    options = {"players": case.players, "variant": case.variant}
    table = Session(Saved(game=case.name, seed=1, seconds=0.1, rounds=1, **options))
    while not table.over:
        moves = table.round.moves()
        table.play(moves[table.count % len(moves)])
    found = athanor.review(table.saved, nodes=10)
    for seat in found.seats:
        if not seat.decisions:
            continue
        amounts = [seat.expected, seat.luck, seat.others, seat.mistakes, seat.seen, seat.hidden]
        expected, luck, others, mistakes, seen, hidden = (Decimal(str(amount)) for amount in amounts)
        assert Decimal(str(seat.result)) == expected + luck + others + mistakes == table.result(0, seat.seat)
        assert mistakes == seen + hidden
        own = [move for move in found.moves if move.seat == seat.seat]
        assert sum(Decimal(str(move.loss)) for move in own) == -mistakes
        after = luck + others - sum(Decimal(str(move.luck)) + Decimal(str(move.others)) for move in own)
        assert after == Decimal(str(table.result(0, seat.seat))) - Decimal(str(own[-1].value_after))


def mistakes(rounds: int, choose: Callable[[Session], str]) -> tuple[float, float]:
    """The mean of the mistakes of a seat of Kirin in a round, and its standard error."""
    found: list[float] = []
    for seed in range(rounds):
        table = Session(Saved(game="kirin", seed=seed, seconds=0.1, rounds=1))
        while not table.over:
            table.play(choose(table))
        review = athanor.review(table.saved, nodes=200, seed=seed)
        found += [seat.mistakes or 0.0 for seat in review.seats]
    return statistics.fmean(found), statistics.stdev(found) / len(found) ** 0.5


def test_who_follows_hints_makes_no_mistakes_on_average_and_who_plays_at_random_does() -> None:
    mean, error = mistakes(2, lambda table: table.hint(nodes=200).best or "")
    assert abs(mean) < 3 * error
    mean, error = mistakes(2, lambda table: random.Random(table.count).choice(table.round.moves()))
    assert mean < -4 * error


def test_who_follows_the_hints_of_a_duel_at_a_real_table_makes_no_mistake() -> None:
    """A hint for one exchange alone would be a bad move in half of the decisions."""
    table: Any = Session(Saved(game="alchemy", variant="duel", seed=2, seconds=0.1, rounds=1)).round
    start = text_of(table.seen(0))
    assert "totals=0,0" in start  # as `athanor watch` and the page begin a duel
    lines = [f"round {start}"]
    while table.to_move is not None:
        move = table.hint(Control(Limit(nodes=2_000)), seed=2).best or "none"
        lines.append(f"{table.to_move}:{move}")
        before, table = table, table.play(move)
        lines.append(" ".join(before.position.stock[: len(before.position.stock) - len(table.position.stock)]))
    found = athanor.review("\n".join(["[game alchemy]", "[variant duel]", *lines]), nodes=2_000, seat=0)
    assert len(found.moves) > 2
    assert "worse" not in [move.verdict for move in found.moves]
