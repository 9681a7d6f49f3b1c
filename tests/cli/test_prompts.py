"""What a person types at prompts and on command lines: q, full width, other tags of a language, slips."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from api.cli.main import cli
from solver.language import named
from solver.registry import names
from tests.support.languages import as_before

VIEW = "seat=2 hand=D6,S1,S4,BT,G2,G3,G4,G+ declared=B+ leader=0"


@pytest.fixture(autouse=True)
def _folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(cli, words, input=typed)


@pytest.mark.parametrize("leave", ["q", "Q", "quit", "ｑ", "exit", " quit "])
@pytest.mark.parametrize(
    ("command", "before"),
    [
        ("play kirin --seed 1", ""),
        ("play alchemy --seed 1", ""),
        (f"watch kirin {VIEW}", ""),
        ("watch kirin", ""),  # which seat?
        ("watch kirin", "2\n0\n"),  # which hand?
        ("watch alchemy", ""),  # which variant?
        ("train --game kirin", ""),
    ],
)
def test_every_prompt_can_be_left(command: str, before: str, leave: str) -> None:
    found = run(*command.split(), typed=f"{before}{leave}\nnobody reads this\n")
    assert found.exit_code == 0, found.output
    assert "nobody" not in found.output
    assert "Error" not in found.output


def test_a_queen_is_entered_where_a_card_can_be() -> None:
    start = ("watch", "alchemy", "duel", "line=2,3,4,5,6,7", "hand=9")
    found = run(*start, typed="q\nq\n")  # the other player's card, then to leave
    assert found.exit_code == 0
    assert "Q" in found.output


@pytest.mark.parametrize("leave", ["quit", "ｅｘｉｔ"])
@pytest.mark.parametrize(
    ("start", "before", "after"),
    [
        ("alchemy solo line=2,4,6,9,J,K hand=7", ["7+4=2+9", "5"], ["6", "8", "10"]),
        ("alchemy duel line=2,4,6,9,J,K hand=7 opponent_hand=3", ["7+2=9", "none", "A"], ["5", "8", "10"]),
        ("king players=3 seat=0 leader=1 hand=F1,F2,F3,F4,F5,W1,W2,W3,W4,W5,E1,E2,E3,E4,E5 removed=A1,A2,A3,A4,A5",
         ["F1", "W6"], ["W7"]),
    ],
    ids=lambda value: value.split()[0] + value.split()[1] if isinstance(value, str) else None,
)  # fmt: skip
def test_a_round_is_left_amid_the_cards_of_one_event_and_goes_on(
    tmp_path: Path, leave: str, start: str, before: list[str], after: list[str]
) -> None:
    """What was entered of an event is checked before more of it is asked for, so nothing else is kept."""
    table = str(tmp_path / "table.json")
    begun = run(
        "watch", *start.split(), "--seconds", "0.05", "--save", table, typed="\n".join([*before, leave, ""])
    )
    assert "--resume" in begun.output
    assert leave not in Path(table).read_text(encoding="utf-8")
    rest = run("watch", "--resume", table, typed="\n".join([*after, "list", "quit", ""]))
    assert "lists the commands" not in rest.output
    assert f"{len(before) + len(after)} " in rest.output


@pytest.mark.parametrize("typed", ["１", "  １", "1", "١", "- 1", "> 1", "# a comment\n１", "；a comment\n1"])
def test_a_number_at_a_prompt(typed: str) -> None:
    found = run("play", "kirin", "--seed", "１", "--seconds", "0.05", typed=f"ｍｏｖｅｓ\n{typed}\nq\n")
    assert "You: " in found.output


def test_cards_that_are_watched_in_full_width() -> None:
    plain = run("watch", "kirin", *VIEW.split(), "direction=ascending", typed="D4\nS3\nq\n")
    wide = run("watch", "kirin", *VIEW.split(), "direction=ascending", typed="Ｄ４、３ｓ\nq\n")
    assert plain.exit_code == wide.exit_code == 0
    assert "D4" in wide.output
    assert plain.output.count("seat") <= wide.output.count("seat") + 1


@pytest.mark.parametrize(
    "start",
    [
        "kirin s=2 h=D2D4D6DTS-B+G6G+ d=D3 l=0",
        "kirin ｓｅａｔ＝２ hand=Ｄ２ D4、D6 DT S- B+ G6 G+ declared=D3 leader=0",
        "alchemy solo l=47K29A h=6",
    ],
)
def test_the_start_of_a_watched_round_is_read_as_any_line(start: str) -> None:
    found = run("watch", *start.split(), typed="q\n")
    assert found.exit_code == 0
    assert "Your" not in found.output


def test_a_watched_round_has_as_many_players_as_its_game() -> None:
    found = run("watch", "kirin", "n=5", typed="q\n")
    assert "kirin is for 4 players, not for 5" in found.output


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("hnt", "did you mean hint?"),
        ("hint S1,S4", "as text, a position is keys with their values, as in kirin seat=2 hand=S1,S4"),
        ("jobs lst", "did you mean list?"),
        ("decks imprt x.csv", "did you mean import?"),
        ("deal kirn", "did you mean kirin?"),
        ("hint kirn seat=1 hand=D6", "did you mean kirin?"),
        ("deal kirin --sead 1", "--se"),
    ],
)
def test_a_slip_gets_a_suggestion(words: str, meant: str) -> None:
    found = run(*words.split())
    assert found.exit_code == 2
    assert meant in found.output


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("help", "--help"),
        ("Help DEAL", "deal --help"),
        ("jobs HELP", "jobs --help"),
        ("DEAL kirin --seed 1", "deal kirin --seed 1"),
        ("train --grade EASY --progress", "train --grade easy --progress"),
        ("winrate Solo --deals 1 --seed 1 --json", "winrate solo --deals 1 --seed 1 --json"),
    ],
)
def test_commands_and_choices_in_any_case(words: str, meant: str) -> None:
    found = run(*words.split())
    assert found.exit_code == 0
    timed = re.compile(r'"\w*seconds?":[^,}]*')
    assert timed.sub("", found.stdout) == timed.sub("", run(*meant.split()).stdout)


@pytest.mark.parametrize(
    "words",
    [
        "deal", "deal kirin --text=1", "deal kirin --seed x", "deal kirin --seed", "deal kirin --nosuch",
        "deal kirin 1", "deal nosuch", "hint --seconds x nosuch", "hint nosuch.json", "solve .",
        "hint {", "hint /dev/null/x", "solve broken.toml", "batch", "jobs show", "review x --plot x",
    ],
)  # fmt: skip
def test_a_japanese_terminal_has_japanese_words(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What packages and the system say, too; names of options, files and games stay."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.toml").write_text("[[puzzle]]\nid = 'a'\nid = 'b'\n", encoding="utf-8")
    with as_before():
        found = run("--lang", "ja", *words.split())
    assert found.exit_code == 2
    message = found.output.partition("エラー：")[2]
    stay = (*names(), "seat=2 hand=S1,S4", "JSON", "TOML", "nosuch", "analyze", "hint", "solve", "deal", "survey")
    left = re.sub(rf"'.*?'|\S+\.(?:json|toml|png|svg)|/dev/null/x|{'|'.join(stay)}|--?[a-z]+", "", message)
    assert message
    assert not re.findall("[A-Za-z]{2,}", left), message


@pytest.mark.parametrize("name", ["Kirin", "ＫＩＲＩＮ", "kirin", "麒麟", "キリン"])
def test_a_game_in_other_letters(name: str) -> None:
    assert run("deal", name, "--seed", "1").stdout == run("deal", "kirin", "--seed", "1").stdout


@pytest.mark.parametrize("tag", ["ja", "JA", "ja-JP", "ja_JP.UTF-8", "Ja-jp", "ja_JP@x", "ｊａ"])
def test_a_language_by_its_tags(tag: str) -> None:
    assert named(tag) == "ja"
    for words in (["--lang", tag, "moves", "kirin"], ["moves", f"--lang={tag}", "kirin"]):
        with as_before():
            assert "だけでは局面になりません" in run(*words).output


@pytest.mark.parametrize(
    ("environment", "speaks"),
    [
        ({"LANGUAGE": "ja:en"}, "ja"),
        ({"LANGUAGE": "fr:ja:en", "LANG": "C.UTF-8"}, "ja"),
        ({"LANGUAGE": "en:ja", "LANG": "ja_JP.UTF-8"}, "en"),
        ({"LANGUAGE": "", "LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
    ],
)
def test_the_language_of_the_environment(environment: dict[str, str], speaks: str) -> None:
    others = {key: value for key, value in os.environ.items() if not key.startswith(("LANG", "LC_"))}
    found = subprocess.run(
        [sys.executable, "-m", "api.cli", "moves", "kirin"],
        env=others | {"PYTHONUTF8": "1"} | environment, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert ("だけでは局面になりません" in found.stderr) == (speaks == "ja")


@pytest.mark.parametrize(
    ("lang", "told", "listed"),
    [
        ("en", "if the opponent was first, write 1:J=3+8", "1:5+2=7"),
        ("ja", "相手が先だった場合は1:J=3+8と書いてください", "相手が先に取った組"),
    ],
)
def test_a_duel_is_followed_in_which_the_opponent_was_first(
    tmp_path: Path, lang: str, told: str, listed: str
) -> None:
    table = str(tmp_path / "table.json")
    start = ("watch", "alchemy", "duel", "line=4,8,9,5,9,3", "hand=10", "opponent_hand=J", "--seconds", "0.05")
    typed = "J=8+3\n1:J=8+3\n10+4=9+5\n2 2 3 6 7 Q K\nhelp\nq\n"
    with as_before():
        found = run("--lang", lang, *start, "--save", table, typed=typed)
    assert told in found.output.replace("\n", "" if lang == "ja" else " ")  # wherever lines end
    assert listed in found.output  # among the commands
    saved = json.loads(Path(table).read_text(encoding="utf-8"))
    assert "totals=0,0" in saved["dealt"][0]  # a hint looks beyond the exchange
    assert saved["moves"][0][:2] == ["1:J=8+3", "10+4=5+9"]
