"""`athanor watch` and `athanor review`.

The tables watched are simulated apart from the companion: all cards are known there and played at random by the
rules, and the companion is told only what one seat sees.
"""

from __future__ import annotations

import json
import random
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import athanor
from api.cli.main import cli
from solver import registry
from solver.positions import text_of
from tests.cli.conftest import SOLO_DEAL, Run
from tests.support.observed import played_out


@pytest.fixture(autouse=True)
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "athanor" / "play" / "watch"


def watch(typed: str, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["watch", *arguments, "--seconds", "0.05"], input=typed)


def kirin_table(seed: int, seat: int) -> tuple[str, list[list[str]], Any]:
    """How a round of Kirin begins for a seat, what is seen trick by trick, and the round at its end."""
    random_ = random.Random(seed)
    position: Any = athanor.deal("kirin", seed=seed)
    dealt = [*position.hands[seat], position.declared[seat]]
    start = f"seat={seat} leader={position.leader} hand={','.join(dealt)}"
    tricks: list[list[str]] = [[position.declared[seat]], []]
    while legal := athanor.legal_moves(position):
        card = random_.choice(legal)
        tricks[-1].append(card)
        position = athanor.play(position, card)
        if len(tricks[-1]) == 4:
            tricks.append([])
    return start, tricks[:-1], position


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_round_of_kirin(seed: int, watched: Path) -> None:
    seat = seed % 4
    start, tricks, known = kirin_table(seed, seat)
    typed = tricks[0][0] + "\n"
    for trick in tricks[1:]:  # a line up to the own turn, and one after it
        leader = known.history[tricks.index(trick) - 1].leader
        own = (seat - leader) % 4
        typed += " ".join(trick[:own]) + "\n" * bool(own) + " ".join(trick[own:]) + "\n"
    assert len(typed) <= sum(len(card) + 3 for trick in tricks for card in trick)
    told = watch(typed + "\n", "kirin", *start.split())
    assert told.exit_code == 0, told.output
    assert "Round 1 is over." in told.output
    assert f"You have {known.points[seat]} point" in told.output
    assert told.output.count("Best ") >= 8  # hints at the own turns
    (file,) = watched.glob("*.json")
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert [card for trick in tricks for card in trick] == kept["moves"][0]
    for other, won in enumerate(known.won):
        for card in won:
            assert card in told.output.split(f"Seat {other} won")[-1].splitlines()[0]


def test_what_was_not_seen_is_not_scored(watched: Path) -> None:
    """Of a round of Kirin, only what the companion's own card was is known; shown cards tell the rest."""
    start, tricks, known = kirin_table(1, 1)
    watch("\n".join(card for trick in tricks for card in trick) + "\n\n", "kirin", *start.split())
    (file,) = watched.glob("*.json")
    refused = CliRunner().invoke(cli, ["score", str(file)])
    assert refused.exit_code == 2
    assert f"{file}: not all cards were seen, so the score is not known" in refused.stderr
    kept = json.loads(file.read_text(encoding="utf-8"))
    shown = [[card] for card in known.declared]
    file.write_text(json.dumps({**kept, "shown": [shown]}), encoding="utf-8")
    scored = CliRunner().invoke(cli, ["score", "--json", str(file)])
    assert scored.exit_code == 0, (scored.output, scored.exception)
    assert json.loads(scored.stdout)["totals"] == list(known.points)
    file.write_text(json.dumps({**kept, "moves": [kept["moves"][0][:5]]}), encoding="utf-8")
    assert "no round of this game is over" in CliRunner().invoke(cli, ["score", str(file)]).stderr


