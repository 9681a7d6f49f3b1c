"""What users set or send is read strictly: what pydantic finds, the environment, and TOML."""

from __future__ import annotations

import os
import time
import tomllib
from contextlib import suppress
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from solver.decks import written
from solver.errors import PositionError, PuzzleError, RequestError, whole_number
from solver.search.parallel import search_threads
from solver.strict_json import MOST_KEYS, MOST_PARTS, Size, loads_toml, size_of
from solver.validation import validated


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid")
    mode: Literal["up", "down"] = "up"


class Outer(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: Annotated[str, Field(min_length=1, max_length=3)] = "a"
    seat: Annotated[int, Field(ge=0, lt=4, strict=True)] = 0
    asked: int = 0
    share: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = 1
    sure: Annotated[bool, Field(strict=True)] = True
    pile: Annotated[tuple[str, ...], Field(min_length=1, max_length=2)] = ("a",)
    rows: list[int] = []
    words: dict[str, int] = {}
    inner: Inner = Inner()


WRITE = ": write {}, without quotation marks"


@pytest.mark.parametrize(
    ("data", "code", "path", "message"),
    [
        ({"text": 7}, "wrong_type", "text", "text is expected, not 7"),
        ({"text": ""}, "wrong_size", "text", "at least 1 character is expected, not 0"),
        ({"text": "abcd"}, "wrong_size", "text", "at most 3 characters are expected, not 4"),
        ({"text": "\ud800"}, "wrong_type", "text", "text of whole characters is expected, not '\\ud800'"),
        ({"seat": None}, "wrong_type", "seat", "a whole number is expected, not null"),
        ({"seat": -1}, "out_of_range", "seat", "0 to 3 is expected, not -1"),
        ({"seat": 4}, "out_of_range", "seat", "0 to 3 is expected, not 4"),
        ({"seat": "２"}, "wrong_type", "seat", f"a whole number is expected, not '２'{WRITE.format(2)}"),
        ({"seat": "seat 2"}, "wrong_type", "seat", f"a whole number is expected, not 'seat 2'{WRITE.format(2)}"),
        ({"seat": "席2"}, "wrong_type", "seat", f"a whole number is expected, not '席2'{WRITE.format(2)}"),
        ({"seat": "2-3"}, "wrong_type", "seat", "a whole number is expected, not '2-3'"),
        ({"asked": "x"}, "wrong_type", "asked", "a whole number is expected, not 'x'"),
        ({"asked": 1.5}, "wrong_type", "asked", "a whole number is expected, not 1.5"),
        ({"asked": "9" * 5000}, "wrong_type", "asked", f"a smaller number is expected, not '{'9' * 38}…"),
        ({"share": "x"}, "wrong_type", "share", "a number is expected, not 'x'"),
        ({"share": []}, "wrong_type", "share", "a number is expected, not a list"),
        ({"share": float("inf")}, "out_of_range", "share", "a finite number is expected, not inf"),
        ({"share": 0}, "out_of_range", "share", "more than 0 and at most 1 is expected, not 0"),
        ({"share": 2}, "out_of_range", "share", "more than 0 and at most 1 is expected, not 2"),
        ({"sure": 1}, "wrong_type", "sure", "true or false is expected, not 1"),
        ({"sure": "True"}, "wrong_type", "sure", f"true or false is expected, not 'True'{WRITE.format('true')}"),
        ({"pile": "a"}, "wrong_type", "pile", "a list is expected, not 'a'"),
        ({"pile": []}, "wrong_size", "pile", "at least 1 entry is expected, not 0"),
        ({"pile": ["a"] * 3}, "wrong_size", "pile", "at most 2 entries are expected, not 3"),
        ({"pile": ["a", True]}, "wrong_type", "pile[1]", "text is expected, not true"),
        ({"rows": {}}, "wrong_type", "rows", "a list is expected, not an object"),
        ({"words": []}, "wrong_type", "words", "an object is expected, not a list"),
        ({"inner": 3}, "wrong_type", "inner", "an object is expected, not 3"),
        ({"inner": {"mode": 3}}, "unknown_value", "inner.mode", "one of up, down is expected, not 3"),
        ({"inner": {"x": 3}}, "unknown_key", "inner.x", "unknown key 'x'"),
        ([], "wrong_type", "", "an object is expected, not a list"),
    ],
)
def test_every_kind_of_finding(data: Any, code: str, path: str, message: str) -> None:
    with pytest.raises(PuzzleError) as found:
        validated(Outer.model_validate, data, PuzzleError)
    assert (found.value.code, found.value.path, found.value.message) == (code, path, message)


# ----------------------------------------------------------------------------------------------------
# What users set in the environment is read strictly, and refused by its name.


def test_a_number_that_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ATHANOR_X", raising=False)
    assert whole_number("ATHANOR_X", 1, 9) is None
    monkeypatch.setenv("ATHANOR_X", "9")
    assert whole_number("ATHANOR_X", 1, 9) == 9


@pytest.mark.parametrize("text", ["", "junk", "0", "-1", "1.5", "²", "1000001", "9" * 5000, " 1"])
def test_threads_that_are_no_number(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("ATHANOR_THREADS", text)
    with pytest.raises(RequestError, match="ATHANOR_THREADS must be a number from 1 to 1000000, not ") as found:
        search_threads()
    assert len(found.value.message) < 120


def test_threads_are_no_more_than_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATHANOR_THREADS", "1")
    assert search_threads() == 1
    monkeypatch.setenv("ATHANOR_THREADS", "64")
    assert search_threads() == (os.cpu_count() or 1)


# ----------------------------------------------------------------------------------------------------
# TOML of any text is read as `tomllib` reads it, but for keys of very many parts and too many values.


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


def test_of_far_too_many_letters_no_entries_are_counted() -> None:
    """However many texts they are in; to look into each of a megabyte took .1 s."""
    assert size_of(["A," * 50] * 1000) == Size(1000 + 1000 * 50, 100_000)
    assert size_of(["A," * 50] * 10_000).letters == 1_000_000
    assert size_of(["A," * 50] * 10_000).entries < 150_000
