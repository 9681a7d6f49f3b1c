"""Surveys of Kirin: what the lead, a seat and the card set aside are worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from solver import studies
from solver.common import Random, counted
from solver.game import Row
from solver.games.kirin.analyze import analyze
from solver.games.kirin.deck import CARDS, colour, names
from solver.games.kirin.position import DeclarePosition, KnownPosition, number_of
from solver.games.kirin.rules import HAND, SEATS
from solver.limits import Control
from solver.studies import Seats

_ENDING = 5  # cards per hand, so that all three models are fast


def _hands(random: Random) -> list[list[int]]:
    """Deal nine random cards to each seat. Each seat sets aside the last card of its hand."""
    deck = list(range(CARDS))
    random.shuffle(deck)
    return [deck[HAND * seat : HAND * (seat + 1)] for seat in range(SEATS)]


def positions(variant: str, random: Random) -> Sequence[KnownPosition]:
    """Return one random deal, led by each seat in turn; in the variant ``ending``, with five cards per hand."""
    hands = _hands(random)
    size = _ENDING if variant == "ending" else HAND - 1
    return [
        KnownPosition(
            game="kirin",
            direction="ascending",
            leader=leader,
            hands=tuple(tuple(names(sorted(hand[:size]))) for hand in hands),
            declared=tuple(names(hand[-1] for hand in hands)),
        )
        for leader in range(SEATS)
    ]


SEATS_STUDY = Seats(positions, analyze, "points", {"deal": ("paranoid", "ally")})
seats_part, seats_merged = SEATS_STUDY.part, SEATS_STUDY.merged


def declaration_part(variant: str, *, seed: int, number: int, deals: int, control: Control) -> Iterator[Row]:
    """Yield a row for each card that seat 0 may set aside, once the others have set random cards aside."""
    for deal in range(number, number + deals):
        random = Random(seed, deal)
        hands = _hands(random)
        position: DeclarePosition | KnownPosition = DeclarePosition(
            game="kirin",
            seat=1,
            leader=random.below(SEATS),
            hands=tuple(tuple(names(sorted(hand))) for hand in hands),
        )
        for hand in hands[1:]:
            assert isinstance(position, DeclarePosition)
            position = position.after(hand[-1])
        assert isinstance(position, DeclarePosition)
        with control.part() as part:
            found = analyze(position, part, model=variant)
        held = Counter(map(colour, hands[0]))
        for move in found.moves:
            others = held[colour(number_of(move.move))] - 1
            kind = f"with {counted(others, 'other')} of its colour"
            yield {
                "number": deal,
                "deals": 1,
                "move": move.move,
                "kind": kind,
                "value": move.value,
                "judged": move.value,
            }


declaration_merged = studies.merged
