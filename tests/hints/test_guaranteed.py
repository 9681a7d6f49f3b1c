"""What a seat guarantees that sees one hand alone, against a slow reference that goes by positions and views."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import Any

import pytest

from puzzles import wording
from puzzles.check import solve_puzzle
from puzzles.format import from_data
from puzzles.generate import Order, make
from solver import registry
from solver.common import Random
from solver.errors import PuzzleError, RequestError
from solver.games.aqua_regia.endings import deals_at_most
from solver.games.king.compounding import best as best_compounding
from solver.games.king.worlds import deals as king_deals
from solver.games.kirin.puzzles import KirinComposer
from solver.games.kirin.worlds import deals as kirin_deals
from solver.limits import Control, Limit
from solver.positions import parse_position, text_of
from solver.puzzle_maker import HIDDEN_HAND, Candidate, composer_of
from tests.support import rounds
from tests.support.games import offering

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


@pytest.mark.covered
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


def aqua_positions(view: Any) -> list[Any]:
    """Every way to lay the unseen cards, all of which are somewhere, into the hands and the stock."""
    unseen = [symbol for symbol, count in zip(view.metals.index, view.unseen, strict=True) for _ in range(count)]
    others = [seat for seat in range(view.players) if seat != view.seat]
    fields = view.model_dump(exclude={"seat", "hand", "counts", "stock_count", "drawn"}, exclude_none=True)
    found = {}
    for laid in set(permutations(unseen)):
        cards = list(laid)
        hands = [sorted(view.hand)] * view.players
        for seat in others:
            hands[seat] = sorted(cards[: view.counts[seat]])
            cards = cards[view.counts[seat] :]
        assert len(cards) == view.stock_count
        found[str(hands), str(cards)] = parse_position(fields | {"hands": hands, "stock": cards})
    return list(found.values())


def aqua_reference(game: Any, positions: Sequence[Any], seat: int) -> int:
    """1 where the seat goes out first in all positions, which it cannot tell apart, else 0."""
    state = positions[0].state
    if state.winner is not None:
        return int(state.winner == seat)
    if state.turn == seat:
        moves = game.legal_moves(game.view(positions[0], seat))
        return max(aqua_after(game, positions, move, seat) for move in moves)
    return aqua_seen(game, [(one, move) for one in positions for move in game.legal_moves(one)], seat)


def aqua_seen(game: Any, made: Sequence[tuple[Any, Any]], seat: int) -> int:
    """The least over what the seat may see of these moves."""
    seen: dict[tuple[str, str], list[Any]] = {}
    for position, move in made:
        after = game.play(position, move)
        view = "" if after.state.winner is not None else text_of(game.view(after, seat))
        seen.setdefault((game.format_move(position, move), view), []).append(after)
    return min(aqua_reference(game, group, seat) for group in seen.values())


def aqua_after(game: Any, positions: Sequence[Any], move: Any, seat: int) -> int:
    """The seat's own move; where it draws it sees the card, and then exchanges."""
    if not positions[0].stock or game.format_move(positions[0], move) != "pass":
        return aqua_seen(game, [(one, move) for one in positions], seat)
    drawn: dict[str, list[Any]] = {}
    for one in positions:
        drawn.setdefault(one.stock[0], []).append(one)
    return min(
        max(
            aqua_seen(game, [(one, ending) for one in group], seat)
            for ending in game.legal_moves(group[0])
            if game.format_move(group[0], ending).startswith("pass")
        )
        for group in drawn.values()
    )


@cache
def aqua_endings() -> list[Any]:
    """Small views, in half of which something is sure."""
    endings = []
    composer = composer_of(registry.game("aqua-regia"))
    sure = Counter[bool]()
    for number in range(200):
        for found in composer.candidates(HIDDEN_HAND, "paranoid", Random(number), seed=0, number=number):
            view: Any = found.position
            if sum(view.unseen) > 5 or len(view.hand) > 4 or view.players > 3:
                continue
            answer: Any = view_answer(view)
            if sure[answer.value == 1] < 3 and len(answer.moves) > 1:
                sure[answer.value == 1] += 1
                endings.append(view)
        if sure.total() == 6:
            break
    return endings


