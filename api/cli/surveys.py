"""The commands that games bring: surveys over many deals, such as `athanor winrate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from api.cli.terminal.console import echo
from api.cli.terminal.failures import INTERRUPTED
from api.cli.terminal.options import SEED, jobs_option, json_option, limit_of, plot_option, seconds_option

if TYPE_CHECKING:
    from solver.protocol.survey import Survey


def surveys() -> dict[str, Survey]:
    """The surveys of all games by the names of their commands; the first of a name counts."""
    from solver import registry

    found: dict[str, Survey] = {}
    for name in registry.names():
        for survey in registry.game(name).surveys:
            found.setdefault(survey.name, survey)
    return found


def command_of(survey: Survey) -> click.Command:
    """The command of a survey."""

    def run(**given: Any) -> None:
        _run(survey, **given)

    options = [
        click.argument("variant", type=click.Choice(survey.variants)),
        click.option(
            "--deals",
            type=click.IntRange(1, 2**40),
            default=survey.deals,
            show_default=True,
            metavar="N",
            help="How many.",
        ),
        click.option("--seed", type=SEED, help="The same seed gives the same result; default: a new one."),
        jobs_option("Use N threads. The result does not depend on it."),
        seconds_option("Stop after S seconds, with the deals done by then."),
    ]
    if survey.draw is not None:
        options.append(plot_option(survey.drawn))
    options.append(json_option())
    for option in reversed(options):
        run = option(run)
    return click.command(survey.name, help=survey.help)(run)


def _run(
    survey: Survey,
    variant: str,
    deals: int,
    seed: int | None,
    jobs: int,
    seconds: float | None,
    as_json: bool,
    plot: str | None = None,
) -> None:
    import secrets

    from api.cli.terminal import outputs
    from api.cli.terminal.console import searching
    from api.cli.terminal.interrupts import apart, cancel_on_interrupt

    if plot is not None:
        outputs.check(plot)
    from solver.common.control import Control

    seed = secrets.randbelow(1 << 32) if seed is None else seed
    with cancel_on_interrupt() as cancel:
        with searching("dealing") as progress:
            apart(lambda: survey.run(variant, deals=1))  # loads the kernels, which the clock should not count
            control = Control(limit_of(seconds, None), cancel, progress)
            result = apart(lambda: survey.run(variant, deals=deals, seed=seed, jobs=jobs, control=control))
        if plot is not None and survey.draw is not None:
            from puzzles.atomic import replacing

            with outputs.writing(plot), replacing(plot) as temporary:
                survey.draw(result, temporary)
        if as_json:
            echo(result.to_json())
        else:
            _show(survey, result)
        if cancel.is_set():
            click.get_current_context().exit(INTERRUPTED)


def _show(survey: Survey, result: object) -> None:
    from api.cli.terminal.answers import show_rows
    from api.cli.terminal.console import output

    console = output()
    for heading, rows in survey.sections(result):
        if heading is not None:
            console.print(f"\n{heading}")
        show_rows(console, rows)
