"""Every seed and number of nodes that a command takes is one that a browser reads exactly."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from api.cli.main import cli


def numbers(command: click.Command, name: str = "") -> Iterator[tuple[str, click.IntRange]]:
    """The options of a command, and of those below it, that are whole numbers."""
    if isinstance(command, click.Group):
        with click.Context(command) as context:
            for below in command.list_commands(context):
                found = command.get_command(context, below)
                assert found is not None
                yield from numbers(found, f"{name} {below}".strip())
    for option in command.params:
        if isinstance(option.type, click.IntRange):
            yield f"{name} {option.opts[0]}", option.type


def test_no_number_is_taken_that_a_browser_reads_as_another() -> None:
    found = dict(numbers(cli))
    assert "deal --seed" in found
    assert "hint --seed" in found
    for name, kind in found.items():
        if name.endswith(("--seed", "--nodes", "--number")):
            assert kind.max is not None, name
            assert kind.max < 2**53, name


@pytest.mark.parametrize("command", ["deal", "play"])
def test_a_seed_that_is_too_large_is_refused(command: str) -> None:
    result = CliRunner().invoke(cli, [command, "kirin", "--seed", str(2**53)])
    assert result.exit_code == 2
    assert "at most 9,007,199,254,740,991 is expected, not 9007199254740992" in result.stderr
