"""The table that drives the journeys: every game in each of its kinds of rounds, and what it does not offer yet.

A game from outside appears by being registered. What it refuses is a line below; whatever is not listed must work.
"""

from __future__ import annotations

from dataclasses import dataclass

from solver import registry
from tests.support.guests import EXAMPLES  # installed for the commands of these tests, if they aren't anyway


@dataclass(frozen=True)
class Row:
    """A game, a kind of rounds, and the deal that is played: one in which the first moves have a clear mistake."""

    game: str
    variant: str = ""
    seed: int = 1
    nodes: int = 60  # for each hint of a review
    players: int | None = None
    # A whole round, and how many of its moves are made already: where the others can only think by the clock.
    record: str = ""
    begun: int = 0

    def __str__(self) -> str:
        return " ".join(filter(None, (self.game, self.variant)))

    @property
    def options(self) -> list[str]:
        """How a command deals it."""
        named = {"--seed": self.seed, "--variant": self.variant, "--players": self.players}
        return [self.game, *(str(word) for pair in named.items() if pair[1] for word in pair)]


_DEALS = [
    Row("alchemy", "solo", seed=50, nodes=20_000),
    Row("alchemy", "alternative", seed=2, nodes=20_000),
    Row("king", seed=10),
    Row("kirin", seed=11),
    Row("aqua-regia", seed=11, players=2),
    Row(
        "hearts",
        seed=39,
        record="C2 C7 C5 C6 D3 D8 D2 D7 C3 C4 CJ CQ D4 DJ DK DT S3 S2 ST S8 D6 SQ H5 D5 DQ HJ CA D9 H4 H3 S9 HT "
        "H6 H7 H2 S5 H9 H8 S6 SA HQ CK C8 S7 HK SK C9 SJ HA S4 CT DA",
        begun=31,
    ),
    Row(
        "whist",
        seed=22,
        record="S4 S9 SA SQ S6 S3 S2 ST SJ S7 C7 C8 HQ HK H6 H9 H5 HJ CQ H8 DK D6 C5 D5 HA H7 CK D9 D3 C4 C6 S8",
        begun=11,
    ),
]


GAMES = list(dict.fromkeys([*registry.names(), *EXAMPLES]))


def _rows() -> list[Row]:
    deals = {str(row): row for row in _DEALS}
    plain = [
        Row(name, variant)
        for name in GAMES
        for variant in (registry.game(name).watched if name in registry.names() else [""])
    ]
    return [deals.get(str(row), row) for row in plain]


ROWS = _rows()
# Matches of several rounds that are entered on the page from the first card on.
MATCHES = [Row("king", "unpicked", players=5), Row("kirin", "undeclared", players=4)]
# Rounds at a real table of which a card is missed; `tests/athanor/test_observed.py` has King × Alchemy's.
MISSING = [Row("kirin", players=4), Row("aqua-regia", players=3)]
# The games with what their puzzles ask, by default what the game asks first.
QUESTIONS = [*((name, "") for name in GAMES), ("alchemy", "winnable")]

_ONE_STRENGTH = "hints for {} do not distinguish how strong the others are"

# By what is asked, the rows that don't offer it, with the sentence that says so.
REFUSED: dict[str, dict[str, str]] = {
    "beginners": {
        **dict.fromkeys(["alchemy solo", "alchemy alternative", "alchemy duel"], _ONE_STRENGTH.format("alchemy")),
        **{name: _ONE_STRENGTH.format(name) for name in EXAMPLES},
    },
    # The truth about a duel is estimated, never proved.
    "puzzles of mistakes": {
        "alchemy duel": "No mistake in this game makes a puzzle with a proved solution.",
    },
    "own decks": {name: f"this is a deck of king, not of {name}" for name in ("alchemy", "kirin", *EXAMPLES)},
    # Nobody sees what the others set aside.
    "score of a real table": {"kirin": "not all cards were seen, so the score is not known"},
    "certificate": {
        "alchemy": "none for 2 puzzles: a certificate needs a solitaire in play with its stock known",
        "hearts": "none for 2 puzzles: Hearts has no certificates",
        "whist": "none for 2 puzzles: Whist has no certificates",
    },
}

# The buttons of the page after a round that was followed by its hints.
WAYS_ON = ["Next round", "Review", "Undo", "Change cards"]

# What is said of files that another version has written.
OLD_JOBS = "the file of jobs was made by another version of Athanor; move it away to continue"
OLD_KEY = "unknown key 'clock'"
