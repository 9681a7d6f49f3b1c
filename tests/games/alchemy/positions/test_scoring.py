"""`score`: recorded solitaires are replayed by the rules, duels are added up; errors name the place."""

from __future__ import annotations

from typing import Any

import pytest

from solver import registry
from solver.common import Random
from solver.errors import AthanorError
from solver.games.alchemy.rules import SOLITAIRE, Variant
from solver.positions import parse_record
from tests.reference import alchemy as ref

GAME = registry.game("alchemy")


def name(rank: int) -> str:
    return {1: "A", 11: "J", 12: "Q", 13: "K"}.get(rank, str(rank))


def played(variant: Variant, seed: int) -> tuple[dict[str, Any], bool, int]:
    """A record of a random game by the reference, with its result and the stock cards left."""
    deck = variant.deck
    random = Random(seed)
    random.shuffle(deck)
    texts = []

    def choose(cap: int, line: tuple[int, ...], hand: int, moves: list[ref.Move]) -> ref.Move:
        move = moves[random.below(len(moves))]
        texts.append(ref.text(move, ref.matches(line, hand, variant.min_line).get(move[1]), hand))
        return move

    won, left, _ = ref.play_solitaire(variant.name, deck, choose)
    return {"game": "alchemy", "variant": variant.name, "deck": [name(r) for r in deck], "moves": texts}, won, left


@pytest.mark.covered
@pytest.mark.small
@pytest.mark.parametrize("which", list(SOLITAIRE))
def test_random_games_are_scored_as_the_reference_ended_them(which: str) -> None:
    results = set()
    for seed in range(40):
        record, won, left = played(SOLITAIRE[which], seed)
        found = GAME.score(parse_record(record)).to_dict()
        assert found == {
            "game": "alchemy", "variant": which, "finished": True, "value": "won" if won else "lost", "left": left,
            "turns": len(record["moves"]),
        }  # fmt: skip
        results.add(won)
        # Cut short, the game is not finished; the stock holds more.
        short = {**record, "moves": record["moves"][:-1]}
        cut = GAME.score(parse_record(short)).to_dict()
        assert (cut["finished"], cut["value"], cut["turns"]) == (False, None, len(record["moves"]) - 1)
        assert cut["left"] >= left
    assert False in results


def failing(record: dict[str, Any]) -> AthanorError:
    with pytest.raises(AthanorError) as caught:
        GAME.score(parse_record(record))
    return caught.value


@pytest.mark.small
def test_errors_in_solitaire_records_name_the_place() -> None:
    record, _, _ = played(SOLITAIRE["alternative"], 1)
    count = len(record["moves"])
    error = failing({**record, "moves": [*record["moves"], "discard 2"]})
    assert (error.code, error.path) == ("illegal_move", f"moves[{count}]")
    assert "after the game is over" in error.message
    error = failing({**record, "moves": [*record["moves"][:2], "discard K"]})
    assert (error.code, error.path) == ("illegal_move", "moves[2]")
    error = failing({**record, "moves": [*record["moves"][:1], "what"]})
    assert (error.code, error.path) == ("illegal_move", "moves[1]")
    assert (failing({**record, "moves": [7]}).code, failing({**record, "moves": [7]}).path) == (
        "wrong_type",
        "moves[0]",
    )
    assert failing({**record, "deck": record["deck"][:-1]}).code == "wrong_size"
    error = failing({**record, "deck": ["X", *record["deck"][1:]]})
    assert (error.code, error.path) == ("illegal_card", "deck[0]")
    error = failing({**record, "deck": ["Q", *record["deck"][1:]]})
    assert (error.code, error.path) == ("illegal_card", "deck[0]")
    same = [record["deck"][0]] * 40
    error = failing({**record, "deck": same})
    assert (error.code, error.path) == ("duplicate_card", "deck[4]")


def duel(*rounds: tuple[list[str], list[str]]) -> dict[str, Any]:
    return {"game": "alchemy", "variant": "duel", "rounds": [{"piles": list(piles)} for piles in rounds]}


@pytest.mark.small
def test_duels_are_added_up() -> None:
    first = (["A", "A", "A", "A", "K"], ["X", "2"])
    found = GAME.score(parse_record(duel(first, (["K", "K"], ["9"])))).to_dict()
    assert found == {
        "game": "alchemy", "variant": "duel", "rounds": [[12, 11], [4, 1]], "totals": [16, 12], "winner": None,
        "finished": False,
    }  # fmt: skip
    ten_jokers = ["X"] * 10
    found = GAME.score(parse_record(duel((ten_jokers, ["A"])))).to_dict()
    assert (found["winner"], found["finished"], found["totals"]) == (0, True, [100, 1])
    tie = GAME.score(parse_record(duel((ten_jokers, ten_jokers)))).to_dict()
    assert (tie["winner"], tie["finished"]) == (None, False)
    decided = GAME.score(parse_record(duel((ten_jokers, ten_jokers), (["A"], ["K"])))).to_dict()
    assert (decided["winner"], decided["totals"]) == (1, [101, 102])
    assert GAME.score(parse_record(duel())).to_dict()["totals"] == [0, 0]


@pytest.mark.small
def test_errors_in_duel_records_name_the_place() -> None:
    error = failing(duel((["X"] * 10, []), (["A"], [])))
    assert (error.code, error.path) == ("conflict", "rounds[1]")
    error = failing(duel((["A"], []), (["5", "5", "5"], ["5", "5"])))
    assert (error.code, error.path) == ("duplicate_card", "rounds[1].piles[1][1]")
    error = failing(duel((["A"], ["Z"])))
    assert (error.code, error.path) == ("illegal_card", "rounds[0].piles[1][0]")
    error = failing({"game": "alchemy", "variant": "duel", "rounds": [{"piles": [[]]}]})
    assert error.path.startswith("rounds[0].piles")
    error = failing({"game": "alchemy", "variant": "free", "rounds": []})
    assert (error.code, error.path) == ("unknown_value", "variant")
