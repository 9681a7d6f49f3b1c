"""What holds in every round of the King × Alchemy reference, over random positions and decks."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.games.king.cards.reference_states import state
from tests.games.king.random_positions import data_of, random_deck, random_position
from tests.reference import king as ref
from tests.reference.king import State
from tests.reference.king_deck import HOUSE, Deck, deck_of, index


def random_state(rng: random.Random, **wanted: Any) -> tuple[Deck, State]:
    deck = random_deck(rng) if rng.random() < 0.4 else None
    heavy = rng.choice((None, "dancer", "trump"))
    return ref.load(random_position(rng, deck=deck, heavy=heavy, **wanted))


def test_positions_round_trip() -> None:
    rng = random.Random(1)
    met = set()
    for _ in range(400):
        deck = random_deck(rng) if rng.random() < 0.3 else None
        position = random_position(rng, deck=deck)
        pack, now = ref.load(position)
        assert data_of(pack, now, deck, keep_won="won" in position) == position
        assert (deck is None) == (pack == HOUSE)
        met.add((len(now.hands), ref.to_move(pack, now), len(now.trick)))
    assert len(met) == 3 * 4 + 4 * 5 + 5 * 6  # every seat, with no card played to all


def test_random_decks_have_what_a_deck_has() -> None:
    rng = random.Random(2)
    for _ in range(50):
        deck = deck_of(random_deck(rng))
        assert len({card.code for card in deck}) == len(deck) == 50
        assert sum(len(card.suit) == 1 for card in deck) == 44
        assert len({(card.suit, card.number) for card in deck}) == 50
        provided = {card.provides for card in deck}
        assert all(need in provided for card in deck for need in card.needs)


def test_cards_are_played_once_and_piles_only_grow() -> None:
    rng = random.Random(3)
    for _ in range(300):
        deck, now = random_state(rng, cards=5)
        while not ref.over(now):
            in_play = _cards(now)
            move = rng.choice(ref.legal(deck, now))
            after = ref.play(deck, now, move)
            assert all(old <= new for old, new in zip(now.won, after.won, strict=True))
            if isinstance(move, ref.Played):
                assert _cards(after) == in_play
            else:
                kept = 1 + len(move.taken) + (move.given is not None)
                assert len(_cards(after)) == len(in_play) - len(now.trick) + kept
                assert sum(map(len, after.won)) == sum(map(len, now.won)) + kept
            now = after


def test_a_move_that_is_not_legal_is_refused() -> None:
    with pytest.raises(ValueError, match="W1 is not legal"):
        ref.play(HOUSE, state(["", "F1 W1", "E1"], trick="F7"), ref.Played(index(HOUSE, "W1")))


def _cards(now: State) -> frozenset[int]:
    lists = [*now.hands, *now.won, {played.card for played in now.trick}]
    assert sum(map(len, lists)) == len(frozenset().union(*lists))
    return frozenset().union(*lists)


def test_seats_can_be_turned() -> None:
    rng = random.Random(5)
    for _ in range(40):
        deck, now = random_state(rng, cards=2)
        seats = len(now.hands)
        turned = now._replace(
            hands=(*now.hands[1:], now.hands[0]),
            won=(*now.won[1:], now.won[0]),
            leader=(now.leader - 1) % seats,
        )
        for model in ("paranoid", "ally"):
            assert ref.values(deck, now, model) == ref.values(deck, turned, model)
        assert ref.count_lines(deck, now, 4) == ref.count_lines(deck, turned, 4)
