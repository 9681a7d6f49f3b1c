"""What alchemy's positions and records are made of: cards by their ranks, and what no deck has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field

from solver.games.alchemy.cards.deck import COPIES, JOKER, card, rank_of
from solver.games.alchemy.cards.readings import AlchemyReadings
from solver.inputs.errors import Fault
from solver.inputs.faults import fault, refuse
from solver.notation.schema import OrText, Sent

_MOST_CARDS = 100  # of a list; the deck with its jokers has fewer


def _card(text: str) -> str:
    rank = rank_of(text)
    if rank is None:
        raise fault("illegal_card", f"{text!r} is no card; cards are A 2 … 10 J Q K, and X for a joker")
    return card(rank)


# What the document says of a card's text; letters of either case are taken, and a suit counts for nothing.
_LETTERS = {"pattern": "^(([AJQKTajqkt2-9]|10)[SHDCshdc♠♥♦♣]?|[Xx])$"}
Card = Annotated[str, Field(strict=True, examples=["7"], json_schema_extra=_LETTERS), AfterValidator(_card)]
Cards = Annotated[tuple[Card, ...], Field(max_length=_MOST_CARDS), OrText("4,7,K,2,9,A")]


def rank_at(text: str) -> int:
    rank = rank_of(text)
    assert rank is not None
    return rank


def ranks_of(texts: Iterable[str]) -> tuple[int, ...]:
    return tuple(rank_at(text) for text in texts)


class Model(Sent):
    model_config = ConfigDict(frozen=True, extra="forbid")


Places = Iterable[tuple[str, int]]  # a path, and the rank that lies there


def places(key: str, texts: Iterable[str] | None) -> Iterator[tuple[str, int]]:
    return ((f"{key}[{index}]", rank_at(text)) for index, text in enumerate(texts or ()))


def refuse_jokers(places: Places) -> None:
    refuse(Fault("illegal_card", "a joker cannot be here", path) for path, rank in places if rank == JOKER)


def refuse_surplus(places: Places) -> None:
    """A rank is in the deck four times; each further one is an error, named by its place."""
    counts: Counter[int] = Counter()
    found = []
    for path, rank in places:
        counts[rank] += 1
        if rank != JOKER and counts[rank] > COPIES:
            found.append(Fault("duplicate_card", f"this is a fifth {card(rank)}; the deck has four", path))
    refuse(found)


def check_rules(rules: AlchemyReadings | None, variant: str) -> None:
    """Raise a fault for an option of another variant, and for two that contradict each other."""
    for option in rules.on if rules is not None else ():
        whose = "alternative" if option == "alternative_without_cap_loss" else "duel"
        if variant != whose:
            raise fault("conflict", f"{option} is a rule of {whose}, not of {variant}", "rules")
    if rules is not None and rules.one_joker and rules.two_jokers:
        raise fault("conflict", "one joker is added, or two are, not both", "rules")


def one_hand(hand: object, opponent_hand: object) -> list[Fault]:
    """The fault of a duel in which only one player's card is flipped; none where both are, or none is."""
    if (hand is None) == (opponent_hand is None):
        return []
    missing = "hand" if hand is None else "opponent_hand"
    return [Fault("missing_key", f"{missing} is missing: both cards are flipped, or none", missing)]
