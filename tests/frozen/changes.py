"""Faults put into what is sent: into data, and into its text."""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from typing import Any

from tests.support.mangling import lists_of, slots_of

JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3, 7, 99, 5.0, 0.5, 1e300, 2**31, 2**53 + 1, 2**63, 2**64, 10**30),
    *(
        "",
        "A",
        "X",
        "Q",
        "F1",
        "D1",
        "D:F",
        "T3",
        "Au",
        "Zn",
        "house",
        "king",
        "acid",
        "ü",
        "\x00",
        "a" * 300,
        "١",
    ),
    *([], {}, [[]], [None], ["A"], ["S1", "S1"], {"": 1}, [[[[[[]]]]]], ["K"] * 60, "S1 S2", "pass", "none"),
)
KEYS = ("seat", "history", "extra", "deck", "hand", "hands", "hnad", "won", "trick", "rules", "", "text", "leader")
_PIECES = (
    *(
        b"",
        b"\x00",
        b"\xff",
        b'"',
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"\\",
        b"e9",
        b"\n",
        b"=",
        b"-",
        b" ",
        b"/",
    ),
    *(b"\xed\xa0\x80", b"\\ud800", b"NaN", b"1e999", b"S1", b"Zn", b"%20", b"&", b"0:", b"pass", b"yes"),
)


def mangled(data: Any, rng: random.Random) -> Any:
    """The data with one value somewhere in it replaced by junk, removed, doubled, or put under another key."""
    if isinstance(data, dict) and data:
        key = rng.choice(list(data))
        if rng.random() < 0.6:
            return data | {key: mangled(data[key], rng)}
        if rng.random() < 0.35:
            return {other: value for other, value in data.items() if other != key}
        return data | {rng.choice([key, *KEYS]): rng.choice(JUNK)}
    if isinstance(data, list) and data:
        items = list(data)
        place = rng.randrange(len(items))
        choice = rng.random()
        if choice < 0.55:
            items[place] = mangled(items[place], rng)
        elif choice < 0.7:
            items.pop(place)
        elif choice < 0.85:
            items.append(items[place])
        else:
            items[place] = rng.choice(JUNK)
        return items
    return rng.choice(JUNK)


def bent(data: Any, rng: random.Random) -> Any:
    """A copy in which texts or numbers have changed places, or an entry went from one list to another."""
    data = copy.deepcopy(data)
    leaves, lists = list(slots_of(data)), list(lists_of(data))
    choice = rng.random()
    if choice < 0.65 and leaves:
        (one, here), (other, there) = rng.choice(leaves), rng.choice(leaves)
        kept = one[here]
        one[here] = other[there]
        if choice < 0.45:
            other[there] = kept
    elif lists:
        one, other = rng.choice(lists), rng.choice(lists)
        if choice < 0.85 and one:
            other.append(one.pop(rng.randrange(len(one))))
        else:
            rng.shuffle(one)
    return data


def scratched(text: bytes, rng: random.Random, pieces: Sequence[bytes] = _PIECES) -> bytes:
    """The bytes with one to three pieces left out, doubled, or replaced."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        here = rng.randrange(len(text) + 1)
        there = min(len(text), here + rng.choice((1, 1, 2, 3, 12)))
        put = rng.choice((rng.choice(pieces), rng.choice(pieces), text[here:there] * 2))
        text = text[:here] + put + text[there if rng.random() < 0.7 else here :]
    return text
