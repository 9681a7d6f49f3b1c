"""A plain trick game from its rules, search rules and encoder: models against brute force, hints, causes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from solver.answers import Analysis
from solver.common import mask, members
from solver.errors import RequestError
from solver.hints.causes import Witness
from solver.hints.ranking import POINTS, Sums, Unit, lead, ranked
from solver.hints.sampled import Sampler
from solver.kernels.jit import inlined
from solver.kernels.words import Words, trailing_zeros
from solver.limits import Control, Limit, Progress
from solver.search.trick_rules import NEED
from solver.tricks import plain
from solver.tricks.analysis import MODELS, Encoded, merit
from solver.tricks.hint import because, dealt, hidden_cards
from solver.tricks.moves import format_move, legal_moves
from solver.tricks.plain import PlainSearch, State, points
from tests.hints import toy_tricks
from tests.hints.toy_tricks import ALLIES, CARDS, SIDE
from tests.support.marks import in_python
from tests.tricks.toy import Round, Toy, toy


@dataclass(frozen=True)
class Paired(Toy):
    """Partners sit opposite, and have their side's tricks, less a debt."""

    debt: int = 0

    def points(self, won: Sequence[int]) -> tuple[int, ...]:
        one, two, three, four = super().points(won)
        return (one + three - self.debt, two + four - self.debt) * 2


class Position(Round):
    """A round of two suits of eight cards, as the toy search has them."""

    ranks: int = 8
    debt: int = 0

    @property
    def trick_rules(self) -> Toy:
        return Paired(4, 2, 8, debt=self.debt)


def encode_paired(state: State, player: int, allies: bool) -> Encoded[int]:
    deal, node = toy_tricks.encode(toy_tricks.Round(state.hands, state.leader, state.trick))
    node[NEED] = 0
    deal[SIDE], deal[ALLIES] = player % 2, allies
    return Encoded(deal, node, points(state)[player], {card: card for card in range(CARDS)})


def started(seed: int, cards: int) -> Position:
    """A round dealt at random in which so many random cards have been played."""
    rng = random.Random(seed)
    position = plain.deal(Position, Paired(4, 2, 8), seed, seats=4, suits=2)
    for _ in range(cards):
        after = plain.play(position, rng.choice(legal_moves(position)))
        assert isinstance(after, Position)
        position = after
    return position


GAME = PlainSearch(
    kind=Position,
    deal=lambda seed: started(seed, 0),
    encode=encode_paired,
    rules=toy_tricks.search().rules,
    policy=toy_tricks.policy,
    sides=(0, 1, 0, 1),
)


