"""How rounds at a real table end: scores as far as they are known, the match, and the next round."""

from __future__ import annotations

from typing import Any

import pytest

from athanor.endings import end_of
from athanor.sessions import Saved, Session, read_one
from solver.errors import RequestError
from solver.rounds_in_play import playing_of
from tests.journeys.real_tables import seen_at
from tests.journeys.table import Row


def saved(row: Row, *, keys: str = "", **more: Any) -> Saved:
    """A round of a game at a real table, with further keys in its first line."""
    start, lines = seen_at(row, "")
    named = {key.split("=")[0] for key in keys.split()}
    line = " ".join([*(word for word in start if word.split("=")[0] not in named), keys]).strip()
    text = "\n".join([f"[game {row.game}]", f"round {row.game} {line}", *lines])
    return read_one(text.encode()).model_copy(update=more)


def twice(game: Saved) -> Saved:
    assert game.dealt is not None
    return game.model_copy(update={"dealt": game.dealt * 2, "moves": game.moves * 2})


def test_what_others_set_aside_in_kirin_is_asked_for() -> None:
    game = saved(Row("kirin"))
    end = end_of(Session(game))
    assert (end.points, end.totals) == ((1, None, None, None),) * 2
    assert end.left_over is not None
    assert (end.left_over.counts, end.left_over.own_cards) == ((1, 1, 1, 1), ("S5",))
    assert end.next_round == {"game": "kirin", "seat": 0, "players": 4, "leader": 1}
    shown = (end.left_over.own_cards, *((card,) for card in end.left_over.possible_cards))
    known = end_of(Session(game.model_copy(update={"shown": (shown,)})))
    assert known.points == (1, 2, 1, 2)
    assert known.next_round == {**end.next_round, "round": 2, "totals": [1, 2, 1, 2]}
    assert known.summary == ("In this round seats 1, 3 have 2 points each, you and seat 2 have 1 each.",)


def test_a_match_goes_to_its_last_round_from_where_it_was_entered() -> None:
    second = end_of(Session(saved(Row("king"), keys="round=2 totals=1,50,3")))
    assert second.points == (29, 21, 17)
    assert second.totals == (30, 71, 20)
    assert not second.finished
    assert second.next_round is not None
    assert (second.next_round["round"], second.next_round["totals"], second.next_round["leader"]) == (
        3,
        [30, 71, 20],
        0,
    )
    assert second.next_round["deck"] == "house"
    third = end_of(Session(saved(Row("king"), keys="round=3 totals=30,71,20")))
    assert third.finished
    assert third.next_round is None
    unknown = end_of(Session(saved(Row("king"), keys="round=2")))
    assert (unknown.match_round, unknown.totals) == (2, (None,) * 3)
    assert unknown.next_round is not None
    assert "totals" not in unknown.next_round


def test_rounds_that_were_followed_add_up() -> None:
    end = end_of(Session(twice(saved(Row("king")))))
    assert (end.match_round, end.totals) == (2, (58, 42, 34))
    assert "After 2 of 3 rounds you have 58 points" in end.summary[1]


def test_everybody_sees_who_goes_out_first_in_aqua_regia() -> None:
    game = twice(saved(Row("aqua-regia", players=2)))
    end = end_of(Session(game))
    assert (end.points, end.totals, end.unit) == ((1, 0), (2, 0), "chance")
    assert end.summary[0] == "You go out first and win."
    assert end.left_over is not None
    assert (end.left_over.counts, end.left_over.own_cards, len(end.left_over.possible_cards)) == ((0, 15), (), 51)
    assert not end.finished
    assert Session(game).score().to_dict()["totals"] == [2, 0]


def test_a_duel_goes_to_a_hundred_points() -> None:
    row = Row("alchemy", "duel")
    first, last = (end_of(Session(saved(row, keys=keys))) for keys in ("", "totals=70,60"))
    assert (first.points, first.totals, first.finished) == ((33, 13), (33, 13), False)
    assert first.next_round == {"game": "alchemy", "variant": "duel", "totals": [33, 13]}
    assert (last.totals, last.finished, last.next_round) == ((103, 73), True, None)


def test_a_solitaire_is_won_without_points() -> None:
    end = end_of(Session(saved(Row("alchemy", "solo"))))
    assert (end.totals, end.unit, end.won) == (None, "chance", True)
    assert end.summary == ("You have won in 8 turns: the stock is used up.",)


