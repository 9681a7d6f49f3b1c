"""Games of a real table, written down by hand, with cards that were missed; and deals that agree with a view."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any, cast

import pytest
from pydantic import BaseModel

import athanor
from api.app import create_app
from api.config import Config
from athanor.sessions import Saved, Session, dumps, moves_of, read_one
from solver import registry
from solver.common import Random
from solver.errors import AthanorError, MoveError
from solver.games.aqua_regia import rules
from solver.games.aqua_regia.keys import Step
from solver.games.aqua_regia.moves import _deal_at
from solver.games.aqua_regia.position import Round as AquaRound
from solver.positions import position_data, text_of
from solver.tricks.positions import RoundParts
from tests.support import rounds
from tests.support.games import offering
from tests.support.observed import played_out

TEXT = Path("docs/examples/table.txt").read_text(encoding="utf-8")
HANDS = "hands=D1,D5,S2,S3,S4,S6,BT,B-/D+,S1,S5,B4,B6,G1,G4,G-/D2,D4,D6,DT,S-,B+,G6,G+/ST,S+,B1,B2,G2,G3,G5,GT"
START = next(line for line in TEXT.splitlines() if line.startswith("round"))


def test_what_one_seat_saw() -> None:
    session = Session(read_one(TEXT.encode()))
    assert (session.over, session.seat, session.count) == (True, 2, 32)
    assert read_one(dumps([session.saved]).encode()) == session.saved
    assert "seed" not in dumps([session.saved])
    found = athanor.review(TEXT, nodes=200)
    assert {move.seat for move in found.moves} == {2}
    assert 3 <= len(found.moves) <= 8
    assert {move.move for move in found.moves} <= {"D6", "S-", "D2", "D4", "G6", "B+", "DT", "G+"}
    assert all(move.true_bounds is None for move in found.moves)
    assert all(move.true_loss is not None for move in found.moves)  # the end shows every hand
    assert [(seat.seat, seat.result) for seat in found.seats] == [(2, 2.0)]  # of others nothing is known
    part = athanor.review(TEXT.rpartition("b1 ")[0], nodes=200)
    assert all(move.true_loss is None for move in part.moves)
    assert part.seats[0].others is None


def test_every_hand_known() -> None:
    known = TEXT.replace(START, f"round kirin {HANDS} declared=D-,B3,D3,B5 leader=0")
    session = Session(read_one(known.encode()))
    assert session.over
    assert session.round.players == 4
    found = athanor.review(known, nodes=50, seat=1)
    assert found.moves
    assert all(move.true_bounds is not None for move in found.moves)


@pytest.mark.parametrize(
    ("change", "to", "path", "message"),
    [
        ("s3 d+ d6", "s3 d2 d6", "moves[0][1]", "D2"),
        ("s3 d+ d6", "s3 d+ d5", "moves[0][2]", "D5"),
        ("hand=D2,", "hand=D9,", "dealt[0]", "not a card"),
        ("round kirin seat=2", "round king seat=2", "dealt[0]", "declared|card"),
        ("[game kirin]", "[game kirin]\nround\nD1", "", "either every round says how it begins"),
    ],
)
def test_what_is_wrong_is_named(change: str, to: str, path: str, message: str) -> None:
    assert change in TEXT
    with pytest.raises(AthanorError, match=message) as found:
        Session(read_one(TEXT.replace(change, to).encode()))
    assert found.value.path == path


def test_cards_turned_up_follow_the_move() -> None:
    start = "alchemy duel line=2,4,5,10,J,J hand=4 opponent_hand=8"
    text = f"[game alchemy]\n[variant duel]\nround {start}\n1:8+2=10\n4=4\nA 10 8 4\nq\n"
    session = Session(read_one(text.encode()))
    told = ["1:8+2=10", "4=4", "A", "10", "8", "4", "Q"]
    assert session.round.position == athanor.play(start, told)
    assert list(session.moves_of(0)) == told
    short = Session(read_one(text.removesuffix("q\n").encode()))
    assert short.round.entries == tuple(told[1:-1])
    assert short.round.moves() == ()


def test_such_a_game_is_not_played_on_over_http() -> None:
    client = create_app(Config()).test_client()
    sent = read_one(TEXT.encode()).model_dump(mode="json", exclude_none=True)
    for path in ("/v1/match", "/v1/match/log", "/v1/match/turn", "/v1/match/hint"):
        found = client.post(path, json={"match": sent})
        assert (found.status_code, found.get_json()["error"]["path"]) == (422, "match.dealt")


def test_what_was_set_aside_is_shown_at_the_end() -> None:
    """Then the truth is proved, as where every hand was known from the start."""
    shown = f"{TEXT}shown D-/B3/D3/B5\n"
    session = Session(read_one(shown.encode()))
    known = Session(read_one(TEXT.replace(START, f"round kirin {HANDS} declared=D-,B3,D3,B5 leader=0").encode()))
    states, others = session.rounds()[0], known.rounds()[0]
    for state, other in zip(states[:-1], others, strict=False):
        rebuilt, right = cast("Any", state.known), cast("Any", other.known)
        assert (rebuilt.declared, rebuilt.leader, rebuilt.trick) == (right.declared, right.leader, right.trick)
        assert rebuilt.hand_masks == right.hand_masks
    assert read_one(dumps([session.saved]).encode()) == session.saved
    found = athanor.review(shown, nodes=200)
    assert all(move.true_bounds is not None for move in found.moves)
    for wrong in ("D-/B3/D3", "D-/B3/D3/D6", "D-/B3/D2/B5", "x/y/z/w"):
        with pytest.raises(AthanorError) as refused:
            Session(read_one(f"{TEXT}shown {wrong}\n".encode()))
        assert refused.value.path == "shown[0]"
    with pytest.raises(AthanorError, match="at the end of this round"):
        Session(read_one(f"{TEXT.rpartition('b+ ')[0]}\nshown D-/B3/D3/B5\n".encode()))


def test_hands_of_aqua_regia_are_rebuilt_from_the_end_of_the_stock_on() -> None:
    played = list(played_out("aqua-regia", 5, None, 4))
    start, end = played[0][0], played[-1][0]
    assert isinstance(start, AquaRound)
    assert isinstance(end, AquaRound)
    lines = [f"round {text_of(athanor.view(start, 1))}", *(text for _, _, told in played[:-1] for text in told[1])]
    shown = "/".join(",".join(hand) or "-" for hand in end.hands)
    session = Session(read_one("\n".join(["[game aqua-regia]", *lines, f"shown {shown}"]).encode()))
    assert session.over
    rebuilt = [state.known for state in session.rounds()[0] if state.known is not None]
    assert len(rebuilt) > 5
    for known in rebuilt:
        assert isinstance(known, AquaRound)
        assert any(sorted(map(sorted, known.hands)) == sorted(map(sorted, other.hands)) for other in _aqua(played))
        assert known.stock == ()
    wrong = "/".join("Li" for _ in end.hands)
    with pytest.raises(AthanorError, match="not the cards that the seats have left"):
        Session(read_one("\n".join(["[game aqua-regia]", *lines, f"shown {wrong}"]).encode()))


def test_before_the_end_of_the_stock_deals_of_aqua_regia_are_drawn_that_lead_to_what_was_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played = list(played_out("aqua-regia", 3, None, 4))
    start, end = played[0][0], played[-1][0]
    assert isinstance(start, AquaRound)
    assert isinstance(end, AquaRound)
    lines = [f"round {text_of(athanor.view(start, 1))}", *(text for _, _, told in played[:-1] for text in told[1])]
    shown = tuple(end.hands)
    told = "/".join(",".join(hand) or "-" for hand in end.hands)
    text = "\n".join(["[game aqua-regia]", *lines, f"shown {told}"])
    states = cast("Any", Session(read_one(text.encode())).rounds()[0])
    views = [state.position for state in states if state.position.stock_count]
    assert len(views) > 20
    tried = 0
    for view in views[::8]:
        found = _deal_at(view, states[-1].position, shown, Random(len(views)))
        if found is None:
            continue
        tried += 1
        position: Any = found
        assert sorted(athanor.view(position, 1).hand) == sorted(view.hand)
        for step in states[-1].position.steps[len(view.steps) :]:
            if isinstance(step, Step):
                position = athanor.play(position, rules.text_of(position.metals, step.move))
        assert sorted(map(sorted, position.hands)) == sorted(map(sorted, end.hands))
    assert tried > 1
    monkeypatch.setattr("solver.games.aqua_regia.moves._MOST_TRIES", 50)  # early in a round most fail
    part = athanor.review(text, nodes=20)
    assert any(move.true_bounds is None and move.true_stderr for move in part.moves)


def _aqua(played: list[tuple[BaseModel, str, Any]]) -> list[AquaRound]:
    return [position for position, _, _ in played if isinstance(position, AquaRound)]


# Cards and moves that were missed, told by one who sees the rest.


GAMES = [
    case
    for case in rounds.CASES
    if isinstance(case.deal(1), RoundParts)
    and "gone" in case.game.notation.values
    and case.variant not in ("undeclared", "unpicked")
]


def session_of(position: Any, seat: int) -> Session:
    line = text_of(registry.game(position.game).view(position, seat))
    return Session(Saved(game=position.game, seed=0, seconds=0.05, dealt=(line,)))


def missed_in_tricks(name: str, players: int, variant: str, seed: int) -> tuple[Session, int, Any]:
    """A whole round of tricks in which about every fifth card of the others is missed; how many were; its end."""
    seat, random = seed % players, Random(seed, 2)
    rounds = list(played_out(name, players, variant, seed))
    session, asked, missed = session_of(rounds[0][0], seat), False, 0
    for number, (position, text, _) in enumerate(rounds[:-1]):
        here: Any = position
        after: Any = rounds[number + 1][0]
        if text.startswith("take"):
            if asked:
                got = sorted(set(after.won[seat]) - set(here.won[seat]))
                session.play(" ".join(["take", *(got or "-")]))
            else:
                session.play(text)
            asked = False
            continue
        own = here.seat_to_move == seat
        here_missed = not own and random.below(5) == 0
        missed += here_missed
        asked |= here_missed
        session.play("?" if here_missed else text)
        full = len(after.trick or ()) == players if name == "king" else not after.trick
        if full and asked:
            assert session.round.to_move != seat
            session.play(str(after.seat_to_move if name == "king" else after.leader) + _order(after))
        if full and name != "king":
            asked = False
    return session, missed, rounds[-1][0]


def _order(position: Any) -> str:
    return {"ascending": "+", "descending": "-"}.get(getattr(position, "direction", ""), "")


@pytest.mark.parametrize(("name", "players", "variant"), GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_rounds_of_tricks_go_on(name: str, players: int, variant: str, seed: int) -> None:
    session, missed, known = missed_in_tricks(name, players, variant, seed)
    assert session.over
    end: Any = session.rounds()[-1][-1]
    seat = seed % players
    assert missed > 0
    if name == "king":  # the own pile is known whole
        assert set(end.position.won[seat]) == set(known.won[seat])
    for pile, right in zip(end.position.won, known.won, strict=True):
        assert set(pile) <= set(right)
    assert Session(session.saved).saved == session.saved


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(2))
def test_rounds_of_aqua_regia_go_on(players: int, seed: int) -> None:
    seat, random = seed % players, Random(seed, 2)
    rounds = list(played_out("aqua-regia", players, None, seed))
    session, missed, shown = session_of(rounds[0][0], seat), 0, 0
    for number, (position, _, told) in enumerate(rounds[:-1]):
        here: Any = position
        after: Any = rounds[number + 1][0]
        if not all(after.hands):
            break
        turn = here.seat_to_move
        hidden = turn != seat and random.below(4) == 0
        if hidden:
            missed += 1
            session.play(f"?{len(after.hands[turn])}")
            for text in told[seat][1:]:  # deals passed on
                session.play(text)
            continue
        for text in told[seat]:
            round_: Any = session.round
            if round_.asked and round_.next_seat is None:
                shown += 1
                session.play(" ".join(here.table[-_run(here.table) :]))
            session.play(text)
        now: Any = session.round
        if not now.asked:
            assert now.position.turn == after.turn or now.position.turn == seat
            assert now.position.counts == tuple(map(len, after.hands))
            assert now.position.stock_count == len(after.stock)
    assert missed > 0
    assert Session(session.saved).saved == session.saved


def _run(table: tuple[str, ...]) -> int:
    return next((place for place, card in enumerate(reversed(table)) if card != table[-1]), len(table))


def test_what_was_missed_is_asked_for() -> None:
    line = "king pick=F1,W1,E1,A1 removed=T1,T2 seat=2 hand=F3,F4,F5,W2,W3,W4,E2,E3,E4,A2,A3 leader=0"
    session = Session(Saved(game="king", seed=0, seconds=0.05, dealt=(line,)))
    for text in moves_of("F7 ? F3 ?"):
        session.play(session.move_of(text))
    observed: Any = session.round
    assert observed.asked == "Who took the trick? 2 is seat 2"
    with pytest.raises(MoveError, match="seats are 0 to 3"):
        session.play("7")
    session.play("0")
    assert "did you get" in session.round.asked
    session.play("take -")
    now: Any = session.round
    assert now.position.forgotten == 2
    assert now.position.won[0] == ("F1", "F7")
    assert now.position.gone == ("F3",)


@pytest.mark.parametrize("text", ["?", "?7"])
def test_the_own_card_is_not_missed(text: str) -> None:
    line = "aqua-regia players=2 seat=0 turn=0 hand=Zn,Fe,Cu,Zn,Ag,Pt,Li,K,Ca,Mg"
    session = Session(Saved(game="aqua-regia", seed=0, seconds=0.05, dealt=(line,)))
    with pytest.raises(MoveError, match="you know"):
        session.play(text)


def test_a_card_missed_on_the_table_is_guessed() -> None:
    line = "kirin seat=2 leader=0 hand=S1,S4,BT,G2,G3,G4,G+,D5 declared=D2"
    session = Session(Saved(game="kirin", seed=0, seconds=0.05, dealt=(line,)))
    for text in moves_of("D6 ?"):
        session.play(session.move_of(text))
    hint: Any = session.hint(nodes=1000)
    assert "was missed" in hint.reason
    assert {move.move for move in hint.moves} == {"S1", "S4", "BT", "G2", "G3", "G4", "G+", "D5"}
    assert hint.best == hint.moves[0].move


def test_a_line_is_parted_where_cards_were_missed() -> None:
    assert moves_of("D6 ? ST ? 2+") == ["D6", "?", "ST", "?", "2+"]
    assert moves_of("?7 Zn") == ["?7", "Zn"]
    assert moves_of("Zn Zn") == ["Zn Zn"]


# The deals that agree with a view, checked by the rules alone.


# Those of which deals are drawn, from the first card on.
KINDS = [
    case
    for case in rounds.CASES
    if case.name in offering("worlds")
    and case.variant != "duel"
    and case.players in case.game.players
    and not (case.name == "king" and case.variant == "unpicked")
    and case.variant not in ("undeclared", "unpicked")
]
DEALS, REPLAYED = 2, 1  # of each view


def points(case: rounds.Case, seed: int) -> list[tuple[Any, list[str]]]:
    """Positions of a round of random moves, each with the moves up to there: the first, some between, the last."""
    rng = random.Random(f"{case} {seed}")
    position, made = case.deal(seed), list[str]()
    found = [(position, made)]
    while athanor.to_move(position) is not None:
        move = rng.choice(athanor.legal_moves(position))
        position, made = athanor.play(position, move), [*made, move]
        if athanor.to_move(position) is not None:
            found.append((position, made))
    return [found[0], *rng.sample(found[1:-1], min(3, len(found) - 2)), found[-1]]


def all_cards(data: dict[str, Any]) -> Counter[str]:
    """Every card that a view may hide, wherever it lies in a position with all cards known."""
    places = [*data.get("hands", []), data.get("stock", []), data.get("declared", [])]
    return Counter(card for place in places for card in place)


def rewound(start: dict[str, Any], now: dict[str, Any], end: dict[str, Any]) -> Any:
    """The start of the round in which a deal of a trick game would have lain: every card back in its hand."""
    hands = []
    for seat, hand in enumerate(now["hands"]):
        played = Counter(start["hands"][seat]) - Counter(end["hands"][seat])
        hands.append([*hand, *played.elements()])
    hidden = {key: now[key] for key in ("declared",) if key in now}
    return athanor.parse({**start, "hands": hands, **hidden})


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("case", KINDS, ids=str)
def test_deals_agree_with_the_view(case: rounds.Case, seed: int) -> None:
    """And what was played is legal: in a game of tricks who did not follow holds no such card."""
    begun = case.deal(seed)
    start = position_data(begun)
    for position, made in points(case, seed):
        data = position_data(position)
        cards = all_cards(data)
        for seat in range(len(data.get("hands", [0]))):
            view = athanor.view(position, seat)
            seen = text_of(view)
            for number, world in enumerate(athanor.worlds(view, DEALS, seed=seed)):
                laid = position_data(world)
                again: Any = athanor.view(world, seat)
                if getattr(again, "turn", 0) != data.get("turn", 0):  # whoever cannot lead has not yet said so
                    continue
                assert text_of(again) == seen
                assert all_cards(laid) == cards
                for key in data.keys() - {"hands", "stock", "declared"}:
                    assert laid[key] == data[key], key
                assert list(map(len, laid.get("hands", []))) == list(map(len, data.get("hands", [])))
                assert len(laid.get("stock", [])) == len(data.get("stock", []))
                # From the first card on, the deal comes about by the rules.
                if number < REPLAYED and isinstance(begun, RoundParts):
                    assert text_of(athanor.play(rewound(start, laid, data), made)) == text_of(world)


def test_few_deals_are_all_told_and_many_are_drawn_by_the_seed() -> None:
    position = athanor.deal("kirin", seed=4)
    for _ in range(28):
        position = athanor.play(position, athanor.legal_moves(position)[0])
    view = athanor.view(position, 0)
    every = {text_of(world) for world in athanor.worlds(view, 100_000)}
    assert text_of(position) in every
    assert {text_of(world) for world in athanor.worlds(view, len(every), seed=9)} == every
    early = athanor.view(athanor.deal("kirin", seed=4), 0)
    one, again, other = (text_of(athanor.worlds(early, seed=seed)[0]) for seed in (1, 1, 2))
    assert one == again != other


@pytest.mark.parametrize(
    "line",
    [
        text_of(athanor.deal("king", seed=1)),
        "alchemy duel line=2,4,6,9,J,K hand=7 opponent_hand=5",
        "alchemy solo line=4,7,K,2,9,A hand=6 stock=5,Q,3,8",
    ],
)
def test_where_nothing_is_hidden_nothing_is_dealt(line: str) -> None:
    with pytest.raises(athanor.RequestError, match=r"is known|no card is hidden"):
        athanor.worlds(line)


def test_a_pick_and_a_card_set_aside_can_be_played_in_their_deals() -> None:
    for view in (
        athanor.view(athanor.deal("king", seed=3, variant="unpicked"), 2),
        athanor.parse("kirin seat=0 hand=D2,S3,S5,S-,B2,B4,B6,G+,D4 leader=0"),
    ):
        world = athanor.worlds(view)[0]
        seat: Any = athanor.to_move(world)
        move = athanor.legal_moves(world)[0]
        assert athanor.to_move(athanor.play(world, move)) == (seat + 1) % len(world.hands)
