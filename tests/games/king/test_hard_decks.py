"""Decks made to be hard to compound: a bonus too dear for a node stalls a search, and limits are kept."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from api.config import Config
from solver.common import Random, mask, members
from solver.games.king import GAME, analyze
from solver.games.king.analyze import PROVERS, MaxnScores, PlayerScore, search
from solver.games.king.bounds import best_bonus, enter_hard
from solver.games.king.compounding import (
    ENDLESS,
    PATIENCE,
    REST,
    best_from,
    best_within,
    bonus_bounds,
    bonus_of,
    tables,
    working_space,
)
from solver.games.king.deck import CARDS, KIND
from solver.games.king.fast_rules import HARD_SETS, STALLED, TABLES
from solver.games.king.position import Round
from solver.limits import Control, Limit
from solver.positions import parse_position, parse_record, position_data
from solver.search.fail_soft import FailSoftProver
from solver.search.memory import IdleProvers, Pool, TableBudget
from tests.conftest import JIT
from tests.games.king.decks import random_cards, random_deck
from tests.games.king.random_positions import random_position
from tests.support.hard_decks import hard_deck
from tests.support.timing import LATE

HARD = 4  # of the seed below; the whole deck takes the kernel millions of nodes


def hard(number: int = HARD) -> dict[str, Any]:
    return hard_deck(Random(7, number))


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    GAME.warm()
    return create_app(Config(default_seconds=0.3)).test_client()


def test_hard_decks_are_hard() -> None:
    hardest = 0
    for number in range(8):
        table, work = tables(KIND.read(hard(number)), thrifty=True), working_space()
        bonus_of(table, work, (1 << CARDS) - 1, 1_000_000)
        hardest += work[REST] < 0
    assert hardest >= 2


@pytest.mark.covered
@pytest.mark.small
def test_a_search_that_is_cut_has_found_a_bonus_that_can_be_made(amount: Callable[[int], int]) -> None:
    cut = 0
    work = working_space()
    for number in range(amount(40)):
        draw = Random(11, number)
        table = tables(random_deck(draw))
        cards = mask(random_cards(draw, 20 + draw.below(31)))
        exact = bonus_of(table, work, cards, ENDLESS)
        nodes = ENDLESS - int(work[REST])
        found = [bonus_of(table, work, cards, limit) for limit in range(0, nodes, 1 if JIT else 10)]
        assert sorted(found) == found
        assert all(bonus <= exact for bonus in found)
        assert bonus_of(table, work, cards, nodes) == best_from(table, work, cards, 0, -1, nodes) == exact
        assert work[REST] == 0 or nodes == 0
        cut += nodes > 5
    assert cut > amount(40) // 5


def test_hard_sets_are_kept_and_the_oldest_forgotten_together() -> None:
    state = position(3, 2).state
    with PROVERS.lend() as prover:
        deal = PlayerScore(prover, state, 0, allies=False, control=Control()).deal
    for number in range(1, 1000):
        enter_hard(deal, number << 20, number)
        assert best_bonus(deal, number << 20) == number
        assert 1 <= deal[HARD_SETS] <= 384
    assert best_bonus(deal, 998 << 20) == 998


@pytest.mark.small
@pytest.mark.parametrize("model", ["paranoid", "ally", "maxn"])
def test_a_search_stalled_at_every_bonus_finds_the_same(model: str, amount: Callable[[int], int]) -> None:
    rng = random.Random(model)
    stalls = 0
    for _ in range(amount(25)):
        players = rng.choice((3, 4, 5))
        deck = hard(rng.randrange(1000)) if rng.random() < 0.5 else None
        position = parse_position(random_position(rng, players=players, cards=rng.randint(1, 2), deck=deck))
        assert isinstance(position, Round)
        state, control = position.state, Control()
        with PROVERS.lend() as prover:

            def search(patience: int, state=state, control=control, prover=prover):  # type: ignore[no-untyped-def]
                if model == "maxn":
                    made: Any = MaxnScores(prover, state, control)
                else:
                    made = PlayerScore(prover, state, 0, allies=model == "ally", control=control)
                made.deal[TABLES + PATIENCE] = patience
                return made, made.moves()

            plain, expected = search(1 << 30)
            eager, found = search(0)
        assert found == expected
        assert not plain.deal[HARD_SETS]
        assert not eager.deal[STALLED]
        stalls += int(eager.deal[HARD_SETS])
    assert stalls > 5 or amount(25) < 25  # of a few cases, none may meet a bonus


def position(players: int, hand: int) -> Round:
    """One seat has won nearly all cards of a hard deck."""
    data = hard()
    codes = [card["code"] for card in data["card"]]
    Random(players, hand).shuffle(codes)
    hands = [codes[seat * hand : (seat + 1) * hand] for seat in range(players)]
    won = [codes[players * hand :], *[[] for _ in range(players - 1)]]
    found = parse_position({"game": "king", "deck": data, "leader": 0, "trick": [], "hands": hands, "won": won})
    assert isinstance(found, Round)
    return found


def test_a_short_analysis_takes_a_small_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search writes all over its table, and the system takes long to give a large one."""
    made: list[int] = []

    def make(megabytes: int) -> FailSoftProver:
        made.append(megabytes)
        return FailSoftProver(search(), megabytes)

    monkeypatch.setattr(analyze, "PROVERS", Pool(make, idle=IdleProvers(TableBudget())))
    GAME.analyze(position(3, 3), Control(Limit(seconds=0.02)))
    assert made in ([1], [2])  # MiB


