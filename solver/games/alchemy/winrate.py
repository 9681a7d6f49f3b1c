"""How many deals of a solitaire can be won by a player who sees the stock, and how many simple players win."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from math import nan
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.answers import PolicyShare, Share, WinrateResult
from solver.common import wilson
from solver.errors import RequestError
from solver.game import Row, Section
from solver.games.alchemy.expectimax import Values, static_table
from solver.games.alchemy.fast_rules import Lines, deal_worlds, lines
from solver.games.alchemy.known_stock import NODES as CLAIRVOYANT_NODES
from solver.games.alchemy.known_stock import Search, solve_deals
from solver.games.alchemy.rules import SOLITAIRE, Variant
from solver.kernels.jit import kernel
from solver.kernels.rng import below, start_stream
from solver.language import say, translated
from solver.limits import Control
from solver.validation import with_names

# ----------------------------------------------------------------------------------------------------
# Simple players of a solitaire who do not see the stock, played over many deals for comparison in `winrate`.


RANDOM, MOST_CARDS, TABLE = range(3)
POLICIES = {
    "random": (RANDOM, "any legal move"),
    "most-cards": (MOST_CARDS, "the match with the most cards; without a match the highest card is discarded"),
    "table": (TABLE, "the move worth most according to a table for a full deck (composition DP)"),
}


@kernel
def play_deals(
    policy: int,
    tables: Lines,
    base: NDArray[np.int64],
    values: Values,
    first_cap: int,
    deals: NDArray[np.int8],
    seed: int,
    first: int,
    left: NDArray[np.int8],
) -> None:
    """Play each deal by a simple policy and write the number of stock cards left to `left`, 0 for a win.

    Each row of `deals` is a shuffled deck; `first` is the number of the first deal.
    """
    ranks, shortest, size = tables.ranks, tables.shortest, tables.size
    insert, start, outcome = tables.insert, tables.start, tables.outcome
    random = np.zeros(1, np.int64)
    for deal in range(len(deals)):
        cards = deals[deal]
        start_stream(random, ~seed, first + deal)  # not the stream that shuffled the deck
        cap = first_cap
        line = 0
        pos = 0
        while True:
            while size[line] < cap and pos < len(cards):
                line = int(insert[line * ranks + int(cards[pos])])
                pos += 1
            if pos + 1 >= len(cards) or cap < shortest:
                break
            key = line * ranks + int(cards[pos])
            pos += 1
            begin = start[key]
            end = start[key + 1]
            cap -= outcome[begin] < 0
            chosen = int(begin)
            if policy == RANDOM:
                chosen = int(begin) + below(random, end - begin)
            elif policy == MOST_CARDS:
                # Matches are sorted with the most cards first, discards with the highest card last.
                chosen = int(begin) if outcome[begin] >= 0 else int(end) - 1
            elif cap >= shortest:
                best = -1.0
                row = values[len(cards) - pos]
                for index in range(begin, end):
                    rest = int(outcome[index])
                    value = float(row[base[cap] + (rest if rest >= 0 else ~rest)])
                    if value > best:
                        best = value
                        chosen = index
            rest = int(outcome[chosen])
            line = rest if rest >= 0 else ~rest
        left[deal] = 0 if pos + 1 >= len(cards) and cap >= shortest else len(cards) - pos


POLICY_DEALS = 1_000_000  # the simple players play at most this many of the deals
_CHUNK = 4096  # deals shuffled and solved in one call
_NODES_A_DEAL = 10


def winrate(
    variant: str,
    *,
    deals: int,
    seed: int = 0,
    number: int = 0,
    jobs: int = 1,
    control: Control | None = None,
) -> WinrateResult:
    """Solve `deals` deals of a seed, starting with deal `number`, in `jobs` threads.

    The result does not depend on `jobs`. Simple players play only deals among the first POLICY_DEALS of the seed.

    Raises RequestError for a variant that is not a solitaire, and for fewer than one deal or job.
    """
    if variant not in SOLITAIRE:
        message = with_names(say("{variant!r} is not a solitaire", variant=variant), str(variant), [*SOLITAIRE])
        raise RequestError("unknown_value", message, "variant")
    if deals < 1:
        raise RequestError("out_of_range", say("at least one deal is needed"), "deals")
    if jobs < 1:
        raise RequestError("out_of_range", say("at least one job is needed"), "jobs")
    control = control or Control()
    tables = lines(SOLITAIRE[variant])
    searches = [Search(tables) for _ in range(jobs)]

    def solve(worker: int, first: int, decks: NDArray[np.int8], left: NDArray[np.int8]) -> int:
        search = searches[worker]
        before = int(search.control[CLAIRVOYANT_NODES])
        solve_deals(tables, decks, tables.cap, search.stack, search.memo, search.control, left)
        return int(search.control[CLAIRVOYANT_NODES]) - before

    begin = time.monotonic()
    some = Deals(SOLITAIRE[variant], seed, number, deals)
    done, lost_at = some.played(solve, "deals", control, jobs)
    seconds = time.monotonic() - begin
    few = some._replace(size=max(0, min(deals, POLICY_DEALS - number)))
    policies = policy_shares(few, control, jobs)
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


def share_of(deals: int, lost_at: NDArray[np.int64]) -> dict[str, Any]:
    """Return the fields of a `Share`; `lost_at[n]` deals ended with n stock cards left (0: won)."""
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


# Plays deals: takes the worker's number, that of the first deal, the decks, and `left` to fill; returns the nodes.
Player = Callable[[int, int, NDArray[np.int8], NDArray[np.int8]], int]


class Deals(NamedTuple):
    """A range of `size` deals of a seed, starting with deal `number`."""

    rules: Variant
    seed: int
    number: int
    size: int

    def played(self, player: Player, stage: str, control: Control, jobs: int) -> tuple[int, NDArray[np.int64]]:
        """Play the deals in `jobs` threads.

        Returns how many were played, and how many of them ended with each number of stock cards left.
        """
        deck = np.array(self.rules.deck, np.int8) - 1
        counts = np.zeros(len(deck) - self.rules.cap + 1, np.int64)
        done = 0

        def part(worker: int, first: int, count: int) -> tuple[NDArray[np.int64], int]:
            lost_at = np.zeros(len(counts), np.int64)
            nodes = 0
            first += self.number
            for begin in range(first, first + count, _CHUNK):
                size = min(_CHUNK, first + count - begin)
                left = np.zeros(size, np.int8)
                nodes += player(worker, begin, deal_worlds(deck, self.seed, begin, size), left)
                lost_at += np.bincount(left, minlength=len(counts))
            return lost_at, nodes

        def step(budget: int) -> tuple[bool, int]:
            nonlocal done
            each = max(1, budget // _NODES_A_DEAL)
            tasks = []
            for worker in range(jobs):
                count = min(each, self.size - done)
                if count > 0:
                    tasks.append(pool.submit(part, worker, done, count))
                    done += count
            nodes = 0
            for task in tasks:
                lost_at, spent = task.result()
                counts[:] += lost_at
                nodes += spent
            return done == self.size, nodes

        if self.size:
            with ThreadPoolExecutor(jobs) as pool:
                control.drive(step, stage=stage, done=lambda: done / self.size)
        return done, counts


def policy_shares(deals: Deals, control: Control, jobs: int = 1) -> tuple[PolicyShare, ...]:
    """Return the share of the deals won by each of the simple players."""
    tables, table = lines(deals.rules), static_table(deals.rules)
    shares = []
    for name, (policy, description) in POLICIES.items():

        def play(_: int, first: int, decks: NDArray[np.int8], left: NDArray[np.int8], policy: int = policy) -> int:
            play_deals(policy, tables, table.plan.base, table.values, tables.cap, decks, deals.seed, first, left)
            return _NODES_A_DEAL * len(decks)

        share = share_of(*deals.played(play, f"policy {name}", control, jobs))
        shares.append(PolicyShare(name=name, description=description, **share))
    return tuple(shares)


# ----------------------------------------------------------------------------------------------------
# Win rates in parts: the counts of a range of deals, and merging many ranges.


def part(variant: str, *, seed: int, number: int, deals: int, control: Control) -> Iterator[Row]:
    """Yield one row: how many deals of a range can be won, and how many the simple players win.

    The simple players play only some of the deals: see `winrate`.
    """
    counted = winrate(variant, deals=deals, seed=seed, number=number, control=control)
    yield {
        "number": number,
        "deals": counted.deals,
        "left": _left(counted),
        "nodes": counted.nodes,
        "policies": _told(counted.policies),
    }


def merged(variant: str, seed: int, rows: Iterable[Row]) -> WinrateResult:
    """Combine the rows of many ranges into the result that `winrate` gives for all their deals.

    Raises RequestError for overlapping ranges.
    """
    counted = in_order(rows)
    return WinrateResult(
        variant=variant,
        seed=seed,
        finished=without_gaps(counted),
        nodes=sum(row["nodes"] for row in counted),
        seconds=None,
        deals_per_second=None,
        policies=_policies(counted),
        **_together(row["left"] for row in counted),
    )


def in_order(rows: Iterable[Row]) -> list[Row]:
    """Sort rows of ranges of deals by their first deal. Raises RequestError if a deal is in two ranges."""
    counted = sorted(rows, key=lambda row: row["number"])
    for row, following in pairwise(counted):
        if row["number"] + row["deals"] > following["number"]:
            raise RequestError(
                "duplicate", say("deal {following} is counted twice", following=following["number"])
            )
    return counted


def without_gaps(counted: list[Row]) -> bool:
    """Whether these sorted ranges start with deal 0 and follow each other without gaps."""
    ends = [0, *(row["number"] + row["deals"] for row in counted)]
    return all(row["number"] == end for row, end in zip(counted, ends, strict=False))


def _left(share: Share) -> list[int]:
    """Return how many deals ended with each number of stock cards left, 0 for a win."""
    return [share.won, *share.lost_at[1:]]


def _told(policies: Iterable[PolicyShare]) -> list[dict[str, Any]]:
    return [{"name": policy.name, "deals": policy.deals, "left": _left(policy)} for policy in policies]


def _policies(rows: list[Row]) -> tuple[PolicyShare, ...]:
    return tuple(
        PolicyShare(
            name=name,
            description=description,
            **_together(played["left"] for row in rows for played in row["policies"] if played["name"] == name),
        )
        for name, (_, description) in POLICIES.items()
    )


def _together(counts: Iterable[list[int]]) -> dict[str, Any]:
    left: NDArray[np.int64] = np.sum(list(counts), axis=0, dtype=np.int64)
    return share_of(int(left.sum()), left)


# ----------------------------------------------------------------------------------------------------
# The chart of a `winrate`: where deals are lost, with the stock seen and by simple players.


def plot(result: WinrateResult, target: Path | IO[bytes], file_format: str | None = None) -> None:
    """Draw the result as PNG or SVG, by `file_format` or the file's suffix. Raises OSError or ValueError."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    players = [
        ("stock seen (solver)", result),
        *((policy.name, policy) for policy in result.policies if policy.deals),
    ]
    farthest = max((n for _, share in players for n, lost in enumerate(share.lost_at) if lost), default=1)
    for index, (name, share) in enumerate(players):
        ends = range(1, farthest + 1)
        heights = [share.lost_at[n] / share.deals or nan for n in ends]  # zeros are not drawn
        label = f"{name}: {100 * share.share:.2f}% won ({100 * share.low:.2f}–{100 * share.high:.2f})"
        if index == 0:
            axes.bar(ends, heights, color="0.75", label=label, zorder=1)
        else:
            axes.plot(ends, heights, marker="o", markersize=3, linewidth=1.2, label=label, zorder=2)
    axes.set_yscale("log")
    axes.set_xlabel("stock cards left when the deal is lost (stock seen: the fewest that can be)")
    axes.set_ylabel("share of deals")
    axes.set_title(f"alchemy {result.variant}: {result.deals:,} deals, seed {result.seed}")
    axes.grid(axis="y", alpha=0.3)
    figure.legend(fontsize="small", loc="outside lower center", ncols=2)
    figure.savefig(target, format=file_format, dpi=150)


