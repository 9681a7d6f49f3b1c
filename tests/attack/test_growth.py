"""No field makes the processor time grow faster than its size: a quick look, at each field with one piece."""

from __future__ import annotations

import random

import pytest

from api.config import Config
from api.openapi import document
from tests.attack.case import JSON
from tests.attack.growth import ADDRESS, SIZES, Curve, Field, curve, fields, one_each, service, ways

FIELDS = 12  # that are measured, always the same ones; python -m tests.attack.growth measures all
SLACK = 3.0  # a busy machine takes so much longer


def test_every_call_has_fields_that_are_measured() -> None:
    """A new call has an example in the document, or else needs one in `growth`."""
    measured = {field.address.partition("?")[0] for field in fields()}
    for address, operations in document(Config())["paths"].items():
        if "requestBody" in operations.get("post", {}):
            assert address in measured, address
    names = {field.name for field in fields()}
    assert len(names) > 3000
    assert any(name.endswith("history[0].cards") for name in names)
    assert any(field.kind == ADDRESS and "picture" in field.address for field in fields())


@pytest.mark.slow
def test_no_field_takes_long_or_grows_fast() -> None:
    found = []
    each = list(one_each())
    random.Random(1).shuffle(each)
    with service() as client:
        for field in each[:FIELDS]:
            ((piece, after),) = ways(field, 1)
            measured, _ = curve(client, field, piece, after=after)
            found += [f"{fault}: {measured}" for fault in measured.faults(SLACK)]
    assert not found


def test_what_grows_with_the_square_is_found() -> None:
    field = Field("/v1/moves", JSON, {}, ("position",))
    for power, faulty in ((1.0, False), (2.0, True)):
        times = tuple((size, 1.0 * (size / SIZES[-1]) ** power) for size in SIZES)
        told = list(Curve(field, " ", False, times).faults(slack=10))
        assert bool(told) is faulty
    assert list(Curve(field, " ", False, ((1_000_000, 0.5),)).faults()) == ["takes 0.50 s"]
