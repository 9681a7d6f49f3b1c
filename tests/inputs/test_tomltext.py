"""TOML of any text is read as `tomllib` reads it, but for keys of very many parts and too many values."""

from __future__ import annotations

import time
import tomllib
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.decks import written
from solver.errors import PositionError
from solver.inputs import MOST_KEYS, MOST_PARTS, loads_toml

# Pieces that open, close and escape what a reader that looks through a text must see as the reader proper does.
PIECES = ['"', "'", '"""', "'''", "\\", "[[", "]]", "\r\n", *"a\n#=.,[]{} 1"]


def outcome(read: Any, text: str) -> object:
    try:
        return read(text)
    except (tomllib.TOMLDecodeError, RecursionError) as found:
        return type(found)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_text_is_read_as_by_tomllib(text: str) -> None:
    assert outcome(loads_toml, text) == outcome(tomllib.loads, text)


DOTS = "." * 50


@pytest.mark.parametrize(
    "text",
    [
        f"a = '{DOTS}'",
        f'a = "{DOTS}"',
        f'a = "\\"{DOTS}"',
        f"a = '''\n'{DOTS}''{DOTS}'''",
        f'a = """\n"{DOTS}""{DOTS}\\"""{DOTS}"""',
        f'a = """{DOTS}"""""',
        f"# {DOTS} ' \" \na = 1",
        f"# one\n# ' two {DOTS}\n\n # three \"\na = 1 # '",
        "a = [" + "1.5, " * 100 + "]",
        "\n".join(f"a{number}.b = 1.5" for number in range(100)),
        ".".join("a" * MOST_PARTS) + " = 1",
        f"[{'.'.join('a' * MOST_PARTS)}]",
    ],
)
def test_dots_that_are_no_parts_of_a_key(text: str) -> None:
    assert loads_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        ".".join("a" * (MOST_PARTS + 1)) + " = 1",
        " . ".join(["'a.'"] * (MOST_PARTS + 1)) + " = 1",
        f"[{'.'.join('a' * (MOST_PARTS + 1))}]",
        f"a = {{ {'.'.join('a' * (MOST_PARTS + 1))} = 1 }}",
    ],
)
def test_a_key_of_too_many_parts(text: str) -> None:
    with pytest.raises(RecursionError):
        loads_toml(text)


@pytest.mark.parametrize(
    "text",
    [
        "a = 1\n" + '\\"""' * 250_000,
        '"\n' * 500_000,
        "\n" * 1_000_000,
        "#\n" * 500_000,
        "=" * 1_000_000,
        "[" * 1_000_000,
        'a = "' + "\\" * 1_000_000,
        "'" * 1_000_000,
        '"' * 999_999,
        "a" * 1_000_000,
        "a = 1_" + "1_" * 500_000,
    ],
    ids=lambda text: text[:9],
)
def test_a_megabyte_of_anything(text: str) -> None:
    begun = time.process_time()
    with suppress(ValueError, PositionError):
        loads_toml(text, 50_000)
    assert time.process_time() - begun < 3


def test_values_and_keys_are_counted() -> None:
    assert loads_toml("a = [1, 2]", 3) == {"a": [1, 2]}
    with pytest.raises(PositionError, match="more than 2 values"):
        loads_toml("a = [1, 2]", 2)
    most = "\n".join(f"a{number} = 1" for number in range(MOST_KEYS))
    assert len(loads_toml(most)) == MOST_KEYS
    with pytest.raises(PositionError, match="keys"):
        loads_toml(f"b = [{{ c = [1] }}, [{{ {most.replace(chr(10), ', ')}, b = 1 }}]]")


def test_a_deck_whose_keys_have_very_many_parts() -> None:
    with pytest.raises(PositionError, match="nested too deeply"):
        written(".".join("a" * 40_000) + " = 1")
