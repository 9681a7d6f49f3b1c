"""What people type on a Japanese keyboard, or paste from anywhere, is read as if typed in ASCII, quickly."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import athanor
from solver.codec import escaped, unescaped
from solver.errors import AthanorError, PositionError
from solver.positions import parse_position, parse_record, position_data, text_of
from solver.texts import plain
from tests.notation.fuzzing import lines
from tests.support.timing import LINEAR, growth

WIDE = {chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F) if chr(code) not in "%&#"}
COMMAS, DASHES, HIDDEN = "、，；;､", "−－ー–—‐ｰ―", "\u200b\u200d\ufeff\u2060\u00ad\ufe0f"
KNOWN = [line for line in lines(deals=2) if "%" not in line and "deck=" not in line]


def typed(line: str, rng: random.Random) -> str:
    """The line as somebody types it whose keyboard writes Japanese."""
    found = ""
    for mark in line:
        ways = [mark, WIDE.get(mark, mark)]
        if mark == ",":
            ways = [mark, *COMMAS]
        elif mark == "-":
            ways = [mark, *DASHES]
        elif mark == " ":
            ways = [" ", "\u3000", "\u00a0", "&amp;", "\n# a comment\n"]
        found += rng.choice(ways) + (rng.choice(HIDDEN) if rng.random() < 0.05 and mark != " " else "")
    before, behind = rng.choice([("", ""), ('"', '"'), ("“", "”"), ("「", "」"), ("> ", ""), ("", ".")])
    return before + found + behind


def reader(line: str) -> Callable[[object], Any]:
    return parse_record if " round " in line or "points=" in line else parse_position


@settings(max_examples=60, deadline=None, derandomize=True)
@given(line=st.sampled_from(KNOWN), seed=st.integers(0, 10**6))
def test_lines_in_full_width(line: str, seed: int) -> None:
    try:
        meant = reader(line)(line)
    except AthanorError:
        return
    assert text_of(reader(line)(typed(line, random.Random(seed)))) == text_of(meant)


def wide(value: Any, rng: random.Random, key: str = "") -> Any:
    """JSON with its cards in full width."""
    if isinstance(value, str):
        if key in ("game", "variant", "deck", "field", "direction", "stage", "objective"):
            return value
        return "".join(rng.choice((mark, WIDE.get(mark, mark))) for mark in value)
    if isinstance(value, list):
        return [wide(one, rng, key) for one in value]
    if isinstance(value, dict) and key not in ("deck", "rules", "voids"):
        return {name: wide(one, rng, name) for name, one in value.items()}
    return value


@settings(max_examples=60, deadline=None, derandomize=True)
@given(line=st.sampled_from([line for line in KNOWN if " round " not in line]), seed=st.integers(0, 10**6))
def test_cards_in_json(line: str, seed: int) -> None:
    try:
        meant = parse_position(line)
    except AthanorError:
        return
    assert parse_position(wide(position_data(meant), random.Random(seed))) == meant


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        (
            "kirin seat=0 hand=S4,S5,S+,B-,B6,G2,D1,D2 declared=DT leader=0 direction=ascending",
            "S4>4s;S+>+s;B->-B",
        ),
        ("alchemy solo line=A,2,4,7,9,K hand=6", "4>S4;9>♠9;K>♥\ufe0fk;=6>=D6"),
    ],
)
def test_a_number_or_a_suit_may_stand_first(line: str, typed: str) -> None:
    other = line
    for change in typed.split(";"):
        card, _, written = change.partition(">")
        other = other.replace(card, written, 1)
    assert other != line
    assert athanor.parse(other) == athanor.parse(line)


@pytest.mark.parametrize(
    "around",
    [
        "http://127.0.0.1:8000/#{}&~tab=hint",
        "https://a.example/b/p/{}",
        "<http://[::1]:8000/p/{}#~moves=D4&~at=1>",
    ],
)
@pytest.mark.parametrize("behind", ["", ".", ").", "?", "、"])
@pytest.mark.parametrize("mark", ["&", "&amp;", "%20"])
def test_an_address_of_the_page(around: str, behind: str, mark: str) -> None:
    line = "alchemy solo line=A,2,4,7,9,K hand=6"
    assert str(athanor.parse(around.format(line.replace(" ", mark)) + behind)) == line


def test_names_stay_as_they_are() -> None:
    assert unescaped(escaped("①ｱ.")) == "①ｱ."
    with pytest.raises(PositionError) as raised:
        athanor.parse("king seat=0 hand=F1 deck=①ｱ")
    assert "'①ｱ'" in str(raised.value)


@pytest.mark.parametrize("text", ["\u3000", "、", "－", "\u0315\u0300", "\u200b", "ﷺ", "ｱﾞ", "="])
def test_the_time_grows_with_the_length_alone(text: str) -> None:
    def ask(length: int) -> None:
        sent = text * (length // len(text))
        plain(sent)
        for line in (sent, f"kirin hand={sent}", f"#{sent}&hand=", f"kirin {sent}=1"):
            with pytest.raises(AthanorError):
                athanor.parse(line)

    assert growth(ask, 20_000) < LINEAR
