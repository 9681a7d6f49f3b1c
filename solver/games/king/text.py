"""The text notation of King × Alchemy's positions and records, and how missing keys are filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from solver import decks
from solver.codec import (
    CARDS,
    DATA,
    NOTHING,
    PILES,
    RULES,
    WHOLE,
    WORD,
    Cards,
    Data,
    Led,
    Names,
    Notation,
    Tricks,
    TwoReadings,
    parts,
    run_of,
)
from solver.common import mask, members
from solver.display import POINTS
from solver.game import Game
from solver.games.king.deck import KIND, Deck
from solver.games.king.position import Round
from solver.games.king.rules import DEALT
from solver.tricks.text import AS_PLAYED, HANDS, MEMORY, OF_MATCH, TABLE

_TO = re.compile(r"[\s:]to[\s:]\s*(\d)\s*$", re.IGNORECASE)
_SEAT = re.compile(r"(?:^|(?<=[\s,/]))\d:")


class KingNames(Names):
    """The names of a deck's cards; the name of a played Dancer includes its suit, such as ``D:F``."""

    def __init__(self, deck: Deck) -> None:
        super().__init__(deck.index, deck.dances)
        self._deck = deck

    def card(self, text: str) -> str:
        if self.has(text):
            return text
        code, colon, suit = text.partition(":")
        return super().card(code) + colon + Names(self._deck.suits).card(suit)


class TakenTricks(Tricks):
    """Finished tricks with what was taken and given: ``2:F2,F9,E1,W3:take:F2,E1:give:W3``.

    Against the rules, several cards may be given, and to another seat than the bottom: ``:give:E1,W3:to:0``.
    """

    def __init__(self) -> None:
        super().__init__({"take": "taken", "give": "also_given"})

    def _tidied(self, value: Any, names: Names) -> Any:
        value = super()._tidied(value, names)
        if isinstance(value, Mapping) and isinstance(value.get("given"), str):
            return {**value, "given": names.card(value["given"])}
        return value

    def _trick(self, text: str, names: Names) -> dict[str, Any]:
        to = _TO.search(text)
        trick = super()._trick(text if to is None else text[: to.start()], names)
        first, *more = [card for card in trick.pop("also_given", []) if card] or [None]
        trick |= {"given": first} if first else {}
        trick |= {"also_given": more} if more else {}
        return trick if to is None else {**trick, "given_to": int(to[1])}

    def _written(self, trick: Mapping[str, Any]) -> str:
        given = [card for card in (trick.get("given"), *(trick.get("also_given") or ())) if card]
        text = super()._written({**trick, "also_given": given})
        return text if trick.get("given_to") is None else f"{text}:to:{trick['given_to']}"


class Picks(Cards):
    """The card that each seat picked, in order of seats; ``0:F3/1:W11/2:T2`` is accepted too."""

    def __init__(self) -> None:
        super().__init__(in_order=True)

    def of_text(self, text: str, names: Names) -> Any:
        cards: list[Any] = []
        for word in parts(_SEAT.sub(",", text).replace("/", ",")):
            run: list[Any] = run_of(word, names)
            unread = not all(map(names.has, run)) and not isinstance(run[0], TwoReadings)
            if unread and NOTHING in word[1:]:
                run = [
                    name for part in parts(word.replace(NOTHING, f",{NOTHING},")) for name in run_of(part, names)
                ]
            cards += run
        return cards


def notation(game: Game) -> Notation:
    """Build King × Alchemy's notation."""
    return Notation(
        values={
            "points": POINTS,
            "deck": DATA,
            "rules": RULES,
            **OF_MATCH,
            "stage": WORD,
            "players": WHOLE,
            "seat": WHOLE,
            **HANDS,
            "cards": CARDS,
            "pick": Picks(),
            "won": PILES,
            "removed": CARDS,
            "history": TakenTricks(),
            **MEMORY,
            **TABLE,
            **AS_PLAYED,
        },
        rounds={"won": PILES},
        names=lambda data: KingNames(decks.meant(KIND, data.get("deck"))),
        shortened=_shortened,
    )


def _shortened(data: Data, position: BaseModel) -> Data:
    """Return the data to write: without what follows, and with the leader in front of the trick's cards.

    Piles that follow from the history are left out; only the card that each seat picked before the first trick is
    written.
    """
    if not isinstance(position, Round):
        return data
    seen, piles = position.viewer is not None, position.piles_told
    empty = {"trick", "removed", "voids", "won", *(["history"] if seen else [])}
    data = {key: value for key, value in data.items() if key != "stage" and (value or key not in empty)}
    won, history, trick = data.get("won"), data.get("history"), data.get("trick")
    if won and seen and len(data["hand"]) in DEALT.values() and not (history or trick):
        data = {"players": len(won), **data}  # without it, the hand would look like one before the pick
    gained = (0,) * len(piles) if position.choosing else position.past.won
    picks = [mask(pile) & ~cards for pile, cards in zip(piles, gained, strict=False)]
    fits = all(mask(pile) & cards == cards for pile, cards in zip(piles, gained, strict=False))
    single = all(pick.bit_count() <= 1 for pick in picks) and (history or all(len(pile) <= 1 for pile in piles))
    if fits and any(picks) and single:
        data["pick"] = [next(iter(position.full_deck.codes(members(pick))), "") for pick in picks]
        del data["won"]
    players_told = not seen or data.keys() & {"players", "totals", "pick", "history"}  # how many play
    if players_told and position.in_part and fits and not any(picks):
        data.pop("won", None)
    follows = history or trick or (position.in_part and position.leader == position.seat)
    if follows and (players_told or len(data["hand"]) in DEALT.values()):
        del data["leader"]
    return data | {"trick": Led(position.leader, trick)} if trick else data
