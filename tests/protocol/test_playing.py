"""Rounds in play, of every game: whole random matches, secrets, what each seat sees, views that grow."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from pydantic import BaseModel

import athanor
from athanor.sessions import Saved, Session, dumps, loads
from solver import registry
from solver.common import Random
from solver.errors import MoveError, PositionError, RequestError
from solver.games.alchemy.duel import DuelInPlay
from solver.games.aqua_regia.deck import FIELDS, house
from solver.games.aqua_regia.moves import AquaInPlay
from solver.games.king.moves import KingInPlay
from solver.games.kirin.moves import KirinInPlay
from solver.limits import Control, Limit
from solver.rounds_in_play import Round, playing_of
from tests.support import rounds
from tests.support.observed import played_out

GAMES = [case for case in rounds.CASES if case.players in case.game.players]  # the fewest and the most


def opening(
    name: str, players: int | None, variant: str | None, before: list[Round] | None = None, seed: int = 1
) -> Any:
    before = before or []
    return playing_of(registry.game(name)).opening(
        seed, number=len(before), players=players, variant=variant, before=before
    )


def end(table: Round, random: Random) -> Round:
    """The end of a round played at random; each move is checked on the way."""
    while (seat := table.to_move) is not None:
        moves = list(table.moves())
        assert 0 <= seat < table.players
        assert moves
        assert len(set(moves)) == len(moves)
        if random.below(4) == 0:
            assert table.rows()
        move = moves[random.below(len(moves))]
        assert table.move_of(move) == move
        assert table.announcement(move).startswith(move) != table.secret(move)
        table = table.play(move)
    assert not table.moves()
    assert table.rows()
    with pytest.raises(MoveError):
        table.move_of("x")
    return table


@pytest.mark.parametrize(("name", "players", "variant"), GAMES)
def test_a_match_at_random_ends_with_a_score(name: str, players: int | None, variant: str | None) -> None:
    game, random = registry.game(name), Random(3)
    rounds: list[Round] = []
    while not rounds or not playing_of(game).finished(rounds):
        rounds.append(end(opening(name, players, variant, rounds), random))
    score: Any = game.score(playing_of(game).record(rounds))
    assert getattr(score, "finished", True)
    if hasattr(score, "rounds"):
        assert len(score.rounds) == len(rounds)
        assert all(len(row) == rounds[0].players for row in score.rounds)


@pytest.mark.parametrize(("name", "players"), [("kirin", None), ("king", 3), ("king", 4), ("king", 5)])
def test_what_is_chosen_at_once_is_chosen_unseen(name: str, players: int | None) -> None:
    first: Round = opening(name, players, None)
    ones, others = first, first
    for seat in range(first.players):
        assert ones.to_move == seat
        assert ones.view() == others.view() == registry.game(name).view(first.position, seat)
        move, other = ones.moves()[0], others.moves()[-1]
        assert ones.secret(move)
        assert move not in ones.announcement(move)
        ones, others = ones.play(move), others.play(other)
    assert not ones.secret(ones.moves()[0])


def test_kirin_tells_who_takes_a_trick_and_that_the_order_turns() -> None:
    table: KirinInPlay = opening("kirin", None, "declared")
    random = Random(5)
    told = []
    while table.to_move is not None:
        moves = table.moves()
        move = moves[random.below(len(moves))]
        before, said = table, table.announcement(move)
        table = table.play(move)
        position: Any = table.position
        if not position.trick:
            assert f"the trick goes to seat {position.leader}" in said or "nobody takes" in said
            turned = position.direction != before.position.direction  # type: ignore[attr-defined]
            assert (f"the order is {position.direction} now" in said) == turned
            told.append(said)
        else:
            assert said == move
    assert len(told) == 8


def test_kirins_leader_goes_round_and_kings_is_the_last_winner() -> None:
    random = Random(7)
    first: KirinInPlay = opening("kirin", None, None)
    second: KirinInPlay = opening("kirin", None, None, [end(first, random)])
    assert [table.position.leader for table in (first, second)] == [0, 1]  # type: ignore[attr-defined]
    assert first.moves() != second.moves()

    leaders = set()
    for seed in range(4):
        ended = end(opening("king", 4, None, seed=seed), random)
        assert isinstance(ended, KingInPlay)
        following: KingInPlay = opening("king", 4, None, [ended], seed=seed)
        assert following.position.leader == ended.position.leader  # type: ignore[attr-defined]
        leaders.add(ended.position.leader)  # type: ignore[attr-defined]
    assert len(leaders) > 1


def until(table: AquaInPlay, wanted: Callable[[AquaInPlay], bool], random: Random) -> AquaInPlay:
    while not wanted(table):
        moves = table.moves()
        table = table.play(moves[random.below(len(moves))])
    return table


def test_a_pass_of_aqua_regia_draws_before_the_exchange_is_chosen() -> None:
    table = until(opening("aqua-regia", 3, None), lambda at: "pass" in at.moves() and at.secret("pass"), Random(2))
    seat: Any = table.to_move
    before: Any = table.position
    assert [move for move in table.moves() if move.startswith("pass")] == ["pass"]
    assert table.announcement("pass") == "draws a card and passes"
    drawn = table.play("pass")
    assert (drawn.to_move, drawn.position) == (seat, before)
    view: Any = drawn.view()
    assert view.drawn == before.stock[0]
    exchanges = list(drawn.moves())
    assert exchanges[0] == "pass"
    assert len(exchanges) > 1
    assert not any(map(drawn.secret, exchanges))
    game = registry.game("aqua-regia")
    for move in exchanges:
        assert drawn.play(move).position == game.play(before, game.parse_move(before, move))
    with pytest.raises(MoveError):
        drawn.play("Li")


def test_who_wins_in_aqua_regia_and_does_not_lead_has_nothing_to_lead() -> None:
    reactivity = house().reactivity
    skipped = 0
    for seed in range(6):
        table, random = opening("aqua-regia", 2, None, seed=seed), Random(seed)
        while table.to_move is not None:
            moves = table.moves()
            move = moves[random.below(len(moves))]
            before, said = table.position, table.announcement(move)
            table = table.play(move)
            if table.to_move is None or table.position.field == before.field:
                continue
            winner, leads = before.owner, table.position.turn
            assert f"the lead goes to seat {leads}" in said
            assert (f"seat {winner} can't lead" in said) == (winner != leads)
            held = house().numbers(table.position.hands[winner])
            field = FIELDS.index(table.position.field)
            assert any(reactivity[field][metal] > 0 for metal in held) == (winner == leads)
            skipped += winner != leads
    assert skipped > 2


def test_a_duel_alternates_and_counts_as_the_race_does() -> None:
    table: DuelInPlay = opening("alchemy", None, "duel")
    first_seats, random = [], Random(1)
    while table.to_move is not None:
        if table.position.grab is None:
            first_seats.append(table.to_move)
            hint: Any = table.hint(Control(Limit(nodes=500)))
            assert hint.best in table.moves()
            before = table.position
        else:
            hint = table.hint(Control())
            assert sorted(move.move for move in hint.moves) == sorted(table.moves())
            assert hint.moves[0].points == max(move.points for move in hint.moves)
            seat, gains = table.to_move, {move.move: move.points for move in hint.moves}
            move = table.moves()[random.below(len(table.moves()))]
            after = table.play(move)
            gained = sum(2 if card == 13 else 1 for card in after.position.piles[seat])
            gained -= sum(2 if card == 13 else 1 for card in before.piles[seat])
            assert gained in (gains[move], gains[move] - 6)  # the fourth ace brings six more
            table = after
            continue
        table = table.play(table.moves()[random.below(len(table.moves()))])
    assert first_seats == [turn % 2 for turn in range(len(first_seats))]
    following: DuelInPlay = opening("alchemy", None, "duel", [table])
    assert following.to_move == 1


@pytest.mark.parametrize("text", ["4=5", "none x", "discard 4", "K+K=K+K", "", "X"])
def test_what_is_no_move_of_a_duel(text: str) -> None:
    table: DuelInPlay = opening("alchemy", None, "duel", seed=5)  # line 4 10 J 2 5 J, hand 4
    for at in (table, table.play("4=4")):
        with pytest.raises(MoveError):
            at.move_of(text)
    assert table.move_of("2+5+J = 10+4+4") == "4+4+10=2+5+J"
    with pytest.raises(MoveError, match="the line 10 J 2 5 J has no 4 left"):
        table.play("4=4").move_of("8=4+4")


@pytest.mark.parametrize(("name", "players", "variant"), GAMES)
def test_no_move_is_taken_that_is_not_offered(name: str, players: int | None, variant: str | None) -> None:
    """By a session and by its round: neither a move of another moment, nor of another seat."""
    random = Random(11)
    session = Session(Saved(game=name, seed=0, players=players, variant=variant, rounds=1, seconds=0.05))
    offered: list[str] = []  # by then
    while not session.over:
        table, moves = session.round, list(session.round.moves())
        offered += [move for move in moves if move not in offered]
        known: Any = getattr(table, "position", None)
        others = (
            []
            if known is None
            else [session.game.format_move(known, one) for one in session.game.legal_moves(known)]
        )
        count = session.count
        for text in {"x", *others, *(offered[random.below(len(offered))] for _ in range(8))} - set(moves):
            if name == "alchemy":  # a match may be written in many ways
                with suppress(MoveError):
                    assert table.move_of(text) in moves
                    continue
            for play in (session.play, table.play):
                with pytest.raises(MoveError):
                    play(text)
        assert (session.count, session.round) == (count, table)
        session.play(moves[random.below(len(moves))])
    with pytest.raises(MoveError):
        session.play(offered[0])


# ----------------------------------------------------------------------------------------------------
# Games in play tell their hints how the match stands.


FOR_MATCH = [name for name in registry.names() if "for_match" in registry.game(name).notation.values]


def at_the_last_round(game: str, **options: Any) -> Session:
    session = Session(Saved(game=game, seed=2, seconds=0.05, **options))
    while session.number < 2:
        session.play(session.round.moves()[0])
    return session


@pytest.mark.parametrize("game", FOR_MATCH)
def test_the_last_round_is_played_for_the_match(game: str) -> None:
    session = at_the_last_round(game)
    score: Any = session.score()
    for seat in range(session.round.players):
        view: Any = session.round.seen(seat)
        assert (view.totals, view.round, view.for_match) == (score.totals, 3, None)
        assert view.goes_by_match
    hint: Any = session.round.hint(Control(Limit(nodes=300)))
    assert all(0 <= move.mean <= 1 and move.points is not None for move in hint.moves)
    plain: Any = session.round.by_points().hint(Control(Limit(nodes=300)))
    assert all(move.points is None for move in plain.moves)


@pytest.mark.parametrize("game", FOR_MATCH)
def test_a_game_may_be_played_for_the_match_throughout(game: str) -> None:
    usual: Any = Session(Saved(game=game, seed=2, seconds=0.05)).round.seen(0)
    assert (usual.totals, usual.round, usual.goes_by_match) == (None, None, False)
    saved = Saved(game=game, seed=2, seconds=0.05, for_match=True)
    session = Session(saved)
    view: Any = session.round.seen(0)
    assert (set(view.totals), view.round, view.goes_by_match) == ({0}, 1, True)
    session.play(session.round.moves()[0])
    later: Any = session.round.seen(1)
    assert later.goes_by_match
    assert loads(dumps([session.saved]).encode()) == [session.saved]
    assert "[for_match yes]" in dumps([session.saved])


@pytest.mark.parametrize("game", [name for name in registry.names() if name not in FOR_MATCH])
def test_what_knows_no_match_cannot_be_played_for_it(game: str) -> None:
    with pytest.raises(RequestError, match="do not play for a match") as found:
        Session(Saved(game=game, seed=2, seconds=0.05, for_match=True))
    assert found.value.path == "for_match"


def test_a_duel_goes_by_its_race_in_any_case() -> None:
    duel = Saved(game="alchemy", variant="duel", seed=2, seconds=0.05)
    one, other = Session(duel), Session(duel.model_copy(update={"for_match": True}))
    assert one.round == other.round


# ----------------------------------------------------------------------------------------------------
# The move that a text means: in a game in progress it is read without making the view of the seat to move.


_MOVES = 16  # of each round that are made
_CASES = {f"{case.name}-{case.variant}": case for case in rounds.CASES if case.variant != "duel"}
_WORDS = ("pass", "none", "", "D3")


@pytest.mark.parametrize("case", _CASES.values(), ids=_CASES)
def test_it_is_the_same_as_in_the_view(case: rounds.Case) -> None:
    game, rng = case.game, random.Random(1)
    now = playing_of(game).opening(1, number=0, players=case.players, variant=case.variant, before=())
    assert isinstance(now, Round)  # of a race there are no positions
    others: list[str] = list(_WORDS)
    for _ in range(_MOVES):
        if now.to_move is None:
            break
        legal = list(now.moves())
        of_position = [game.format_move(now.position, move) for move in game.legal_moves(now.position)]
        for text in (rng.choice(legal), rng.choice(of_position), of_position[-1], rng.choice(others)):
            assert _told(now, text) == _in_view(now, text), (text, now.position)
        others += legal[:3]
        now = now.play(rng.choice(legal))


def _told(now: Round, text: str) -> str:
    try:
        return now.move_of(text)
    except MoveError as found:
        return repr((found.code, found.message, found.path))


def _in_view(now: Round, text: str) -> str:
    view = now.view()
    try:
        return now.game.format_move(view, now.game.parse_move(view, text))
    except MoveError as found:
        return repr((found.code, found.message, found.path))


def test_a_legal_move_is_read_without_the_view(monkeypatch: pytest.MonkeyPatch) -> None:
    case = next(case for case in rounds.CASES if case.name == "kirin")
    now = playing_of(case.game).opening(1, number=0, players=case.players, variant=case.variant, before=())
    move = now.moves()[0]
    monkeypatch.setattr(type(now), "view", None)
    assert now.move_of(move) == move


# ----------------------------------------------------------------------------------------------------
# Views that grow: what a player has seen happen leads to the view that the true position gives it.


DEALS = [case for case in rounds.CASES if case.game.models]


def is_over(name: str, position: Any) -> bool:
    return name == "aqua-regia" and position.state.winner is not None


@pytest.mark.parametrize(("name", "players", "variant"), DEALS)
def test_what_was_seen_leads_to_the_view_of_the_position(name: str, players: int, variant: str) -> None:
    game, random = registry.game(name), Random(1)
    positions = list(played_out(name, players, variant, 0))
    first: Any = positions[0][0]
    views = [game.view(first, seat) for seat in range(len(first.hands))]
    for (_, _, told), (after, _, _) in pairwise(positions):
        for seat, texts in enumerate(told):
            if texts and random.below(4) == 0:
                assert texts[0] in game.possible(views[seat]) or texts[0].startswith("draws")
            views[seat] = athanor.play(views[seat], texts)
            if (
                random.below(2)
                and not getattr(after, "choosing", False)
                and not getattr(after, "choosing", False)
                and not is_over(name, after)
            ):
                assert _sorted(views[seat]) == _sorted(game.view(after, seat))
    for view in views:
        assert not game.possible(view)
        with pytest.raises((MoveError, PositionError), match=r"over|won already"):
            athanor.play(view, "x")


def _sorted(view: BaseModel) -> Any:
    """The view's data, in which the order of hands and piles does not matter."""
    data = view.model_dump()
    for key in ("hand", "discard"):
        data[key] = sorted(data.get(key) or ())
    data["won"] = [sorted(pile) for pile in data.get("won") or ()]
    return data


