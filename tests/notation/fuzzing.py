"""Lines of text with something wrong in them: every one is read, or refused in our words.

``python -m tests.notation.fuzzing --lines 1000000 --seed 1`` reads so many and shows each exception that is not
ours, and each line whose position is another one once it has been written as text or as JSON and read again.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator

from pydantic import BaseModel

import athanor
from solver import registry
from solver.errors import AthanorError
from solver.positions import parse_position, parse_record, position_data, text_of
from solver.registry import game_of
from tests.notation.short_forms import short

_MOVES = 60  # of a round that are made, at most
_MARKS = [*",/:=+->;&%.*×|\t\x00é²٣ ", "--", "::", "//", ":-:", "%20", "=-", ",-,", ":t", ":g", "0:", "9:"]
_SHORT = """
    seat=0 s=9 hand=- h= players=2 players=9 leader=1 deck=house deck=x rules=x m=- m=/ t=0: history=0:>
    history=1::: deal_passes=- known=- counts=- won=- totals=- round round=3 for_match=yes stage=pick
    points=1,2,3/4,5,6 cap=6
    table_jokers=1 stock=- drawn=- owner=0 turn=1 field=acid reversed=yes grabbed=1:none dealt=- pick=- removed=-
    deck=%7B%22name%22%3A%22x%22%7D
"""
_WORDS = [*_SHORT.split(), "deck=" + "%7B%22a%22%3A" * 3000, "unseen=" + "A," * 300]


def lines(deals: int = 12) -> list[str]:
    """Lines of all games: views and moments of so many rounds of each kind, in keys and in letters, records."""
    found: list[str] = []
    for name in registry.names():
        game = registry.game(name)
        for variant in game.variants or (None,):
            if variant == "free":
                found += [
                    "alchemy free min_line=1 line=4,7,K,2,9,A hand=9",
                    "alchemy free min_line=2 line=4,7 hand=9 cards=2",
                ]
                continue
            for players in range(game.players[0], game.players[1] + 1):
                if name == "alchemy" and players != 1 + (variant == "duel"):
                    continue
                found += _of_rounds(name, variant, players, deals)
    found += [
        "kirin round declared=D3,S1,B+,G6 won=D1,D2,D4,D5/-/-/- round declared=D3,S1,B+,G6 won=-/-/-/-",
        "kirin points=3,1,0,2/1,1,1,1",
        "king round won=F1,F2/W1/E1 round won=-/-/-",
        "aqua-regia round counts=0,3,5",
        "king cards=F3,W11,T2",
    ]
    return [*found, *(one for line in found if (one := _short(line)) is not None)]


def _short(line: str) -> str | None:
    return short(line) if " round" not in line else None


def _of_rounds(name: str, variant: str | None, players: int, deals: int) -> Iterator[str]:
    rng = random.Random(f"{name} {variant} {players}")
    for seed in range(deals):
        position: BaseModel = athanor.deal(name, seed=seed, variant=variant, players=players)
        for _ in range(rng.randrange(_MOVES)):
            moves = athanor.legal_moves(position)
            if not moves:
                break
            try:
                position = athanor.play(position, rng.choice(moves))
            except AthanorError:  # the next cards are hidden
                break
        yield text_of(position)
        for seat in range(players):
            try:
                yield text_of(athanor.view(position, seat))
            except AthanorError:
                continue


def changed(line: str, lines: list[str], rng: random.Random) -> str:
    """A line with one to three things put in, left out, doubled, exchanged, or taken from another line."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        choice, place = rng.random(), rng.randrange(len(line) + 1)
        end = min(len(line), place + rng.randrange(1, 6))
        words = line.split(" ")
        if choice < 0.3:
            line = line[:place] + rng.choice(_MARKS) + line[end if rng.random() < 0.5 else place :]
        elif choice < 0.45:
            line = line[:place] + line[end:]
        elif choice < 0.55:
            line = line[:end] + line[place:]
        elif choice < 0.65:
            other = rng.choice(lines)
            start = rng.randrange(len(other))
            line = line[:place] + other[start : start + rng.randrange(12)] + line[place:]
        elif choice < 0.8:
            words[rng.randrange(len(words))] = rng.choice((*_WORDS, *rng.choice(lines).split(" ")))
            line = " ".join(words)
        elif choice < 0.9:
            line += " " + rng.choice(_WORDS)
        elif choice < 0.95:
            del words[rng.randrange(len(words))]
            line = " ".join(words)
        else:
            line = line[:place].swapcase() + line[place:]
    return line


def check(line: str) -> str:
    """What became of a line: "read", "refused"; AssertionError where what was read is not stable."""
    try:
        try:
            position, parse = parse_position(line), parse_position
        except AthanorError:
            position, parse = parse_record(line), parse_record
    except AthanorError:
        return "refused"
    text = text_of(position)
    again = parse(text)
    assert text_of(again) == text, f"written again: {text_of(again)}\nfirst: {text}"
    canonical = game_of(position).notation.canonical  # sets of cards may be listed in any order
    assert canonical(again) == canonical(position), f"read again: {again!r}\nfirst: {position!r}"
    data = position_data(position)
    same = parse(data)
    assert same == position, f"as JSON: {same!r}\nas text: {position!r}"
    assert text_of(same) == text, f"as JSON: {text_of(same)}\nas text: {text}"
    return "read"


def main() -> int:
    """Read many changed lines; 1 where something was wrong."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--lines", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()
    rng, known, counts = random.Random(asked.seed), lines(), Counter[str]()
    wrong: Counter[str] = Counter()
    began = time.perf_counter()
    for _ in range(asked.lines):
        line = changed(rng.choice(known), known, rng)
        try:
            counts[check(line)] += 1
        except Exception as found:  # whatever it is: that is what is looked for
            where = traceback.extract_tb(found.__traceback__)[-1]
            kind = f"{type(found).__name__} {where.filename.rpartition('/')[2]}:{where.lineno}"
            wrong[kind] += 1
            if wrong[kind] <= 3:
                print(f"{kind}\n  {line[:600]}\n  {str(found)[:1200]}", flush=True)
    seconds = time.perf_counter() - began
    print(f"{asked.lines:,} lines, seed {asked.seed}: {dict(counts)}, wrong {dict(wrong)}; {seconds:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
