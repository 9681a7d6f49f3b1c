"""Kirin's puzzles: how they are made, what an analysis proves, and what the collection holds."""

from __future__ import annotations

import re
from typing import Any

import pytest

from solver.answers import proved
from solver.games.kirin import GAME
from solver.games.kirin.deck import name
from solver.games.kirin.position import Bounds, KirinAnalysis, KirinMove, Round, numbers
from solver.games.kirin.puzzles import mirrored
from solver.limits import Control
from solver.positions import parse_position
from solver.puzzle_maker import BEST_MOVE, HIDDEN_HAND, VALUE, Candidate, composer_of
from tests.support.kinds import of_kind
from tests.support.puzzle_checks import collection

ENDING = (
    "kirin direction=ascending hands=S1,B4,G3/D3,B6,G5/D5,D6,S2/S3,S5,B1 declared=D2,G1,D+,B- won=-/-/-/- leader=2"
)
TURNED = {"ascending": "descending", "descending": "ascending"}


def position(text: str) -> Round:
    return of_kind(Round, parse_position(text))


def in_the_mirror(known: Round) -> Round:
    def cards(texts: Any) -> tuple[str, ...]:
        return tuple(name(mirrored(card)) for card in numbers(texts))

    return known.model_copy(
        update={
            "direction": TURNED[known.direction],
            "hands": tuple(map(cards, known.hands)),
            "trick": cards(known.trick),
            "declared": cards(known.declared),
            "won": tuple(map(cards, known.won)),
        }
    )


def turned(known: Round) -> Round:
    """Every seat one to the left."""
    fields = ("hands", "declared", "won")
    moved = {field: (getattr(known, field)[-1], *getattr(known, field)[:-1]) for field in fields}
    return known.model_copy(update=moved | {"leader": (known.leader + 1) % 4})


def test_the_mirror_is_one_and_keeps_every_value() -> None:
    assert [mirrored(mirrored(card)) for card in range(36)] == list(range(36))
    known = position(ENDING)
    values = [GAME.analyze(one, Control(), model="paranoid").value for one in (known, in_the_mirror(known))]
    assert values[0] == values[1]


@pytest.mark.parametrize("model", ["paranoid", "maxn"])
def test_images_share_a_key_and_others_do_not(model: str) -> None:
    composer = composer_of(GAME)
    known = position(ENDING)
    key = composer.symmetry(BEST_MOVE, Candidate(known, model))
    for image in (in_the_mirror(known), turned(known), turned(in_the_mirror(known))):
        assert composer.symmetry(BEST_MOVE, Candidate(image, model)) == key
    other = known.model_copy(update={"declared": ("D2", "G1", "S+", "B-")})  # seat 2 collects another colour
    assert composer.symmetry(BEST_MOVE, Candidate(other, model)) != key
    others = known.model_copy(update={"declared": ("D2", "S4", "D+", "B-")})  # and here seat 1 does
    same = composer.symmetry(BEST_MOVE, Candidate(others, model)) == key
    assert same == (model == "paranoid")
    assert composer.symmetry(VALUE, Candidate(known, model)) != key


@pytest.mark.parametrize(
    ("trick", "hand", "best", "line", "themes"),
    [
        # Nothing has to follow the Dragon. The trump would take the trick, and takes the next one.
        ("trick=1:D6,S6,G2", "DT,S1", "S1", ["S1", "D2", "S2", "S4", "DT"], ["lose on purpose", "take it later"]),
        # The kirin turns the order round: no other one is in the trick.
        ("trick=1:D6,S6,G2", "B-,S1", "B-", ["B-"], ["flip the order", "throw a kirin"]),
        # With both kirin of the Tiger the order stays; one alone would turn it.
        ("trick=1:D6,B-,G2", "B+,S1", "B+", ["B+"], ["keep the order", "throw a kirin"]),
    ],
)
def test_themes(trick: str, hand: str, best: str, line: list[str], themes: list[str]) -> None:
    text = f"kirin direction=ascending hands={hand}/D2/S2/S4 declared=D3,G6,D4,B4 {trick}"
    found = composer_of(GAME).themes_of(BEST_MOVE, Candidate(position(text), "paranoid"), best, line)
    assert set(themes) <= set(found)


def test_who_does_not_look_far() -> None:
    composer = composer_of(GAME)
    last = position("kirin direction=ascending hands=DT,S1/D2/S2/S4 declared=D3,G6,D4,B4 trick=1:D6,S6,G2")
    assert composer.obvious(BEST_MOVE, Candidate(last, "paranoid")) == "DT"
    assert composer.shallow(BEST_MOVE, Candidate(last, "paranoid")) == "DT"
    assert composer.obvious(VALUE, Candidate(last, "maxn")) is None


VIEW = "kirin seat=0 hand=S2,S5,B3 declared=ST history=" + "/".join(
    ("0:D-,S4,G6,B6", "3:B4,S-,G-,G1", "2:D+,GT,B5,G2", "3:S6,DT,G5,S+", "0:B2,S3,B+,B1")
)