@in_python
@pytest.mark.small
def test_what_is_proved_of_the_moves_is_told_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.limits._PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("solver.limits._FIRST_PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("solver.limits._FIRST_SLICE", 5)
    monkeypatch.setattr("solver.limits.SLICE_SECONDS", 1e-7)
    seen: list[Progress] = []
    state = started(5, 3)
    found = GAME.analyze(state, Control(progress=seen.append))
    proved = {move.move: move.bounds for move in found.moves}
    told = [{one.move: one.bounds for one in step.moves} for step in seen if step.moves]
    assert len(told) > 1
    assert told[0] != told[-1]
    for bounds in told:
        assert bounds.keys() == proved.keys()
        assert all(bounds[move][0] <= least and most <= bounds[move][1] for move, (least, most) in proved.items())


@cache
def value(state: State, side: int, allies: bool) -> int:
    """The side's tricks by brute force."""
    moves = state.moves()
    if not moves:
        return points(state)[side]
    pick = max if allies or state.to_move % 2 == side else min
    return pick(value(state.after(card), side, allies) for card in moves)


@cache
def scores(state: State) -> tuple[int, ...]:
    moves = state.moves()
    if not moves:
        return points(state)
    return max((scores(state.after(card)) for card in moves), key=lambda found: merit(found, state.to_move))


def endings(count: int) -> list[Position]:
    return [started(seed, random.Random(seed).randrange(7, 17)) for seed in range(count)]


def after(position: Position, move: str) -> State:
    return position.state.after(position.trick_rules.numbers[move])


def check_shape(answer: Analysis, position: Position) -> None:
    state = position.state
    assert answer.exact
    assert {entry.move for entry in answer.moves} == set(map(state.rules.name, state.moves()))
    for card in answer.line:
        state = state.after(state.rules.numbers[card])
    if answer.moves:
        assert not state.moves()
        assert answer.best == answer.moves[0].move
    found = points(state)
    assert answer.value in (found, found[answer.player or 0])


@pytest.mark.small
@in_python
@pytest.mark.parametrize("model", ["paranoid", "ally"])
def test_one_score(model: str) -> None:
    for state in endings(30):
        for player in (0, 1, 2):
            answer = GAME.analyze(state, Control(), model=model, player=player)
            check_shape(answer, state)
            allies = model == "ally"
            assert answer.value == value(state.state, player % 2, allies)
            for entry in answer.moves:
                assert entry.value == value(after(state, entry.move), player % 2, allies)


@pytest.mark.small
@in_python
@pytest.mark.parametrize("sides", [GAME.sides, None])
def test_everybody(sides: tuple[int, ...] | None) -> None:
    game = replace(GAME, sides=sides)
    for state in endings(30):
        answer = game.analyze(state, Control(), model="maxn")
        check_shape(answer, state)
        assert answer.value == scores(state.state)
        for entry in answer.moves:
            assert entry.value == scores(after(state, entry.move))


@pytest.mark.small
@in_python
@pytest.mark.parametrize("model", MODELS)
def test_scores_below_zero(model: str) -> None:
    game = replace(GAME, sides=None)
    for state in endings(20):
        plain = game.analyze(state, Control(), model=model)
        answer = game.analyze(state.model_copy(update={"debt": 9}), Control(), model=model)
        assert [entry.move for entry in answer.moves] == [entry.move for entry in plain.moves]
        for entry, same in zip(answer.moves, plain.moves, strict=True):
            least, most = np.array(entry.bounds) + 9
            assert least.tolist() == most.tolist() == np.array(same.value).tolist()


@in_python
@pytest.mark.small
def test_bounds_hold_where_an_ending_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "_MOST_STATES", 3)
    game = replace(GAME, sides=None)
    open_bounds = 0
    for state in endings(50):
        answer = game.analyze(state, Control(), model="maxn")
        assert isinstance(answer.bounds, tuple)
        for (low, high), exact in [
            (answer.bounds, scores(state.state)),
            *((entry.bounds, scores(after(state, entry.move))) for entry in answer.moves),
        ]:
            assert isinstance(low, tuple)
            assert isinstance(high, tuple)
            assert all(least <= own <= most for least, own, most in zip(low, exact, high, strict=True))
            open_bounds += low != high
    assert open_bounds > 5


@in_python
@pytest.mark.small
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("sides", [GAME.sides, None])
def test_a_limit_ends_with_bounds_that_hold(model: str, sides: tuple[int, ...] | None) -> None:
    game = replace(GAME, sides=sides)
    for state in endings(12):
        exact = game.analyze(state, Control(), model=model)
        values = {entry.move: entry.value for entry in exact.moves}
        for nodes in (1, 10, 100):
            answer = game.analyze(state, Control(Limit(nodes=nodes)), model=model)
            assert {entry.move for entry in answer.moves} == set(values)
            for entry in answer.moves:
                assert entry.exact is (entry.value is not None)
                assert entry.value in (None, values[entry.move])


@pytest.mark.small
def test_sides_that_are_not_two() -> None:
    def never(*_: object) -> Any:
        raise NotImplementedError

    rules = toy_tricks.search().rules
    with pytest.raises(ValueError, match="sides are 0 and 1 or are left out, not \\(0, 1, 2\\)"):
        PlainSearch(kind=Round, deal=never, encode=never, rules=rules, policy=never, sides=(0, 1, 2))


@pytest.mark.small
def test_a_model_or_a_player_that_there_is_not() -> None:
    state = started(1, 8)
    with pytest.raises(RequestError, match="there is no model called 'greedy'"):
        GAME.analyze(state, Control(), model="greedy")
    with pytest.raises(RequestError, match="player is a seat, 0 to 3"):
        GAME.analyze(state, Control(), player=4)


# ----------------------------------------------------------------------------------------------------
# Its hints: rounds of the toy game with four seats, analysed by the toy search.


def wide(card: int) -> int:
    """The number of a card where suits have eight cards instead of six."""
    return card // 6 * 8 + card % 6


def encode_wide(now: State, player: int, _allies: bool) -> Encoded[int]:
    hands = tuple(mask(map(wide, members(hand))) for hand in now.hands)
    trick = tuple(map(wide, now.trick))
    deal, node = toy_tricks.encode(toy_tricks.Round(hands, now.leader, trick))
    one, two, three, four = plain.points(now)
    won = two + four if player % 2 else one + three
    return Encoded(deal, node, won, {card: wide(card) for card in range(12)})


def hints(policy: Callable[..., int] = toy_tricks.policy) -> Sampler[plain.Round, int]:
    return PlainSearch(
        kind=Round,
        deal=lambda seed: played(seed, 0),
        encode=encode_wide,
        rules=toy_tricks.search().rules,
        policy=policy,
        unit=Unit("{amount} trick", "{amount} tricks", 0.05),
    ).sampler


