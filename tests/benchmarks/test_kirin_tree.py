"""The tree over the own decisions, against one in plain Python that takes the same random numbers."""

from __future__ import annotations

from math import exp, sqrt

import numba
import numpy as np
import pytest

from benchmarks.arena_kirin import KirinContest, learned
from benchmarks.arena_players import Sighted, named
from benchmarks.kirin_prior import lay_prior, new_prior
from benchmarks.kirin_sighted import lying
from benchmarks.kirin_tree import best_of, new_tree, place_of, reading_of, search
from solver.common import Random, members
from solver.games.kirin import GAME, rules
from solver.games.kirin.fast_rules import COLOUR_SETS, DECK, INNER, to_inner
from solver.games.kirin.learned import chances
from solver.games.kirin.players import ALL, FEATURES, TABLE_WORDS, choose, open_table, put, values
from solver.games.kirin.position import DeclarePosition, DeclareView, KnownPosition, View, fields_number
from solver.games.kirin.worlds import begin_chain, deals, open_chain, step_chain
from solver.hints.worlds import STEPS
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import wrapping_sum
from solver.kernels.rng import mix
from solver.kernels.rng import start as start_stream
from solver.limits import Limit
from tests.games.kirin.hints import views
from tests.games.kirin.hints.views import seen_by

pytestmark = pytest.mark.skipif(
    not numba.config.DISABLE_JIT, reason="compiling a benchmark's kernel takes longer than this case without"
)
Played = tuple[int, ...]  # cards since the root
Node = dict[int, list[float]]  # by card: how often it was tried, and what was won


def small_view() -> View:
    """A turn with three cards in the hand, of a round among plausible players."""
    random = Random(9, 0)
    position = GAME.deal(9)
    while True:
        assert isinstance(position, KnownPosition)
        view = GAME.view(position, position.seat_to_move)
        assert isinstance(view, View)
        if len(view.hand) == 3 and len(GAME.legal_moves(view)) == 3:
            return view
        position = GAME.play(position, learned(view, random))


