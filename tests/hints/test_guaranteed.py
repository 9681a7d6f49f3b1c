"""What a seat guarantees that sees one hand alone, against a slow reference that goes by positions and views."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from puzzles.check import solve_puzzle
from puzzles.format import from_data
from puzzles.generate import Order, make
from solver import registry
from solver.composing import HIDDEN_HAND, Candidate
from solver.errors import PuzzleError, RequestError
from solver.games.king.compounding import best as best_compounding
from solver.games.king.worlds import deals as king_deals
from solver.games.kirin.puzzles import KirinComposer
from solver.games.kirin.worlds import deals as kirin_deals
from solver.hints import endings as hints_endings
from solver.limits import Control, Limit
from solver.positions import parse_position, text_of
from tests.support import rounds

pytestmark = pytest.mark.small

KIRIN = (
    "kirin seat=1 hand=BT,B+ declared=S3 history=0:G+,B6,B3,D4/1:D3,D-,G3,G4/0:GT,S2,D+,S6/0:B1,S+,DT,ST/"
    "2:B4,D5,D6,G2/0:S4,D2,G6,B5 trick=2:S-,G-,B-"
)  # BT guarantees a point, B+ none
PUZZLE = {"id": "p", "title": "t", "ask": "best-move", "model": "paranoid", "position": KIRIN}


def kirin_positions(view: Any) -> list[Any]:
    """Every deal that agrees with a view; who set aside what matters to nobody."""
    found = kirin_deals(view)
    return [found.position(rank) for rank in range(0, found.total, 6)]


def king_positions(view: Any) -> list[Any]:
    found = king_deals(view)
    return [found.position(found.world(rank)) for rank in range(found.total)]


def kirin_score(position: Any, seat: int) -> int:
    return int(position.points[seat])


def king_score(position: Any, seat: int) -> int:
    state = position.state
    return best_compounding(state.deck, [card for card in range(50) if state.won[seat] >> card & 1]).total


Score = Callable[[Any, int], int]
GAMES: dict[str, tuple[Callable[[Any], list[Any]], Score, int | None]] = {
    "kirin": (kirin_positions, kirin_score, None),
    "king": (king_positions, king_score, 3),
}
SEEDS = {"kirin": [(1, 27), (8, 27)], "king": [(8, 49), (10, 49)]}  # of rounds, and moves made


def reference(game: Any, positions: Sequence[Any], seat: int, score: Score) -> int:
    """Minimax over what the seat sees: positions are told apart by their views alone."""
    first = positions[0]
    moves = game.legal_moves(first)
    if not moves:
        return min(score(position, seat) for position in positions)
    if first.seat_to_move == seat:
        return max(after(game, positions, move, seat, score) for move in moves)
    seen: dict[str, list[Any]] = {}
    for position in positions:
        for move in game.legal_moves(position):
            played = game.play(position, move)
            seen.setdefault(text_of(game.view(played, seat)), []).append(played)
    return min(reference(game, group, seat, score) for group in seen.values())


def after(game: Any, positions: Sequence[Any], move: Any, seat: int, score: Score) -> int:
    return reference(game, [game.play(position, move) for position in positions], seat, score)


def endings(name: str, players: int | None) -> Iterator[Any]:
    """Views with a choice, and with some deals that agree with them, near the end of random rounds."""
    game = registry.game(name)
    for seed, moves in SEEDS[name]:
        position: Any = rounds.played(rounds.Case(name, players, None), seed, moves)
        yield game.view(position, position.seat_to_move)


@pytest.mark.parametrize("name", GAMES)
def test_as_the_reference(name: str) -> None:
    positions_of, score, players = GAMES[name]
    game = registry.game(name)
    for view in endings(name, players):
        seat: int = view.seat
        positions = positions_of(view)
        assert len(positions) > 1
        found: Any = game.answer(view, "best-move", Control(), model="paranoid")
        assert found.exact
        values = {
            game.format_move(view, move): after(game, positions, move, seat, score)
            for move in game.legal_moves(view)
        }
        assert {entry.move: entry.value for entry in found.moves} == values
        assert (found.value, found.best) == (max(values.values()), found.moves[0].move)


def test_a_puzzle_of_hidden_hands_with_a_model_is_proved() -> None:
    unstated = solve_puzzle(from_data({"puzzle": [PUZZLE]}).puzzles[0], Limit())
    assert (unstated.status, unstated.reason) == ("solved", None)
    assert unstated.found is not None
    assert (unstated.found.best, unstated.found.value) == (("BT",), 1)
    right = PUZZLE | {"solution": {"best": ["BT"], "value": 1}}
    assert solve_puzzle(from_data({"puzzle": [right]}).puzzles[0], Limit()).confirmed is True
    wrong = PUZZLE | {"solution": {"value": 9}}
    assert solve_puzzle(from_data({"puzzle": [wrong]}).puzzles[0], Limit()).status == "refuted"
    short = solve_puzzle(from_data({"puzzle": [right]}).puzzles[0], Limit(nodes=1))
    assert (short.status, short.confirmed) == ("unproved", None)


def test_where_deals_are_too_many_nothing_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.games.kirin.hint.MOST_DEALS", 2)
    monkeypatch.setattr(hints_endings, "MOST_DEALS", 2)
    found: Any = registry.game("kirin").answer(parse_position(KIRIN), "value", Control(), model="paranoid")
    assert (found.exact, found.value, found.nodes) == (False, None, 0)
    assert found.bounds[0] < found.bounds[1]


def test_what_is_not_offered() -> None:
    kirin = registry.game("kirin")
    fresh = kirin.view(kirin.deal(1, variant="undeclared"), 0)
    with pytest.raises(RequestError, match="too many deals"):
        kirin.answer(fresh, "best-move", Control(), model="paranoid")
    with pytest.raises(RequestError) as found:
        kirin.answer(
            parse_position(KIRIN.replace("trick=2:S-,G-,B-", "leader=2")), "best-move", Control(), model="paranoid"
        )
    assert found.value.code == "not_to_move"
    with pytest.raises(PuzzleError, match="what seat 1 guarantees"):
        from_data({"puzzle": [PUZZLE | {"player": 2}]})
    with pytest.raises(PuzzleError, match="hands are hidden"):
        from_data({"puzzle": [PUZZLE | {"model": "ally", "solution": {"value": 1}}]})


@pytest.mark.covered
def test_making_one_that_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    view = parse_position(KIRIN)
    monkeypatch.setattr(KirinComposer, "candidates", lambda *_, **__: [Candidate(view, "paranoid", view=view)])
    made = make(Order(game="kirin", task=HIDDEN_HAND, model="paranoid"), 0)
    assert made is not None
    assert made.puzzle["model"] == "paranoid"
    assert made.puzzle["solution"] == {"best": ["BT"], "value": 1}
    assert made.puzzle["themes"] == ["trump"]
    assert "whatever the others hold" in made.puzzle["note"]
    assert made.puzzle["measured"]["steps"] == 2