@pytest.mark.parametrize("model", ["paranoid", "ally", "maxn"])
@pytest.mark.parametrize("hand", [0, 1, 3])
def test_an_analysis_ends_in_time_with_proved_bounds(hand: int, model: str) -> None:
    GAME.warm()
    found = position(3, hand)
    control = Control(Limit(seconds=0.1))
    answer = GAME.analyze(found, control, model=model)
    assert control.seconds < 0.1 + LATE
    assert answer.bounds is not None
    if hand < 3:
        longer: Any = GAME.analyze(found, Control(Limit(seconds=20)), model=model)
        assert longer.exact
        within: Any = answer.bounds
        if model == "maxn":
            assert all(
                low <= exact <= high for low, exact, high in zip(within[0], longer.value, within[1], strict=True)
            )
        else:
            assert within[0] <= longer.value <= within[1]


def test_the_same_nodes_give_the_same_analysis() -> None:
    found = position(4, 2)
    answers = [GAME.analyze(found, Control(Limit(nodes=30_000))).to_dict() for _ in range(2)]
    for answer in answers:
        del answer["seconds"]
    assert answers[0] == answers[1]


def test_a_score_is_bounded_where_its_proof_takes_too_long(client: FlaskClient) -> None:
    for number in range(200):
        deck = KIND.read(hard(number))
        made, most = best_within(deck, range(43), Control(Limit(nodes=1)))
        if made.total < most:
            break
    won = [list(deck.codes(range(43))), *([code] for code in deck.codes(range(43, 45)))]
    record = parse_record({"game": "king", "deck": hard(number), "rounds": [{"won": won}]})
    cut = GAME.score(record, Control(Limit(nodes=1))).to_dict()
    full = GAME.score(record, Control()).to_dict()
    assert (cut["exact"], cut["winners"]) == (False, None)
    assert "exact" not in full
    (cut_seat, *_), (full_seat, *_) = cut["earned"][0], full["earned"][0]
    assert cut_seat["bounds"][0] == cut_seat["total"]
    assert cut_seat["bounds"][0] <= full_seat["total"] <= cut_seat["bounds"][1]
    begun = time.monotonic()
    answer = client.post("/v1/score", json={"record": json.loads(record.model_dump_json(exclude_none=True))})
    assert answer.status_code == 200
    assert time.monotonic() - begun < 0.3 + LATE


def test_bounds_of_a_bonus_hold_the_kernel_s() -> None:
    for number in range(20):
        draw = Random(13, number)
        deck = random_deck(draw)
        cards = random_cards(draw, 50)
        exact = bonus_of(tables(deck), working_space(), mask(cards), ENDLESS)
        least, most = bonus_bounds(deck, list(members(mask(cards))), Control())
        assert least == exact == most


def test_a_hint_and_a_compounding_end_in_time(client: FlaskClient) -> None:
    rng = random.Random(1)
    found = parse_position(position_data(GAME.deal(1, players=3)) | {"deck": hard()})
    for _ in range(40):
        found = GAME.play(found, rng.choice(GAME.legal_moves(found)))
    view = position_data(GAME.view(found, found.seat_to_move))  # type: ignore[attr-defined]
    every = {"game": "king", "deck": hard(), "cards": [card["code"] for card in hard()["card"]]}
    for path, body in (("/v1/hint", {"position": view}), ("/v1/compound", {"position": every, "best": 5})):
        begun = time.monotonic()
        answer = client.post(path, json=body | {"limit": {"seconds": 0.1}})
        assert answer.status_code == 200, answer.text
        assert time.monotonic() - begun < 0.1 + LATE
