"""Disputed readings of the rules as options: wherever positions are dealt, sent, played, asked about and kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import athanor
from api.app import create_app
from api.cli.main import cli
from athanor import sessions
from athanor.sessions import Saved, Session
from solver import registry, rule_options
from solver.errors import AthanorError, PositionError, RequestError
from solver.positions import described
from solver.registry import game_of
from tests.api.support import refused

OPTIONS = [(name, option) for name in registry.names() for option in registry.game(name).options]


def variants_of(game: str, option: str) -> list[str | None]:
    """The variants that are dealt with an option, the usual one first."""
    found: list[str | None] = []
    for variant in (None, *registry.game(game).variants):
        try:
            athanor.deal(game, seed=4, variant=variant, rules={option: True})
        except AthanorError:
            continue
        found.append(variant)
    return found


each_option = pytest.mark.parametrize(("game", "option"), OPTIONS)
# An option for the jokers says what a duel is dealt with, not how it is played.
VARIANTS = {(game, option): variants_of(game, option) for game, option in OPTIONS if "joker" not in option}
each_reading = pytest.mark.parametrize(("game", "option"), VARIANTS)


def ran(*args: object, lines: str = "", code: int = 0) -> Result:
    result = CliRunner().invoke(cli, list(map(str, args)), input=lines)
    assert result.exit_code == code, (result.output, result.exception)
    return result


def dealt(game: str, option: str) -> Any:
    return athanor.deal(game, seed=4, variant=VARIANTS[game, option][0], rules={option: True})


@each_option
def test_the_rules_tell_each_option(game: str, option: str) -> None:
    table = registry.game(game).rules().split("## Disputed rules")[1]
    assert f"| `{option}` |" in table
    assert athanor.game(game).options[option]
    client = create_app().test_client()
    told = {one["name"]: one["rules"] for one in client.get("/v1/games").get_json()["games"]}
    assert told[game] == dict(registry.game(game).options)


@each_reading
def test_a_deal_has_its_options_in_json_in_text_and_for_a_person(game: str, option: str) -> None:
    position = dealt(game, option)
    data = position.model_dump(mode="json", exclude_none=True)
    assert data["rules"] == {option: True}
    assert f" rules={option} " in str(position)
    assert athanor.parse(data) == position
    assert str(athanor.parse(str(position))) == str(position)
    assert athanor.parse({**data, "rules": f" {option}"}) == position
    assert described(position).count(f"({option})") == 1
    off = athanor.deal(game, seed=4, variant=VARIANTS[game, option][0])
    assert athanor.parse({**data, "rules": {option: False}}) == off == athanor.parse({**data, "rules": {}})
    assert "rules" not in off.model_dump(exclude_none=True)


@each_reading
def test_views_and_positions_that_are_played_keep_them(game: str, option: str) -> None:
    for variant in VARIANTS[game, option]:
        position: Any = rule_options.with_rules(athanor.deal(game, seed=4, variant=variant), {option: True}, game)
        assert athanor.view(position, 0).rules == position.rules  # type: ignore[attr-defined]
        for _ in range(5):
            assert position.rules.on == (option,)
            position = athanor.play(position, athanor.legal_moves(position)[-1])
        assert position.rules.on == (option,)


@each_reading
def test_hints_and_observed_views_keep_them(game: str, option: str) -> None:
    view = athanor.view(dealt(game, option), 0)
    if athanor.to_move(view) == 0:
        hint = athanor.hint(view, nodes=200, seed=1)
        assert f" rules={option} " in hint.to_dict()["text"]
    move = athanor.possible_moves(view)[0]
    if game != "alchemy":  # there the cards that are turned up must be told, too
        assert athanor.play(view, move).rules == view.rules  # type: ignore[attr-defined]


@each_reading
def test_every_door_deals_them(game: str, option: str) -> None:
    usual = VARIANTS[game, option][0]
    asked = {"game": game, "seed": 4, "variant": usual, "rules": {option: True}}
    client = create_app().test_client()
    told = client.post("/v1/deal", json={key: value for key, value in asked.items() if value}).get_json()
    assert athanor.parse(told["position"]) == dealt(game, option)
    assert told["text"] == str(dealt(game, option))
    variant = ["--variant", usual] if usual else []
    printed = ran("deal", game, "--seed", 4, *variant, "--rule", option, "--text").stdout
    assert printed.strip() == str(dealt(game, option))


@each_reading
def test_a_game_is_played_and_kept_with_them(tmp_path: Path, game: str, option: str) -> None:
    kept, text = tmp_path / "game.json", tmp_path / "game.txt"
    usual = VARIANTS[game, option][0]
    variant = ["--variant", usual] if usual else []
    quick = ["--seconds", 0.05]
    told = ran("play", game, "--seed", 5, *variant, *quick, "--rule", option, "--save", kept, lines="1\n")
    assert f"({option})" in " ".join(told.stdout.split())
    text.write_text(ran("convert", kept).stdout, encoding="utf-8")
    assert f"[rules {option}]" in text.read_text(encoding="utf-8")
    assert json.loads(ran("convert", text).stdout) == json.loads(kept.read_text(encoding="utf-8"))
    assert "keeps its own" in ran("play", game, "--resume", kept, "--rule", option, code=2).stderr
    session = Session(sessions.read_one(text.read_bytes()))
    position: Any = session.round.position
    assert position.rules.on == (option,)
    assert game_of(position).name == game


def test_what_is_no_option_is_refused_with_those_there_are() -> None:
    words = "there is no option 'late_trump'; did you mean late_trump_does_not_lift"
    position = json.loads(athanor.deal("king", seed=1).model_dump_json())
    for wrong in ({"late_trump": True}, "late_trump"):
        with pytest.raises(PositionError, match=words) as found:
            athanor.parse({**position, "rules": wrong})
        assert (found.value.code, found.value.path) == ("unknown_key", "rules.late_trump")
    with pytest.raises(PositionError, match="true or false"):
        athanor.parse({**position, "rules": {"no_bottom_when_trumped": 1}})
    client = create_app().test_client()
    asked = {"game": "king", "rules": {"late_trump": True}}
    assert words in refused(client.post("/v1/deal", json=asked), 422, "unknown_key", "rules.late_trump")
    assert words in ran("play", "king", "--rule", "late_trump", code=2).stderr
    assert words in ran("deal", "king", "--rule", "late_trump", code=2).stderr


def test_an_option_of_another_variant_is_refused() -> None:
    option = {"alternative_without_cap_loss": True}
    with pytest.raises(PositionError) as found:
        athanor.deal("alchemy", variant="solo", rules=option)
    assert (found.value.code, found.value.path) == ("conflict", "rules")
    with pytest.raises(PositionError) as found:
        athanor.deal("alchemy", variant="duel", rules=option)
    assert (found.value.code, found.value.path) == ("conflict", "rules")
    with pytest.raises(PositionError, match="one joker is added, or two are"):
        athanor.deal("alchemy", variant="duel", rules={"one_joker": True, "two_jokers": True})
    free = {"game": "alchemy", "variant": "free", "line": ["3"], "hand": "3", "min_line": 1}
    with pytest.raises(RequestError) as refusal:
        rule_options.with_rules(athanor.parse(free), option, "alchemy")
    assert (refusal.value.code, refusal.value.path) == ("not_offered", "rules")


def test_the_declared_card_counts_in_values_hints_and_scores_of_kirin() -> None:
    data = {
        "game": "kirin", "direction": "ascending", "leader": 1, "declared": ["D3", "S1", "B+", "G6"],
        "hands": [["D1", "S4"], ["S2", "B6"], ["B1", "G2"], ["D6", "GT"]],
    }  # fmt: skip
    with_option = {**data, "rules": {"declared_counts": True}}
    for model in ("paranoid", "ally", "maxn"):
        usual, counted = (athanor.analyze(sent, model=model).to_dict() for sent in (data, with_option))
        assert counted["value"] == more(usual["value"])
        assert counted["bounds"] == more(usual["bounds"])
        assert [move["value"] for move in counted["moves"]] == [more(move["value"]) for move in usual["moves"]]
        assert counted["line"] == usual["line"]
    view = athanor.view(athanor.deal("kirin", seed=2), 0)
    usual = athanor.hint(view, nodes=2000).to_dict()
    counted = athanor.hint(rule_options.with_rules(view, {"declared_counts": True}, "kirin"), nodes=2000).to_dict()
    for key, more_of_it in (("mean", 1), ("stderr", 0)):
        wanted = [move[key] + more_of_it for move in usual["moves"]]
        assert [move[key] for move in counted["moves"]] == pytest.approx(wanted)
    rounds = [
        Session(Saved(game="kirin", seed=2, rules=rules, rounds=1, seconds=1))
        for rules in (None, {"declared_counts": True})
    ]
    for session in rounds:
        while not session.over:
            session.play(session.round.moves()[0])
    first, second = (session.score().to_dict()["totals"] for session in rounds)
    assert second == more(first)


def more(value: Any) -> Any:
    return list(map(more, value)) if isinstance(value, list) else value + 1


def test_lost_solitaires_are_read_again() -> None:
    """A game that is lost has a line too short to be played with, no hand, and cards in the stock."""
    for rules, cap in ((None, 2), ({"alternative_without_cap_loss": True}, 0)):
        position: Any = athanor.deal("alchemy", seed=1, variant="alternative", rules=rules)
        seed = 1
        while position.turn.won is None or position.turn.won:
            moves = athanor.legal_moves(position)
            if not moves:
                seed += 1
                position = athanor.deal("alchemy", seed=seed, variant="alternative", rules=rules)
                continue
            position = athanor.play(position, moves[-1])
        assert position.cap == cap
        assert position.stock
        assert athanor.parse(json.loads(position.model_dump_json())) == position
        view = athanor.view(position, 0)
        assert str(athanor.parse(str(position))) == str(position)
        assert str(athanor.parse(str(view))) == str(view)
        assert athanor.legal_moves(view) == athanor.possible_moves(view) == []
        analysis = athanor.analyze(position)
        assert (analysis.value, analysis.left) == ("lost", len(position.stock))  # type: ignore[attr-defined]
        assert "is lost" in athanor.hint(view).reason
        with pytest.raises(PositionError) as found:
            athanor.parse({**json.loads(position.model_dump_json()), "discarded": [], "hand": "A"})
        assert found.value.path == "cap"
