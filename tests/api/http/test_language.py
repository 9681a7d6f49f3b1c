"""The language of answers: by the header, by the address, by the body; in searches, streams and jobs too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from api.config import Config
from api.searches import Hinting
from athanor.jobs.questions import answer
from athanor.jobs.store import Store
from solver.answers import Answer
from solver.language import language, speak
from tests.api.support import HIDDEN, KNOWN, lines_of


class Said(Answer):
    said: str


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """A service whose hints say in which language they are asked for."""
    monkeypatch.setattr(Hinting, "__call__", lambda *_: Said(said=language()))
    return create_app(Config()).test_client()


@pytest.mark.parametrize(
    ("header", "query", "body", "wanted"),
    [
        ("", "", {}, "en"),
        ("ja", "", {}, "ja"),
        ("fr, ja;q=0.5, en;q=0.1", "", {}, "ja"),
        ("ja", "?lang=en", {}, "en"),
        ("en", "", {"lang": "ja"}, "ja"),
        ("ja", "", {"lang": "en"}, "en"),
    ],
)
def test_an_answer_is_in_the_language_that_is_asked_for(
    client: FlaskClient, header: str, query: str, body: dict[str, Any], wanted: str
) -> None:
    headers = {"Accept-Language": header}
    asked = {"position": HIDDEN, **body}
    if not query:
        found = client.post("/v1/hint", json=asked, headers=headers)
        assert found.get_json() == {"said": wanted}
        assert found.headers["Content-Language"] == wanted
        streamed = lines_of(client.post("/v1/hint?stream=1", json=asked, headers=headers))
        assert streamed[-1] == {"said": wanted}
        questions = [{"ask": "hint", **asked}]
        assert lines_of(client.post("/v1/batch", json={"questions": questions}, headers=headers))[0]["answer"] == {
            "said": wanted
        }
    assert client.get(f"/v1/jobs{query}", headers=headers).headers["Content-Language"] in (wanted, header or "en")


def test_another_language_is_refused(client: FlaskClient) -> None:
    found = client.post("/v1/hint", json={"position": HIDDEN, "lang": "tlh"})
    assert (found.status_code, found.get_json()["error"]["path"]) == (422, "lang")


def test_a_unit_of_a_job_is_answered_in_the_language_of_its_sender(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATHANOR_JOBS", str(tmp_path / "jobs.sqlite"))
    assert client.post("/v1/jobs", json={"kind": "analyze", "questions": [KNOWN], "lang": "ja"}).status_code < 300
    speak("en")
    store = Store()
    [chunk] = store.exchange(store.enter(), wanted=1)
    [(_, unit)] = chunk.units
    assert json.loads(unit)["lang"] == "ja"
    assert not answer(unit).failed
    assert language() == "en"


def test_the_readings_of_the_rules_are_told_in_the_language_that_is_asked_for(client: FlaskClient) -> None:
    told = [
        client.get("/v1/games", headers={"Accept-Language": name}).get_json()["games"] for name in ("en", "ja")
    ]
    for english, japanese in zip(*told, strict=True):
        assert english["rules"].keys() == japanese["rules"].keys()
        assert all(words != japanese["rules"][name] for name, words in english["rules"].items())
