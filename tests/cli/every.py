"""A small line for every command, for tests that must hold for all of them, and files for them to read."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import click

from api.cli.main import cli
from tests.cli.conftest import a_puzzle
from tests.support.deck_tables import ROWS, spelled, table

ATHANOR = [str(Path(sys.executable).with_name("athanor"))]  # not -m, which adds the current folder to the path
DUEL = "alchemy variant=duel line=J,2,5,K,3,Q hand=A opponent_hand=8"
_SCORE = {"game": "alchemy", "variant": "duel", "rounds": [{"piles": [["A", "A", "A", "A", "K"], ["2", "X"]]}]}
_SOON = ("--seconds", "0.05")
_COMPOUND = {"game": "king", "deck": "house", "cards": ["F10", "W7", "F11", "F3"]}


class Line(NamedTuple):
    """What a command is called with, and what it reads."""

    words: tuple[str, ...]
    stdin: str = ""


# `{job}` stands for the id of a job that is done; the files are those of `fill`. `serve` runs until it is ended.
LINES = {
    "after": Line((DUEL, "A+2+3+Q=5+K")),
    "analyze": Line((DUEL,)),
    "batch": Line(("analyze", "positions.txt", "--jobs", "2", "--out", "batch.csv")),
    "compound": Line((json.dumps(_COMPOUND),)),
    "convert": Line((DUEL,)),
    "deal": Line(("kirin", "--seed", "1")),
    "decks import": Line(("house.csv", "--name", "own", "--replace")),
    "decks show": Line(()),
    "generate": Line(("king", "--out", "made.toml", "--count", "1", "--nodes", "500", "--jobs", "2")),
    "hint": Line((DUEL, "--nodes", "10")),
    "jobs cancel": Line(("{job}",)),
    "jobs delete": Line(("{job}",)),
    "jobs follow": Line(("{job}",)),
    "jobs list": Line(()),
    "jobs retry": Line(("{job}",)),
    "jobs show": Line(("{job}",)),
    "jobs submit": Line(("analyze", "positions.txt")),
    "jobs work": Line(("--jobs", "2")),
    "moves": Line((DUEL,)),
    "play": Line(("alchemy", "--seed", "5"), "quit\n"),
    "review": Line(("game.json", "--nodes", "10")),
    "rules": Line(("kirin",)),
    "score": Line((json.dumps(_SCORE),)),
    "serve": Line(("--port", "0")),
    "solve": Line(("puzzles.toml", "--jobs", "2")),
    "survey": Line(("survey.ndjson",)),
    "token": Line(("somebody",)),
    "train": Line((), "quit\n"),
    "view": Line((DUEL, "--seat", "0")),
    "watch": Line(("alchemy", "variant=solo", "cap=6", "line=4,10,J,2,5,J", "hand=4", *_SOON), "quit\n"),
    "winrate": Line(("alternative", "--deals", "2", "--seed", "1", "--jobs", "2")),
}


def names(group: click.Command = cli, above: tuple[str, ...] = ()) -> list[str]:
    """The names of all commands, such as `jobs list`."""
    if not isinstance(group, click.Group):
        return [" ".join(above)]
    context = click.Context(group)
    commands = [(name, group.get_command(context, name)) for name in group.list_commands(context)]
    return [name for own, command in commands if command for name in names(command, (*above, own))]


def fill(folder: Path, environ: Mapping[str, str]) -> str:
    """Write the files that the lines read into a folder, and their jobs; return the id of the one that is done."""
    (folder / "positions.txt").write_text(f"{DUEL}\n{DUEL}\n", encoding="utf-8")
    (folder / "puzzles.toml").write_text(a_puzzle("a") + a_puzzle("b"), encoding="utf-8")
    (folder / "house.csv").write_text(table(spelled(ROWS["king"])), encoding="utf-8")

    def run(*words: str, stdin: str = "") -> str:
        command = [*ATHANOR, *words]
        done = subprocess.run(
            command, input=stdin, text=True, cwd=folder, env=environ, check=True, stdout=subprocess.PIPE
        )
        return done.stdout

    run("play", "alchemy", "--seed", "5", "--save", "game.json", stdin="1\n" * 60)
    run("batch", "survey", "alchemy/winrate/alternative", "--deals", "2", "--out", "survey.ndjson")
    job = run("jobs", "submit", "analyze", "positions.txt").partition(":")[0]
    run("jobs", "work", "--jobs", "1")
    run("jobs", "submit", "analyze", "positions.txt")
    return job