def played(seed: int, cards: int) -> Round:
    """A round of two suits of six cards in which so many random cards have been played."""
    fields = {"seats": 4, "suits": 2, "ranks": 6}
    position = plain.deal(Round, toy(4, 2, 6, False), seed, **fields)
    rng = random.Random(seed)
    for _ in range(cards):
        after = plain.play(position, rng.choice(legal_moves(position)))
        assert isinstance(after, Round)
        position = after
    return position


def to_move(seed: int, cards: int) -> plain.Round:
    position = played(seed, cards)
    return plain.view(position, position.seat_to_move)


def reference_deals(view: plain.Round) -> set[tuple[int, ...]]:
    """Every deal that agrees with a view, by trying all divisions of the unseen cards."""
    others = [seat for seat in range(4) if seat != view.seat]
    cards = list(members(view.unseen))
    found = set()
    for seats in product(others, repeat=len(cards)):
        hands = [view.hand_mask if seat == view.seat else 0 for seat in range(4)]
        for card, seat in zip(cards, seats, strict=True):
            hands[seat] |= 1 << card
        fits = all(hands[seat].bit_count() == view.count(seat) for seat in others)
        if fits and not any(hands[seat] & view.past.excluded(seat) for seat in others):
            found.add(tuple(hands))
    return found


@inlined
def first_card(deal: Words, state: Words, at: int, out: Words, to: int, random: Words) -> int:
    return trailing_zeros(toy_tricks.legal(deal, state, at))


def won_by_first_cards(view: plain.Round, hands: tuple[int, ...], move: str) -> int:
    """The tricks of the player's side after a move, if everybody plays the first legal card from then on."""
    past = view.past
    now = State(past.rules, hands, view.leader, view.plays, past.won).after(past.rules.numbers[move])
    while cards := now.moves():
        now = now.after(cards[0])
    return sum(plain.points(now)[view.seat % 2 :: 2])


@pytest.mark.small
def test_deals_are_those_that_agree() -> None:
    for seed in range(12):
        view = to_move(seed, 5 + seed % 4)
        hidden = hidden_cards(view)
        found = [dealt(view, hidden, hidden.world(rank)) for rank in range(hidden.total)]
        assert len(found) == len(set(found))
        assert set(found) == reference_deals(view)
        assert played(seed, 5 + seed % 4).hand_masks in found


@in_python
@pytest.mark.small
def test_a_mean_is_one_over_all_deals() -> None:
    """With players that play their first card, a plain loop finds each score."""
    for seed in range(8):
        view = to_move(seed, 5 + seed % 7)
        deals = reference_deals(view)
        for move in hints(first_card).hint(view, Control(), worlds=40, seed=seed).moves:
            scores = [won_by_first_cards(view, hands, move.move) for hands in deals]
            assert min(scores) <= move.mean <= max(scores)
            if move.stderr:
                assert abs(move.mean - np.mean(scores)) < 5 * move.stderr + 0.2


@in_python
@pytest.mark.small
def test_a_game_brings_its_own_players() -> None:
    for seed in range(5):
        view = to_move(seed, 3)
        hidden = hidden_cards(view)
        hands = dealt(view, hidden, hidden.drawn(seed, 0))
        for move in hints(first_card).hint(view, Control(), worlds=1, seed=seed).moves:
            assert move.mean == won_by_first_cards(view, hands, move.move)


@in_python
@pytest.mark.small
def test_some_moves_are_judged_as_among_all_of_them() -> None:
    """A review compares the move made with the best one alone, in the same worlds."""
    view = to_move(0, 0)
    every = hints().hint(view, Control(), worlds=30, seed=1).moves
    two = [every[-1].move, every[0].move]
    found = hints().hint(view, Control(among=frozenset(two)), worlds=30, seed=1).moves
    assert len(every) > len(two)
    assert {move.move: move.mean for move in found} == {move.move: move.mean for move in every if move.move in two}


@in_python
@pytest.mark.small
@pytest.mark.parametrize("threads", [1, 3])
def test_the_same_seed_and_nodes_give_the_same_answer(threads: int) -> None:
    view, sampler = to_move(1, 2), hints()

    def told(seed: int, threads: int) -> dict[str, Any]:
        answer = sampler.hint(view, Control(Limit(nodes=600)), seed=seed, threads=threads)
        return {key: value for key, value in answer.to_dict().items() if key != "seconds"}

    assert told(5, threads) == told(5, 1)
    assert told(6, threads) != told(5, 1)
    assert told(5, 1)["method"] == "sampled deals"


