"""Changes of what is sent: such as leave it likely to be valid, wild ones, and ones of its bytes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tests.support.mangling import mangle

Slot = tuple[Any, Any]  # a list or an object, and the place in it

JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 7, 5.0, 0.5, -0.0, 1e308, 2**31, 2**53 + 1, 2**63, 2**64, 10**40),
    *("", "A", "X", "Q", "F1", "D1", "Au", "house", "king", "ü", "\x00", "\x1b[2J", "\ud800", "a" * 600, "١"),
    *([], {}, [[]], [None], ["A"], {"": 1}, {"seconds": 0.02}, [[[[[[]]]]]], ["K"] * 60, float("nan")),
)
_KEYS = ("seat", "history", "extra", "deck", "hand", "hands", "", "__class__", "text")
_SCRATCHES = (
    b"",
    b"\x00",
    b"\xff",
    b'"',
    b"{",
    b"}",
    b"[",
    b",",
    b"\\",
    b"e9",
    b"\r\n",
    b"\n",
    b"=",
    b"\xed\xa0\x80",
)


def changed(data: Any, rng: random.Random) -> Any:
    """The data, as it is or with up to three changes."""
    for _ in range(rng.choice((0, 0, 0, 0, 1, 1, 1, 2, 3))):
        data = bent(data, rng) if rng.random() < 0.6 else mangle(data, rng, JUNK, _KEYS)
    return data


def bent(data: Any, rng: random.Random) -> Any:
    """A copy in which texts or numbers have changed places, or entries went from one list to another."""
    data = _copied(data)
    slots = list(_leaves(data))
    lists = list(_lists(data))
    choice = rng.random()
    if choice < 0.4 and slots:
        (one, here), (other, there) = rng.choice(slots), rng.choice(slots)
        one[here], other[there] = other[there], one[here]
    elif choice < 0.6 and slots:
        (one, here), (other, there) = rng.choice(slots), rng.choice(slots)
        one[here] = other[there]
    elif choice < 0.7 and slots:
        numbers = [slot for slot in slots if type(slot[0][slot[1]]) is int]
        if numbers:
            one, here = rng.choice(numbers)
            one[here] += rng.choice((-1, 1, 2, 10))
    elif lists:
        one, other = rng.choice(lists), rng.choice(lists)
        if choice < 0.85 and one:
            other.append(one.pop(rng.randrange(len(one))))
        elif choice < 0.93:
            rng.shuffle(one)
        else:
            del one[rng.randrange(len(one) + 1) :]
    return data


def scratched(text: bytes, rng: random.Random) -> bytes:
    """The bytes with one to four pieces left out, doubled, or put elsewhere."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        here = rng.randrange(len(text) + 1)
        there = min(len(text), here + rng.choice((1, 1, 2, 5, 20, 200)))
        put = rng.choice((rng.choice(_SCRATCHES), text[here:there] * 2, bytes([rng.randrange(256)])))
        text = text[:here] + put + text[there if rng.random() < 0.7 else here :]
    return text


def _copied(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _copied(value) for key, value in data.items()}
    return [_copied(value) for value in data] if isinstance(data, list | tuple) else data


def _leaves(data: Any) -> Iterator[Slot]:
    for place, value in (
        data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    ):
        if isinstance(value, dict | list):
            yield from _leaves(value)
        else:
            yield data, place


def _lists(data: Any) -> Iterator[list[Any]]:
    if isinstance(data, list):
        yield data
    for value in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _lists(value)
