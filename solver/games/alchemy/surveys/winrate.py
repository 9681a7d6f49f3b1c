"""How many deals of a solitaire can be won by a player who sees the stock, and how simple players do."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.common.control import Control
from solver.common.stats import wilson
from solver.games.alchemy.cards.rules import SOLITAIRE, Variant
from solver.games.alchemy.fast_rules.dealing import deal_worlds
from solver.games.alchemy.fast_rules.lines import lines
from solver.games.alchemy.hidden_stock.tables import static_table
from solver.games.alchemy.known_stock.clairvoyant import NODES, Search, solve_deals
from solver.games.alchemy.surveys.policies import POLICIES, play_deals
from solver.inputs.errors import RequestError
from solver.protocol.answers import Answer

POLICY_DEALS = 1_000_000  # the simple players play at most so many of the deals
_CHUNK = 4096  # deals shuffled and solved by one call
_NODES_A_DEAL = 10


class Share(Answer):
    """A share of deals won with its 95% Wilson interval; `lost_at[n]` deals ended with n stock cards left."""

    deals: int
    won: int
    share: float
    low: float
    high: float
    lost_at: tuple[int, ...]


class PolicyShare(Share):
    """The share won by a simple player who does not see the stock."""

    name: str
    description: str


class WinrateResult(Share):
    """The share of deals that can be won. `finished` is false when a limit ended it before all were solved.

    What was put together from parts has no seconds. Deal number i of a seed is the same deal as
    ``athanor deal alchemy --seed SEED --number i``.
    """

    variant: str
    seed: int
    finished: bool
    nodes: int
    seconds: float | None
    deals_per_second: float | None
    policies: tuple[PolicyShare, ...]


# Fills `left` for the decks of the deals from a first one on, as a worker; returns its nodes.
Player = Callable[[int, int, NDArray[np.int8], NDArray[np.int8]], int]


def winrate(
    variant: str,
    *,
    deals: int,
    seed: int = 0,
    number: int = 0,
    jobs: int = 1,
    control: Control | None = None,
) -> WinrateResult:
    """Solve `deals` deals of a seed, from deal `number` on, with `jobs` threads.

    The numbers do not depend on `jobs`. The simple players play those of the deals that are among the first
    POLICY_DEALS of the seed.

    Raises RequestError for a variant that is no solitaire or fewer than one deal or job.
    """
    if variant not in SOLITAIRE:
        raise RequestError("unknown_value", f"{variant!r} is no solitaire; solo and alternative are", "variant")
    if deals < 1:
        raise RequestError("out_of_range", "at least one deal is needed", "deals")
    if jobs < 1:
        raise RequestError("out_of_range", "at least one job is needed", "jobs")
    control = control or Control()
    rules = SOLITAIRE[variant]
    tables = lines(rules)
    searches = [Search(tables) for _ in range(jobs)]

    def solve(worker: int, first: int, decks: NDArray[np.int8], left: NDArray[np.int8]) -> int:
        search = searches[worker]
        before = int(search.control[NODES])
        solve_deals(*tables.turns, decks, tables.cap, search.stack, search.memo, search.control, left)
        return int(search.control[NODES]) - before

    begin = time.monotonic()
    with ThreadPoolExecutor(jobs) as pool:
        batch = _Batch(rules, seed, number, jobs, pool, control)
        done, lost_at = batch.run(solve, deals, "deals")
        seconds = time.monotonic() - begin
        policies = batch.policies(max(0, min(deals, POLICY_DEALS - number)))
    return WinrateResult(
        variant=variant,
        seed=seed,
        finished=done == deals and not control.cancelled(),
        nodes=control.nodes,
        seconds=seconds,
        deals_per_second=done / seconds,
        policies=policies,
        **share_of(done, lost_at),
    )


def played(variant: str, *, deals: int, seed: int, number: int, control: Control) -> tuple[PolicyShare, ...]:
    """What each simple player wins of so many deals of a seed, from deal `number` on."""
    with ThreadPoolExecutor(1) as pool:
        return _Batch(SOLITAIRE[variant], seed, number, 1, pool, control).policies(deals)


def share_of(deals: int, lost_at: NDArray[np.int64]) -> dict[str, Any]:
    """The fields of a `Share`. `lost_at[n]` deals ended with n stock cards left; with 0 they were won."""
    won = int(lost_at[0])
    low, high = wilson(won, deals)
    counts = (0, *lost_at[1:].tolist())
    return {
        "deals": deals,
        "won": won,
        "share": won / deals if deals else 0.0,
        "low": low,
        "high": high,
        "lost_at": counts,
    }


class _Batch:
    """Runs a function over the deals of a seed, in threads, under a control."""

    def __init__(
        self,
        rules: Variant,
        seed: int,
        number: int,
        jobs: int,
        pool: ThreadPoolExecutor,
        control: Control,
    ) -> None:
        self._rules = rules
        self._deck = np.array(rules.deck, np.int8) - 1
        self._seed = seed
        self._number = number
        self._jobs = jobs
        self._pool = pool
        self._control = control

    def policies(self, deals: int) -> tuple[PolicyShare, ...]:
        """What each simple player wins of the deals."""
        tables, table = lines(self._rules), static_table(self._rules)

        def player(policy: int) -> Player:
            def play(_worker: int, first: int, decks: NDArray[np.int8], left: NDArray[np.int8]) -> int:
                play_deals(
                    policy, *tables.turns, table.plan.base,
                    table.values, tables.cap, decks, self._seed, first, left,
                )  # fmt: skip
                return _NODES_A_DEAL * len(decks)

            return play

        found = []
        for name, (policy, description) in POLICIES.items():
            share = share_of(*self.run(player(policy), deals, f"policy {name}"))
            found.append(PolicyShare(name=name, description=description, **share))
        return tuple(found)

    def run(
        self,
        function: Player,
        deals: int,
        stage: str,
    ) -> tuple[int, NDArray[np.int64]]:
        """How many deals were done, and how many of them ended with each number of stock cards left."""
        counts = np.zeros(len(self._deck) - self._rules.cap + 1, np.int64)
        done = 0
        if not deals:
            return done, counts

        def part(worker: int, first: int, count: int) -> tuple[NDArray[np.int64], int]:
            lost_at = np.zeros(len(counts), np.int64)
            nodes = 0
            first += self._number
            for begin in range(first, first + count, _CHUNK):
                size = min(_CHUNK, first + count - begin)
                decks = deal_worlds(self._deck, self._seed, begin, size)
                left = np.zeros(size, np.int8)
                nodes += function(worker, begin, decks, left)
                lost_at += np.bincount(left, minlength=len(counts))
            return lost_at, nodes

        def step(budget: int) -> tuple[bool, int]:
            nonlocal done
            each = max(1, budget // _NODES_A_DEAL)
            tasks = []
            for worker in range(self._jobs):
                count = min(each, deals - done)
                if count > 0:
                    tasks.append(self._pool.submit(part, worker, done, count))
                    done += count
            nodes = 0
            for task in tasks:
                lost_at, spent = task.result()
                counts[:] += lost_at
                nodes += spent
            return done == deals, nodes

        self._control.drive(step, stage=stage, done=lambda: done / deals)
        return done, counts
