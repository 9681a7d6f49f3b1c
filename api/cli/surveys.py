"""Surveys of many deals: the commands that games add, such as `athanor winrate`, and `athanor survey`, which
combines results.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from api.cli.terminal import (
    INTERRUPTED,
    SEED,
    Whole,
    about,
    cancel_on_interrupt,
    check_writable,
    echo,
    in_thread,
    input_name,
    jobs_option,
    json_option,
    output,
    plot_option,
    read_input,
    searching,
    seconds_option,
    show_rows,
    writing,
)
from solver.language import say

if TYPE_CHECKING:
    from solver.answers import Answer
    from solver.game import Survey


def surveys() -> dict[str, Survey]:
    """Return all games' surveys that are commands, by name. If two have the same name, the first one is used."""
    from solver import registry

    by_name: dict[str, Survey] = {}
    for name in registry.names():
        for survey in registry.game(name).surveys:
            if survey.run is not None:
                by_name.setdefault(survey.name, survey)
    return by_name


def command_of(survey: Survey) -> click.Command:
    def run(**given: Any) -> None:
        _run(survey, **given)

    options = [
        click.argument("variant", type=click.Choice(survey.variants, case_sensitive=False)),
        click.option(
            "--deals",
            type=Whole(1, 2**40),
            default=survey.deals,
            show_default=True,
            metavar="N",
            help="How many puzzles.",
        ),
        click.option("--seed", type=SEED, help="The same seed gives the same result; default: a new one."),
        jobs_option("Use N threads, by default one per core. The result does not depend on it."),
        seconds_option("Stop after S seconds, with the deals done by then."),
    ]
    if survey.draw is not None:
        options.append(plot_option(survey.drawn))
    options.append(json_option())
    for option in reversed(options):
        run = option(run)
    return click.command(survey.name, help=survey.help)(run)


@click.command()
@click.argument("file", nargs=-1, required=True)
@plot_option("the result, if the survey has a picture")
@json_option()
def survey(file: tuple[str, ...], plot: str | None, as_json: bool) -> None:
    """Combine the rows of a survey into its result.

    FILE is the output of `athanor batch survey` (.ndjson) or of `athanor jobs follow`; - for standard input.
    """
    from athanor.surveys import together

    if plot is not None:
        check_writable(plot)
    with about(", ".join(map(input_name, file))):
        kind, result = together(row for name in file for row in _rows(name))
    if plot is not None and kind.draw is None:
        raise click.UsageError(say("the survey {name} has no picture", name=kind.name))
    _tell(kind, result, plot, as_json)


def _rows(file: str) -> Iterator[Any]:
    """Yield the rows of a survey's output, which has one JSON value per line, skipping errors."""
    from solver.strict_json import loads_json

    for line in read_input(file).splitlines():
        row = loads_json(line)
        row = row["result"] if isinstance(row, dict) and "result" in row else row
        if not (isinstance(row, dict) and "error" in row):
            yield row


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

    if plot is not None:
        check_writable(plot)
    assert survey.run is not None
    play = survey.run
    from solver.limits import Control, Limit

    seed = secrets.randbelow(1 << 32) if seed is None else seed
    with cancel_on_interrupt() as cancel:
        with searching(say("dealing")) as progress:
            in_thread(lambda: play(variant, deals=1))  # loads the kernels, which should not count as time
            control = Control(Limit(seconds=seconds), cancel, progress)
            result = in_thread(lambda: play(variant, deals=deals, seed=seed, jobs=jobs, control=control))
        _tell(survey, result, plot, as_json)
        if cancel.is_set():
            click.get_current_context().exit(INTERRUPTED)


def _tell(survey: Survey, result: Answer, plot: str | None, as_json: bool) -> None:
    from puzzles.format import replacing

    if plot is not None and survey.draw is not None:
        with writing(plot), replacing(plot) as temporary:
            survey.draw(result, temporary)
    if as_json:
        echo(result.to_json())
        return

    console = output()
    for heading, rows in survey.sections(result):
        if heading is not None:
            console.print(f"\n{heading}")
        show_rows(console, rows)
