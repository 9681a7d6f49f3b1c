"""Hints in small endings of Aqua Regia: the best reply over all deals left, against a plain count of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import islice

import pytest

from benchmarks import aqua_regia
from benchmarks.aqua_regia import AquaContest
from solver.answers import SampledHint
from solver.games.aqua_regia import GAME, hint
from solver.games.aqua_regia.deck import FIELDS, Deck
from solver.games.aqua_regia.endings import TooManyError, all_deals, deals_left, ending_of, follow_lines, lanes_of
from solver.games.aqua_regia.players import WEIGHTS_OF
from solver.games.aqua_regia.position import Round
from solver.games.aqua_regia.rollouts import LEFT, SCORE
from solver.games.aqua_regia.rules import Move, Pass, Play, State
from solver.hints.endings import best_replies
from solver.hints.ranking import Whole
from solver.limits import Control, Limit
from tests.games.aqua_regia.deals import dealt, seen_by, view_from
from tests.games.aqua_regia.plain_endings import Rules, every_world, plain_values, tables
from tests.games.aqua_regia.replays import WEIGHTS, Seen, games, replayed
from tests.reference.endings import Ending, TooLargeError, World
from tests.support.marks import in_python

_PLENTY = 10**9

_OFTEN = 0.01  # the chance of a choice that is not left out

_FEW = "aqua-regia players=2 seat=1 hand=K,Ag counts=1,2 history=water:0/0:Li"  # 16 deals

Deal = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]


def view_of(position: Round) -> Round:
    return seen_by(position, position.seat_to_move)


def worked_out(view: Round, *, rare: float = 0.0, most: int = _PLENTY) -> Whole | None:
    left = deals_left(view, _PLENTY, Control(), WEIGHTS_OF["club"])
    assert left is not None
    ending = ending_of(view, GAME.legal_moves(view), left, WEIGHTS_OF["club"], rare=rare)
    return best_replies(follow_lines, *ending, Control(), most)


def values_of(view: Round, *, rare: float = 0.0) -> dict[Move, float]:
    found = worked_out(view, rare=rare)
    assert found is not None
    return dict(zip(GAME.legal_moves(view), found.means[:, SCORE].tolist(), strict=True))


@pytest.mark.parametrize(("players", "seed"), [(2, 2), (3, 3), (4, 5), (5, 7)])
def test_each_move_brings_what_it_brings_by_the_plain_way(players: int, seed: int) -> None:
    """With rare choices left out, and with all."""
    alike = 0
    for position in tables(seed, players):
        view = view_of(position)
        try:
            exact = plain_values(position, 4000, 0.0)
        except TooLargeError:
            continue
        assert values_of(view) == pytest.approx(exact, abs=1e-8)
        less = plain_values(position, 4000, _OFTEN)
        assert values_of(view, rare=_OFTEN) == pytest.approx(less, abs=1e-8)
        alike += 1
        if alike == max(1, 5 - players):  # with more players fewer are small
            return


@pytest.mark.small
def test_exchanges_bring_what_they_bring_by_the_plain_way() -> None:
    """With the card that was drawn given, what to exchange for it is the choice."""
    tried = 0
    for position in islice(tables(4, 2), 24):
        if not position.table or not position.stock:
            continue
        deck, all_worlds = position.metals, every_world(position, position.seat_to_move)
        for top in sorted({one.state.stock[0] for one in all_worlds}):
            (drawn,) = deck.symbols([top])
            view = view_from(view_of(position).model_dump(exclude_none=True) | {"drawn": drawn})
            worlds = [one for one in all_worlds if one.state.stock[0] == top]
            exact = values_after_draw(worlds, deck, view)
            if exact is not None:
                assert values_of(view, rare=_OFTEN) == pytest.approx(exact, abs=1e-8)
                tried += 1
    assert tried >= 4


def values_after_draw(worlds: list[World[State]], deck: Deck, view: Round) -> dict[Move, float] | None:
    """What each exchange brings in worlds that begin with the same card to draw; None where that takes long."""
    total = sum(world.weight for world in worlds)
    plain = Ending(Rules(deck, view.seat, _OFTEN), 10_000)
    drawn = [World(world.weight, (world.state, True)) for world in worlds]
    try:
        return {move: plain.value_after(drawn, move) / total for move in GAME.legal_moves(view)}
    except TooLargeError:
        return None


def ways_to_lie(slots: list[int]) -> Iterator[tuple[int, ...]]:
    """Every different order of these cards."""
    if not slots:
        yield ()
    for card in sorted(set(slots)):
        rest = list(slots)
        rest.remove(card)
        for others in ways_to_lie(rest):
            yield (card, *others)


def deals_by_replay(seen: Seen) -> dict[Deal, float]:
    """How likely the deals are that are left: each way to deal the cards at the start is played again."""
    found: dict[Deal, float] = defaultdict(float)
    for laid in ways_to_lie(seen.told.begun.tolist()):
        weight, state = replayed(seen, *seen.initial(list(laid)))
        if weight:
            found[deal_of(seen.view, state)] += weight
    total = sum(found.values())
    return {deal: weight / total for deal, weight in found.items()}


def deal_of(view: Round, state: State) -> Deal:
    return tuple(hand for seat, hand in enumerate(state.hands) if seat != view.seat), state.stock


def deals_by_pasts(view: Round) -> dict[Deal, float]:
    """The same as the hint has it."""
    left, lanes, found = deals_left(view, _PLENTY, Control(), WEIGHTS), lanes_of(view.metals), {}
    assert left is not None
    assert lanes is not None
    for picks, weight in zip(left.picks.tolist(), left.weights / left.weights.sum(), strict=True):
        cards = [
            tuple(int(lanes.held(words[pick], metal)) for metal in range(lanes.metals))
            for words, pick in zip(left.hands, picks, strict=True)
        ]
        hidden = dict(zip(left.seats, cards, strict=False))
        hands = []
        for seat in range(view.players):
            if seat != view.seat:
                known = view.metals.counts(view.metals.numbers(view.known_of(seat)))
                more = hidden.get(seat, (0,) * lanes.metals)
                hands.append(tuple(one + other for one, other in zip(known, more, strict=True)))
        stock = tuple(one.index(1) for one in cards[len(left.seats) :])
        found[tuple(hands), stock] = float(weight)
    return found


@in_python
@pytest.mark.small
@pytest.mark.parametrize(("players", "cards", "stock"), [(2, 6, 3), (3, 6, 3), (4, 8, 2), (5, 8, 1)])
def test_deals_are_as_likely_as_all_ways_to_come_to_them(players: int, cards: int, stock: int) -> None:
    tried = 0
    for seen in games(11, 30, metals=5, copies=2, players=players, cards=cards, stock=stock):
        if len(seen.told.begun) <= 6 + (players > 2):
            found, expected = deals_by_pasts(seen.view), deals_by_replay(seen)
            assert found.keys() == expected.keys()
            for deal, weight in expected.items():
                assert found[deal] == pytest.approx(weight, rel=1e-9)
            tried += 1
        if tried == 2:
            return
    assert tried


def test_too_many_deals_or_pasts_are_left_alone() -> None:
    view = next(one for one in AquaContest(3).turns(3) if not one.stock_count and sum(one.counts) <= 10)
    with pytest.raises(TooManyError):
        deals_left(view, 100, Control())
    with pytest.raises(TooManyError):
        deals_left(view_of(dealt(1, players=3)), _PLENTY, Control())


def test_many_cards_are_left_alone() -> None:
    cards = [f"M{number}" for number in range(118)]
    metal = [{"symbol": card, "name": card, "reactivity": dict.fromkeys(FIELDS, 1)} for card in cards]
    deck = {"name": "large", "title": "Large", "fields": list(FIELDS), "copies": 6, "metal": metal}
    data = {"game": "aqua-regia", "deck": deck, "seat": 0, "turn": 0, "field": "water", "hand": cards}
    view = view_from(data | {"counts": [118, 500], "stock_count": 0})
    assert all_deals(view, GAME.legal_moves(view), Control(), None) is None


def test_a_hint_is_the_best_reply_where_its_limit_allows() -> None:
    view = view_from(_FEW)
    control = Control(Limit(nodes=20_000))
    answer = hint.hint(view, control, others="club")
    assert isinstance(answer, SampledHint)
    assert (answer.method, answer.worlds) == ("all deals", 16)
    scores = {move.move: move.mean for move in answer.moves}
    found = worked_out(view)
    assert found is not None
    told = [scores[GAME.format_move(view, move)] for move in GAME.legal_moves(view)]
    assert hint.SAMPLER.odds is not None
    odds, means = hint.SAMPLER.odds(view, "club"), found.means[:, SCORE]
    assert told == pytest.approx(odds * means / (1 - means + odds * means), abs=1e-6)
    assert (found.means[:, LEFT] > 0).all()
    assert {move.stderr for move in answer.moves} == {0.0}
    assert "sampled" not in answer.reason
    assert hint.hint(view, Control(Limit(nodes=20_000)), others="club").moves == answer.moves
    assert hint.hint(view, Control(Limit(nodes=20))).method == "sampled games"
    assert hint.hint(view, Control(), worlds=15).method == "sampled games"


def test_it_gives_up_within_half_of_the_nodes() -> None:
    view = view_from(_FEW)
    moves = GAME.legal_moves(view)
    control = Control()
    assert all_deals(view, moves, control, None) is not None
    needed = control.nodes
    for nodes in (100, needed, 2 * needed - 2):
        control = Control(Limit(nodes=nodes))
        assert all_deals(view, moves, control, None) is None
        assert control.nodes <= nodes / 2 + 1


# Never worse than the games that a hint samples. ----------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
def test_no_sampled_move_does_better_than_the_best_play_on(players: int) -> None:
    alike = 0
    for position in islice(tables(4, players), 6):
        seat = position.seat_to_move
        worlds = every_world(position, seat)
        assert sum(world.weight for world in worlds) == pytest.approx(1)
        assert any(world.state == position.state for world in worlds)
        view = seen_by(position, seat)
        try:
            exact = plain_values(position, 20_000)
        except TooLargeError:
            continue
        assert set(exact) == set(GAME.legal_moves(view))
        answer = hint.SAMPLER.hint(view, Control(), others="club", worlds=400, seed=3)
        for entry in answer.moves:
            move = GAME.parse_move(view, entry.move)
            assert isinstance(move, Play | Pass)
            assert entry.stderr is not None
            assert entry.mean <= exact[move] + 5 * max(entry.stderr, 0.01)
            alike += abs(entry.mean - exact[move]) <= 5 * max(entry.stderr, 0.01)
            assert 0 <= exact[move] <= 1 + 1e-9
    assert alike > 5


def test_an_ending_may_be_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    position = next(tables(4, 2))
    view = seen_by(position, position.seat_to_move)
    with pytest.raises(TooLargeError):
        plain_values(position, 1)
    monkeypatch.setattr(aqua_regia, "_MOST_STEPS", 1)
    assert aqua_regia.AquaContest(2).ending_values(view) is None
