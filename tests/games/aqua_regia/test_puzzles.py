"""Aqua Regia's puzzles and how they are made; and the game over HTTP and on the command line."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from api.app import create_app
from api.cli.main import cli
from api.config import Config
from puzzles.check import solve_puzzle
from puzzles.format import Puzzle, from_data
from solver.common import Random
from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.deck import FIELDS
from solver.games.aqua_regia.position import Round
from solver.limits import Control, Limit
from solver.positions import parse_position, position_data
from solver.puzzle_maker import BEST_MOVE, HIDDEN_HAND, VALUE, Candidate, composer_of
from tests.api.support import refused
from tests.games.aqua_regia.deals import KNOWN, SEEN, SMALL, known_from
from tests.reference import aqua as ref
from tests.support.puzzle_checks import collection

# What the collection holds. -------------------------------------------------------------------------------------

PUZZLES = collection("aqua-regia")


def loaded(puzzle: Puzzle) -> tuple[ref.Table, ref.State]:
    return ref.load(position_data(puzzle.position))


def test_most_numbers_of_players_are_there() -> None:
    assert {len(loaded(puzzle)[1].hands) for puzzle in PUZZLES} >= {2, 3, 4}


def test_every_kind_of_decision_is_there() -> None:
    kinds: Counter[str] = Counter()
    for puzzle in PUZZLES:
        assert puzzle.solution is not None
        if puzzle.solution.best is None:
            continue
        table, now = loaded(puzzle)
        moves = ref.legal(table, now)
        best = next(move for move in moves if ref.text(table, move) == puzzle.solution.best[0])
        if isinstance(best, ref.Play):
            kinds["follow" if now.plays else "lead"] += 1
        else:
            kinds["pass" if best.out is None else "precipitation"] += 1
            kinds["not a play"] += any(isinstance(move, ref.Play) for move in moves)
        fours = any(isinstance(move, ref.Play) and move.many == ref.MOST_AT_ONCE for move in moves)
        kinds["no reverse change"] += fours and not (isinstance(best, ref.Play) and best.many == ref.MOST_AT_ONCE)
    wanted = ("lead", "follow", "pass", "precipitation", "not a play", "no reverse change")
    assert min(kinds[kind] for kind in wanted) >= 1


# Making puzzles: which endings are the same, and what is in them. -----------------------------------------------

TURNED = "aqua-regia hands=Zn,Ni,Au/Li,Zn,Au,Au field=water turn=0 stock=Ni,Zn discard=Au"


def symmetry(known: Round) -> str:
    return composer_of(GAME).symmetry(BEST_MOVE, Candidate(known, "paranoid"))


def test_a_metal_is_what_it_does() -> None:
    known = known_from(TURNED)
    deck = known.metals
    rows = {metal.symbol: tuple(min(2, word) for word in metal.reactivity) for metal in deck.metals}
    turned = known.model_copy(update={"hands": known.hands[::-1], "turn": 1 - known.turn})
    assert symmetry(turned) == symmetry(known)
    for metal in deck.metals:
        if metal.symbol in TURNED:
            continue
        other = known_from(TURNED.replace("Ni", metal.symbol))
        between = deck.index["Zn"] < deck.index[metal.symbol] < deck.index["Au"]
        same = between and rows[metal.symbol] == rows["Ni"]
        assert (symmetry(other) == symmetry(known)) == same, metal.symbol
        if same:
            one, two = (GAME.analyze(each, Control(), model="paranoid").value for each in (known, other))
            assert one == two


def test_made_up_endings_are_as_they_are_told() -> None:
    """The seat to move and the field are those after all that happens by itself."""
    found = list(composer_of(GAME).candidates(BEST_MOVE, None, Random(3), seed=3, number=0))
    assert len(found) > 4
    for candidate in found:
        assert isinstance(candidate.position, Round)
        state = candidate.position.state
        assert (candidate.position.turn, candidate.position.field) == (state.turn, FIELDS[state.field])
        assert candidate.view is not None


@pytest.mark.parametrize(
    ("text", "best", "themes"),
    [
        ("hands=Cu,Cu,Cu,Cu,Au/Zn,Pb field=aqua-regia turn=0", "Cu Cu Cu Cu", ["reverse change"]),
        (
            "hands=Cu,Cu,Cu,Cu,Au/Zn,Pb field=aqua-regia turn=0",
            "Au",
            ["no reverse change", "keep the lowest"],
        ),
        (
            "hands=Cu,Cu,Pb/Zn,Pb field=aqua-regia turn=0 table=Zn owner=1",
            "pass",
            ["hold back", "let the field change"],
        ),
        ("hands=Cu,Cu,Pb/Zn,Pb field=aqua-regia turn=0 table=Zn owner=1", "Cu", ["break a set", "skip ahead"]),
        (
            "hands=Cu,Cu,Pb/Zn,Pb field=aqua-regia turn=0 table=Zn owner=1 discard=Au",
            "pass Pb>Au",
            ["precipitate", "hold back", "let the field change"],
        ),
    ],
)
def test_themes(text: str, best: str, themes: list[str]) -> None:
    known = known_from(f"aqua-regia {text}")
    assert best in [GAME.format_move(known, move) for move in GAME.legal_moves(known)]
    assert set(themes) <= set(composer_of(GAME).themes_of(BEST_MOVE, Candidate(known, "paranoid"), best, []))


def test_who_goes_by_simple_rules() -> None:
    composer, known = composer_of(GAME), known_from("aqua-regia hands=Cu,Cu/Zn,Pb field=aqua-regia turn=0")
    assert composer.obvious(BEST_MOVE, Candidate(known, "paranoid")) == "Cu Cu"
    assert composer.obvious(VALUE, Candidate(known, "paranoid")) == 1


def seen(seat: int, hand: str, counts: str, field: str, away: str, more: str = "") -> str:
    """The key of a view in which all metals are discarded but three; `away` are those of them that are, too."""
    metals = [metal.symbol for metal in known_from(TURNED).metals.metals]
    gone = [symbol for symbol in metals if symbol not in ("Zn", "Ni", "Au") for _ in range(4)]
    discard = ",".join([*gone, *away.split(",")])
    text = f"aqua-regia seat={seat} hand={hand} counts={counts} field={field} turn={seat} discard={discard} {more}"
    return composer_of(GAME).symmetry(HIDDEN_HAND, Candidate(parse_position(text), "paranoid"))


def test_views_turned_round_share_a_key() -> None:
    one = seen(0, "Zn,Au", "2,3,1", "water", "Zn,Ni,Ni,Ni", "stock_count=2")
    assert one == seen(1, "Zn,Au", "1,2,3", "water", "Ni,Zn,Ni,Ni", "stock_count=2")
    assert one != seen(0, "Zn,Au", "2,1,3", "water", "Zn,Ni,Ni,Ni", "stock_count=2")
    assert one != seen(0, "Ni,Au", "2,3,1", "water", "Zn,Zn,Zn,Ni", "stock_count=2")


def test_hidden_hands_are_small_endings_that_are_sure() -> None:
    found = list(composer_of(GAME).candidates(HIDDEN_HAND, None, Random(5), seed=5, number=0))
    assert found
    for candidate in found:
        assert candidate.model == "paranoid"
        assert candidate.position == candidate.view
        answer: Any = GAME.answer(candidate.position, BEST_MOVE, Control(Limit(nodes=20_000)), model="paranoid")
        if composer_of(GAME).fits(HIDDEN_HAND, candidate, answer):
            assert answer.value == 1


# Over HTTP, on the command line, and in puzzle files. -----------------------------------------------------------

# Fe Fe leaves Sn against a lone Pb that cannot lie on two cards; Sn at once lets seat 1 go out with Pb.
ENDING: dict[str, Any] = {
    "game": "aqua-regia",
    "deck": "house",
    "field": "acid",
    "turn": 0,
    "hands": [["Fe", "Fe", "Sn"], ["Pb"]],
    "stock": [],
    "discard": [],
}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    GAME.warm()
    return create_app(Config(default_seconds=5, max_seconds=10)).test_client()


def test_analyze(client: FlaskClient) -> None:
    found = client.post("/v1/analyze", json={"position": ENDING}).get_json()
    assert (found["game"], found["model"], found["player"], found["value"]) == ("aqua-regia", "paranoid", 0, 1)
    assert (found["best"], found["exact"], found["bounds"]) == ("Fe Fe", True, [1, 1])
    assert {move["move"]: move["value"] for move in found["moves"]} == {"Fe Fe": 1, "Fe": 0, "Sn": 0}
    assert found["line"] == ["Fe Fe", "pass", "Sn"]
    other = client.post("/v1/analyze", json={"position": ENDING, "player": 1, "model": "ally"}).get_json()
    assert (other["value"], other["best"]) == (1, "Fe")
    everybody = client.post("/v1/analyze", json={"position": ENDING, "model": "maxn"}).get_json()
    assert everybody["value"] == [1, 0]


def test_a_deck_inside_the_position(client: FlaskClient) -> None:
    position = {**ENDING, "deck": SMALL, "hands": [["Fe"], ["Ag", "Ag"]]}
    found = client.post("/v1/analyze", json={"position": position}).get_json()
    assert (found["value"], found["best"]) == (1, "Fe")


@pytest.mark.parametrize(
    ("keys", "code", "path"),
    [
        ({"hands": [["Fe"], []]}, "wrong_size", "hands[1]"),
        ({"discard": ["Fe"] * 3}, "duplicate_card", "discard[2]"),
        ({"table": ["Zn", "Li"], "owner": 1}, "illegal_play", "table[1]"),
        ({"table": ["Zn"], "owner": 0}, "conflict", "owner"),
        ({"deck": "mine"}, "unknown_deck", "deck"),
        (
            {"deck": SMALL | {"metal": [{"symbol": "Fe", "reactivity": {"water": "x"}}]}},
            "wrong_type",
            "deck.metal[0].reactivity.water",
        ),
        ({"hands": None}, "missing_key", "hands"),
        ({"stock": ["Unobtainium"]}, "illegal_card", "stock[0]"),
    ],
)
def test_refused_positions(client: FlaskClient, keys: dict[str, Any], code: str, path: str) -> None:
    refused(client.post("/v1/analyze", json={"position": ENDING | keys}), 422, code, f"position.{path}")


def test_a_view_is_not_analyzed(client: FlaskClient) -> None:
    refused(client.post("/v1/analyze", json={"position": SEEN}), 422, "hidden_cards", "position.hand")


@pytest.mark.parametrize("keys", [{"model": "greedy"}, {"player": 2}])
def test_refused_questions(client: FlaskClient, keys: dict[str, Any]) -> None:
    found = client.post("/v1/analyze", json={"position": ENDING} | keys)
    refused(found, 422, "unknown_value" if "model" in keys else "out_of_range", next(iter(keys)))


def test_deal_and_score(client: FlaskClient) -> None:
    found = client.post("/v1/deal", json={"game": "aqua-regia", "seed": 5, "players": 3}).get_json()
    assert parse_position(found["position"]) == GAME.deal(5, players=3)
    seen = client.post("/v1/deal", json={"game": "aqua-regia", "seed": 5, "players": 3, "seat": 2}).get_json()
    assert seen["position"]["counts"] == [10, 10, 10]
    assert seen["position"]["hand"] == found["position"]["hands"][2]
    refused(client.post("/v1/deal", json={"game": "aqua-regia", "players": 6}), 422, "out_of_range", "players")
    record = {"game": "aqua-regia", "rounds": [{"counts": [3, 0]}]}
    assert client.post("/v1/score", json={"record": record}).get_json()["totals"] == [0, 1]
    record = {"game": "aqua-regia", "rounds": [{"counts": [3, 1]}]}
    refused(client.post("/v1/score", json={"record": record}), 422, "conflict", "record.rounds[0].counts")


def test_the_command_line() -> None:
    run = CliRunner().invoke
    found = run(cli, ["deal", "aqua-regia", "--seed", "2", "--players", "5", "--seat", "4"])
    assert found.exit_code == 0
    assert len(json.loads(found.stdout)["counts"]) == 5
    found = run(cli, ["analyze", "-"], input=json.dumps(KNOWN), env={"COLUMNS": "200"})
    assert found.exit_code == 0, found.output
    assert "Li < Zn Zn, the last by seat 1" in found.stdout
    assert "Fe Sn Sn   (can play Sn Sn; to move)" in found.stdout
    found = run(cli, ["analyze", "-"], input=json.dumps(KNOWN | {"owner": 2}))
    assert (found.exit_code, found.stdout) == (2, "")
    assert "seat 2 played the last cards and can't be to move" in found.stderr
    assert "ionisation" in run(cli, ["rules", "aqua-regia"]).stdout


@pytest.mark.parametrize(
    ("ask", "solution", "status"),
    [
        ("best-move", {"best": ["Fe Fe"], "value": 1}, "confirmed"),
        ("best-move", {"best": ["Sn"]}, "refuted"),
        ("value", {"value": 0}, "refuted"),
    ],
)
def test_puzzles(ask: str, solution: dict[str, Any], status: str) -> None:
    data = {"id": "one", "title": "One", "ask": ask, "model": "paranoid", "position": ENDING, "solution": solution}
    [puzzle] = from_data({"puzzle": [data]}).puzzle
    assert solve_puzzle(puzzle, Limit(seconds=10)).status == status
