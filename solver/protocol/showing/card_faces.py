"""What is printed on a game's cards, for whoever draws them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from solver.protocol.answers import Answer


class CardFace(Answer):
    """A kind of card. The game's own words, such as those of a trump, stand in `details`."""

    card: Annotated[str, Field(description="The card as positions write it.")]
    name: Annotated[str, Field(description="What a person calls the card.")]
    suit: Annotated[str | None, Field(description="The colour or suit that it is of; null where it has none.")]
    rank: Annotated[str, Field(description="What is printed as its number or rank.")]
    copies: Annotated[int | None, Field(description="How many there are; null for any number.")]
    details: Annotated[dict[str, str], Field(description="What else is printed on it, by what it is.")]
