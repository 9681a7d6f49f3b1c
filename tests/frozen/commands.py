"""What the command `athanor` is asked: every subcommand with its help, as tables and as JSON, and with faults."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from tests.frozen.changes import scratched
from tests.frozen.positions import GAMES, kept
from tests.frozen.service import ROOT, Request

_NAMES = (
    *("after", "analyze", "batch", "compound", "convert", "deal", "decks", "generate", "hint", "jobs", "moves"),
    *("play", "review", "rules", "score", "serve", "solve", "survey", "token", "train", "view", "winrate"),
)


def commands() -> Iterator[Request]:
    """Every command line."""
    yield from _plain()
    yield from _examples()
    yield from _about_positions()


def _run(kind: str, *args: str, sent: str | bytes = b"") -> Request:
    body = sent.encode() if isinstance(sent, str) else sent
    return Request(f"cli.{kind}", "CLI", body=body, args=args)


def _plain() -> Iterator[Request]:
    yield _run("help", "--help")
    yield _run("help")
    yield _run("help", "nothing")
    yield _run("help", "--nothing")
    for name in _NAMES:
        yield _run("help", name, "--help")
        yield _run("help", name, "--nothing")
        if name not in ("serve", "train", "play", "decks", "jobs"):
            yield _run("help", name)
    for name in ("cancel", "delete", "follow", "list", "retry", "show", "submit", "work"):
        yield _run("help", "jobs", name, "--help")
    for name in (*GAMES, "chess", "house", "no-such"):
        yield _run("decks", "decks", name)
        yield _run("decks", "decks", name, "--json")
        yield _run("rules", "rules", name)
    yield _run("decks", "decks")
    yield _run("decks", "decks", "--json")
    yield _run("train", "train", "--progress")
    for game in GAMES:
        yield _run("train", "train", "--progress", "--game", game)
        for seed in range(4):
            yield _run("deal", "deal", game, "--seed", str(seed))
            yield _run("deal", "deal", game, "--seed", str(seed), "--seat", "0", "--text")
        yield _run("deal", "deal", game, "--seed", "1", "--players", "9")
        yield _run("deal", "deal", game, "--seed", "1", "--variant", "x")
        yield _run("deal", "deal", game, "--seed", "1", "--rule", "x")
        yield _run("deal", "deal", game, "--seed", "-1")
    for variant in ("solo", "alternative"):
        yield _run("winrate", "winrate", variant, "--deals", "2000", "--seed", "1", "--jobs", "1", "--json")
    yield _run("batch", "batch", "deal", "kirin", "--deals", "5", "--seed", "3", "--jobs", "1", "--out", "d.csv")
    for answer in ("", "quit\n", "help\nquit\n", "moves\nquit\n", "nonsense\nquit\n", "1\n1\nundo\nquit\n"):
        play = ("play", "alchemy", "--variant", "alternative", "--seed", "4", "--save", "game.json")
        yield _run("play", *play, sent=answer)


def _examples() -> Iterator[Request]:
    """The examples of the documentation, each asked in every way."""
    folder = ROOT / "docs/examples"
    for path in sorted(folder.glob("*.json")):
        text = path.read_bytes()
        for name in ("analyze", "hint", "moves", "view", "convert", "score", "compound"):
            extra = ("--nodes", "3000") if name in ("analyze", "hint", "compound") else ()
            yield _run(f"{name}", name, "-", *extra, sent=text)
        yield _run("compound", "compound", "-", "--best", "3", "--missing", "--nodes", "3000", sent=text)
    for path in sorted(folder.glob("*.txt")):
        yield _run("review", "review", "-", "--nodes", "300", sent=path.read_bytes())
        yield _run("review", "review", "-", "--nodes", "300", "--json", sent=path.read_bytes())
        yield _run("convert", "convert", "-", sent=path.read_bytes())
    for path in sorted(folder.glob("*.toml")):
        name = str(path.relative_to(ROOT))
        for more in ((), ("--json",)):
            yield _run("solve", "solve", f"{{ROOT}}/{name}", "--jobs", "1", "--nodes", "5000", *more)
        yield _run("decks", "decks", f"{{ROOT}}/{name}")


def _about_positions() -> Iterator[Request]:
    rng = random.Random("commands")
    for one in kept()["moments"][::8]:
        words = one["text"].split(" ")
        data = json.dumps(one["position"])
        yield _run("convert", "convert", *words)
        yield _run("convert", "convert", "-", sent=data)
        yield _run("convert", "convert", "-", sent=scratched(data.encode(), rng))
        yield _run("moves", "moves", *words)
        yield _run("moves", "moves", "-", "--json", sent=one["text"])
        yield _run("view", "view", "-", "--seat", str(rng.randrange(one["seats"])), "--text", sent=data)
        yield _run("after", "after", "-", *one["next"][:2], sent=data)
        yield _run("after", "after", "-", *one["next"][:1], "--text", sent=one["text"])
        model = () if one["game"] == "alchemy" else ("--model", rng.choice(("paranoid", "ally", "maxn")))
        yield _run("analyze", "analyze", *words, "--nodes", "1000", *model)
        yield _run("analyze", "analyze", *words, "--nodes", "1000", "--json")
        for view in one["views"][:1]:
            yield _run("hint", "hint", *view["text"].split(" "), "--nodes", "1000")
            yield _run("hint", "hint", "-", "--nodes", "1000", "--seed", "3", "--json", sent=view["text"])
            yield _run("moves", "moves", "-", sent=json.dumps(view["position"]))
    for played in kept()["matches"]:
        written: Any = json.dumps(played["match"])
        yield _run("convert", "convert", "-", sent=written)
        yield _run("convert", "convert", "-", sent=played["file"])
        if played["match"]["game"] != "alchemy":  # its reviews depend on what the process was asked before
            yield _run("review", "review", "-", "--nodes", "100", "--round", "1", sent=written)
