"""Questions with decks of the sender's own: hard ones, large ones, and ones with faults."""

from __future__ import annotations

import random
import tomllib
from functools import cache
from importlib import resources
from typing import Any

from solver import decks
from solver.common.rng import Random
from tests.attack.case import Case, posted
from tests.attack.changes import JUNK, bent
from tests.attack.sources.positions import moment, question
from tests.support.hard_decks import hard_deck
from tests.support.mangling import mangle

_FIELDS = ("water", "vapor", "acid", "aqua-regia")
_SECONDS = (0.02, 0.03, 0.05)


def asked(rng: random.Random) -> Case:
    """A question about a position with a deck of its own."""
    return rng.choice((_king, _king, _aqua, _house))(rng)


def compounded(rng: random.Random) -> Case:
    """What a random hard deck makes of many cards, which may take any search very long."""
    deck = hard_deck(Random(rng.randrange(1 << 40)))
    codes = [card["code"] for card in deck["card"]]
    rng.shuffle(codes)
    if rng.random() < 0.4:
        cuts = sorted(rng.randrange(len(codes) + 1) for _ in range(2))
        won = [codes[: cuts[0]], codes[cuts[0] : cuts[1]], codes[cuts[1] :]]
        return posted("hard decks", "/v1/score", {"game": "king", "deck": deck, "rounds": [{"won": won}]})
    position = {"game": "king", "deck": deck, "cards": codes[: rng.randrange(len(codes) + 1)]}
    body: dict[str, Any] = {"position": position, "limit": {"seconds": rng.choice(_SECONDS)}}
    if rng.random() < 0.3:
        body["best"] = rng.choice((1, 2, 10, 100))
    if rng.random() < 0.3:
        body["missing"] = True
    if rng.random() < 0.3:
        body["must"], body["without"] = rng.sample(codes, rng.randrange(4)), rng.sample(codes, rng.randrange(4))
    return posted("hard decks", "/v1/compound", body)


def _faulty(deck: Any, rng: random.Random) -> Any:
    choice = rng.random()
    if choice < 0.6:
        return deck
    return bent(deck, rng) if choice < 0.8 else mangle(deck, rng, JUNK, ("card", "metal", "copies", "suits"))


def _king(rng: random.Random) -> Case:
    deck = hard_deck(Random(rng.randrange(1 << 40)))
    address, body = question(moment(rng, "king") | {"deck": _faulty(deck, rng)}, rng)
    return posted("hard decks", address, body)


def _aqua(rng: random.Random) -> Case:
    """A round of Aqua Regia with up to 118 metals and 99 cards of each, of which anybody may hold many."""
    kinds, copies = rng.choice((2, 5, 16, 40, 118)), rng.choice((1, 2, 4, 20, 99))
    metals = [f"M{number}" for number in range(kinds)]
    deck: Any = {"name": "large", "title": "Large", "fields": list(_FIELDS), "copies": copies}
    deck["metal"] = [
        {"symbol": metal, "name": metal, "reactivity": {field: rng.randrange(4) for field in _FIELDS}}
        for metal in metals
    ]
    cards = [metal for metal in metals for _ in range(copies)]
    rng.shuffle(cards)
    players = rng.randrange(2, 6)
    size = min(rng.choice((1, 5, 10, 50, 200)), len(cards) // (players + 1))
    hands = [[cards.pop() for _ in range(size)] for _ in range(players)]
    position: dict[str, Any] = {
        "game": "aqua-regia",
        "deck": _faulty(deck, rng),
        "field": rng.choice(_FIELDS),
        "reversed": rng.random() < 0.3,
        "turn": 0,
        "table": [],
        "discard": [],
    }
    if rng.random() < 0.5:
        del cards[rng.choice((0, 5, 50, 12_000)) :]
        position |= {"hands": hands, "stock": cards}
        # The discard pile holds what is nowhere else.
        position["discard"] = [metal for metal in metals for _ in range(copies)]
        for card in (*cards, *(card for hand in hands for card in hand)):
            position["discard"].remove(card)
    else:
        position |= {"seat": 0, "hand": hands[0], "counts": [size] * players, "stock_count": len(cards)}
    address, body = question(position, rng, rng.choice((None, "analyze" if "hands" in position else "hint")))
    return posted("large decks", address, body)


def _house(rng: random.Random) -> Case:
    """A deck that comes with a game, with faults."""
    kind = rng.choice(decks.kinds())
    deck = mangle(tomllib.loads(_written(kind.package, kind.house_file)), rng, JUNK, (kind.key, "name", "copies"))
    address, body = question(moment(rng, kind.game) | {"deck": deck}, rng)
    return posted("faulty decks", address, body)


@cache
def _written(package: str, file: str) -> str:
    return resources.files(package).joinpath("decks", file).read_text(encoding="utf-8")
