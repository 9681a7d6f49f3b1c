"""Kernels against plain Python or the constraint solver, as a small table: ``python -m benchmarks``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from benchmarks import kernels
from benchmarks.kernels import Ratio, compare
from solver import registry

_DEALS = 2000
_ENDINGS = [
    ("kirin", 4, 4, "paranoid"),
    ("kirin", 4, 3, "maxn"),
    ("king", 4, 3, "paranoid"),
    ("king", 4, 3, "maxn"),
    ("aqua-regia", 2, 10, "paranoid"),
    ("aqua-regia", 3, 9, "maxn"),
]  # players, and cards in a hand; in Aqua Regia in all hands
_SOLVED_SLOWLY = {"solo": 1, "alternative": 20}  # deals that the reference solves in one go


def _first(work: Callable[[int], None], count: int) -> None:
    for number in range(count):
        work(number)


def ratios() -> Iterator[Ratio]:
    for variant, few in _SOLVED_SLOWLY.items():
        kernel, slow = kernels.deals(variant, _DEALS)
        name = f"{variant}: {_DEALS} deals, stock known"
        yield compare(name, kernel, partial(_first, slow, few), scale=few / _DEALS)
    yield compare("matches of 6 cards", *kernels.matches([1, 3, 5, 7, 9, 13], 10))
    yield compare("matches of 9 cards", *kernels.matches([1, 2, 3, 4, 5, 7, 9, 11, 13], 10))
    yield compare("expectimax, 5 unseen", *kernels.expectimax(kernels.FIVE_UNSEEN))
    yield compare("duel exchange", *kernels.exchange())
    for game, players, cards, model in _ENDINGS:
        quick, plain = kernels.ending(game, players, cards, model)
        yield compare(f"{game} {model}: {players} players, {cards} cards", quick, plain)
    for size in kernels.SIZES:
        quick, solver, share = kernels.comparison(size)
        yield compare(f"compound {kernels.SETS} sets of {size}", quick, solver, scale=share)


def main() -> None:
    for game in ("alchemy", *dict.fromkeys(game for game, *_ in _ENDINGS)):
        registry.game(game).warm()
    print(f"{'':42} {'kernel':>11} {'reference':>11} {'ratio':>9} {'nodes':>9} {'nodes/s':>9}")
    for found in ratios():
        print(
            f"{found.name:42} {1e6 * found.kernel_seconds:8.1f} µs {1e3 * found.reference_seconds:8.2f} ms "
            f"{found.ratio:8.0f}x {found.nodes:9,} {found.nodes_per_second / 1e6:7.1f} M",
            flush=True,
        )


if __name__ == "__main__":
    main()
