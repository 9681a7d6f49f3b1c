"""Who looks ahead, against plain Python by the rules: inputs, values of cards, and the first answers of hints."""

from __future__ import annotations

import json
from math import exp
from pathlib import Path

import numpy as np
import pytest

import solver.games.kirin as kirin
from solver.common import Random
from solver.errors import RequestError
from solver.games.kirin import GAME, hint
from solver.games.kirin.deck import ALL, colour, rank
from solver.games.kirin.fast_rules import COLOUR_SETS, playable
from solver.games.kirin.players import (
    BY_RULES,
    KINDS,
    LOOKS_AHEAD,
    MOST,
    PLAY,
    Scratch,
    ahead,
    look,
    new_scratch,
    own_inputs,
    shared_inputs,
    value_cards,
)
from solver.games.kirin.position import Round, number_of, numbers
from solver.games.kirin.rules import State
from solver.kernels.jit import kernel
from solver.kernels.words import Words
from solver.limits import Control
from tests.games.kirin.deals import played, seen_by, to_move
from tests.games.kirin.plain_hints import Looking, table_of
from tests.hints.first_answers import at_once, check_chances, check_told_first
from tests.support.amounts import Amount
from tests.support.kinds import of_kind


class Turn(Looking):
    """A choice in the kernels' words, too."""

    def __init__(self, state: State, aside: int, gone: int) -> None:
        super().__init__(state, aside, gone)
        self.table = table_of(state)
        self.held = state.hands[state.to_move]
        self.colour = COLOUR_SETS[colour(aside)]
        self.hidden = ALL & ~self.held & ~gone & ~(1 << aside)
        self.playable = int(playable(self.held, self.table, 0))


def turns(count: int) -> list[Turn]:
    """Choices of rounds that are played at random, with any card of those that nobody holds set aside."""
    found: list[Turn] = []
    random = Random(4)
    while len(found) < count:
        state = played(len(found), random.below(31)).state
        everywhere = (
            state.hands[0] | state.hands[1] | state.hands[2] | state.hands[3] | sum(1 << c for c in state.trick)
        )
        nowhere = [card for card in range(36) if not everywhere >> card & 1]
        asides = [nowhere.pop(random.below(len(nowhere))) for _ in range(4)]
        gone = sum(1 << card for card in nowhere) | sum(1 << card for card in state.trick)
        turn = Turn(state, asides[0], gone)
        if len(turn.legal) > 1:
            found.append(turn)
    return found


@kernel
def tell(hand: int, own: int, unseen: int, table: Words, card: int, room: Scratch) -> None:
    """Write the shared inputs, and those of a card."""
    look(hand, own, unseen, room.sight)
    shared_inputs(hand, own, unseen, table, playable(hand, table, 0), room.sight, room.net.shared)
    own_inputs(card, hand, own, unseen, table, room.sight, room.net.own)


@pytest.mark.small
def test_inputs_are_what_the_rules_say(amount: Amount) -> None:
    room = new_scratch()
    shared, own = room.net.shared, room.net.own
    for turn in turns(amount(200)):
        for card in turn.legal:
            tell(turn.held, turn.colour, turn.hidden, turn.table, card, room)
            assert shared == pytest.approx(turn.shared(), abs=1e-5)
            assert own == pytest.approx(turn.of_card(card), abs=1e-5)


@pytest.mark.small
def test_cards_are_valued_as_the_weights_say(amount: Amount) -> None:
    room, found = new_scratch(), ahead()
    for turn in turns(amount(200)):
        count = len(turn.legal)
        codes = np.array(turn.legal)
        choice = codes, count, turn.held, turn.colour, turn.hidden, turn.table, np.array(PLAY), found.net
        value_cards(*choice, 1 << LOOKS_AHEAD | 1 << BY_RULES, room)
        looked = room.values[LOOKS_AHEAD * MOST :][:count]
        assert looked == pytest.approx(list(turn.values(found.net).values()), abs=1e-3)
        by_rules = new_scratch()
        value_cards(*choice, 1 << BY_RULES, by_rules)
        ruled = by_rules.values[BY_RULES * MOST :][:count]
        assert room.values[BY_RULES * MOST :][:count] == pytest.approx(ruled, abs=1e-3)


@pytest.mark.small
def test_the_card_of_the_network_says_how_it_was_made() -> None:
    card = json.loads(Path(kirin.__file__).with_name("ahead.json").read_text(encoding="utf-8"))
    assert card["mean logarithm of a held-back choice's chance"] > card["with any move alike"] + 0.3
    found = ahead()
    assert len(found.expected) == KINDS
    assert found.expected[LOOKS_AHEAD] > 0


@pytest.mark.small
def test_every_legal_card_is_offered() -> None:
    for turn in turns(20):
        assert sorted(turn.state.moves()) == [card for card in range(36) if turn.playable >> card & 1]


@pytest.mark.covered
@pytest.mark.small
def test_every_legal_card_has_its_chance() -> None:
    for seed, cards in enumerate((0, 1, 6, 13, 22, 30)):
        check_chances(GAME, to_move(seed, cards))


def test_cards_are_as_likely_as_the_network_values_them() -> None:
    for seed, cards in enumerate((0, 2, 9, 19, 26)):
        view = to_move(seed, cards)
        position = played(seed, cards)
        gone = sum(1 << card for trick in (*view.tricks, view.current_trick) for card in trick.plays)
        values = Looking(position.state, number_of(str(view.declared)), gone).values(ahead().net)
        told = {number_of(move.move): move.chance for move in at_once(GAME, view).moves}
        assert told == pytest.approx(softmax(values), abs=1e-4)


def test_what_is_set_aside_is_likely_for_who_looks_ahead() -> None:
    view = of_kind(Round, GAME.view(GAME.deal(3, variant="undeclared"), 2))
    kept, aside = np.split(ahead().declare, 2)
    values = {
        card: aside[rank(card)]
        + sum(kept[rank(other)] for other in numbers(view.hand) if colour(other) == colour(card))
        - kept[rank(card)]
        for card in numbers(view.hand)
    }
    told = {number_of(move.move): move.chance for move in at_once(GAME, view).moves}
    assert told == pytest.approx(softmax(values), abs=1e-6)


def softmax(values: dict[int, float]) -> dict[int, float]:
    total = sum(exp(value) for value in values.values())
    return {card: exp(value) / total for card, value in values.items()}


def test_it_is_the_first_that_is_told() -> None:
    check_told_first(GAME, to_move(1, 3))


def test_whose_turn_it_is_not_is_refused() -> None:
    position = played(1, 3)
    with pytest.raises(RequestError, match="is to move"):
        hint.hint(seen_by(position, (position.seat_to_move + 1) % 4), Control(), worlds=0)
