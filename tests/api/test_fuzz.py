"""Whatever is sent: no 5xx, and answers as the document says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.app import create_app
from api.config import Config
from tests.api.support import warmed
from tests.support.places import ROOT

# Short limits: a search that is cut short is an answer like any other.
APP = create_app(Config(default_seconds=0.05, max_seconds=0.1))
BOUNDED = settings(max_examples=40, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    warmed()


# A position that the schema allows is hardly ever one of a game. These nearly always are, and odd ones.
CARDS = st.sampled_from(["A", *map(str, range(2, 11)), "J", "Q", "K"])
LOW_CARDS = st.sampled_from(["A", *map(str, range(2, 11))])


def solitaires(variant: str, cap: int, cards: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Any]]:
    return st.integers(3, cap).flatmap(
        lambda size: st.fixed_dictionaries(
            {
                "game": st.just("alchemy"),
                "variant": st.just(variant),
                "cap": st.just(size),
                "line": st.lists(cards, min_size=size, max_size=size),
                "hand": cards,
            },
            optional={"discarded": st.lists(cards, max_size=4)},
        ).flatmap(
            lambda position: st.one_of(
                st.just(position),
                st.lists(cards, max_size=9).map(lambda hidden: {**position, "unseen": hidden}),
                st.lists(cards, max_size=9).map(lambda known: {**position, "stock": known}),
            )
        )
    )


DUELS = st.fixed_dictionaries(
    {
        "game": st.just("alchemy"),
        "variant": st.just("duel"),
        "line": st.lists(CARDS, min_size=6, max_size=6),
        "hand": CARDS | st.just("X"),
        "opponent_hand": CARDS | st.just("X"),
        "table_jokers": st.integers(0, 4),
    },
    optional={"pile": st.lists(CARDS | st.just("X"), max_size=4)},
)
FREE = st.fixed_dictionaries(
    {
        "game": st.just("alchemy"),
        "variant": st.just("free"),
        "min_line": st.integers(1, 9),
        "line": st.lists(CARDS, max_size=9),
        "hand": CARDS,
    },
    optional={
        "objective": st.sampled_from(["most-cards", "fewest-cards", "most-points"]),
        "cards": st.integers(1, 9),
    },
)
POSITIONS = st.one_of(solitaires("solo", 6, CARDS), solitaires("alternative", 4, LOW_CARDS), DUELS, FREE)


def test_the_api_does_what_its_document_says() -> None:
    cases = Path(__file__).with_name("document_cases.py")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "schemathesis.pytest.plugin", str(cases)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return APP.test_client()


@pytest.mark.parametrize("question", ["analyze", "hint"])
@settings(BOUNDED, max_examples=80)
@given(position=POSITIONS, nodes=st.none() | st.integers(1, 2000))
def test_odd_positions(client: FlaskClient, question: str, position: dict[str, Any], nodes: int | None) -> None:
    found = client.post(f"/v1/{question}", json={"position": position, "limit": {"nodes": nodes}})
    assert found.status_code in (200, 422), (position, found.text)
    if found.status_code == 200:
        answer = found.get_json()
        assert answer["best"] == (answer["moves"][0]["move"] if answer["moves"] else None)