@pytest.mark.parametrize("model", ["paranoid", None])
def test_views_turned_round_share_a_key(model: str | None) -> None:
    def key(view: str) -> str:
        return composer_of(GAME).symmetry(HIDDEN_HAND, Candidate(parse_position(view), model))

    one = f"{VIEW} trick=1:G+,B-,D2"
    turned = re.sub(r"(history=|[/:=])(\d)(?=:)", lambda found: f"{found[1]}{(int(found[2]) + 1) % 4}", one)
    assert key(one) == key(turned.replace("seat=0", "seat=1"))
    assert key(one) != key(one.replace("hand=S2", "hand=S1"))
    # Who played what in a trick that is over is nothing where every deal counts that is left.
    other = one.replace("0:B2,S3,B+,B1", "0:B2,S3,B1,B+")
    assert (key(one) == key(other)) == (model == "paranoid")


def analysis(moves: dict[str, Bounds], bounds: Bounds | None, **keys: Any) -> KirinAnalysis:
    """An answer to seat 1, from the bounds of each move."""
    fields = {"model": "paranoid", "player": 1, "to_move": 1, "line": (), "nodes": 1, "seconds": 0.0} | keys
    value = bounds[0] if bounds is not None and bounds[0] == bounds[1] else None
    return KirinAnalysis(
        game="kirin",
        exact=value is not None and all(low == high for low, high in moves.values()),
        value=value,
        bounds=bounds,
        best=next(iter(moves), None),
        moves=tuple(
            KirinMove(
                move=move, value=pair[0] if pair[0] == pair[1] else None, bounds=pair, exact=pair[0] == pair[1]
            )
            for move, pair in moves.items()
        ),
        **fields,
    )


@pytest.mark.parametrize(
    ("moves", "bounds", "keys", "value", "best"),
    [
        ({"D1": (3, 3), "S1": (3, 3), "B1": (2, 2)}, (3, 3), {}, 3, ("D1", "S1")),
        # a move that cannot reach the best need not be exact
        ({"D1": (3, 3), "S1": (0, 2)}, (3, 3), {}, 3, ("D1",)),
        # one that may tie leaves the list of best moves open, though not the value
        ({"D1": (3, 3), "S1": (0, 3)}, (3, 3), {}, 3, None),
        ({"D1": (1, 3), "S1": (0, 2)}, (1, 3), {}, None, None),
        # another's points: the seat to move keeps them low, or high where it helps
        ({"D1": (2, 2), "S1": (3, 5)}, (2, 2), {"player": 0}, 2, ("D1",)),
        ({"D1": (2, 2), "S1": (2, 5)}, (2, 2), {"player": 0}, 2, None),
        ({"D1": (4, 4), "S1": (1, 3)}, (4, 4), {"player": 0, "model": "ally"}, 4, ("D1",)),
        # a single move is best whatever it is worth
        ({"D1": (0, 4)}, (0, 4), {}, None, ("D1",)),
        ({}, (2, 2), {}, 2, ()),
    ],
)
def test_one_player(
    moves: dict[str, Bounds], bounds: Bounds, keys: dict[str, Any], value: int | None, best: tuple[str, ...] | None
) -> None:
    found = proved(analysis(moves, bounds, **keys))
    assert (found.value, found.best, found.complete) == (value, best, True)


def test_maxn_ties_on_own_score_and_the_total_of_the_others() -> None:
    first, same, more, less = (1, 2, 0, 0), (0, 2, 0, 1), (2, 2, 2, 2), (0, 1, 0, 0)
    moves: dict[str, Bounds] = {"D1": (first, first), "S1": (same, same), "B1": (more, more), "G1": (less, less)}
    found = proved(analysis(moves, (first, first), model="maxn"))
    assert (found.value, found.best) == (first, ("D1", "S1"))


def test_maxn_that_is_not_all_proved() -> None:
    first = (1, 2, 0, 0)
    clear: dict[str, Bounds] = {"D1": (first, first), "S1": ((0, 0, 0, 0), (3, 1, 3, 3))}
    assert proved(analysis(clear, (first, first), model="maxn")).best == ("D1",)
    # S1 may reach two points with less for the others
    open_: dict[str, Bounds] = {"D1": (first, first), "S1": ((0, 0, 0, 0), (3, 2, 3, 3))}
    assert proved(analysis(open_, (first, first), model="maxn")).best is None
    # with two points and at least two for the others, it cannot
    worse: dict[str, Bounds] = {"D1": (first, first), "S1": ((1, 0, 1, 0), (3, 2, 3, 3))}
    assert proved(analysis(worse, (first, first), model="maxn")).best == ("D1",)


def test_the_collection_asks_which_card_to_set_aside() -> None:
    assert any(of_kind(Round, puzzle.position).choosing for puzzle in collection("kirin"))