class Player:
    """What a seat sees in a world, and how a plausible player judges it."""

    def __init__(self, state: rules.State, aside: int, gone: int) -> None:
        self.table = np.zeros(TABLE_WORDS, np.int64)
        open_table(self.table, state.leader, state.direction)
        for card in state.trick:
            put(self.table, INNER[card])
        self.hand = to_inner(state.hands[state.to_move])
        self.own = COLOUR_SETS[aside // 9]
        self.unseen = ALL & ~self.hand & ~to_inner(gone) & ~(1 << INNER[aside])

    def judged(self, state: rules.State, weights: Floats) -> dict[int, float]:
        out = np.zeros(9)
        values(self.hand, self.own, self.unseen, self.table, weights, np.zeros(FEATURES), out)
        legal = sorted(rules.legal_moves(state), key=INNER.__getitem__)
        return dict(zip(legal, map(float, out), strict=False))

    def plays(self, weights: Floats, random: Words) -> int:
        scratch, out = np.zeros(FEATURES), np.zeros(9)
        return DECK[choose(self.hand, self.own, self.unseen, self.table, weights, random, scratch, out)]


def by_bound(node: Node, judged: dict[int, float]) -> int:
    visits = sum(tried for tried, _ in node.values())
    usual = sum(won for _, won in node.values()) / visits
    most = max(judged.values())
    shares = {card: exp(0.3 * (value - most)) for card, value in judged.items()}
    total = sum(shares.values())

    def bound(card: int) -> float:
        tried, won = node[card]
        return (won + usual) / (tried + 1) + (shares[card] / total + 0.03) * sqrt(visits) / (tried + 1)

    return max(judged, key=bound)


def reference(view: View, rounds: int, seed: int) -> dict[Played, Node]:
    """The tree after so many rounds."""
    setting = deals(view).by_rules
    reading, chain = reading_of(setting), open_chain(setting, np.zeros(1, np.int64))
    start_stream(chain.random, seed, 0)
    begin_chain(reading, chain)
    tree: dict[Played, Node] = {}
    before = sum(1 << card for trick in (*view.tricks, view.current_trick) for card in trick.plays)
    for _ in range(rounds):
        for _ in range(STEPS):
            step_chain(reading, chain)
        hands, aside = [0] * 4, [0] * 4
        for step in range(1, 4):
            seat = (view.seat + step) % 4
            hand, card = int(chain.boxes[step - 1]), int(chain.boxes[step + 2]).bit_length() - 1
            hands[seat], aside[seat] = sum(1 << DECK[held] for held in members(hand)), DECK[card]
        hands[view.seat] = sum(1 << fields_number(text) for text in view.hand)
        aside[view.seat] = fields_number(view.declared)
        state = rules.State(
            (hands[0], hands[1], hands[2], hands[3]), view.leader, view.past.rules.direction, tuple(view.plays)
        )
        visited: list[tuple[Played, int, float]] = []
        played: Played = ()
        growing, gone = True, before
        while not state.over:
            seat = state.to_move
            legal = rules.legal_moves(state)
            player = Player(state, aside[seat], gone)
            won = rules.points(state.won, [card // 9 for card in aside])[view.seat]
            if len(legal) == 1:
                card = legal[0]
            elif seat != view.seat:
                card = player.plays(setting.play, chain.random)
            else:
                judged = player.judged(state, setting.play)
                if growing:
                    known = played in tree
                    node = tree.setdefault(played, {card: [0.0, 0.0] for card in judged})
                    card = by_bound(node, judged) if known else max(judged, key=judged.__getitem__)
                    visited.append((played, card, won))
                    growing = known
                else:
                    card = max(judged, key=judged.__getitem__)
            state = rules.play(state, card)
            gone |= 1 << card
            played = (*played, card)
        won = rules.points(state.won, [card // 9 for card in aside])[view.seat]
        for at, card, had in visited:
            tree[at][card][0] += 1
            tree[at][card][1] += won - had
    return tree


@pytest.mark.covered
@pytest.mark.small
def test_the_tree_is_that_of_plain_python() -> None:
    view = small_view()
    found, wanted = search(view, Limit(nodes=25), 5), reference(view, 25, 5)
    assert len(wanted) > 5
    assert np.count_nonzero(found.keys) == len(wanted)
    for played, node in wanted.items():
        key = 1
        for card in played:
            key = int(mix(wrapping_sum(key, INNER[card]))) | 1
        at = place_of(found, key)
        assert found.keys[at] == key
        for place, (tried, won) in enumerate(node.values()):
            assert found.tried[at, place] == tried
            assert found.won[at, place] == pytest.approx(won)


@pytest.mark.small
def test_a_network_tells_later_choices_what_it_would_tell_the_seat_then() -> None:
    position = views.played(5, 9)
    me = position.seat_to_move
    setting = deals(seen_by(position, me)).setting
    prior = new_prior(setting, asked=True)
    cards: list[int] = []
    for _ in range(2):
        view, out = seen_by(position, me), np.zeros(8)
        lay_prior(prior, setting.play, me, np.array(cards, np.int64), len(cards), out)
        wanted = chances(deals(view).setting)
        assert len(wanted) > 1
        assert np.exp(out[: len(wanted)] - np.logaddexp.reduce(out[: len(wanted)])) == pytest.approx(
            list(wanted.values()), rel=1e-5
        )
        while not cards or position.seat_to_move != me:
            cards.append(INNER[GAME.legal_moves(position)[0]])
            after = GAME.play(position, GAME.legal_moves(position)[0])
            assert isinstance(after, KnownPosition)
            position = after


@pytest.mark.small
def test_a_full_tree_goes_on_without_new_nodes() -> None:
    tree = new_tree()
    tree.keys[:] = 3
    assert place_of(tree, 5) == -1
    assert place_of(tree, 3) >= 0


@pytest.mark.covered
@pytest.mark.small
def test_the_tree_plays_in_the_arena() -> None:
    view = small_view()
    player = named(KirinContest(), "tree:5n", 1)
    assert player(view) in GAME.legal_moves(view)
    assert named(KirinContest(), "prior-tree:5n", 1)(view) in GAME.legal_moves(view)
    tried = {best_of(view, search(view, Limit(nodes=5), 4)) for _ in range(2)}
    assert len(tried) == 1


def _view(position: KnownPosition | DeclarePosition) -> View | DeclareView:
    view = GAME.view(position, position.seat_to_move)
    assert isinstance(view, View | DeclareView)
    return view


@pytest.mark.small
def test_who_is_sighted_sees_one_deal_and_that_is_the_true_one() -> None:
    position = GAME.deal(5, number=2, variant="undeclared")
    for _ in range(4):
        assert isinstance(position, DeclarePosition)
        found = lying(position, _view(position))
        assert found.total == 1
        seen = found.position(0)
        assert isinstance(seen, DeclarePosition)
        before = [
            sorted([*hand, card] if card else hand)
            for hand, card in zip(position.hands, position.declared, strict=True)
        ]
        assert [sorted(hand) for hand in seen.hands] == before
        position = GAME.play(position, GAME.legal_moves(position)[0])
    for _ in range(3):
        for _ in range(5):
            position = GAME.play(position, GAME.legal_moves(position)[0])
        assert isinstance(position, KnownPosition)
        found = lying(position, _view(position))
        assert found.total == 1
        seen = found.position(0)
        assert isinstance(seen, KnownPosition)
        assert seen.declared == position.declared
        assert seen.state == position.state


@pytest.mark.small
@pytest.mark.parametrize("name", ["sighted:6n", "sighted-tree:6n"])
def test_who_is_sighted_plays_in_the_arena(name: str) -> None:
    position = GAME.deal(9)
    assert isinstance(position, KnownPosition)
    for _ in range(22):
        position = GAME.play(position, GAME.legal_moves(position)[0])
        assert isinstance(position, KnownPosition)
    player = named(KirinContest(), name, 1)
    assert isinstance(player, Sighted)
    player.see(position)
    view = GAME.view(position, position.seat_to_move)
    assert len(GAME.legal_moves(view)) > 1
    assert player(view) in GAME.legal_moves(view)
