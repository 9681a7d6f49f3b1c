"""Hints in small endings: the best reply over all deals that are left, against the same worked out plainly."""

from __future__ import annotations

import numpy as np
import pytest

from solver.answers import SampledHint
from solver.common import Random
from solver.games.kirin import GAME, hint
from solver.games.kirin.fast_rules import INNER
from solver.games.kirin.hint import Laid, best_replies, lay_deals, new_deals, new_lines
from solver.games.kirin.players import KINDS
from solver.games.kirin.position import KnownPosition, View, fields_number, numbers
from solver.games.kirin.worlds import deals
from solver.hints.sampled import new_kept
from solver.limits import Control, Limit
from solver.positions import parse_position
from tests.games.kirin.hints.plain_endings import Round, Rules, weighted_worlds
from tests.games.kirin.hints.views import played, seen_by
from tests.reference.endings import Ending, World

FEW = (  # 24, 48 and 48 deals
    "kirin seat=2 hand=D3,G- declared=B3 history=0:D-,D1,G1,ST/3:S-,G2,BT,B6/1:G4,S2,GT,G5/3:G+,S3,S4,S5/"
    "0:B4,S+,S6,G6/2:B2,D2,D+,S1 trick=3:B5,B-,G3",
    "kirin seat=0 hand=D6,S6 declared=B1 history=0:D5,S2,S-,G6/3:B2,G-,BT,G1/1:D2,S1,B+,D+/2:D1,S3,B4,S4/"
    "1:D4,B5,G2,G3/2:G4,S5,B6,ST trick=1:G5,D3,G+",
    "kirin seat=0 hand=S1,G5 declared=D- history=0:B+,S-,D2,S3/3:S4,B1,S+,BT/2:S5,GT,D5,DT/1:D+,G+,G6,S2/"
    "3:G2,S6,D4,G1/0:B3,B6,G-,B- trick=1:D1,G4,B5",
)


def view_of(text: str) -> View:
    view = parse_position(text)
    assert isinstance(view, View)
    return view


def laid_out(view: View) -> Laid:
    found = deals(view)
    laid = new_deals(found.total)
    lay_deals(found.setting, new_kept(KINDS), laid)
    return laid


def worked_out(view: View, laid: Laid, most: int = 10**9) -> tuple[list[float], int]:
    """The score of each legal card in these deals, and the steps taken."""
    cards = GAME.legal_moves(view)
    moves, results = np.array([INNER[card] for card in cards], np.int64), np.zeros((len(cards), 3))
    lines = new_lines(len(laid.weights))
    steps = best_replies(deals(view).setting, moves, laid, lines, most, results)
    return results[:, 0].tolist(), steps


def plainly(view: View, worlds: list[World[Round]]) -> list[float]:
    """The same by following each deal for itself."""
    total = sum(world.weight for world in worlds)
    values = Ending(Rules(view.seat)).moves(worlds)
    return [values[card] / total for card in GAME.legal_moves(view)]


def some_deals(view: View, count: int, seed: int) -> tuple[Laid, list[World[Round]]]:
    """A few deals, in both forms."""
    found, random, laid = deals(view), Random(seed), laid_out(view)
    ranks = [random.below(found.total) for _ in range(count)]
    gone = sum(1 << card for trick in view.history or () for card in numbers(trick.cards))
    gone |= sum(1 << card for card in numbers(view.trick))
    worlds = []
    for rank in ranks:
        position = found.position(rank)
        assert isinstance(position, KnownPosition)
        aside = tuple(map(fields_number, position.declared))
        shares = tuple(laid.shares[rank].tolist())
        worlds.append(World(float(laid.weights[rank]), Round(position.state, aside, shares, gone)))
    return Laid(laid.hands[ranks], laid.asides[ranks], laid.shares[ranks], laid.weights[ranks]), worlds


@pytest.mark.parametrize(("cards", "count"), [(22, 1), (23, 3), (24, 12), (25, 12), (26, 12), (27, 12)])
def test_each_card_brings_what_it_brings_by_the_plain_way(cards: int, count: int) -> None:
    position = played(7, cards)
    view = seen_by(position, position.seat_to_move)
    few, worlds = some_deals(view, count, cards)
    assert worked_out(view, few)[0] == pytest.approx(plainly(view, worlds), abs=1e-9)


def test_each_deal_counts_as_it_is_likely() -> None:
    view = view_of(FEW[0])
    assert laid_out(view).weights.tolist() == pytest.approx([world.weight for world in weighted_worlds(view)])


@pytest.mark.small
def test_it_gives_up_after_so_many_steps() -> None:
    view = view_of(FEW[1])
    scores, steps = worked_out(view, laid_out(view))
    assert worked_out(view, laid_out(view), steps) == (scores, steps)
    assert worked_out(view, laid_out(view), steps - 1)[0][-1] == -1.0


@pytest.mark.parametrize("text", FEW)
def test_a_hint_is_the_best_reply_where_its_limit_allows(text: str) -> None:
    view = view_of(text)
    answer = hint.hint(view, Control(Limit(nodes=10**4)))
    assert isinstance(answer, SampledHint)
    assert (answer.method, answer.worlds) == ("all deals", deals(view).total)
    scores = {move.move: move.mean for move in answer.moves}
    told = [scores[GAME.format_move(view, card)] for card in GAME.legal_moves(view)]
    assert told == pytest.approx(worked_out(view, laid_out(view))[0], abs=1e-8)
    assert {move.stderr for move in answer.moves} == {0.0}
    assert hint.hint(view, Control(Limit(nodes=20))).method == "sampled rounds"
    assert hint.hint(view, Control(), worlds=10).method == "sampled rounds"
