"""The games that tests ask about: taken from the registry, so that none is forgotten."""

from __future__ import annotations

from collections.abc import Collection

from solver import registry

# Athanor's own games, and all with opponents, those of other packages too.
OWN = tuple(filter(registry.is_own, registry.names()))
AGAINST_OTHERS = tuple(name for name in registry.names() if registry.game(name).models)


def offering(place: str) -> tuple[str, ...]:
    """The names of all games, those of other packages too, that have something at a place."""
    return tuple(name for name in registry.names() if registry.game(name).places[place] is not None)


def check_rows(table: Collection[str], names: Collection[str] = OWN) -> None:
    """Check what a test keeps by game because it cannot be made up, such as a position.

    Each of Athanor's own games among `names` must have a row, and nothing else; otherwise AssertionError.
    """
    wanted = [name for name in OWN if name in names]
    lacking = [name for name in wanted if name not in table]
    assert not lacking, f"add a row for {', '.join(lacking)} to this table of a test"
    besides = [name for name in table if name not in wanted]
    assert not besides, f"take {', '.join(besides)} out of this table of a test, which does not ask about it"
