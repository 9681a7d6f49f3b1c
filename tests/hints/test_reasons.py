"""Reasons of hints in every game: their numbers are the table's, and no cause holds for a clearly worse move.

The games, their variants and their options come from the registry.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import athanor
from solver import registry
from solver.answers import Hint, SampledHint
from solver.errors import RequestError
from solver.games.alchemy import duel, hidden_stock
from solver.games.aqua_regia import reasons as aqua_regia
from solver.games.king import reasons as king
from solver.games.kirin import reasons as kirin
from solver.hints import causes
from solver.hints.causes import Notes, Predicate, Reason, in_words
from solver.hints.ranking import CHANCE, POINTS, Margin, against, span
from solver.tricks import hint as plain
from tests.conftest import JIT

if not JIT:
    pytest.skip("thousands of deals", allow_module_level=True)


def dealt(game: str, variant: str | None, **options: Any) -> bool:
    """Whether a variant is dealt, with these options."""
    try:
        athanor.deal(game, variant=variant, **options)
    except (RequestError, athanor.PositionError):
        return False
    return True


VARIANTS = [
    (name, variant)
    for name in registry.names()
    for variant in registry.game(name).variants or [None]
    if dealt(name, variant)
]
OPTIONS = [(name, option) for name in registry.names() for option in registry.game(name).options]
NODES = 1500


def views(game: str, variant: str | None, count: int, **dealt: Any) -> Iterator[Any]:
    """So many views of the seat to move, some moves into a round."""
    chance = random.Random(f"{game} {variant}")
    while count:
        position: Any = athanor.deal(game, seed=chance.randrange(1000), variant=variant, **dealt)
        for _ in range(chance.randrange(25)):
            after = athanor.play(position, [chance.choice(athanor.legal_moves(position))])
            if athanor.to_move(after) is None:
                break
            position = after
        if len(athanor.legal_moves(position)) > 1:
            count -= 1
            yield athanor.view(position, athanor.to_move(position) or 0)


def hint(view: Any, nodes: int = NODES, **how: Any) -> Hint:
    return athanor.hint(view, nodes=nodes, seed=1, **how)


# ----------------------------------------------------------------------------------------------------
# Numbers.


def amounts(found: Hint) -> list[str]:
    """The amounts that a reason has to have if it names moves by what they are worth."""
    worths = dict(zip([move.move for move in found.moves], found.worths(), strict=True))
    if None in worths.values():
        return []
    is_chance = found.unit == "chance" if isinstance(found, SampledHint) else True
    unit = CHANCE if is_chance else POINTS
    level = next((cause for cause in found.causes if cause.code == "close"), None)
    if level is not None:
        values = [worths[move] for move in level.moves or ()]
        named = level.share if is_chance else level.points
        assert named == pytest.approx(values[0], abs=1e-6)
        if re.search("too few deals|almost|hardly|unlikely", found.reason):
            return []
        return [span([value or 0.0 for value in values], unit)]
    if found.sure in ("clear", "slight") and not found.causes:
        best, second = list(worths.values())[:2]
        return list(against(best or 0.0, second or 0.0, unit))
    return []


@pytest.mark.parametrize(("game", "option"), OPTIONS)
def test_the_numbers_of_reasons_are_those_of_the_table_under_every_option(game: str, option: str) -> None:
    checked = Counter[str]()
    with_option = {"rules": {option: True}}
    for name, variant in VARIANTS:
        if name != game or not dealt(name, variant, **with_option):
            continue  # an option of another variant
        for view in views(game, variant, 4, **with_option):
            played = [view]
            fields = type(view).model_fields
            if "totals" in fields and variant != "alternative":  # a solitaire has none
                seats = getattr(view, "players", registry.game(game).players[1])
                last = {"totals": tuple(range(40, 40 + seats)), **({"round": 3} if "round" in fields else {})}
                played.append(athanor.parse({**view.model_dump(exclude_none=True), **last}))
            for seen in played:
                found = hint(seen)
                for amount in amounts(found):
                    assert amount in found.reason, (str(seen), found.moves)
                    checked[found.sure or ""] += 1
    assert checked


def test_the_card_set_aside_counts_in_reasons_too() -> None:
    view: Any = athanor.view(athanor.deal("kirin", seed=2), 0)
    usual = athanor.hint(view, nodes=60, seed=1)
    counted = athanor.hint(
        athanor.parse({**view.model_dump(exclude_none=True), "rules": {"declared_counts": True}}), nodes=60, seed=1
    )
    assert [move.mean for move in counted.moves] == [move.mean + 1 for move in usual.moves]
    (before,), (after,) = usual.causes, counted.causes
    assert before.code == after.code == "close"
    assert (after.points or 0) == pytest.approx((before.points or 0) + 1)


# ----------------------------------------------------------------------------------------------------
# Causes.


class Named:
    """Records what reasons were made of: of each, the comparison of two moves, and the causes."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, Callable[[int, int], Any], Notes, Margin, tuple[Reason, ...]]] = []

    def behind(
        self, table: Any, compare: Callable[[int, int], Any], noted: Notes, ahead: Margin
    ) -> tuple[Reason, ...]:
        told = causes.behind(table, compare, noted, ahead)
        self.calls.append((table, compare, noted, ahead, told))
        return told


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> Named:
    found = Named()
    for module in (aqua_regia, king, kirin, plain, duel, hidden_stock):
        monkeypatch.setattr(module, "behind", found.behind)
    return found


