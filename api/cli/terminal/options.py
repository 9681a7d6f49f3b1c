"""Options and arguments that several commands share."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from solver.common import SEEDS

if TYPE_CHECKING:
    from solver.limits import Limit


F = TypeVar("F", bound=Callable[..., Any])

_SUFFIXES = (".png", ".svg")
SEED = click.IntRange(0, SEEDS - 1)


def _finite(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise click.BadParameter("must be a finite number")
    return value


def seconds_option(what: str, *, least: float = 0, most: float | None = None) -> Callable[[F], F]:
    allowed = click.FloatRange(min=least, max=most, min_open=least == 0)
    return click.option("--seconds", type=allowed, callback=_finite, metavar="S", help=what)


def nodes_option(what: str) -> Callable[[F], F]:
    return click.option("--nodes", type=click.IntRange(1, 2**62 - 1), metavar="N", help=what)


def json_option(what: str = "Print JSON.") -> Callable[[F], F]:
    return click.option("--json", "as_json", is_flag=True, help=what)


def _plot_path(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not value.lower().endswith(_SUFFIXES):
        raise click.BadParameter(f"the plot's name ends in {' or '.join(_SUFFIXES)}")
    return value


def plot_option(drawn: str) -> Callable[[F], F]:
    """`--plot FILE`, where `drawn` says what is drawn."""
    what = f"Also draw {drawn} ({' or '.join(_SUFFIXES)})."
    return click.option("--plot", callback=_plot_path, metavar="FILE", help=what)


def jobs_option(what: str) -> Callable[[F], F]:
    return click.option(
        "--jobs", type=click.IntRange(1, 1024), default=_cores, show_default="one a core", metavar="N", help=what
    )


def cluster_option() -> Callable[[F], F]:
    what = "Let a cluster of dask do them: tcp://HOST:PORT, or local:N for N processes."
    return click.option("--cluster", metavar="ADDRESS", help=what)


def file_argument() -> Callable[[F], F]:
    """FILE: a file, - for standard input, or the text itself, which needs no quotes."""
    return click.argument("file", nargs=-1, required=True, callback=lambda ctx, param, words: " ".join(words))


def text_option() -> Callable[[F], F]:
    return click.option("--text", "as_text", is_flag=True, help="Print it as one line of text, not as JSON.")


def deck_option() -> Callable[[F], F]:
    what = "The deck: a name of `athanor decks`, or a file: anything with a / in it or .toml at its end."
    return click.option("--deck", metavar="NAME|FILE", help=what)


def rules_option() -> Callable[[F], F]:
    what = "Play by a disputed reading of the rules: a name that `athanor rules GAME` explains. May be repeated."

    def chosen(ctx: click.Context, param: click.Parameter, names: tuple[str, ...]) -> dict[str, bool] | None:
        return dict.fromkeys(names, True) or None

    return click.option("--rule", "rules", multiple=True, metavar="NAME", callback=chosen, help=what)


def jokers_option() -> Callable[[F], F]:
    what = "In a duel: from 75 points on so many jokers are added; dealt alone, the deck has them."
    return click.option("--jokers", type=click.Choice(["1", "2"]), help=what)


def with_jokers(rules: dict[str, bool] | None, jokers: str | None) -> dict[str, bool] | None:
    """The rules that are chosen, that of the jokers among them."""
    return rules if jokers is None else {**(rules or {}), {"1": "one_joker", "2": "two_jokers"}[jokers]: True}


def game_argument() -> Callable[[F], F]:
    return click.argument("game", type=_GameName())


def game_choice() -> click.ParamType:  # type: ignore[type-arg]
    """The type of an option that names a game."""
    return _GameName()


class _GameName(click.ParamType):  # type: ignore[type-arg]
    """A choice of the games' names, which are looked up when the argument is read or its help is shown."""

    name = "choice"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return self._names().convert(value, param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        return self._names().get_metavar(param, ctx)

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str | None:
        return self._names().get_missing_message(param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Any:
        return self._names().shell_complete(ctx, param, incomplete)

    def _names(self) -> click.Choice[str]:
        from solver import registry

        return click.Choice(registry.names())


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def limit_of(seconds: float | None, nodes: int | None) -> Limit:
    from solver.limits import Limit

    return Limit(seconds=seconds, nodes=nodes)
