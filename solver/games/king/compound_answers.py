"""What compounding answers: the recipes made, the ways that come next, the card that would add most."""

from __future__ import annotations

from solver.answers import Answer


class Made(Answer):
    """A recipe that is made: its carrier, the item, the cards that serve in the order of the recipe's needs."""

    card: str
    item: str
    uses: tuple[str, ...]
    bonus: int


class Way(Answer):
    """One way to compound a set of cards. Recipes in the deck's order of their carriers."""

    bonus: int
    total: int
    recipes: tuple[Made, ...]


class Missing(Answer):
    """A card that is not in the set: what it would add to the total, by itself (`vp`) and by what it lets make."""

    card: str
    gain: int
    vp: int
    bonus: int


class Compounding(Answer):
    """The best compounding of a set of cards. `bounds` are the total's, equal when `exact`.

    `ways` has the best ones, this one first, when more than one was asked for; `missing` the other cards of the
    deck, the one that would add most first, when asked for. Not `exact`: the limit came first, and
    `ways` and `missing` hold only what is proved.
    """

    vp: int
    bonus: int
    total: int
    recipes: tuple[Made, ...]
    exact: bool
    bounds: tuple[int, int]
    ways: tuple[Way, ...] | None = None
    missing: tuple[Missing, ...] | None = None
    nodes: int
    seconds: float
