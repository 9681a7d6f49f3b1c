"""Positions of Alchemy that are drawn for puzzles: exchanges of a duel, solitaires, lines to be searched."""

from __future__ import annotations

from typing import Any

from solver.common.rng import Random
from solver.games.alchemy.cards.deck import cards
from solver.games.alchemy.cards.rules import DUEL_LINE, SOLITAIRE

_GAME = "alchemy"


def duel(random: Random) -> dict[str, Any]:
    """An exchange with the whole line before both; now and then with collected aces, or with a joker set aside."""
    deck = _shuffled("solo", random)
    line, rest = deck[:DUEL_LINE], deck[DUEL_LINE:]
    found: dict[str, Any] = {"game": _GAME, "variant": "duel", "line": cards(sorted(line))}
    found |= {"hand": cards(rest[:1])[0], "opponent_hand": cards(rest[1:2])[0]}
    rest = rest[2:]
    if not random.below(4):
        aces = sum(rank == 1 for rank in rest)
        found["pile"] = cards([1] * min(aces, 3))
    if not random.below(8):
        found["table_jokers"] = 1
    return found


def known_stock(random: Random, *, whole: bool) -> dict[str, Any]:
    """A solitaire with its stock in draw order: an ending or, where `whole` deals may be asked for, a deal."""
    variant = ("solo", "alternative")[random.below(2)]
    rules = SOLITAIRE[variant]
    deck = _shuffled(variant, random)
    cap = rules.shortest + random.below(rules.caps)
    most = len(deck) - cap - 1
    stock = 4 + random.below(most - 4 if whole else 12)
    return {
        **_solitaire(variant, cap, deck),
        "stock": cards(deck[cap + 1 : cap + 1 + min(stock, most)]),
    }


def hidden_stock(random: Random) -> dict[str, Any]:
    """An ending of a solitaire with four to nine cards face down."""
    variant = ("solo", "alternative")[random.below(2)]
    rules = SOLITAIRE[variant]
    deck = _shuffled(variant, random)
    cap = rules.shortest + random.below(rules.caps)
    unseen = 4 + random.below(6)
    return {**_solitaire(variant, cap, deck), "unseen": cards(sorted(deck[cap + 1 : cap + 1 + unseen]))}


def free(random: Random, fewest: int, most: int) -> dict[str, Any]:
    """A line of so many cards, at most a few of which are asked for at least."""
    deck = _shuffled("solo", random)
    size = fewest + random.below(most - fewest + 1)
    line = cards(sorted(deck[:size]))
    hand = cards(deck[size : size + 1])[0]
    return {"game": _GAME, "variant": "free", "min_line": 1 + random.below(3), "line": line, "hand": hand}


def _shuffled(variant: str, random: Random) -> list[int]:
    deck = SOLITAIRE[variant].deck
    random.shuffle(deck)
    return deck


def _solitaire(variant: str, cap: int, deck: list[int]) -> dict[str, Any]:
    line, hand = cards(sorted(deck[:cap])), cards(deck[cap : cap + 1])[0]
    return {"game": _GAME, "variant": variant, "cap": cap, "line": line, "hand": hand}
