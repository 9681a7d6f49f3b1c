"""What pydantic finds wrong is said in our words, with our code, at the place where it is."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from solver.errors import PuzzleError
from solver.findings import validated


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


@pytest.mark.parametrize(
    ("data", "code", "path", "message"),
    [
        ({"text": 7}, "wrong_type", "text", "text is expected, not 7"),
        ({"text": ""}, "wrong_size", "text", "at least 1 character is expected, not 0"),
        ({"text": "abcd"}, "wrong_size", "text", "at most 3 characters are expected, not 4"),
        (
            {"text": "\ud800"},
            "wrong_type",
            "text",
            "text of whole characters is expected, not '\\ud800'",
        ),
        ({"seat": None}, "wrong_type", "seat", "a whole number is expected, not null"),
        ({"seat": -1}, "out_of_range", "seat", "0 to 3 is expected, not -1"),
        ({"seat": 4}, "out_of_range", "seat", "0 to 3 is expected, not 4"),
        ({"asked": "x"}, "wrong_type", "asked", "a whole number is expected, not 'x'"),
        ({"asked": 1.5}, "wrong_type", "asked", "a whole number is expected, not 1.5"),
        ({"asked": "9" * 5000}, "wrong_type", "asked", f"a smaller number is expected, not '{'9' * 38}…"),
        ({"share": "x"}, "wrong_type", "share", "a number is expected, not 'x'"),
        ({"share": []}, "wrong_type", "share", "a number is expected, not a list"),
        ({"share": float("inf")}, "out_of_range", "share", "a finite number is expected, not inf"),
        ({"share": 0}, "out_of_range", "share", "more than 0 and at most 1 is expected, not 0"),
        ({"share": 2}, "out_of_range", "share", "more than 0 and at most 1 is expected, not 2"),
        ({"sure": 1}, "wrong_type", "sure", "true or false is expected, not 1"),
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
