"""`athanor winrate`: the share of solitaire deals that can be won, over many deals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import click

from api.cli.failures import INTERRUPTED
from api.cli.options import SEED, jobs_option, json_option, limit_of, seconds_option

if TYPE_CHECKING:
    from solver.games.alchemy.hidden_stock.winrate import WinrateResult

_SUFFIXES = (".png", ".svg")
_BAR = 40  # characters of the longest bar


def _plot_path(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not value.lower().endswith(_SUFFIXES):
        raise click.BadParameter(f"the plot's name ends in {' or '.join(_SUFFIXES)}")
    return value


@click.command()
@click.argument("variant", type=click.Choice(["solo", "alternative"]))
@click.option(
    "--deals", type=click.IntRange(1, 2**40), default=100_000, show_default=True, metavar="N", help="How many."
)
@click.option("--seed", type=SEED, help="The same seed gives the same result; default: a new one.")
@jobs_option("Use N threads. The result does not depend on it.")
@seconds_option("Stop after S seconds, with the deals done by then.")
@click.option("--plot", callback=_plot_path, metavar="FILE", help="Also draw where deals are lost (.png or .svg).")
@json_option()
def winrate(
    variant: str, deals: int, seed: int | None, jobs: int, seconds: float | None, plot: str | None, as_json: bool
) -> None:
    """How many deals of a solitaire can be won, with a 95% interval."""
    import secrets

    from api.cli import outputs
    from api.cli.console import searching
    from api.cli.interrupts import apart, cancel_on_interrupt

    if plot is not None:
        outputs.check(plot)
    from solver.common.control import Control
    from solver.games.alchemy.hidden_stock.winrate import winrate as played

    seed = secrets.randbelow(1 << 32) if seed is None else seed
    with cancel_on_interrupt() as cancel:
        with searching("dealing") as progress:
            apart(lambda: played(variant, deals=1))  # loads the kernels, which the clock should not count
            control = Control(limit_of(seconds, None), cancel, progress)
            result = apart(lambda: played(variant, deals=deals, seed=seed, jobs=jobs, control=control))
        if plot is not None:
            _draw(result, plot)
        if as_json:
            click.echo(result.to_json())
        else:
            _show(result)
        if cancel.is_set():
            click.get_current_context().exit(INTERRUPTED)


def _draw(result: WinrateResult, path: str) -> None:
    from api.cli import outputs
    from puzzles.atomic import replacing
    from solver.games.alchemy.hidden_stock.plot import plot

    with outputs.writing(path), replacing(path) as temporary:
        plot(result, temporary)


def _show(result: WinrateResult) -> None:
    from api.cli.answers import show_rows
    from api.cli.console import output

    console = output()
    ended = "" if result.finished else " (ended before all were dealt)"
    rows = [
        ("Variant", result.variant),
        ("Deals", f"{result.deals:,}{ended}, seed {result.seed}"),
        ("Winnable", f"{result.won:,}, {_share(result)}" if result.deals else "unknown"),
        ("Speed", f"{result.deals_per_second:,.0f} deals/s, {result.seconds:.2f} s"),
    ]
    show_rows(console, rows)
    played = [policy for policy in result.policies if policy.deals]
    if played:
        console.print("\nWon by policies that do not see the stock:")
        show_rows(console, [(policy.name, f"{_share(policy)}  {policy.description}") for policy in played])
    if any(result.lost_at):
        console.print("\nLost deals by the fewest stock cards left:")
        most = max(result.lost_at)
        bars = [(left, count) for left, count in enumerate(result.lost_at) if count]
        show_rows(
            console, [(str(left), f"{count:>9,} {'▇' * round(_BAR * count / most)}") for left, count in bars]
        )


class _Share(Protocol):
    @property
    def share(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


def _share(part: _Share) -> str:
    return f"{part.share:.4%} (95%: {part.low:.4%} to {part.high:.4%})"
