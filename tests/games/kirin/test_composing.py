"""Kirin's part in making puzzles: the mirror, the themes, and what is asked."""

from __future__ import annotations

import re
from typing import Any

import pytest

from solver.composing import BEST_MOVE, HIDDEN_HAND, VALUE, Candidate
from solver.games.kirin import GAME
from solver.games.kirin.deck import name
from solver.games.kirin.position import KnownPosition, numbers
from solver.games.kirin.puzzles import mirrored
from solver.limits import Control
from solver.positions import parse_position

pytestmark = [pytest.mark.small, pytest.mark.plain]

ENDING = (
    "kirin direction=ascending hands=S1,B4,G3/D3,B6,G5/D5,D6,S2/S3,S5,B1 declared=D2,G1,D+,B- won=-/-/-/- leader=2"
)
TURNED = {"ascending": "descending", "descending": "ascending"}


def position(text: str) -> KnownPosition:
    found = parse_position(text)
    assert isinstance(found, KnownPosition)
    return found


def in_the_mirror(known: KnownPosition) -> KnownPosition:
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


def turned(known: KnownPosition) -> KnownPosition:
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
    composer = GAME.composer
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
        ("trick=1:D6,S6,G2", "DT,S1", "S1", ["S1", "D2", "S2", "S4", "DT"], ["duck", "hold up"]),
        # The kirin turns the order round: no other one is in the trick.
        ("trick=1:D6,S6,G2", "B-,S1", "B-", ["B-"], ["flip the order", "throw a kirin"]),
        # With both kirin of the Tiger the order stays; one alone would turn it.
        ("trick=1:D6,B-,G2", "B+,S1", "B+", ["B+"], ["keep the order", "throw a kirin"]),
    ],
)
def test_themes(trick: str, hand: str, best: str, line: list[str], themes: list[str]) -> None:
    text = f"kirin direction=ascending hands={hand}/D2/S2/S4 declared=D3,G6,D4,B4 {trick}"
    found = GAME.composer.themes_of(BEST_MOVE, Candidate(position(text), "paranoid"), best, line)
    assert set(themes) <= set(found)


def test_who_does_not_look_far() -> None:
    composer = GAME.composer
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
        return GAME.composer.symmetry(HIDDEN_HAND, Candidate(parse_position(view), model))

    one = f"{VIEW} trick=1:G+,B-,D2"
    turned = re.sub(r"(history=|[/:=])(\d)(?=:)", lambda found: f"{found[1]}{(int(found[2]) + 1) % 4}", one)
    assert key(one) == key(turned.replace("seat=0", "seat=1"))
    assert key(one) != key(one.replace("hand=S2", "hand=S1"))
    # Who played what in a trick that is over is nothing where every deal counts that is left.
    other = one.replace("0:B2,S3,B+,B1", "0:B2,S3,B1,B+")
    assert (key(one) == key(other)) == (model == "paranoid")
