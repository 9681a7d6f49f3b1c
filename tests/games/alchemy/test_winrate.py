"""Win rates over many deals: the same numbers whatever the jobs and the parts, right ones, limits, the plot."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import athanor
from solver.answers import WinrateResult
from solver.common import Random, wilson
from solver.errors import RequestError
from solver.game import Row
from solver.games.alchemy import known_stock
from solver.games.alchemy import winrate as alchemy_winrate
from solver.games.alchemy.expectimax import static_table
from solver.games.alchemy.fast_rules import deal_worlds, lines
from solver.games.alchemy.moves import deal
from solver.games.alchemy.position import Round
from solver.games.alchemy.rules import SOLITAIRE, Turn, Variant, solitaire_moves, solitaire_play
from solver.games.alchemy.winrate import POLICIES, play_deals, plot, winrate
from solver.limits import Control, Limit, Progress
from tests.games.alchemy.turns import EACH_READING
from tests.support.amounts import Amount


def numbers(result: WinrateResult) -> dict[str, Any]:
    return result.model_dump(exclude={"seconds", "deals_per_second"})


@pytest.mark.covered
@pytest.mark.small
def test_the_same_numbers_whatever_the_jobs(variant: Variant) -> None:
    deals = 9000  # more than two chunks, and no multiple of one
    results = [numbers(winrate(variant.name, deals=deals, seed=5, jobs=jobs)) for jobs in (1, 2, 3)]
    assert results[0] == results[1] == results[2]
    assert results[0]["deals"] == deals
    assert results[0]["finished"]
    other = numbers(winrate(variant.name, deals=deals, seed=6))
    assert other["lost_at"] != results[0]["lost_at"] or variant.name == "solo"


@pytest.mark.covered
@pytest.mark.small
def test_each_deal_is_the_seeds_and_is_solved_right(variant: Variant, amount: Amount) -> None:
    deals = amount(500)
    result = winrate(variant.name, deals=deals, seed=7)
    lost_at = [0] * (len(variant.deck) - variant.cap + 1)
    for number in range(deals):
        position = deal(7, number=number, variant=variant.name)
        assert isinstance(position, Round)
        left = known_stock.analyze(position, Control()).left
        assert left is not None
        lost_at[left] += left > 0
    assert list(result.lost_at) == lost_at
    assert result.won == deals - sum(lost_at)
    assert result.share == result.won / deals
    assert (result.low, result.high) == wilson(result.won, deals)
    assert [policy.name for policy in result.policies] == list(POLICIES)
    for policy in result.policies:
        assert policy.deals == deals
        assert policy.won + sum(policy.lost_at) == deals
        assert policy.won <= result.won  # who sees the stock wins whatever can be won


def play_simply(variant: Variant, policy: int, deck: list[int], seed: int, number: int) -> int:
    """A simple player's game by the rules in plain Python: the stock cards left, 0 for won."""
    table = static_table(variant)
    tables = table.tables
    random = Random(~seed, number)
    cap = variant.cap
    turn = Turn(cap, tuple(deck[:cap]), deck[cap], tuple(deck[cap + 1 :]))
    while turn.won is None:
        assert turn.hand is not None
        if not turn.stock:  # the last stock card is in the hand
            return 0
        moves = {}
        for move in solitaire_moves(variant, turn.line, turn.hand):
            rest = list(turn.line)
            for rank in move.used:
                rest.remove(rank)
            moves[tables.number(tuple(rest))] = move
        key = tables.number(turn.line) * variant.ranks + turn.hand - 1
        order = [
            rest if rest >= 0 else ~rest
            for rest in tables.outcome[tables.start[key] : tables.start[key + 1]].tolist()
        ]
        assert sorted(order) == sorted(moves)
        cap = turn.cap - (moves[order[0]].kind == "discard")
        if policy == alchemy_winrate.RANDOM:
            chosen = order[random.below(len(order))]
        elif policy == alchemy_winrate.MOST_CARDS and cap == turn.cap:
            chosen = order[0]
            assert len(moves[chosen].used) == max(len(move.used) for move in moves.values())
        elif policy == alchemy_winrate.MOST_CARDS:
            chosen = next(rest for rest, move in moves.items() if move.used[0] == max(turn.line))
        elif cap >= variant.shortest:
            row = table.values[len(turn.stock)]
            chosen = max(order, key=lambda rest: float(row[table.plan.base[cap] + rest]))
        else:
            chosen = order[0]
        turn = solitaire_play(variant, turn, moves[chosen])
    return len(turn.stock)


@pytest.mark.covered
@EACH_READING
@pytest.mark.small
@pytest.mark.parametrize("name", list(POLICIES))
def test_simple_players_play_as_in_python(name: str, variant: Variant, amount: Amount) -> None:
    policy = POLICIES[name][0]
    table = static_table(variant)
    tables = lines(variant)
    seed, first, count = 3, 17, max(20, amount(150))
    decks = deal_worlds(np.array(variant.deck, np.int8) - 1, seed, first, count)
    left = np.full(count, -1, np.int8)
    play_deals(
        policy, tables, table.plan.base,
        table.values, variant.cap, decks, seed, first, left,
    )  # fmt: skip
    expected = [
        play_simply(variant, policy, (deck + 1).tolist(), seed, first + index) for index, deck in enumerate(decks)
    ]
    assert left.tolist() == expected
    if variant.name == "alternative":
        assert 0 < sum(end == 0 for end in expected) < count


