"""Certificates hold by plain rules that agree with the product's, and no changed one is believed."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import athanor
from puzzles import check_proof, proofs
from puzzles.check_proof import BrokenProofError, check, rules_of
from puzzles.proofs import NoCertificateError, certificate, text_of
from solver import registry
from solver.errors import AthanorError
from solver.limits import Control, Limit
from solver.positions import parse_position
from solver.registry import game_of
from tests.proofs.making import Made, made, provable, small_certificates
from tests.proofs.mutations import mutations
from tests.support.games import OWN, offering
from tests.support.rounds import CASES

PLAIN = Path(check_proof.__file__).with_name("plain")
EVERY = 31  # of the collection's puzzles
MUTATIONS = 400


@pytest.fixture(scope="module")
def sample() -> list[Made]:
    return [made(puzzle, Limit(nodes=20_000)) for puzzle in provable()[::EVERY]]


def test_a_sample_of_the_collection_is_proved(sample: list[Made]) -> None:
    for found in sample:
        assert found.nodes or "limit" in found.reason or "ended" in found.reason or "begins" in found.reason


def test_changed_certificates_are_refused(sample: list[Made]) -> None:
    random = Random(42)
    pool = [json.loads(found.text) for found in sample if 0 < len(found.text) <= 20_000]
    tried: Counter[str] = Counter()
    while tried.total() < MUTATIONS:
        for name, changed in mutations(random.choice(pool), random):
            with pytest.raises(BrokenProofError):
                print(name, changed["claim"], check(changed))
            tried[name] += 1
    assert len(tried) > 25


def rounds() -> Iterator[dict[str, Any]]:
    """Every kind of deal whose values have certificates, with the usual rules and with each option."""
    for case in CASES:
        kind = {"game": case.name, "players": case.players, "variant": case.variant}
        for option in (None, *case.game.options):
            options = kind if option is None else kind | {"rules": {option: True}}
            try:
                claimed = case.game.claim(athanor.deal(seed=1, **options))
            except AthanorError:  # there are no certificates, or the option is of another variant
                continue
            assert option is None or claimed["rules"]
            yield options


ROUNDS = list(rounds())


def test_the_plain_rules_know_every_option() -> None:
    """What the checker lists by hand, since it needs nothing else, is what there is."""
    assert set(OWN) & set(offering("claim")) == set(check_proof.RULES)
    for name in check_proof.RULES:
        there = {option for options in ROUNDS if options["game"] == name for option in options.get("rules", ())}
        assert check_proof.plain(name)["OPTIONS"] == there


@pytest.mark.parametrize("options", ROUNDS, ids=lambda options: " ".join(map(str, filter(None, options.values()))))
def test_the_plain_rules_play_as_the_product_does(options: dict[str, Any]) -> None:
    for seed in range(3):
        random = Random(seed)
        position: Any = athanor.deal(seed=seed, **options)
        game = game_of(position)
        claim = json.loads(json.dumps(game.claim(position)))
        player = random.randrange(len(claim.get("hands", [0])))
        plain = rules_of(claim)["Round"](claim, player)
        state, won = plain.start
        while moves := plain.moves(state):
            legal = game.legal_moves(position)
            texts = [game.format_move(position, move) for move in legal]
            if game.name == "alchemy":
                texts = [" ".join(map(_card, move.used)) if move.kind == "match" else str(move) for move in legal]
            else:
                assert plain.turn(state) == position.seat_to_move
            assert sorted(moves) == sorted(texts)
            place = random.randrange(len(legal))
            low, high = plain.bounds(state)
            state, gained = plain.play(state, texts[place])
            position = game.play(position, legal[place])
            after = plain.bounds(state)
            assert low <= gained + after[0]
            assert gained + after[1] <= high
            won += gained
        assert not game.legal_moves(position)
        low, high = plain.bounds(state)
        assert low == high
        model = None if game.name == "alchemy" else "paranoid"
        value: Any = athanor.analyze(position, model=model, player=player).value
        assert won + low == check_proof.VALUES.get(value, value)


def _card(rank: int) -> str:
    return {1: "A", 11: "J", 12: "Q", 13: "K"}.get(rank, str(rank))


def test_the_checker_needs_nothing_but_python(tmp_path: Path) -> None:
    for path in [Path(check_proof.__file__), *PLAIN.glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names, path
    assert len(Path(check_proof.__file__).read_text(encoding="utf-8").splitlines()) <= 200
    proof = text_of(next(small_certificates(60_000, provable()[:1])))
    (tmp_path / "good.json").write_text(proof, encoding="utf-8")
    (tmp_path / "bad.json").write_text(proof.replace("settled", "sure"), encoding="utf-8")
    (tmp_path / "none.json").write_text("[]", encoding="utf-8")
    for name, code, word in (("good", 0, ": proved"), ("bad", 1, "node 0"), ("none", 1, "no certificate")):
        command = [sys.executable, "-IS", check_proof.__file__, os.fspath(tmp_path / f"{name}.json")]
        found = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
        assert (found.returncode, word in found.stdout) == (code, True), found


def test_where_there_is_no_certificate_the_reason_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    position = parse_position(
        {
            "game": "kirin", "direction": "descending", "leader": 2,
            "hands": [["S3", "S6", "G5"], ["D4", "D-", "G2"], ["S5", "B2", "GT"], ["D1", "D6", "B1"]],
            "declared": ["B5", "G4", "D+", "D2"],
        }
    )  # fmt: skip
    with pytest.raises(NoCertificateError, match="paranoid and ally"):
        certificate(position, athanor.analyze(position, model="maxn"))
    answer = athanor.analyze(position)
    with pytest.raises(NoCertificateError, match="limit"):
        certificate(position, answer, Control(Limit(nodes=1)))
    monkeypatch.setattr(proofs, "MOST_BYTES", 100)
    with pytest.raises(NoCertificateError, match="more than"):
        certificate(position, answer)
    for game in map(registry.game, check_proof.RULES):
        if not game.models:  # what is sure from one hand has none
            continue
        view = athanor.view(athanor.deal(game.name, seed=1), seat=0)
        with pytest.raises(NoCertificateError, match="every card known"):
            certificate(view, answer)
    with pytest.raises(NoCertificateError, match="set a card aside"):
        certificate(athanor.deal("kirin", seed=1, variant="undeclared"), answer)
