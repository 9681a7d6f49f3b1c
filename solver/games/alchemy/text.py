"""The notation of alchemy's positions and records, and defaults for missing keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solver.codec import (
    CARD,
    CARDS,
    NUMBERS,
    PILES,
    ROW,
    RULES,
    WHOLE,
    WORD,
    Data,
    Found,
    Mark,
    Names,
    Notation,
    Value,
)
from solver.display import POINTS
from solver.game import Game
from solver.games.alchemy.deck import TEXTS, card, rank_of
from solver.games.alchemy.position import usual_cap


def _card(text: str) -> str:
    """Normalize a card to upper case without its suit; return any other text unchanged."""
    rank = rank_of(text)
    return text if rank is None else card(rank)


class _Ranks(Names):
    def card(self, text: str) -> str:
        return _card(text)

    def run(self, text: str, marks: Sequence[Mark] = ()) -> list[Found]:
        return [_card(entry) if isinstance(entry, str) else entry for entry in super().run(text, marks)]

    def place(self, text: str) -> int:
        rank = rank_of(text)
        return -1 if rank is None else rank


class Moves(Value):
    """A solitaire's moves as one word: ``6+7=4+9,discard:K``."""

    counts = ("move",)
    words = ("discard", "none")

    def read(self, text: str) -> Any:
        return [_plain(part) for part in text.split(",") if part.strip()] if text != "-" else []

    def write(self, value: Any) -> str:
        return ",".join(text.replace(" ", ":") for text in value) or "-"


class Grabbed(Value):
    """The seat and the move of a first grab: ``1:5+2=7`` or ``0:none``."""

    def read(self, text: str) -> Any:
        seat, colon, move = text.partition(":")
        sides = ("+".join(_card(word.strip()) for word in side.split("+")) for side in move.split("="))
        return f"{seat}{colon}{'='.join(sides)}" if "=" in move else text.lower()

    def write(self, value: Any) -> str:
        return str(value)


def _plain(text: str) -> str:
    word, _, rest = text.strip().replace(":", " ").partition(" ")
    return f"{word.lower()} {_card(rest)}" if word.lower() == "discard" else text.strip()


def notation(game: Game) -> Notation:
    return Notation(
        words=("variant",),
        values={
            "points": POINTS,
            "rules": RULES,
            "totals": NUMBERS,
            "cap": WHOLE,
            "min_line": WHOLE,
            "line": CARDS,
            "hand": CARD,
            "opponent_hand": CARD,
            "table_jokers": WHOLE,
            "grabbed": Grabbed(),
            "pile": CARDS,
            "opponent_pile": CARDS,
            "stock": ROW,
            "unseen": CARDS,
            "discarded": CARDS,
            "as_played": Moves(),
            "objective": WORD,
            "cards": WHOLE,
            "deck": ROW,
            "moves": Moves(),
        },
        rounds={"piles": PILES},
        names=lambda data: _Ranks(TEXTS),
        shortened=_shortened,
    )


def _shortened(data: Data, position: Any) -> Data:
    """Leave out a solitaire's `cap` if it follows from the line."""
    if "cap" in data and data["cap"] == usual_cap(position.variant, position.rules, position.line):
        return {key: value for key, value in data.items() if key != "cap"}
    return data
