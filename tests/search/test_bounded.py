"""What many threads, many questions and many decks take is bounded; and what is not imported."""

from __future__ import annotations

import functools
import gc
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from typing import Any

import pytest

import athanor
from solver import decks, registry
from solver.common import Random
from solver.positions import parse_position, position_data
from solver.search import cpsat
from solver.search.memory import IDLE_PROVERS, MEGABYTE, TABLE_BUDGET
from tests.support.games import AGAINST_OTHERS

THREADS = 16
BOUND = 96 * MEGABYTE
OURS = ("api", "athanor", "puzzles", "solver", "tests")
OF_SOURCES = "solver.kernels."  # as many as there are kernels; they are loaded when they are first needed


@pytest.fixture
def bounded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """So much memory for the tables of so many threads; nothing is held before and after."""
    IDLE_PROVERS.drop()
    gc.collect()  # searches of tests before, which were stopped, may still hold their tables
    monkeypatch.setattr(TABLE_BUDGET, "_limit", BOUND)
    monkeypatch.setattr(TABLE_BUDGET, "searches", THREADS)
    yield
    IDLE_PROVERS.drop()


@pytest.mark.usefixtures("bounded")
def test_threads_that_ask_about_all_games_stay_within_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in AGAINST_OTHERS:
        athanor.analyze(athanor.deal(name, seed=1), nodes=500)  # loads what the game needs
    IDLE_PROVERS.drop()
    assert TABLE_BUDGET.used == 0
    held: list[int] = []
    charge = TABLE_BUDGET.charge

    def watched(size: int, *, least: bool = False) -> bool:
        found = charge(size, least=least)
        held.append(TABLE_BUDGET.used)
        return found

    monkeypatch.setattr(TABLE_BUDGET, "charge", watched)
    positions = [athanor.deal(name, seed=seed) for seed in range(6) for name in AGAINST_OTHERS]
    positions *= 2
    with ThreadPoolExecutor(THREADS) as threads:
        answers = list(threads.map(lambda position: athanor.analyze(position, nodes=2000), positions))
    assert all(answer.moves for answer in answers)
    assert 16 * MEGABYTE < max(held) <= BOUND
    assert TABLE_BUDGET.used <= BOUND
    IDLE_PROVERS.drop()
    assert TABLE_BUDGET.used == 0


@functools.cache
def _own_unbounded(number: int) -> int:
    return number


def unbounded() -> dict[str, int]:
    """How much is kept in each cache that has no bound, by the name of its function."""
    gc.unfreeze()  # what was there when the tests began is not listed otherwise
    found = {}
    for kept in gc.get_objects():
        if type(kept) is functools._lru_cache_wrapper:  # `isinstance` would ask weak references that are dead
            cached: Any = kept
            if cached.cache_parameters()["maxsize"] is None and cached.__module__.split(".")[0] in OURS:
                found[f"{cached.__module__}.{cached.__qualname__}"] = cached.cache_info().currsize
    gc.freeze()
    return found


def strange(random: Random) -> dict[str, Any]:
    """A short hint about a fresh deal with a deck that nobody has sent yet: another title, other bonuses."""
    kinds = decks.kinds()
    kind = kinds[random.below(len(kinds))]
    game = registry.game(kind.game)
    file = resources.files(kind.package).joinpath("decks", kind.house_file)
    deck = tomllib.loads(file.read_text(encoding="utf-8"))
    deck["title"] = f"Deck {random.word()}"
    for card in deck[kind.key]:
        if "recipe" in card:
            card["recipe"]["bonus"] = random.below(20)
    view = position_data(game.view(game.deal(random.below(1 << 30)), 0))
    return {"position": {**view, "deck": deck}, "limit": {"seconds": 0.05}}


def test_no_cache_without_a_bound_grows_with_every_deck() -> None:
    random = Random(11)

    def ask() -> None:
        body = strange(random)
        athanor.hint(parse_position(body["position"]), worlds=2)

    for _ in range(12):
        ask()
    before = unbounded()
    for number in range(6):
        ask()
        _own_unbounded(number)
    grown = {name for name, size in unbounded().items() if size > before.get(name, 0)}
    grown = {name for name in grown if not name.startswith(OF_SOURCES)}
    assert grown == {"tests.search.test_bounded._own_unbounded"}


# ----------------------------------------------------------------------------------------------------
# OR-Tools' models are imported without pandas, which is there all the same for whoever calls what needs it.


def test_pandas_is_imported_by_those_who_need_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "pandas"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, cpsat._MODELS)
    models = cpsat._imported()
    assert "pandas" not in sys.modules
    model = models.CpModel()
    number = model.new_int_var(0, 5, "number")
    model.add(2 * number <= 7)
    model.maximize(number)
    solver = models.CpSolver()
    assert solver.status_name(solver.solve(model)) == "OPTIMAL"
    assert solver.value(number) == 3
    assert "pandas" not in sys.modules
    monkeypatch.setitem(sys.modules, "pandas", sys)  # to import the real one takes long
    monkeypatch.setattr(sys, "Index", int, raising=False)
    assert models.pd.Index is int