@in_python
@pytest.mark.small
def test_every_legal_card_gets_a_mean() -> None:
    kinds = set()
    for seed in range(12):
        position = played(seed, seed)
        view = plain.view(position, position.seat_to_move)
        answer = hints().hint(view, Control(), worlds=20, seed=seed)
        legal = [format_move(view, card) for card in legal_moves(view)]
        assert sorted(move.move for move in answer.moves) == sorted(legal)
        assert all(0 <= move.mean <= 3 for move in answer.moves)
        assert (answer.game, answer.best, answer.to_move) == ("toy", answer.moves[0].move, view.seat)
        assert str(answer.best) in answer.reason
        assert answer.sure is not None
        kinds.add(answer.sure)
    assert {"only", "close", "clear"} <= kinds


@pytest.mark.small
def test_views_that_are_no_question() -> None:
    position = played(3, 2)
    with pytest.raises(RequestError) as error:
        hints().hint(plain.view(position, (position.seat_to_move + 1) % 4), Control())
    assert (error.value.code, error.value.path) == ("not_to_move", "seat")
    over = played(3, 12)
    answer = hints().hint(plain.view(over, over.seat_to_move), Control())
    assert (answer.best, answer.moves, answer.reason) == (None, (), "The round is over.")


# ----------------------------------------------------------------------------------------------------
# What is behind the lead of a card in a plain game, on positions made for it.


KEPT = {  # suit a is trump, and seat 0 plays last to a trick that it can win with no card
    "seats": 4,
    "suits": 3,
    "ranks": 6,
    "trumps": True,
    "leader": 1,
    "trick": ("c5", "a2", "a5"),
    "seat": 0,
    "history": (
        {"leader": 0, "cards": ("c0", "c2", "c3", "c4")},
        {"leader": 3, "cards": ("b2", "b3", "b5", "b4")},
    ),
}


@in_python
@pytest.mark.small
@pytest.mark.parametrize(
    ("seed", "cards", "codes", "words"),
    [
        (0, 2, ["can_be_beaten"], "because of b3 and b4, with which a later player can beat it in 72%"),
        (27, 4, ["cannot_follow"], "b2 is better than a2 mainly when seat 3 can't follow b2 ("),
        (35, 5, ["beaten_by", "has_to_follow"], "a3 is worse mainly because seat 1 can beat it with a4 in 43%"),
        (18, 2, ["stays_best"], "a4 is better mainly when no later player can beat it ("),
    ],
)
def test_the_cause_of_a_lead(seed: int, cards: int, codes: list[str], words: str) -> None:
    position = played(seed, cards)
    view = plain.view(position, position.seat_to_move)
    found = hints().hint(view, Control(), worlds=800, seed=1)
    assert [cause.code for cause in found.causes] == codes, found.reason
    assert words in found.reason


@in_python
@pytest.mark.small
def test_too_few_deals_show_no_cause() -> None:
    position = played(0, 2)
    view = plain.view(position, position.seat_to_move)
    found = hints().hint(view, Control(), worlds=40, seed=1)
    assert " on average in the whole round, " in found.reason
    assert found.causes == ()


def score(now: State, side: int) -> int:
    """The tricks of a side when only forced cards are left."""
    while moves := now.moves():
        assert len(moves) == 1
        now = now.after(moves[0])
    return sum(plain.points(now)[side::2])


def told(view: plain.Round, worlds: int = 400, batch: int = 20) -> list[str]:
    """What is behind the lead of one of the last seat's last two cards, with the worlds' true scores."""
    cards, hidden = legal_moves(view), hidden_cards(view)
    hands = [dealt(view, hidden, hidden.drawn(1, world)) for world in range(worlds)]
    past = view.past
    known = {each: State(past.rules, each, view.leader, view.plays, past.won) for each in set(hands)}
    ends = {each: [score(now.after(card), view.seat % 2) for card in cards] for each, now in known.items()}
    scores = [ends[each] for each in hands]
    results, witness, sums = np.array(scores, float)[:, :, None], Witness(), Sums(len(cards), 1)
    for first in range(0, worlds, batch):
        part = slice(first, first + batch)
        sums.add(results[part], np.ones(batch))
        witness.note(first, results[part], np.array(hands[part]))
    texts = list(map(str, cards))
    ahead = lead(ranked(sums, texts, ""), texts, POINTS)
    assert ahead is not None
    noted = witness.noted(worlds, chained=False)
    assert noted is not None
    return [told.text for told in because(view, cards, noted, ahead)]


def test_a_trump_that_is_kept_back() -> None:
    [kept] = told(Round(**KEPT, hand=("a0", "a3")))
    assert kept.startswith("Kept back, a3 can be led later and not be beaten, in ")
    assert told(Round(**KEPT, hand=("b0", "b1"))) == []  # neither wins anything
