"""The clients in examples/clients, as they stand there, against a service that somebody has started."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.journeys.people import Person, serving
from tests.support.places import ROOT

CLIENTS = ROOT / "examples/clients"
TSC = ROOT / "page/node_modules/.bin/tsc"
DUEL = {"game": "alchemy", "variant": "duel", "seed": 1, "rounds": 1, "seconds": 0.05}
DEAL = {"game": "kirin", "seed": 1, "deals": 3}
FAULTY = {"game": "chess"}


@pytest.fixture(scope="module")
def address(installed: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    operator = Person(tmp_path_factory.mktemp("operator"), installed)
    with serving(operator, ATHANOR_HINT_SECONDS="0.05") as found:
        yield found.rstrip("/")


def test_in_python(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("client", CLIENTS / "client.py")
    assert spec is not None
    assert spec.loader is not None
    client = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "client", client)  # where its dataclass looks for annotations
    spec.loader.exec_module(client)
    athanor = client.Athanor(address)
    end = athanor.play(DUEL)
    assert (end["to_move"], bool(end["ended"]["summary"])) == (None, True)
    position = athanor.ask("deal", {"game": "kirin", "seed": 1, "seat": 0})["position"]
    *progress, hint = athanor.hint(position, seconds=0.3)
    assert all("stage" in part for part in progress)
    assert hint["best"] in [move["move"] for move in hint["moves"]]
    *deals, faulty = athanor.job("deal", [DEAL, FAULTY])
    assert [deal["number"] for deal in deals] == [0, 1, 2]
    assert faulty["error"]["path"] == "questions[1].game"
    with pytest.raises(client.RefusedError) as refused:
        athanor.ask("deal", FAULTY)
    assert refused.value.fault["code"] == "unknown_game"


GENERATE = "generate -g go -p packageName=athanor -p enumClassPrefix=true"


@pytest.mark.skipif(
    not (shutil.which("go") and shutil.which("openapi-generator-cli")),
    reason="needs Go and openapi-generator: pip install openapi-generator-cli",
)
def test_in_a_third_language(address: str, tmp_path: Path) -> None:
    """With what a generator makes of the document alone."""
    sources = tmp_path / "src"
    validator = sources / "gopkg.in/validator.v2/validator.go"  # from the network, but for tags that there are not
    validator.parent.mkdir(parents=True)
    validator.write_text("package validator\n\nfunc Validate(any) error { return nil }\n")
    where = ["-i", f"{address}/openapi.json", "-o", str(sources / "athanor")]
    inline = ["--inline-schema-options", "RESOLVE_INLINE_ENUMS=true"]
    subprocess.run(["openapi-generator-cli", *GENERATE.split(), *where, *inline], check=True, capture_output=True)
    alone = {"GO111MODULE": "off", "GOPATH": str(tmp_path), "GOCACHE": str(tmp_path / "cache")}
    command = ["go", "run", str(CLIENTS / "client.go"), address]
    ran = subprocess.run(command, env=os.environ | alone, check=True, capture_output=True, text=True)
    assert re.search("wins? the match", ran.stdout)  # whoever does: its hints have a time
    assert "progress: sampled deals" in ran.stdout
    assert ran.stdout.endswith("deal: 0\ndeal: 1\ndeal: 2\nfault: questions[1].game\njob: failed\n")


SCRIPT = """async ([address, duel, deal, faulty]) => {
  const { Athanor } = await import("/client.js");
  const athanor = new Athanor(address);
  const end = await athanor.play(duel);
  const { position } = await athanor.ask("deal", { game: "kirin", seed: 1, seat: 0 });
  const parts = [], results = [];
  for await (const part of athanor.hint(position, 0.3)) parts.push(part);
  for await (const result of athanor.job("deal", [deal, faulty])) results.push(result);
  const code = await athanor.ask("deal", faulty).catch((error) => error.fault.code);
  return { end, parts, results, code };
}"""


@pytest.mark.skipif(not TSC.exists(), reason="needs TypeScript: make page-check")
def test_in_a_browser(address: str, browser: Browser, tmp_path: Path) -> None:
    options = ("--strict", "--target", "es2022", "--module", "es2022", "--lib", "es2023,dom", "--types", "")
    subprocess.run([TSC, *options, "--outDir", tmp_path, CLIENTS / "client.ts"], check=True, cwd=tmp_path)
    page = browser.new_page(bypass_csp=True)
    try:
        page.route("**/client.js", lambda route: route.fulfill(path=tmp_path / "client.js"))
        page.goto(f"{address}/healthz")
        found: dict[str, Any] = page.evaluate(SCRIPT, [address, DUEL, DEAL, FAULTY])
    finally:
        page.close()
    assert found["end"]["to_move"] is None
    assert found["end"]["ended"]["summary"]
    *progress, hint = found["parts"]
    assert all("stage" in part for part in progress)
    assert hint["best"] in [move["move"] for move in hint["moves"]]
    *deals, faulty = found["results"]
    assert [deal["number"] for deal in deals] == [0, 1, 2]
    assert faulty["error"]["path"] == "questions[1].game"
    assert found["code"] == "unknown_game"
