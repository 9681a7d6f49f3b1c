"""The ready-made hint for games of tricks, on a toy game: deals, exact and played-out scores, answers."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from solver.answers import SampledHint
from solver.errors import RequestError
from solver.hints.sampled import dealt, hidden_cards
from solver.kernels.jit import inlined
from solver.kernels.words import Words
from solver.limits import Control, Limit
from tests.hints.toy_tricks import Round, View, listed, sampler, started, view_of


def to_move(seed: int, played: int) -> View:
    now = started(seed, played)
    return view_of(now, now.to_move)


def reference_deals(view: View) -> set[tuple[int, ...]]:
    """Every deal that agrees with a view, by trying all divisions of the unseen cards."""
    others = [seat for seat in range(4) if seat != view.seat]
    cards = [card for card in range(16) if view.unseen >> card & 1]
    found = set()
    for seats in product(others, repeat=len(cards)):
        hands = [view.hand_mask if seat == view.seat else 0 for seat in range(4)]
        for card, seat in zip(cards, seats, strict=True):
            hands[seat] |= 1 << card
        fits = all(hands[seat].bit_count() == view.count(seat) for seat in others)
        if fits and not any(hands[seat] & view.past.excluded(seat) for seat in others):
            found.add(tuple(hands))
    return found


@cache
def score(now: Round, side: int) -> int:
    """The tricks of a side when everybody plays best with all cards known."""
    if not any(now.hands):
        return now.tricks[side]
    values = [score(now.play(card), side) for card in now.legal()]
    return max(values) if now.to_move % 2 == side else min(values)


@pytest.mark.small
def test_deals_are_those_that_agree() -> None:
    for seed in range(12):
        view = to_move(seed, 8 + seed % 4)
        hidden = hidden_cards(view)
        found = [dealt(view, hidden, hidden.world(rank)) for rank in range(hidden.total)]
        assert len(found) == len(set(found))
        assert set(found) == reference_deals(view)
        assert started(seed, 8 + seed % 4).hands in found


@pytest.mark.covered
@pytest.mark.small
def test_last_tricks_have_their_exact_values(amount: Any) -> None:
    """A mean is one over worlds of what a plain search finds; with one deal left, it is that."""
    for seed in range(amount(6)):
        view = to_move(seed, 9 + seed % 7)
        answer = sampler(4).hint(view, Control(), worlds=40, seed=seed)
        side = view.seat % 2
        values: dict[int, list[int]] = {}
        for hands in reference_deals(view):
            now = replace(view.past, hands=hands)
            for card in now.legal():
                values.setdefault(card, []).append(score(now.play(card), side))
        for move in answer.moves:
            card = "AB".index(move.move[0]) * 8 + int(move.move[1]) - 1
            assert min(values[card]) <= move.mean <= max(values[card])
            if len(values[card]) == 1:
                assert move.mean == values[card][0]
            elif len(values[card]) > 3 and move.stderr:
                assert abs(move.mean - np.mean(values[card])) < 5 * move.stderr + 0.2


@pytest.mark.small
def test_games_are_played_out_by_the_rules() -> None:
    """With a card each, playing on is forced: the scores are the exact ones."""
    for seed in range(8):
        view = to_move(seed, 12 + seed % 4)
        played, exact = (sampler(tricks).hint(view, Control(), worlds=30, seed=seed) for tricks in (-1, 4))
        assert [(move.move, move.mean) for move in played.moves] == [
            (move.move, move.mean) for move in exact.moves
        ]


@inlined
def first_card(deal: Words, state: Words, at: int, out: Words, to: int, random: Words) -> int:
    listed(deal, state, at, out, to)
    return int(out[to])


def test_a_game_brings_its_own_players() -> None:
    for seed in range(5):
        view = to_move(seed, 3)
        answer = sampler(-1, first_card).hint(view, Control(), worlds=1, seed=seed)
        hidden = hidden_cards(view)
        hands = dealt(view, hidden, hidden.drawn(seed, 0))
        for move in answer.moves:
            now = replace(view.past, hands=hands)
            now = now.play("AB".index(move.move[0]) * 8 + int(move.move[1]) - 1)
            while any(now.hands):
                now = now.play(now.legal()[0])
            assert move.mean == now.tricks[view.seat % 2]


@pytest.mark.parametrize("exact_tricks", [-1, 4])
@pytest.mark.parametrize("threads", [1, 3])
def test_the_same_seed_and_nodes_give_the_same_answer(threads: int, exact_tricks: int) -> None:
    view, hints = to_move(1, 2), sampler(exact_tricks)

    def told(seed: int, threads: int) -> dict[str, Any]:
        answer = hints.hint(view, Control(Limit(nodes=2_000)), seed=seed, threads=threads)
        assert isinstance(answer, SampledHint)
        return {key: value for key, value in answer.to_dict().items() if key != "seconds"}

    assert told(5, threads) == told(5, 1)
    assert told(6, threads) != told(5, 1)
    assert told(5, 1)["method"] == "sampled deals"


@pytest.mark.small
def test_errors_and_the_end() -> None:
    now = started(1, 3)
    with pytest.raises(RequestError) as found:
        sampler(4).hint(view_of(now, (now.to_move + 1) % 4), Control())
    assert (found.value.code, found.value.path) == ("not_to_move", "seat")
    over = to_move(1, 16)
    answer = sampler(4).hint(over, Control())
    assert (answer.exact, answer.best, answer.moves, answer.reason) == (True, None, (), "The round is over.")