def test_two_tables_of_one_second_have_files_of_their_own(watched: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.strftime", lambda _: "20260101-120000")
    start = ["alchemy", "variant=solo", "cap=6", "line=4,10,J,2,5,J", "hand=4"]
    assert [watch("quit\n", *start).exit_code for _ in range(2)] == [0, 0]
    assert len(list(watched.iterdir())) == 2


def test_what_is_missing_is_asked_for(watched: Path) -> None:
    typed = "2\nD6 S1\n0\nD6 S1 S6 S- B3 B+ G2 G4 G-\nquit\n"
    told = watch(typed, "kirin", "leader=0").output
    assert "Your seat" in told
    assert "Which seat leads" not in told
    assert "set a card aside" in told


def test_a_wrong_entry_is_corrected_where_it_was_made(watched: Path) -> None:
    start, tricks, _ = kirin_table(3, 1)
    (aside,), first, second, *_ = tricks
    wrong = next(card for card in ("D1", "S1", "B1", "G1", "D2", "S2") if card not in first + second)
    typed = f"{aside}\n{' '.join(first)}\nfix\nfix 99 D1\nfix 2 zz\nlist\nundo 2\nlist\nquit\n"
    told = watch(typed, "kirin", *start.split()).output
    assert "fix needs the number of an entry and what it was, as in fix 7 D4" in told
    assert "There is no entry 99" in told
    assert "Entry 2: " in told
    assert "2 entries taken back." in told
    (file,) = watched.glob("*.json")
    assert json.loads(file.read_text(encoding="utf-8"))["moves"][0] == [aside, *first[:2]]
    again = watch(f"{' '.join(first[2:])}\nquit\n", "--resume")
    assert again.exit_code == 0, again.output
    assert json.loads(file.read_text(encoding="utf-8"))["moves"][0] == [aside, *first]
    assert wrong not in again.output.split("Last trick")[-1].splitlines()[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players", "variant", "seed"),
    [("king", 3, "unpicked", 4), ("aqua-regia", 5, None, 0)],  # a short one
)
def test_a_whole_round_of_other_games(
    name: str, players: int, variant: str | None, seed: int, watched: Path
) -> None:
    seat, game = 1, registry.game(name)
    positions = list(played_out(name, players, variant, seed))
    first, last = game.view(positions[0][0], seat), positions[-1][0]
    lines = [text for _, _, told in positions if told for text in (told[seat] or ())]
    _, *words = text_of(first).split()
    told = watch("\n".join(lines) + "\n\n", name, *words)
    assert told.exit_code == 0, told.output
    assert "Round 1 is over." in told.output, told.output[-2000:]
    assert "help lists the commands" not in told.output
    (file,) = watched.glob("*.json")
    assert len(json.loads(file.read_text(encoding="utf-8"))["moves"][0]) == len(lines)
    assert last is not None


def test_a_solitaire_is_told_by_the_cards_turned_up(watched: Path) -> None:
    told = watch("9=2+7\n4 8\n6\nquit\n", "alchemy", "solo", "line=2,4,6,7,J,K", "hand=9")
    assert told.exit_code == 0, told.output
    assert "Best " in told.output


@pytest.mark.slow
def test_cards_that_were_missed_are_entries(watched: Path) -> None:
    seat, (start, tricks, _) = 2, kirin_table(5, 2)
    position: Any = athanor.deal("kirin", seed=5)
    typed, shown = f"{tricks[0][0]}\n", 1
    for trick in tricks[1:]:
        before = [*trick]
        for place, card in enumerate(trick):
            missed = place and (position.leader + place) % 4 != seat and (position.leader + place + shown) % 3 == 0
            before[place] = "?" if missed else card
            position = athanor.play(position, card)
        answer = f" {position.leader}{'+' if position.direction == 'ascending' else '-'}" if "?" in before else ""
        typed += " ".join(before) + answer + "\n"
        shown += 1
    assert typed.count("?") > 3
    assert len(typed) <= sum(len(card) + 3 for trick in tricks for card in trick)
    told = watch(typed + "\n", "kirin", *start.split())
    assert told.exit_code == 0, told.output
    assert "Round 1 is over." in told.output
    assert "is gone" in told.output or "are gone" in told.output
    assert "help lists the commands" not in told.output
    (file,) = watched.glob("*.json")
    assert json.loads(file.read_text(encoding="utf-8"))["moves"][0].count("?") == typed.count("?")


@pytest.mark.parametrize(
    ("words", "typed", "question"),
    [
        (
            "king seat=2 leader=0 removed=T1,T2 hand=F3,F4,F5,W2,W3,W4,E2,E3,E4,A2,A3,D",
            "F3\nF1\nW1\n?\nF7 ?\nF4\nE1\n1\ntake -\nF8\n",
            "Which of its cards did you get?",
        ),
        (
            "aqua-regia players=3 seat=2 turn=0 hand=Zn,Fe,Cu,Zn,Ag,Pt,Li,K,Ca,Mg",
            "K\n?\n11\ndraws Pb\npass\nNa\n?10\nMg\n",
            "How many cards does seat 1 hold now?",
        ),
    ],
)
def test_what_was_missed_is_asked_for(watched: Path, words: str, typed: str, question: str) -> None:
    told = watch(typed + "list\nquit\n", *words.split())
    assert told.exit_code == 0, told.output
    assert question in told.output
    assert "help lists the commands" not in " ".join(told.output.split()), told.output
    assert told.output.count("Best ") >= 2
    again = watch("undo\nquit\n", "--resume")
    assert "1 entry taken back." in again.output


def test_a_card_of_alchemy_cannot_be_missed() -> None:
    told = watch("?\nquit\n", "alchemy", "solo", "line=2,4,6,7,J,K", "hand=9")
    assert told.exit_code == 0, told.output
    assert "Traceback" not in told.output
    assert "help lists the commands" in " ".join(told.output.split())


# Reviews.


@pytest.fixture
def game(play: Run, tmp_path: Path) -> Path:
    """A solitaire that is over."""
    path = tmp_path / "game.json"
    play(*SOLO_DEAL, "--save", path, lines="1\n" * 60)
    return path


def test_a_kept_game_as_a_table_as_json_and_as_a_picture(athanor: Run, game: Path, tmp_path: Path) -> None:
    picture = tmp_path / "review.png"
    result = athanor("review", game, "--nodes", "100", "--json", "--plot", picture)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["complete"] is True
    assert picture.read_bytes().startswith(b"\x89PNG")
    text = athanor("review", game, "--nodes", "100").stdout
    for move in found["moves"]:
        assert move["move"] in text
    written = athanor("review", "-", "--nodes", "100", "--json", stdin=athanor("convert", game).stdout)
    assert json.loads(written.stdout) == found


def test_what_cannot_be_reviewed(athanor: Run, play: Run, game: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.json"
    play(*SOLO_DEAL, "--save", new, lines="quit\n")
    for args, message in (
        ([new], "no move of this game was made yet"),
        ([game, "--round", "2"], "no round 2; 1 round was begun"),
        ([game, "--seat", "1"], "no seat 1"),
        ([game, "--model", "ally"], "not a model of alchemy"),
        ([game, "--plot", "x.gif"], "ends in .png or .svg"),
        ([tmp_path / "none"], "cannot read"),
    ):
        result = athanor("review", *args)
        assert result.exit_code == 2
        assert message in result.stderr


def test_in_play_when_the_game_is_over(play: Run, game: Path, tmp_path: Path) -> None:
    args = ["alchemy", "--resume", game, "--seconds", "0.05"]
    result = play(*args, lines="review\nreview 2\nreview x\nundo\nquit\n")
    assert "lost" in result.stdout
    assert "Round 2 is not over yet." in result.stdout
    assert "review takes a number" in result.stdout
    assert "Back to your last decision." in result.stdout
    assert "Continue with: " in result.stdout
    again = play(*args, lines="review\nundo\n1\n")
    assert "is over" not in again.stdout.split("Back to")[0]


def test_in_play_before_a_round_is_over(play: Run) -> None:
    assert "Round 1 is not over yet." in play(*SOLO_DEAL, lines="review\n").stdout


def test_the_table_fits_eighty_columns(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    result = CliRunner().invoke(cli, ["review", str(game), "--nodes", "500"])
    assert max(map(len, result.stdout.splitlines())) <= 80


KIRIN = "docs/examples/kirin-game.txt"


def test_a_report_that_needs_no_server(athanor: Run, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    result = athanor("review", KIRIN, "--nodes", "500", "--html", target, "--json")
    assert result.exit_code == 0, result.output
    page = target.read_text(encoding="utf-8")
    assert "<svg" in page
    assert not re.search(r"(src|href)=", page)
    sizes = [float(size) for size in re.findall(r'data-size="([0-9.]+)"', page)]
    assert len(sizes) >= 3
    assert sizes == sorted(sizes, reverse=True)
    assert '<b class="card best">' in page


def test_a_report_of_a_strange_name_is_escaped() -> None:
    from api.page.report import _drawn

    assert "<script" not in _drawn("<script>alert(1)</script> D6", {"D6"})


def test_cards_of_a_japanese_row_are_drawn() -> None:
    from api.page.report import _drawn

    assert _drawn("席3 A1、席0 A9。", {"A1", "A9"}).count("<b ") == 2


def test_the_graph_of_one_seat_ends_with_what_the_others_gave() -> None:
    from api.page.report import report

    found = athanor.review(Path("docs/examples/table.txt").read_text(encoding="utf-8"), nodes=200)
    (seat,), last = found.seats, found.moves[-1]
    assert seat.result != last.value_after  # after the last decision others gave or took something
    picture = report(found).split("<svg")[1].split("</svg>")[0]
    lines = re.findall(r'<line class="(\w+)"', picture)
    assert lines[-1] == "others"
    places = [float(place) for place in re.findall(r'<text x="([0-9.]+)" y="196"', picture)]
    assert all(other - place >= 22 for place, other in pairwise(places))


def test_puzzles_of_the_mistakes_are_solved_again(athanor: Run, tmp_path: Path) -> None:
    target = tmp_path / "mistakes.toml"
    result = athanor("review", KIRIN, "--nodes", "2000", "--seat", "0", "--puzzles", target)
    assert result.exit_code == 0, result.output
    assert "1 puzzle" in result.stderr or "puzzles" in result.stderr
    assert athanor("solve", target).exit_code == 0


def test_any_model_reviews_a_round_whose_cards_are_set_aside_at_once(athanor: Run) -> None:
    result = athanor("review", KIRIN, "--nodes", "200", "--model", "maxn", "--json")
    assert result.exit_code == 0, result.output
    moves = json.loads(result.stdout)["moves"]
    assert moves[0]["true_bounds"] is None
    assert moves[0]["true_loss"] is not None
    assert all(move["true_bounds"] is not None for move in moves[4:])


def test_a_round_half_written_down(athanor: Run, tmp_path: Path) -> None:
    half = tmp_path / "half.txt"
    half.write_text("".join(Path(KIRIN).read_text().splitlines(keepends=True)[:24]), encoding="utf-8")
    result = athanor("review", half, "--nodes", "200", "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["moves"]
    assert not any(seat["finished"] for seat in found["seats"] if seat["decisions"])
    assert "expected so far" in athanor("review", half, "--nodes", "200").stdout
