"""Random King × Alchemy decks and positions for tests, as the plain data that users send."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from tests.reference import king as reference
from tests.reference.king_deck import DANCER, HOUSE, SUITS, TRUMP, Deck, deck_of, played_by

Data = dict[str, Any]


def random_deck(rng: random.Random) -> Data:
    """A deck's file, read: 44 suit cards in any order, 5 trumps, 1 Dancer; few ingredients, so that they are
    fought for, needed twice by one recipe, or plentiful."""
    stuffs = [f"Stuff {number}" for number in range(rng.randint(4, 16))]
    sizes = [11] * 4 if rng.random() < 0.7 else rng.choice(([10, 12, 11, 11], [14, 12, 10, 8], [6, 9, 13, 16]))
    highest = rng.choice((11, 16, 30))  # with gaps between the numbers
    cards: list[Data] = []
    for suit, size in zip(SUITS, sizes, strict=True):
        for number in rng.sample(range(1, max(highest, size) + 1), size):
            kind = rng.choice(("material", "material", "method"))
            cards.append({"code": f"{suit}{number}", "kind": kind, "suit": suit, "number": number})
    for place, number in enumerate(rng.sample(range(1, 16), 5)):
        cards.append({"code": f"T{place + 1}", "kind": TRUMP, "number": number})
    cards.append({"code": "D", "kind": DANCER, "number": rng.randint(1, highest)})
    rng.shuffle(cards)  # the file's order is not the order of strength
    for card in cards:
        card |= {"name": f"The {card['code']}", "vp": rng.choice((0, 0, 1, 1, 2, 3))}
        if card["kind"] in ("material", "method"):
            card["provides"] = rng.choice(stuffs)
    provided = [card["provides"] for card in cards if "provides" in card]
    for card in cards:
        if card["kind"] != "material":
            needs = [rng.choice(provided) for _ in range(rng.choice((1, 2, 2, 3, 4)))]
            card["recipe"] = {"item": f"Work of {card['code']}", "needs": needs, "bonus": rng.randint(0, 12)}
    suits = {"F": "Fire", "W": "Water", "E": "Earth", "A": "Wind"}
    return {"name": "random", "title": "A random deck", "suits": suits, "card": cards}


def random_position(
    rng: random.Random,
    *,
    players: int | None = None,
    cards: int | None = None,
    played: int | None = None,
    heavy: str | None = None,
    brewing: bool | None = None,
    deck: Data | None = None,
    rules: Sequence[str] = (),
) -> Data:
    """A position with `cards` cards a hand when the trick began, and `played` on the table (as many as there are
    players: the winner is to take).

    `heavy`: "trump" deals as many trumps as fit, "dancer" the Dancer and some trumps, and both are played often.
    `brewing`: deals and piles are of recipes and their ingredients first. `deck`: a deck's file, read; the
    house deck without it. `rules`: the disputed readings that are on. What is left open is drawn at random.
    """
    pack = played_by(HOUSE if deck is None else deck_of(deck), rules)
    players = players or rng.randint(3, 5)
    cards = cards or rng.randint(1, 3)
    played = rng.randint(0, players) if played is None else played
    brewing = rng.random() < 0.6 if brewing is None else brewing
    order = _order(rng, pack, heavy, brewing)
    dealt, rest = order[: players * cards], order[players * cards :]
    rng.shuffle(dealt)
    won: list[list[int]] = [[] for _ in range(players)]
    for card in rest[: rng.choice((0, players, 3 * players))]:
        rng.choice(won).append(card)
    now = reference.State(
        tuple(frozenset(dealt[seat::players]) for seat in range(players)),
        rng.randrange(players),
        (),
        tuple(map(frozenset, won)),
    )
    for _ in range(played):
        moves = reference.legal(pack, now)
        strong = [move for move in moves if _strong(pack, move)]
        now = reference.play(pack, now, rng.choice(strong if heavy and strong and rng.random() < 0.7 else moves))
    return data_of(pack, now, deck, keep_won=any(now.won) or rng.random() < 0.5)


def data_of(pack: Deck, now: reference.State, deck: Data | None = None, *, keep_won: bool = True) -> Data:
    """The public form of a state; `deck` is its deck's file, read, unless it is the house deck."""

    def codes(piles: tuple[frozenset[int], ...]) -> list[list[str]]:
        return [[pack[card].code for card in sorted(pile)] for pile in piles]

    return {
        "game": "king",
        "deck": deck or "house",
        **({"rules": dict.fromkeys(sorted(pack.rules), True)} if pack.rules else {}),
        "leader": now.leader,
        "trick": [reference.text(pack, move) for move in now.trick],
        "hands": codes(now.hands),
        **({"won": codes(now.won)} if keep_won else {}),
    }


def _strong(pack: Deck, move: reference.Move) -> bool:
    return isinstance(move, reference.Played) and pack[move.card].suit in (TRUMP, DANCER)


def _order(rng: random.Random, pack: Deck, heavy: str | None, brewing: bool) -> list[int]:
    """The deck as it is dealt from: what must be in hands first."""
    order = list(range(len(pack)))
    rng.shuffle(order)
    if brewing:
        wanted: list[int] = []
        for carrier in [card for card in order if pack[card].needs][: rng.randint(2, 5)]:
            wanted.append(carrier)
            for need in pack[carrier].needs:
                wanted += [card for card in order if pack[card].provides == need][: rng.randint(1, 2)]
        order.sort(key=lambda card: card not in wanted)
    if heavy == "trump":
        order.sort(key=lambda card: pack[card].suit != TRUMP)
    if heavy == "dancer":
        trumps = rng.sample([card for card in order if pack[card].suit == TRUMP], rng.randint(0, 2))
        order.sort(key=lambda card: pack[card].suit != DANCER and card not in trumps)
    return order
