"""What tests of Alchemy share: solitaires by each reading, and exchanges of duels whose deck is known."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from solver.common import Random
from solver.games.alchemy.deck import JOKER, Move, card, cards
from solver.games.alchemy.position import Round, observe_duel, ranks_of
from solver.games.alchemy.rules import WITHOUT_CAP_LOSS, AlchemyReadings, Turn, Variant

EACH_READING = pytest.mark.parametrize(
    "variant", ["alternative", "alternative without cap loss", "solo"], indirect=True
)


def view_of(variant: Variant, turn: Turn) -> Round:
    """A turn whose stock is hidden, by the reading of the variant."""
    assert turn.hand is not None
    rules = AlchemyReadings(alternative_without_cap_loss=variant == WITHOUT_CAP_LOSS)
    return Round(
        game="alchemy", variant=variant.name, rules=rules, cap=turn.cap,
        line=tuple(cards(turn.line)), hand=card(turn.hand), unseen=tuple(cards(turn.stock)),
    )  # fmt: skip


EMPTY = Round(game="alchemy", variant="duel", line=())


def state_of(line: Sequence[int], hands: tuple[int, int], deck: Sequence[int], *, table_jokers: int = 0) -> Round:
    """An exchange by its ranks; the deck need not be one that there is."""
    mine, theirs = cards(hands)
    changes = {"line": tuple(cards(line)), "hand": mine, "opponent_hand": theirs, "stock": tuple(cards(deck))}
    return EMPTY.model_copy(update={**changes, "table_jokers": table_jokers})


def exchanged(state: Round, first: int, first_move: Move, second_move: Move) -> Round:
    """The position after an exchange in which `first` grabs first. Raises MoveError for an illegal move."""
    grabbed, _ = observe_duel(state, [f"{first}:{first_move}"])
    return observe_duel(grabbed, [str(second_move)])[0]


def deck_of(state: Round) -> tuple[int, ...]:
    """What is left of the deck, the next card first."""
    return ranks_of(state.stock or ())


def hands_of(state: Round) -> tuple[int, ...]:
    """The cards drawn, none once the round is over."""
    return () if state.over else state.drawn


def random_moves(state: Round, first: int, random: Random) -> tuple[Move, Move]:
    """Legal moves of both players; matches more often than not."""
    moves = state.moves(first)
    mine = moves[random.below(len(moves))]
    others = observe_duel(state, [f"{first}:{mine}"])[0].moves(1 - first)
    return mine, others[random.below(len(others))]


def shuffled(seed: int, number: int, jokers: int) -> list[int]:
    """The deck of a deal, as `deal_duel` shuffles it."""
    deck = [rank for rank in range(1, 14) for _ in range(4)] + [JOKER] * jokers
    Random(seed, number).shuffle(deck)
    return deck
