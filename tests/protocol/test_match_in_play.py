"""Games in play tell their hints how the match stands."""

from __future__ import annotations

from typing import Any

import pytest

from athanor.sessions import Saved, Session, dumps, loads
from solver.errors import RequestError
from solver.limits import Control, Limit


def at_the_last_round(game: str, **options: Any) -> Session:
    session = Session(Saved(game=game, seed=2, seconds=0.05, **options))
    while session.number < 2:
        session.play(session.round.moves()[0])
    return session


@pytest.mark.parametrize(("game", "players"), [("kirin", None), ("king", 3)])
def test_the_last_round_is_played_for_the_match(game: str, players: int | None) -> None:
    session = at_the_last_round(game, players=players)
    score: Any = session.score()
    for seat in range(session.round.players):
        view: Any = session.round.seen(seat)
        assert (view.totals, view.round, view.for_match) == (score.totals, 3, None)
        assert view.goes_by_match
    hint: Any = session.round.hint(Control(Limit(nodes=300)))
    assert all(0 <= move.mean <= 1 and move.points is not None for move in hint.moves)
    plain: Any = session.round.by_points().hint(Control(Limit(nodes=300)))
    assert all(move.points is None for move in plain.moves)


@pytest.mark.parametrize(("game", "players"), [("kirin", None), ("king", 3)])
def test_a_game_may_be_played_for_the_match_throughout(game: str, players: int | None) -> None:
    usual: Any = Session(Saved(game=game, seed=2, seconds=0.05, players=players)).round.seen(0)
    assert (usual.totals, usual.round, usual.goes_by_match) == (None, None, False)
    saved = Saved(game=game, seed=2, seconds=0.05, players=players, for_match=True)
    session = Session(saved)
    view: Any = session.round.seen(0)
    assert (set(view.totals), view.round, view.goes_by_match) == ({0}, 1, True)
    session.play(session.round.moves()[0])
    later: Any = session.round.seen(1)
    assert later.goes_by_match
    assert loads(dumps([session.saved]).encode()) == [session.saved]
    assert "[for_match yes]" in dumps([session.saved])


@pytest.mark.parametrize(("game", "variant"), [("aqua-regia", None), ("alchemy", "solo")])
def test_what_knows_no_match_cannot_be_played_for_it(game: str, variant: str | None) -> None:
    with pytest.raises(RequestError, match="do not play for a match") as found:
        Session(Saved(game=game, variant=variant, seed=2, seconds=0.05, for_match=True))
    assert found.value.path == "for_match"


def test_a_duel_goes_by_its_race_in_any_case() -> None:
    duel = Saved(game="alchemy", variant="duel", seed=2, seconds=0.05)
    one, other = Session(duel), Session(duel.model_copy(update={"for_match": True}))
    assert one.round == other.round