@pytest.mark.parametrize("variant", ["solo", "alternative"])
def test_a_solitaire_grows_by_the_cards_turned_up(variant: str) -> None:
    game, random = registry.game("alchemy"), Random(5)
    for seed in range(20):
        known: Any = game.deal(seed, variant=variant)
        view: Any = game.view(known, 0)
        while moves := game.legal_moves(known):
            move = moves[random.below(len(moves))]
            assert list(game.possible(view)) == list(map(str, moves))
            after: Any = game.play(known, move)
            stock = known.stock or ()
            up = stock[: len(stock) - len(after.stock or ())] if after.hand or not after.stock else stock[:0]
            if after.hand is None and after.stock:  # lost: the line is full, and no hand is drawn
                up = stock[: len(stock) - len(after.stock)]
            for wrong in ((), ("X",), ("Q", "Q", "Q", "Q", "Q")):
                if view.stock_hidden and up:
                    with pytest.raises(MoveError):
                        athanor.play(view, [str(move), *wrong])
            view = athanor.play(view, [str(move), *(up if view.stock_hidden else ())])
            seen = game.view(after, 0)
            assert view.model_dump() == seen.model_dump() or not after.stock
            known = after
        assert not game.possible(view)


HAND = ["D1", "D2", "D3", "D4", "D5", "S1", "S2", "S3"]
KIRIN = {"game": "kirin", "seat": 0, "declared": "D6", "hand": HAND}
AQUA = {"game": "aqua-regia", "field": "water", "seat": 0, "counts": [1, 1]}
REFUSED = [
    (KIRIN | {"leader": 1}, "D1", "in your hand"),
    (KIRIN | {"leader": 1}, "D6", "set aside"),
    (KIRIN | {"leader": 0}, "G1", "does not hold"),
    (AQUA | {"turn": 1, "hand": ["Li"], "stock_count": 0}, "pass", "the dealer"),
    (AQUA | {"turn": 1, "hand": ["Li"], "stock_count": 0}, "K K", "holds 1"),
    (AQUA | {"turn": 0, "hand": ["Li"], "stock_count": 0}, "no lead", "can lead"),
    (AQUA | {"turn": 0, "hand": ["K"], "stock_count": 2, "owner": 1, "table": ["Li"]}, "pass", "draws"),
]


@pytest.mark.parametrize(("view", "text", "why"), REFUSED)
def test_what_cannot_have_happened_is_refused(view: dict[str, Any], text: str, why: str) -> None:
    with pytest.raises(MoveError, match=why):
        athanor.play(view, text)


def test_a_deal_that_nobody_can_lead_goes_on() -> None:
    passes = [{"seat": seat, "field": "water", "max_playable": 0} for seat in (0, 1)]
    view = AQUA | {"turn": 1, "hand": ["Au"], "stock_count": 0, "deal_passes": passes}
    assert athanor.play(view, "no lead") is not None