# ----------------------------------------------------------------------------------------------------
# A `winrate` for a person: the winnable share, what simple players win, where deals are lost.


_BAR = 40  # characters of the longest bar


def _of_deals(variant: str, deals: int, seed: int) -> list[tuple[str, str]]:
    """Return labelled lines for display: the variant, the number of deals, and their seed."""
    return [
        (say("Variant"), variant),
        (say("Deals"), say("{count:,}, seed {seed}", count=deals, seed=seed)),
    ]


def sections(result: WinrateResult) -> list[Section]:
    rows = _of_deals(result.variant, result.deals, result.seed)
    if not result.finished:
        rows.append((say("Ended"), say("before all were dealt")))
    rows.append((say("Winnable"), f"{result.won:,}, {_share(result)}" if result.deals else say("unknown")))
    if result.deals_per_second is not None:
        speed = say("{rate:,.0f} deals/s, {seconds:.2f} s", rate=result.deals_per_second, seconds=result.seconds)
        rows.append((say("Speed"), speed))
    parts = [Section(None, rows)]
    played = [policy for policy in result.policies if policy.deals]
    if played:
        parts.append(_players(played))
    if any(result.lost_at):
        most = max(result.lost_at)
        lost = [(left, count) for left, count in enumerate(result.lost_at) if count]
        bars = [(str(left), f"{count:>9,} {'▇' * round(_BAR * count / most)}") for left, count in lost]
        parts.append(Section(say("Lost deals by the fewest stock cards left:"), bars))
    return parts


def _players(policies: Iterable[PolicyShare]) -> Section:
    rows = [(policy.name, f"{_share(policy)}  {translated(policy.description)}") for policy in policies]
    return Section(say("Won by players that do not see the stock:"), rows)


def _share(part: Share) -> str:
    return say("{share:.4%} (95%: {low:.4%} to {high:.4%})", share=part.share, low=part.low, high=part.high)