@pytest.mark.covered
@pytest.mark.small
def test_better_players_win_more(amount: Amount) -> None:
    result = winrate("alternative", deals=amount(4000), seed=1)
    random, most, table = (policy.share for policy in result.policies)
    assert random < most < table < result.share
    if amount(100) == 100:
        # The shares of the two solitaires are known: 0.90 with the stock seen, 0.608 by the static table.
        assert abs(result.share - 0.90) < 0.02
        assert abs(table - 0.608) < 0.03
        assert abs(most - 0.545) < 0.03


def test_a_cancel_ends_it_with_what_was_done() -> None:
    cancel = threading.Event()
    seen: list[Progress] = []

    def progress(step: Progress) -> None:
        seen.append(step)
        cancel.set()

    result = winrate("solo", deals=50_000_000, seed=2, jobs=2, control=Control(None, cancel, progress))
    assert not result.finished
    assert 0 < result.deals < 50_000_000
    assert result.won + sum(result.lost_at) == result.deals
    assert all(policy.deals == 0 for policy in result.policies)
    assert seen[0].stage == "deals"
    assert seen[0].done is not None
    assert 0 < seen[0].done < 1
    # What was done is the beginning of the whole.
    again = winrate("solo", deals=result.deals, seed=2)
    assert again.lost_at == result.lost_at


def test_a_deadline_ends_it_with_what_was_done(variant: Variant) -> None:
    result = winrate(variant.name, deals=50_000_000, seed=2, control=Control(Limit(seconds=0.1)))
    assert not result.finished
    assert 0 < result.deals < 50_000_000
    assert result.seconds is not None
    assert result.seconds < 5
    assert (result.low, result.high) == wilson(result.won, result.deals)
    none = winrate(variant.name, deals=10, seed=2, control=Control(Limit(seconds=1e-9)))
    assert (none.deals, none.share, none.low, none.high, none.finished) == (0, 0.0, 0.0, 1.0, False)


@pytest.mark.parametrize(
    ("arguments", "path"), [({"variant": "duel"}, "variant"), ({"deals": 0}, "deals"), ({"jobs": 0}, "jobs")]
)
def test_options_out_of_range(arguments: dict[str, Any], path: str) -> None:
    with pytest.raises(RequestError) as caught:
        winrate(**{"variant": "solo", "deals": 1, **arguments})
    assert caught.value.path == path


def test_python_asks_for_the_same() -> None:
    result = athanor.winrate("alternative", deals=300, seed=1, jobs=2)
    assert numbers(result) == numbers(winrate("alternative", deals=300, seed=1))
    cut = athanor.winrate("solo", deals=50_000_000, seconds=0.1)
    assert not cut.finished
    assert 0 < cut.deals < 50_000_000
    with pytest.raises(RequestError, match="possible: solo, alternative") as caught:
        athanor.winrate("duel")
    assert caught.value.path == "variant"


def test_plots_are_written(tmp_path: Path) -> None:
    result = winrate("alternative", deals=300, seed=1)
    plot(result, tmp_path / "lost.png")
    assert (tmp_path / "lost.png").read_bytes().startswith(b"\x89PNG\r\n")
    plot(result, tmp_path / "lost.svg")
    drawn = (tmp_path / "lost.svg").read_text(encoding="utf-8")
    assert drawn.startswith("<?xml")
    assert "<svg" in drawn
    stream = io.BytesIO()
    plot(result, stream, "svg")
    assert b"</svg>" in stream.getvalue()
    with pytest.raises(ValueError, match="bmp"):
        plot(result, tmp_path / "lost.bmp")
    with pytest.raises(OSError, match="nowhere"):
        plot(result, tmp_path / "nowhere" / "lost.png")


def test_a_plot_without_a_lost_deal(tmp_path: Path) -> None:
    result = winrate("solo", deals=1, seed=1, control=Control(Limit(nodes=1)))
    plot(result, tmp_path / "few.png")
    assert (tmp_path / "few.png").stat().st_size > 1000


def test_variants_are_the_solitaires() -> None:
    assert list(SOLITAIRE) == ["solo", "alternative"]
    assert all(len(rules.deck) == 4 * rules.ranks for rules in SOLITAIRE.values())


# In parts, in any order, and nothing twice. ---------------------------------------------------------------------

SEED = 5


def rows_of(variant: str, ranges: Iterable[tuple[int, int]]) -> list[Row]:
    return [
        row
        for number, deals in ranges
        for row in alchemy_winrate.part(variant, seed=SEED, number=number, deals=deals, control=Control())
    ]


@pytest.mark.small
def test_parts_come_to_one_unbroken_run(variant: Variant, amount: Amount, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = amount(1000)
    first, second = whole // 4, whole // 2
    monkeypatch.setattr(
        alchemy_winrate, "POLICY_DEALS", second + 3
    )  # one part has some of them, the last has none
    ranges = [(second + 7, whole - second - 7), (0, first), (first, second + 7 - first)]
    found = alchemy_winrate.merged(variant.name, SEED, rows_of(variant.name, ranges))
    wanted = winrate(variant.name, deals=whole, seed=SEED)
    without = {"seconds", "deals_per_second"}
    assert found.model_dump(exclude=without) == wanted.model_dump(exclude=without)
    assert found.finished
    assert found.policies[0].deals == second + 3
    assert "Speed" not in dict(alchemy_winrate.sections(found)[0].rows)


def test_a_gap_is_told_and_a_deal_counted_twice_is_refused() -> None:
    rows = rows_of("alternative", [(0, 20), (30, 10)])
    found = alchemy_winrate.merged("alternative", SEED, rows)
    assert (found.deals, found.finished) == (30, False)
    with pytest.raises(RequestError, match="deal 30 is counted twice"):
        alchemy_winrate.merged("alternative", SEED, [*rows, *rows_of("alternative", [(20, 11)])])
