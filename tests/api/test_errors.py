"""The codes of errors: all that the source can send are documented, each with an example that is true."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPConnection
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from api import errors
from api.app import create_app
from api.config import Config
from api.errors import Documented, documented
from api.metrics import JobStore
from api.tokens import made
from athanor.jobs.file import JobError
from solver import registry, validation
from tests.api.serving import Served
from tests.api.support import refused
from tests.support.games import OWN
from tests.support.templates import calls, sources
from tests.support.timing import PATIENCE

CODES = {error.code: error for error in documented()}
# Raised by commands or Python alone, where no service hears of it.
ELSEWHERE = {
    *("cannot_listen", "needs_tokens", "no_network", "invalid_name", "invalid_tokens", "invalid_setting"),
    *("unknown_setting", "unwritable", "not_installed", "not_proved"),
    *("cluster_lost", "no_cluster", "other_version", "wrong_workers"),
}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config()).test_client()


def _raised() -> Iterator[tuple[str, str]]:
    """The codes with which the source makes errors and faults, and where."""
    for path, tree, _ in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and node.args and _makes_errors(node.func):
                first = node.args[0]
                for one in (first.body, first.orelse) if isinstance(first, ast.IfExp) else (first,):
                    if isinstance(one, ast.Constant) and re.fullmatch("[a-z]+(_[a-z]+)*", str(one.value)):
                        yield str(one.value), path
    yield from ((code, "api/errors.py") for code in errors._CODES.values())
    yield from ((code, "solver/validation.py") for code in validation._CODES.values())


def _makes_errors(function: ast.expr) -> bool:
    name = getattr(function, "attr", getattr(function, "id", ""))
    return (name.endswith(("Error", "_busy")) and not name.startswith("Pydantic")) or name in (
        "Fault",
        "fault",
        "error_text",
    )


def test_every_code_that_is_sent_is_documented_and_no_other() -> None:
    raised = dict(_raised())
    assert {code: path for code, path in raised.items() if code not in CODES and code not in ELSEWHERE} == {}
    assert (set(CODES) | ELSEWHERE) - set(raised) == set()


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Mapping[str, str]], Served]]:
    """Services by their settings, which run until the end."""
    tokens = tmp_path_factory.mktemp("operator") / "tokens.txt"
    tokens.write_text(made("own")[1].line)
    running: dict[tuple[tuple[str, str], ...], Served] = {}

    def service(settings: Mapping[str, str]) -> Served:
        environ = {name: value.replace("tokens.txt", str(tokens)) for name, value in settings.items()}
        key = tuple(sorted(environ.items()))
        if key not in running:
            running[key] = Served(Config.from_environ(environ))
        return running[key]

    yield service
    for one in running.values():
        one.stop()


@pytest.mark.parametrize(
    "error", [error for error in CODES.values() if error.request], ids=lambda error: error.code
)
def test_the_documented_request_gets_the_error(
    services: Callable[[Mapping[str, str]], Served], error: Documented
) -> None:
    method, address = error.request.split(" ")
    connection = HTTPConnection("127.0.0.1", services(error.settings).port, timeout=PATIENCE)
    connection.request(method, address, error.body and error.body.encode(), dict(error.all_headers))
    found = connection.getresponse()
    refusal = json.load(found)["error"]
    connection.close()
    assert (found.status, refusal["code"], refusal["path"]) == (error.status, error.code, error.path)
    assert refusal["message"].replace(", ".join(registry.names()), ", ".join(OWN)) == error.message


def test_every_code_has_a_request_that_gets_it_or_says_what_leads_to_it() -> None:
    """With a message that is said."""
    said = [re.sub(r"\\{.*?\\}", ".+", re.escape(one)) for call in calls() for one in call.templates]
    for error in CODES.values():
        assert bool(error.request) != bool(error.when), error.code
        if error.when and error.code != "headers_too_large":  # that one is the library's
            assert any(re.fullmatch(f"{template}.*", error.message) for template in said), error.message


def test_a_deck_that_cannot_be_read_is_listed_with_its_error(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATHANOR_DECKS", str(tmp_path))
    (tmp_path / "gone.toml").symlink_to(tmp_path / "none")
    (tmp_path / "odd.toml").write_text("a = ")
    listed = {deck["name"]: deck["error"] for deck in client.get("/v1/decks").get_json()["decks"] if deck["error"]}
    assert {name: error["code"] in CODES for name, error in listed.items()} == {"gone": True, "odd": True}
    assert listed["gone"]["code"] == "unreadable"


def test_jobs_are_refused_while_no_process_works_on_them() -> None:
    jobs = JobStore()
    jobs.record("working on", JobError("workers_failed", CODES["workers_failed"].message))
    found = (
        create_app(Config(), jobs=jobs)
        .test_client()
        .post("/v1/jobs", json={"kind": "deal", "questions": ["kirin"]})
    )
    refused(found, 503, "workers_failed")
    assert found.headers["Retry-After"]


def test_codes_are_words_of_the_openapi_document_and_on_a_page(client: FlaskClient) -> None:
    schemas = client.get("/openapi.json").get_json()["components"]["schemas"]
    assert schemas["Code"]["enum"] == list(CODES)
    page = client.get("/docs/errors").text
    assert all(f'id="{code}"' in page for code in CODES)
    assert page.count("<pre>") > len(CODES)
