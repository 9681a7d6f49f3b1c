"""Decks of King × Alchemy to learn on, so that a user's own deck can be played: the house deck and random ones."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from solver.games.king import fast_rules
from solver.games.king.deck import KIND, Deck, house
from solver.games.king.players import HOPE, CardValues, additions, book_of, recipes_of
from solver.games.king.rules import State


def random_deck(seed: int, number: int) -> Deck:
    """Deck `number` of a seed: the house deck's numbers, with points, ingredients and recipes of its own.

    Recipes take two to five cards with their carrier, and bring more the more they take; between 6 and 22 cards
    carry one; 6 to 26 ingredients are on one to a few cards each.
    """
    random = np.random.default_rng((seed, number))
    cards: list[dict[str, Any]] = []
    plain = house()
    for face in plain.cards:
        card: dict[str, Any] = {"code": face.code, "name": face.name, "number": face.number, "vp": face.vp}
        card["kind"] = "material"
        if face.code == plain.cards[plain.dancer].code:
            card |= {"kind": "dancer", "number": int(random.integers(1, 12))}
        elif face.suit >= 4:
            card["kind"] = "trump"
        else:
            card["suit"] = face.code[0]
        cards.append(card)
    suited = [card for card in cards if "suit" in card]
    if random.random() < 0.5:
        points = [card["vp"] for card in suited]
        random.shuffle(points)
        for card, vp in zip(suited, points, strict=True):
            card["vp"] = int(vp)
    elif random.random() < 0.5:
        for card in cards:
            card["vp"] = int(random.integers(0, 5))
    names = [f"ingredient {place}" for place in range(int(random.integers(6, 27)))]
    providing = random.permutation(len(suited))[: int(random.integers(28, 45))]
    for place, index in enumerate(providing):
        suited[index]["provides"] = names[
            place % len(names) if place < 2 * len(names) else random.integers(len(names))
        ]
    carriers = list(random.permutation(len(cards))[: int(random.integers(6, 17))])
    carriers += [place for place, card in enumerate(cards) if "suit" not in card and random.random() < 0.7]
    worth = random.uniform(2.0, 4.5)
    provided = sorted({card["provides"] for card in suited if "provides" in card})
    for place in sorted(set(map(int, carriers))):
        card = cards[place]
        if card["kind"] == "material":
            card["kind"] = "method"
        needs = [str(random.choice(provided)) for _ in range(int(random.integers(1, 5)))]
        bonus = int(max(1, round(worth * len(needs) + random.normal(0, 1.5))))
        card["recipe"] = {"item": f"item {place}", "needs": needs, "bonus": bonus}
    suits = {"F": "Fire", "W": "Water", "E": "Earth", "A": "Wind"}
    return KIND.read({"name": "random", "suits": suits, "card": cards})


@lru_cache(maxsize=4)
def values_of(deck: Deck, players: int) -> CardValues:
    """The values of a deck's cards when nobody has won any."""
    nobody = (0,) * players
    deal = fast_rules.deal_words(State(deck, nobody, 0, (), nobody), 0, allies=False)
    return CardValues(deal, recipes_of(deck), book_of(deck, nobody, 0), additions(HOPE, players))