LESS = {"sheds_more", "leaves_nothing", "leaves_less"}  # less of what they count is better


def says(row: Predicate[Any], fields: dict[str, Any]) -> list[float]:
    """The numbers in a sentence about its move, and those about the other one: of the latter, less is better."""
    numbers = []
    for sign, before in ((1, ""), (-1, "other_")):
        for name, written in (("share", "share|deals|games"), ("points", "points|amount"), ("count", "count")):
            if re.search(rf"\{{{before}({written})\}}", row.sentence):
                numbers.append(fields[before + name] * (-sign if row.code in LESS else sign))
    return numbers


def things(row: Predicate[Any], fields: dict[str, Any], move: str) -> list[Any]:
    """What a sentence names besides its move."""
    kept = {
        key: value for key, value in fields.items() if f"{{{key}" in row.sentence and key not in ("other", "count")
    }
    return [
        value for key, value in kept.items() if key == "seat" or (isinstance(value, str | tuple) and value != move)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_no_cause_holds_as_well_for_a_clearly_worse_move(game: str, variant: str | None, named: Named) -> None:
    compared = Counter[str]()
    for view in views(game, variant, 25):
        if compared.total() > 1:
            break
        named.calls.clear()
        found = hint(view, 4000)  # of fewer, few are clear
        for table, compare, _noted, ahead, told in named.calls:
            rows = {row.code: row for row in table}
            for cause in (one.cause for one in told):
                row, best = rows[cause.code], ahead.texts[ahead.best]
                fields = cause.to_dict()
                if (
                    row.blames
                    or row.level
                    or "mainly" in row.sentence
                    or cause.code not in {one.code for one in found.causes}
                ):
                    continue  # about the other move, or for level moves, or about when the best move is better
                for worse in set(ahead.worse) - {ahead.second}:
                    for claim in row.claims(compare(worse, ahead.second)):
                        theirs = dict(claim.fields)
                        if things(row, theirs, ahead.texts[worse]) == things(row, fields, best):
                            compared[cause.code] += 1
                            pairs = zip(says(row, fields), says(row, theirs), strict=True)
                            assert any(less < more for more, less in pairs), (str(view), fields, theirs)
    assert compared or game == "alchemy" or not registry.is_own(game)  # the ready-made causes may be rare


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_a_reason_compares_with_the_next_best_or_says_with_what(game: str, variant: str | None) -> None:
    compared = 0
    for view in views(game, variant, 3):
        usual = hint(view)
        rivals = {cause.other for cause in usual.causes} - {None}
        if rivals and not {"takes_needed_card", "kept_in_hand"} & {cause.code for cause in usual.causes}:
            assert rivals == {usual.moves[1].move}, (str(view), usual.reason)
        for move in [one.move for one in usual.moves[2:5]]:
            found = hint(view, compare=move)
            if not found.causes or found.sure not in ("clear", "slight") or found.best != usual.best:
                continue
            (name,) = in_words([move])
            assert name.lower() in found.reason.lower(), (str(view), found.reason)
            compared += found.reason.startswith(f"Why not {name}? ")
    assert compared or game == "alchemy" or not registry.is_own(game)  # the ready-made causes may be rare
