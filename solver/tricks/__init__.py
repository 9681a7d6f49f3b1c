"""Shared parts of trick games, for any number of seats and any deck, and a complete base for plain games.

A game states its rules with the classes in `rules`. `positions` has the building blocks of positions and views,
including what the past tricks show about hidden hands; `memory` is for players who remember only some of them.
`text` writes positions as text, and fills in what follows from the tricks. `moves` finds the legal moves and
records what is played, `match` plays round by round, `analysis` analyses any trick game, and `causes` has reasons.
`plain` is a complete plain game: positions, records, analyses, and hints, which `hint` samples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.game import Game

if TYPE_CHECKING:
    from solver.display import CardFace, OwnField


class Suit(NamedTuple):
    """How the page draws a suit: its name, the sign on its cards (a character), and the name of their colour.

    The colours are azure, vermilion, amber, green, black, violet and rose.
    """

    name: str
    sign: str
    ink: str


FRENCH_SUITS = {
    "C": Suit("Clubs", "♣", "black"),
    "D": Suit("Diamonds", "♦", "vermilion"),
    "H": Suit("Hearts", "♥", "vermilion"),
    "S": Suit("Spades", "♠", "black"),
}


class PlainTrickGame(Game):
    """A trick game that uses the functions of `solver.tricks.plain`, except for its own types, deal and search.

    Each seat in turn plays a card to a trick, one seat (or nobody) takes it, and the score follows from the cards
    taken. The page draws such a game from what is stated here and in its types.
    """

    suits: Mapping[str, Suit] = {}  # by what the codes of their cards begin with

    places = {
        "position_type": ".position:Round",
        "record_type": ".position:Record",
        "analysis_type": "solver.answers:ScoreAnalysis",
        "score_type": "solver.answers:MatchScore",
        "playing": "solver.tricks.match:TrickPlaying",
        "notation": "solver.tricks.plain:notation",
        "asks": "solver.tricks.moves:asks",
        "legal_moves": "solver.tricks.moves:legal_moves",
        "parse_move": "solver.tricks.moves:parse_move",
        "format_move": "solver.tricks.moves:format_move",
        "play": "solver.tricks.plain:play",
        "deal": ".position:deal",
        "cards": "solver.tricks.plain:faces",
        "view": "solver.tricks.plain:view",
        "observe": "solver.tricks.plain:observe",
        "possible": "solver.tricks.moves:possible",
        "describe": "solver.tricks.plain:describe",
        "score": "solver.tricks.plain:score",
        "as_known": "solver.tricks.plain:as_known",
        "as_view": "solver.tricks.moves:as_view",
        "analyze": ".search:analyze",
        "hint": ".search:hint",
    }
    warming = (".search:warm",)

    def cards(
        self, *, variant: str | None = None, deck: str | Mapping[str, Any] | None = None
    ) -> Sequence[CardFace]:
        self.check_variant(variant)
        self.decked(deck)
        faces: Sequence[CardFace] = self.find("cards")(self.notation.names({}).codes, self.suits)
        return faces

    @property
    def fields(self) -> Sequence[OwnField]:
        from solver.tricks.plain import fields_asked

        return fields_asked(self)