def view_answer(view: Any) -> Any:
    return registry.game("aqua-regia").answer(view, "best-move", Control(), model="paranoid")


@pytest.mark.covered  # the search answers all these views where they are chosen; here the reference takes the time
def test_aqua_regia_as_the_reference() -> None:
    game = registry.game("aqua-regia")
    checked = 0
    for view in aqua_endings():
        positions = aqua_positions(view)
        found = view_answer(view)
        assert found.exact
        values = {
            game.format_move(view, move): aqua_after(game, positions, move, view.seat)
            for move in game.legal_moves(view)
        }
        assert {entry.move: entry.value for entry in found.moves} == values, text_of(view)
        checked += 1
    assert checked == 6


def test_a_drawn_card_is_exchanged_over_all_deals() -> None:
    """Of the two ways to end the pass one alone is sure to win."""
    game = registry.game("aqua-regia")
    for view in aqua_endings():
        if view.table and view.stock_count:
            position = aqua_positions(view)[0]
            drawn = view.model_copy(update={"drawn": position.stock[0]})
            found = view_answer(drawn)
            moves = [entry.move for entry in found.moves]
            assert sorted(moves) == sorted(game.format_move(drawn, move) for move in game.legal_moves(drawn))
            best = max(entry.value for entry in found.moves)
            group = [one for one in aqua_positions(view) if one.stock[0] == drawn.drawn]
            ways = [aqua_seen(game, [(one, move) for one in group], view.seat) for move in game.legal_moves(drawn)]
            assert best == max(ways)


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


@pytest.mark.parametrize("game", offering("guaranteed"))
def test_deals_too_many_to_check_are_counted_alike_in_every_game(game: str) -> None:
    rules = registry.game(game)
    position: Any = rules.deal(3)
    for _ in range(8):
        position = rules.play(position, rules.legal_moves(position)[0])
    view = rules.view(position, position.seat_to_move)
    puzzle = PUZZLE | {"position": text_of(view)}
    found = solve_puzzle(from_data({"puzzle": [puzzle]}).puzzles[0], Limit())
    assert (found.status, found.confirmed) == ("error", None)
    assert found.error is not None
    assert found.error.code == "too_large"
    pattern = r"(about|up to) (10\^\d+|\d[\d,]*0) deals agree with this view; at most 20,000 can be checked"
    assert re.fullmatch(pattern, found.error.message), found.error.message


def test_the_deals_of_aqua_regia_are_counted() -> None:
    for view in aqua_endings():
        assert deals_at_most(view) == len(aqua_positions(view))


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
    with pytest.raises(PuzzleError, match="what seat 1, whose view this is, can guarantee"):
        from_data({"puzzle": [PUZZLE | {"player": 2}]})
    with pytest.raises(PuzzleError, match="hands are hidden"):
        from_data({"puzzle": [PUZZLE | {"model": "ally", "solution": {"value": 1}}]})


@pytest.mark.covered
def test_making_one_that_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    view = parse_position(KIRIN)
    monkeypatch.setattr(KirinComposer, "candidates", lambda *_, **__: [Candidate(view, "paranoid", view=view)])
    order = Order(game="kirin", task=HIDDEN_HAND, model="paranoid")
    assert make(order, 0) == (None, None, (), {"few moves": 1})  # there are two
    monkeypatch.setattr("puzzles.generate.flaw", lambda *_: None)
    made = make(order, 0).puzzle
    assert made is not None
    assert made["model"] == "paranoid"
    assert made["solution"] == {"best": ["BT"], "value": 1}
    assert made["themes"] == ["trump", "take the trick"]
    (puzzle,) = from_data({"puzzle": [{"id": "made", "title": "Made", **made}]}).puzzles
    assert "whatever the others hold" in wording.note(puzzle)
    assert made["measured"]["steps"] == 2