@pytest.mark.parametrize("seed", range(6))
def test_what_decided_a_round(seed: int) -> None:
    """From that trick on its winner was ahead, and not before."""
    table = Session(Saved(game="kirin", seed=seed, seconds=1, rounds=1), forced=False)
    while not table.over:
        moves = table.round.moves()
        table.play(moves[(7 * table.count) % len(moves)])
    positions: list[Any] = [state.position for state in table.states(0)]
    points = [position.points for position in positions if position.history and not position.trick]
    ahead = [{seat for seat in range(4) if one[seat] == max(one)} for one in points]
    first = next(at for at in range(8) if all(one == ahead[-1] for one in ahead[at:]))
    said = table.decided()
    if len(ahead[-1]) > 1:
        assert said is None
        return
    [winner] = ahead[-1]
    brought = points[first][winner] - (points[first - 1][winner] if first else 0)
    who = "you" if winner == 0 else f"seat {winner}"
    assert said is not None
    assert said.startswith(f"Trick {first + 1} brings {who} {brought} point")


def test_what_decided_rounds_of_other_games() -> None:
    said = [
        end_of(Session(saved(row))).decided_by
        for row in (Row("kirin"), Row("king"), Row("aqua-regia", players=2), Row("alchemy", "duel"))
    ]
    assert said == [
        None,  # what the others set aside is not known
        "Trick 13 brings you 6 points and the lead in this round for good.",
        "Trick 2 puts you ahead for good: nobody has as few cards from there on.",
        "6+2+2+6=5+J brings you 6 points and the lead in this round for good.",
    ]
    assert end_of(Session(saved(Row("alchemy", "solo")))).decided_by is None


DUEL = "alchemy duel totals=0,0 line=4,8,9,5,9,3 hand=10 opponent_hand=J unseen=2,7 "


@pytest.mark.parametrize(
    ("piles", "said"),
    [
        ("pile=A,A opponent_pile=Q,Q,Q", "10+3=4+9 brings you 4 points and the lead in this round for good."),
        ("pile=A,A opponent_pile=J", None),  # it was theirs before
        ("opponent_pile=A,A", "10+3=4+9 brings you 4 points and the lead in this round for good."),
    ],
)
def test_what_was_won_before_the_round_as_it_is_known_decides_nothing_in_it(piles: str, said: str | None) -> None:
    lines = ["[game alchemy]", "[variant duel]", f"round {DUEL}{piles}", "10+3=4+9", "none", "2 7"]
    assert end_of(Session(read_one("\n".join(lines)))).decided_by == said


def test_the_match_of_who_was_quicker_decides_a_round() -> None:
    lines = ["[game alchemy]", "[variant duel]", f"round {DUEL}", "1:J+4+3=9+9", "none", "2 7"]
    decided = end_of(Session(read_one("\n".join(lines)))).decided_by
    assert decided is not None
    assert decided.startswith("J+4+3=9+9 brings")


def test_what_decided_a_round_of_king_counts_the_picked_cards_and_their_recipes() -> None:
    """As the score does: the leads from which the decisive trick is found are those of all cards won."""
    for seed in (0, 3, 6):
        table = Session(Saved(game="king", seed=seed, seconds=1, rounds=1, players=3), forced=False)
        while not table.over:
            moves = table.round.moves()
            table.play(moves[(7 * table.count) % len(moves)])
        assert playing_of(table.game).standings(table.states(0)[-1].position) == table.points(0)


@pytest.mark.parametrize(
    "row",
    [Row("kirin"), Row("king"), Row("aqua-regia", players=2), Row("alchemy", "solo"), Row("alchemy", "duel")],
)
def test_the_log_of_a_followed_round_is_what_was_seen(row: Row) -> None:
    session = Session(saved(row))
    logged = list(session.log())
    assert [move.announcement for move in logged] == [*session.moves_of(0)]
    assert session.last == logged[-1]


def test_what_is_no_end_of_a_round_at_a_real_table() -> None:
    half = saved(Row("kirin"))
    half = half.model_copy(update={"moves": (half.moves[0][:5],)})
    for game in (half, Saved(game="kirin", seed=1, seconds=1)):
        with pytest.raises(RequestError, match="no round at a real table that is over"):
            end_of(Session(game))
