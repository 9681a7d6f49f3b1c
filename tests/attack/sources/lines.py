"""Positions as lines of text, as they are or garbled; batches of questions; and answers told line by line."""

from __future__ import annotations

import json
import random
from typing import Any

from solver.errors import AthanorError
from solver.positions import parse_position, text_of
from tests.attack.case import Case, posted
from tests.attack.changes import changed, scratched
from tests.attack.sources.decks import compounded
from tests.attack.sources.positions import moment, question

_WORDS = (
    "seat=0",
    "seat=9",
    "hand=",
    "=",
    "==",
    "hand=F1,F1",
    "hands=",
    "leader=-1",
    "deck=house",
    "x=y",
    "|",
    "/",
    "-",
)
_LONG = (",", "F1,", "A", "x=1 ", "hand=A ", "F1-11,", "\u2003", "4x", "(", "..")


def asked(rng: random.Random) -> Case:
    """A question about a position that is written as a line."""
    data = moment(rng)
    try:
        line = text_of(parse_position(data))
    except AthanorError:  # the last position of a round may be none to ask about
        line = data["game"]
    choice = rng.random()
    if choice < 0.3:
        words = line.split(" ")
        for _ in range(rng.randrange(1, 4)):
            place = rng.randrange(len(words))
            words[place : place + rng.randrange(2)] = [rng.choice((*_WORDS, *words))]
        line = " ".join(words)
    elif choice < 0.6:
        line = scratched(line.encode(), rng).decode("utf-8", "replace")
    elif choice < 0.63:
        place = rng.randrange(len(line))
        line = line[:place] + rng.choice(_LONG) * rng.choice((50, 1000, 100_000)) + line[place:]
    address, body = question(data, rng)
    return posted("lines", address, body | {"position": line})


def batched(rng: random.Random) -> Case:
    """A batch of up to four questions, of which some are no questions."""
    questions: list[Any] = []
    for _ in range(rng.randrange(1, 5)):
        if rng.random() < 0.15:
            hard = compounded(rng)
            questions.append(json.loads(hard.sent.partition(b"\r\n\r\n")[2]) | {"ask": "compound"})
            questions[-1].setdefault("limit", {"seconds": 0.02})
        else:
            data = changed(moment(rng), rng)
            address, body = question(data, rng, rng.choice(("hint", "analyze")))
            questions.append(body | {"ask": address.rpartition("/")[2]})
    if rng.random() < 0.2:
        questions = [*questions, rng.choice((None, 1, {}, [], {"ask": "score"}, {"ask": "hint"}, "analyze"))]
    return posted("batches", "/v1/batch", {"questions": questions})


def streamed(rng: random.Random) -> Case:
    """A question whose answer is told line by line."""
    data = changed(moment(rng), rng)
    address, body = question(data, rng, rng.choice(("hint", "analyze")))
    return posted("streams", f"{address}?stream={rng.choice(('1', '1', '1', '0', '2', ''))}", body)
